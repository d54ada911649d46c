import EvalAnalysis
import EvalCore

/// What the time to the first token was spent on.
extension RunPictures {
  /// As many calls as a median takes.
  static let leastOfSplit = 6

  /// First turns only; `nil` where no target has enough calls with all stamps.
  ///
  /// - Parameter isTelling: leaves it out where one part is nearly all of the time everywhere.
  func firstTokenSplit(isTelling: Bool = false) -> Chart? {
    let parts = summary.targets.flatMap { target in
      target.latency.compactMap { group -> (name: String, split: FirstTokenSplit)? in
        guard group.condition.turn == .first, let split = group.split, split.n >= RunPictures.leastOfSplit
        else { return nil }
        return (RunPictures.name(target, group, split.isCached ? "cached prompt" : nil), split)
      }
    }
    guard parts.contains(where: { !isTelling || $0.split.largest < 0.95 * $0.split.whole }) else {
      return nil
    }
    let bars = Chart.Bars(
      axis: Chart.Axis("from being due to the first token", .milliseconds), style: .stacked,
      parts: [.init("connect"), .init("wait"), .init("model")],
      rows: parts.map { name, split in
        .init(
          "\(name) (n=\(Numbers.count(split.n)))", [split.connect, split.wait, split.model].map { .init($0) })
      })
    return Chart(
      id: "first-token-split", title: "What the first token waited for", .bars(bars),
      alternative: "Until the first token the typical call took "
        + RunPictures.some(parts.map { RunPictures.words($0.split, of: $0.name) }, "; ") + ".",
      note: RunPictures.splitNote(parts.reduce(0) { $0 + $1.split.missing }))
  }

  private static func words(_ split: FirstTokenSplit, of name: String) -> String {
    // Below a millisecond only that it is there counts.
    func time(_ value: Double) -> String {
      value > 0 && value < 1 ? "< 1 ms" : Quantity.milliseconds.text(value)
    }
    return "\(time(split.whole)) with \(name) (connect \(time(split.connect)), wait \(time(split.wait)), "
      + "model \(time(split.model)))"
  }

  private static func splitNote(_ missing: Int) -> String {
    var note =
      "Connect: until the connection could carry the request. Wait: in our queue, and on the server until its first "
      + "byte came. Model: from the first byte to the first token; a server that sends nothing before its first token "
      + "has all of it in the wait. Typical: the mean over the middle half of the calls."
    if missing > 0 { note += " \(Numbers.count(missing)) calls lack a stamp and are not in it." }
    return note
  }
}

extension FirstTokenSplit {
  fileprivate var largest: Double { max(connect, wait, model) }
}
