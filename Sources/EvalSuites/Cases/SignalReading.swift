import EvalCore

extension Reader {
  /// The signals of a case, after noting those that no policy could read: an unknown name, a value of another type.
  func signals(_ view: JSONView) -> JSONObject? {
    guard let object = Shape.jsonObject.read(view, self) else { return nil }
    var signals: JSONObject = [:]
    for member in view.members {
      let name = member.key.string ?? ""
      if SignalNames.own(name) == nil { checkSignal(name, value: member.value, key: member.key) }
    }
    for member in object.members { signals.add(signal: member.key, member.value) }
    return signals
  }

  /// - Parameter key: where the name stands.
  func checkSignal(_ name: String, value: JSONView, key: JSONView) {
    let known = vocabulary.signals
    guard !known.isEmpty, !value.isNull else { return }
    if name == SignalNames.custom {
      if value.kind != .object { wrong(value, expected: "an object of signals of your own") }
      return
    }
    guard let signal = known.first(where: { $0.name == name }) else {
      let names = known.map(\.name) + [SignalNames.custom]
      let advice =
        suggestion(for: name, among: names)
        ?? "one of \(names.joined(separator: ", ")); signals of your own go under 'custom'"
      error(
        "'\(name)' is not a signal", at: key, advice: advice, group: "\(location(of: key)) signal \(name)")
      return
    }
    guard let expected = signal.fault(value.value) else { return }
    wrong(value, expected: expected)
  }
}

extension JSONObject {
  /// Sets a signal; one of the suite's own, `custom.NAME`, in the object for those.
  mutating func add(signal name: String, _ value: JSONValue) {
    guard let own = SignalNames.own(name) else {
      self[name] = value
      return
    }
    var object = self[SignalNames.custom]?.objectValue ?? [:]
    object[own] = value
    self[SignalNames.custom] = .object(object)
  }
}

enum SignalNames {
  /// Holds signals of a suite's own.
  static let custom = "custom"

  /// `NAME` of `custom.NAME`, as a column's goal writes it; `nil` for another name.
  static func own(_ name: String) -> String? {
    name.hasPrefix(custom + ".") ? String(name.dropFirst(custom.utf8.count + 1)) : nil
  }

  /// The schema of a case's `signals`.
  static func schema(_ signals: [SignalDescriptor]) -> JSONObject {
    guard !signals.isEmpty else { return ["type": ["object", "null"]] }
    var properties: JSONObject = [:]
    for signal in signals {
      var schema: JSONObject = ["description": .string(signal.summary)]
      schema["anyOf"] = [signal.schema, ["type": "null"]]
      properties[signal.name] = .object(schema)
    }
    properties[custom] = [
      "description": "Signals of the suite's own, which rules read as custom.NAME.",
      "type": ["object", "null"],
    ]
    return [
      "description": "The signals of a case.", "type": "object", "properties": .object(properties),
      "patternProperties": ["^custom\\..": [:]], "additionalProperties": false,
    ]
  }
}
