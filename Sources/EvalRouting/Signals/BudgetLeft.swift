import EvalCore

extension Signal {
  /// What may still be spent: the least of what the case gives and what the policy's own limit leaves.
  static let budgets: [Signal] = [
    budget("case", descriptor: budgetDescriptor), budget("run"), budget("month"),
  ]

  private static let budgetDescriptor = descriptor(
    "budget", "Dollars left when the case begins: for it, for the run, for the month.",
    [
      "type": "object", "additionalProperties": false,
      "properties": .object(
        JSONObject(["case", "run", "month"].map { ($0, ["type": "number", "minimum": 0]) })),
    ])

  private static func budget(_ span: String, descriptor: SignalDescriptor? = nil) -> Signal {
    Signal(
      name: "budget.\(span)", domain: .amount,
      summary: "Dollars left for the \(span), less what this trial spent.", descriptor: descriptor,
      origin: span == "month"
        ? "case" : "case, or the policy's \(Budgets.limitName(span)) less what was spent",
      read: { context in context.terms.budgets.left(span, context.facts) },
      place: { facts, _, value in facts.signals.set(span, in: "budget", value.json) },
      basis: { terms, _ in terms.budgets.basis(span) })
  }
}

extension JSONObject {
  /// Sets a member of an object within.
  mutating func set(_ key: String, in outer: String, _ value: JSONValue) {
    var inner = self[outer]?.objectValue ?? [:]
    inner[key] = value
    self[outer] = .object(inner)
  }
}
