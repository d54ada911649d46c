import EvalCore

extension Signal {
  /// `true` consents to every boundary, a list to those it names; missing is no.
  static let consent = Signal.stated(
    "consent", .boundaries,
    schema: [
      "anyOf": [["type": "boolean"], ["type": "array", "items": words(Boundary.allCases.map(\.rawValue))]]
    ],
    "Whether the person agreed that the content travels: true, false, or the boundaries it may cross.",
    value: { json in
      if let flag = json.boolValue { return SignalDomain.consent(flag ? Boundary.allCases : []) }
      return json.arrayValue.map {
        SignalDomain.consent($0.compactMap { $0.stringValue.flatMap { Boundary(rawValue: $0) } })
      }
    })
}
