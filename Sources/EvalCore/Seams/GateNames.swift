extension GateSpec {
  /// What of a rule's names is not there.
  /// - Parameter cases: for tags and ids; `nil` when they are not known.
  package func problems(targets: [String], cases: [CaseSummary]?) -> [GateProblem] {
    var problems: [GateProblem] = []
    func look(_ name: String, _ what: String, among names: [String]) {
      guard !names.contains(name) else { return }
      problems.append(
        GateProblem("there is no \(what) '\(name)'", advice: suggestion(for: name, among: names)))
    }
    for target in self.targets { look(target, "target", among: targets) }
    if case .notWorse(.target(let other), _) = demand {
      look(other, "target", among: targets + ["baseline"])
      if self.targets.contains(other) {
        problems.append(GateProblem("'\(other)' cannot be worse than itself", advice: "take it out of 'for'"))
      } else if self.targets.isEmpty, targets == [other] {
        problems.append(GateProblem("the suite has no other target than '\(other)'"))
      }
    }
    guard let cases else { return problems }
    if let tag, !cases.contains(where: { $0.tags.contains(tag) }) {
      look(tag, "case with the tag", among: Array(Set(cases.lazy.flatMap(\.tags))).sorted())
    }
    if let caseID, !cases.contains(where: { $0.id == caseID }) {
      look(caseID, "case", among: cases.map(\.id))
    }
    return problems
  }
}
