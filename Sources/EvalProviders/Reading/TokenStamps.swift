import EvalCore

extension Timeline {
  /// Stamps an event with generated output.
  ///
  /// - Parameters:
  ///   - written: what it wrote to; not empty.
  ///   - at: the stamp of the read in which it ended.
  ///   - isSameRead: whether the event with output before it ended in the same read.
  mutating func stamp(_ written: Channels, at: Int64, isSameRead: Bool) {
    if written.contains(.reasoning), firstReasoning == nil { firstReasoning = at }
    if written.contains(.tool), firstTool == nil { firstTool = at }
    // A refusal is what the person sees, so its first word is the first visible text.
    if !written.isDisjoint(with: [.text, .refusal]), firstContent == nil { firstContent = at }
    lastToken = at
    if isSameRead, !tokenReads.isEmpty {
      tokenReads[tokenReads.count - 1].events += 1
    } else {
      tokenReads.append(TokenRead(at: at, events: 1))
    }
  }
}
