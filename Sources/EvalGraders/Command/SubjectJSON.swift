import EvalCore

/// What a command reads: one JSON object with everything a grader may look at.
enum SubjectJSON {
  static func bytes(_ subject: Subject, check: JSONValue) -> [UInt8] {
    var object: JSONObject = [
      "case": .string(subject.caseID), "target": .string(subject.target), "input": .string(subject.input),
      "variables": .object(subject.variables), "reference": subject.reference ?? .null,
      "answer": answer(subject.answer), "turns": .array(subject.turns.map(answer)),
      "outcome": .string(subject.outcome.label), "provenance": .string(subject.provenance.rawValue),
    ]
    object["latencyMs"] = milliseconds(subject.totalLatency)
    object["firstTokenMs"] = milliseconds(subject.firstTokenLatency)
    object["costDollars"] = subject.cost.dollars.map { .number($0) } ?? .null
    object["usage"] = subject.usage.map(usage) ?? .null
    object["check"] = check
    return JSONValue.object(object).bytes() + [0x0A]
  }

  private static func answer(_ answer: TurnAnswer) -> JSONValue {
    [
      "text": .string(answer.text), "reasoning": .string(answer.reasoning),
      "toolCalls": .array(
        answer.toolCalls.map {
          ["id": $0.id.map { .string($0) } ?? .null, "name": .string($0.name), "arguments": $0.arguments]
        }),
      "finish": answer.finish.map { .string($0.rawValue) } ?? .null,
      "refusal": answer.refusal.map { .string($0) } ?? .null,
    ]
  }

  private static func usage(_ usage: Usage) -> JSONValue {
    func count(_ value: Int?) -> JSONValue { value.map { .integer(Int64($0)) } ?? .null }
    return [
      "input": count(usage.input), "cachedInput": count(usage.cachedInput),
      "cacheWrite": count(usage.cacheWrite),
      "output": count(usage.output), "reasoning": count(usage.reasoning),
    ]
  }

  private static func milliseconds(_ nanoseconds: Int64?) -> JSONValue {
    nanoseconds.map { .number(Double($0) / 1_000_000) } ?? .null
  }
}
