/// How often repeats of a case gave the same answer, for one target.
package struct RepeatedAnswers: Sendable, Hashable {
  package var target: String
  /// Cases with at least two whole answers.
  package var cases: Int
  /// Of these, cases whose answers are the same to the last byte, tool calls included.
  package var identical: Int

  package init(target: String, cases: Int, identical: Int) {
    self.target = target
    self.cases = cases
    self.identical = identical
  }
}
