package import EvalCore

/// Reads a policy and finds everything that is wrong with it before anything runs.
package struct PolicyReader {
  /// The suite's profiles; `nil` for a policy on its own, which then says itself what its arms are.
  package var arms: [ArmTraits]?
  /// How far content may travel; a policy can only be stricter.
  package var privacy: PrivacyRules
  /// The signals of every case that the policy can meet; `nil` when they are not known.
  package var cases: (any Sequence<JSONObject>)?

  package init(
    arms: [ArmTraits]? = nil, privacy: PrivacyRules = .standard, cases: (any Sequence<JSONObject>)? = nil
  ) {
    self.arms = arms
    self.privacy = privacy
    self.cases = cases
  }

  /// - Parameters:
  ///   - source: the policy.
  ///   - name: how it is called when it does not say so itself, as a route of a suite does.
  /// - Returns: the policy, `nil` when there is an error; every problem with its place, warnings included.
  package func read(_ source: PolicySource, name: String? = nil) -> (
    policy: RoutePolicy?, problems: [Problem]
  ) {
    let problems = InputProblems(locate: source.locate)
    let policy = PolicyReading(reader: self, problems: problems).read(
      Node(view: source.view, path: source.path, keyOffset: source.view.range.lowerBound), name: name)
    return (problems.hasErrors ? nil : policy, problems.all)
  }

  /// A file of its own.
  package func read(_ text: SourceText) -> (policy: RoutePolicy?, problems: [Problem]) {
    let document = JSONDocument()
    do throws(JSONSyntaxError) {
      try document.parse(text.bytes, dialect: .relaxed)
    } catch {
      return (nil, [text.problem(error)])
    }
    return read(PolicySource(text, root: document.root))
  }
}

/// One reading of one policy.
struct PolicyReading {
  let reader: PolicyReader
  let problems: InputProblems

  private static let keys = [
    "$schema", "policy", "version", "description", "unprotected", "arms", "constraints", "rules", "onError",
    "accept",
  ]

  func read(_ root: Node, name: String?) -> RoutePolicy? {
    guard let members = problems.members(root, of: "a policy", known: Self.keys) else { return nil }
    if let version = members["version"], version.view.int != 1 {
      problems.error(
        "this evalrun reads version 1 of policies, not \(version.words)", at: version,
        advice: "write \"version\": 1")
      return nil
    }
    if members["version"] == nil {
      problems.error("'version' is missing", at: root, advice: "write \"version\": 1")
    }
    let ownName = problems.text(members["policy"])
    if members["policy"] == nil, name == nil {
      problems.error("'policy' is missing", at: root, advice: "give the policy a name")
    }
    let unprotected = problems.text(members["unprotected"])
    let draft = draft(root, members, isProtected: members["unprotected"] == nil)
    guard !problems.hasErrors else { return nil }
    PolicyChecks(problems: problems, reader: reader, draft: draft).run()
    return policy(
      draft, name: ownName ?? name ?? "policy", summary: problems.text(members["description"]),
      unprotected: unprotected, hash: ContentHash(of: root.view.value, kind: "policy"))
  }

  private func draft(_ root: Node, _ members: [String: Node], isProtected: Bool) -> PolicyDraft {
    let arms = ArmsReader(problems: problems, suite: reader.arms).read(members["arms"], policy: root)
    let names = arms.map(\.name)
    let rules = RulesReader(problems: problems, arms: names)
    if members["rules"] == nil {
      problems.error("'rules' is missing", at: root, advice: "at least {\"else\": true, \"use\": [\"ARM\"]}")
    }
    let errors = members["onError"].map { ErrorsReader(problems: problems).read($0) } ?? []
    let constraints = ConstraintsReader(problems: problems, privacy: reader.privacy, isProtected: isProtected)
      .read(members["constraints"])
    let accept = members["accept"].map { AcceptReader(problems: problems, arms: names).read($0) } ?? []
    return PolicyDraft(
      arms: arms, rules: members["rules"].map(rules.read) ?? [], errors: errors,
      terms: Terms(
        arms: Dictionary(arms.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }),
        constraints: constraints,
        errors: Dictionary(errors.map { ($0.error, $0.rule) }, uniquingKeysWith: { first, _ in first }),
        accept: accept, privacy: reader.privacy, isProtected: isProtected))
  }

  private func policy(
    _ draft: PolicyDraft, name: String, summary: String?, unprotected: String?, hash: ContentHash
  ) -> RoutePolicy {
    let named = Set(draft.rules.flatMap(\.rule.use).compactMap(\.fixed))
    let isOpen = draft.rules.contains { $0.rule.use.contains(.pinned) }
    return RoutePolicy(
      name: name, summary: summary, hash: hash,
      arms: draft.arms.map(\.name).filter { isOpen || named.contains($0) }, unprotected: unprotected,
      rules: draft.rules.map(\.rule), terms: draft.terms)
  }
}

/// A policy while it is checked: its parts with their places.
struct PolicyDraft {
  struct PlacedRule {
    var rule: Rule
    var node: Node
    var isElse: Bool
    /// Of each arm in `rule.use`.
    var useNodes: [Node]
  }

  struct PlacedError {
    var error: RouteError
    var rule: ErrorRule
    var node: Node
  }

  var arms: [ArmTraits]
  var rules: [PlacedRule]
  var errors: [PlacedError]
  var terms: Terms
}
