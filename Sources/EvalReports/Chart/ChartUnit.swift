extension Chart.Unit {
  /// A value with its unit and sensible digits, `—` for none.
  func text(_ value: Double?) -> String {
    guard let value, value.isFinite else { return Numbers.missing }
    let size = abs(value)
    let words: String
    switch self {
    case .score: words = Quantity.score.text(size)
    // Beyond 0…1 a share is the end of an interval or a sum: it says what it is.
    case .share: words = size <= 1 ? Quantity.share.text(size) : Numbers.fixed(size * 100, 1) + " %"
    case .points: words = Numbers.fixed(size * 100, 1) + " points"
    case .milliseconds: words = Quantity.milliseconds.text(size)
    case .dollars: words = Quantity.dollars.text(size)
    case .tokens: words = Numbers.fixed(size, size.rounded() == size || size >= 100 ? 0 : 1)
    case .tokensPerSecond: words = Quantity.tokensPerSecond.text(size)
    case .factor: words = "×" + Numbers.significant(size, 3, maximum: 3)
    case .number where size == size.rounded() && size < 1e15: words = Numbers.fixed(size, 0)
    case .number: words = size >= 1e15 ? "\(size)" : Numbers.significant(size, 3, maximum: 6)
    }
    return (value < 0 ? "-" : "") + words
  }
}
