package import EvalCore

extension RunStore {
  /// The cases of a run in the order in which it met them.
  /// - Parameters:
  ///   - id: the run's.
  ///   - withContent: false leaves the content out, which takes most of the time.
  package func cases(_ id: String, withContent: Bool = true) throws(StoreError) -> [CaseRecord] {
    let select = try reader().prepare(
      """
      SELECT hash, case_id, tags, cluster, signals, expects, \(withContent ? "content" : "NULL") FROM cases
      WHERE run_no = (SELECT run_no FROM runs WHERE id = ?1) AND case_id IS NOT NULL ORDER BY case_no
      """)
    select.bind([.text(id)])
    var cases: [CaseRecord] = []
    while try select.step() {
      guard let hash = select.hash(0) else {
        throw StoreError(.notADatabase, "a case of run \(id) in \(path) cannot be read")
      }
      let content = select.json(6)
      // A run from before signals had a column of their own has them in its content.
      let signals = select.json(4) ?? content?["signals"]
      cases.append(
        CaseRecord(
          id: select.text(1) ?? "", hash: hash,
          tags: select.json(2)?.arrayValue?.compactMap(\.stringValue) ?? [], cluster: select.text(3),
          signals: signals?.objectValue ?? [:], expects: select.text(5).flatMap(Expectation.init) ?? .answer,
          content: content))
    }
    return cases
  }
}
