import EvalCore

/// Makes a case out of its row, its file's defaults and the suite's defaults and checks.
struct CaseDecoder {
  let reader: Reader
  /// The suite's `defaults.case`.
  let defaults: Layer?
  let sharedChecks: SharedChecks

  struct Decoded {
    /// `nil` after noting what is wrong.
    var value: Case?
    /// The id that the case gives itself.
    var ownID: String?
    /// What templates may name.
    var names: JSONObject
  }

  /// - Parameters:
  ///   - layers: the file's defaults, if any, and the row, lowest first.
  ///   - hash: the case's identity, when it was read before from the same bytes.
  func decode(_ layers: [Layer], at location: SourceLocation, hash: ContentHash? = nil) -> Decoded {
    let table = ObjectTable.caseTable
    let layers = defaults.map { [$0] + layers } ?? layers
    let before = reader.diagnostics.errorCount
    var draft = CaseDraft()
    reader.scope = nil
    table.read(layers, reader, part: ObjectTable.factKeys, into: &draft)
    for layer in layers { draft.takeMembers(of: layer, reader) }
    reader.scope = TemplateScope(id: draft.id, variables: draft.variables, reference: draft.reference)
    defer { reader.scope = nil }
    table.read(layers, reader, part: ObjectTable.contentKeys, into: &draft)
    if let row = layers.last { settle(&draft, row, isClean: reader.diagnostics.errorCount == before) }
    let checks = allChecks(draft.checks)
    if draft.expects == .answer { noteMissingReference(draft, checks) }
    let isRight = reader.diagnostics.errorCount == before
    return Decoded(
      value: isRight ? made(draft, checks, location, hash) : nil, ownID: draft.id,
      names: reader.scope?.names ?? [:]
    )
  }

  private func settle(_ draft: inout CaseDraft, _ row: Layer, isClean: Bool) {
    noteMissing(draft, row, isClean: isClean)
    placeToolResults(&draft, row)
  }

  /// Of a case whose input is wrong already, nothing more needs to be said.
  private func noteMissing(_ draft: CaseDraft, _ row: Layer, isClean: Bool) {
    guard draft.turns.isEmpty, isClean else { return }
    reader.with(row.origin) {
      reader.error("the case has no input", at: row.view, advice: "give 'input', 'messages' or 'turns'")
    }
  }

  private func placeToolResults(_ draft: inout CaseDraft, _ row: Layer) {
    guard !draft.toolResults.isEmpty, !draft.turns.isEmpty else { return }
    if draft.isScript {
      reader.with(row.origin) {
        reader.error(
          "'toolResults' of a case with 'turns' belong to a turn", at: row.view["toolResults"] ?? row.view,
          advice: "move them into the turn")
      }
    } else {
      draft.turns[draft.turns.count - 1].toolResults = draft.toolResults
    }
  }

  private func noteMissingReference(_ draft: CaseDraft, _ checks: [CheckSpec]) {
    guard draft.reference == nil else { return }
    for spec in checks + draft.turns.flatMap(\.checks) where reader.vocabulary.needsReference(spec) {
      let place = spec.location.map { "\($0)" } ?? ""
      reader.diagnostics.add(
        Problem(
          .error,
          "the check '\(spec.name)' compares with the reference, which \(reader.scope?.caseName ?? "a case") does not have",
          at: spec.location, advice: "give the case a 'reference', or the check what is right"),
        group: "\(place) reference")
    }
  }

  private func allChecks(_ own: [CheckSpec]) -> [CheckSpec] {
    if own.isEmpty, let fixed = sharedChecks.fixed { return fixed }
    var checks = own + sharedChecks.specs(reader)
    reader.noteTwice(&checks)
    return checks
  }

  private func made(
    _ draft: CaseDraft, _ checks: [CheckSpec], _ location: SourceLocation, _ hash: ContentHash?
  ) -> Case {
    var turns = draft.turns
    for index in turns.indices where !turns[index].checks.isEmpty { reader.noteTwice(&turns[index].checks) }
    var made = Case(
      id: draft.id ?? "", tags: draft.tags, cluster: draft.cluster, variables: draft.variables,
      history: draft.history, turns: turns, reference: draft.reference, signals: draft.signals,
      checks: checks, mustPass: draft.mustPass, location: location, hash: hash)
    made.expects = draft.expects
    if draft.id == nil { made.id = String(made.hash.hex.prefix(8)) }
    return made
  }
}

extension CaseDraft {
  /// Columns that a case file maps to single variables and signals.
  fileprivate mutating func takeMembers(of layer: Layer, _ reader: Reader) {
    for member in layer.members {
      switch member.object {
      case .variables: variables[member.name] = member.view.value
      case .signals:
        if SignalNames.own(member.name) == nil {
          reader.with(layer.origin) {
            reader.checkSignal(member.name, value: member.view, key: member.view)
          }
        }
        signals.add(signal: member.name, member.view.value)
      }
    }
  }
}

extension Layer {
  /// The case defaults' members, in the order of a case's keys.
  var asCase: Layer {
    var layer = Layer(view: view, origin: origin, count: 0)
    layer.values = ObjectTable.caseTable.keys.map { key in
      let index = ObjectTable.caseDefaults.keys.firstIndex { $0.text == key.text }
      return index.flatMap { values[$0] }
    }
    return layer
  }
}
