package import EvalCore

extension GateSettings {
  /// What is stored of the gates with a run, under `gates` of its settings.
  package var json: JSONValue {
    let rules = gates.map { gate -> JSONValue in
      var object: JSONObject = ["rule": .string(gate.rule)]
      object["name"] = gate.name.map { .string($0) }
      object["line"] = gate.location.map { .integer(Int64($0.line)) }
      object["column"] = gate.location.map { .integer(Int64($0.column)) }
      return .object(object)
    }
    var object: JSONObject = [
      "rules": .array(rules), "maxErrorRate": .number(maxErrorRate), "minCoverage": .number(minCoverage),
    ]
    object["inconclusive"] = inconclusive.map { .string($0.rawValue) }
    return .object(object)
  }

  /// Reads what is stored with a run; nothing stored is no gate.
  /// - Parameter file: the suite that the lines are of.
  package init(stored json: JSONValue?, file: String) {
    self.init()
    guard let json else { return }
    maxErrorRate = json["maxErrorRate"]?.doubleValue ?? maxErrorRate
    minCoverage = json["minCoverage"]?.doubleValue ?? minCoverage
    inconclusive = json["inconclusive"]?.stringValue.flatMap(Leaning.init(rawValue:))
    for entry in json["rules"]?.arrayValue ?? [] {
      let rule = entry["rule"]?.stringValue ?? ""
      do throws(GateProblem) {
        var gate = try GateSpec.read(rule, measures: MeasureRegistry.infos)
        gate.name = entry["name"]?.stringValue
        if let line = entry["line"]?.intValue, let column = entry["column"]?.intValue {
          gate.location = SourceLocation(file: file, line: Int(line), column: Int(column))
        }
        gates.append(gate)
      } catch {
        unreadable.append(rule)
      }
    }
  }
}
