import EvalAnalysis

/// One measure in a sentence: what differs, how surely, and what could have been seen.
struct ComparisonSentence {
  let difference: PairedDifference
  let familySize: Int

  private var text: ChangeText { ChangeText(difference.measure) }
  private var title: String { difference.measure.title }

  /// `pass rate +35.0 points (15.2 to 52.3), 50.0 % to 85.0 %, p=0.0062 (exact McNemar; 0.025 over 4 questions)`.
  var sure: String {
    guard let value = difference.change.value else { return "\(title): not known" }
    let range = difference.change.interval.map { " (\(text.range($0)))" } ?? ""
    return "\(title) \(text.signed(value))\(range)\(sides)\(test)"
  }

  /// What was seen without being sure, what could have been seen, and what would settle it.
  var unsure: String {
    guard let value = difference.change.value else {
      return "\(title): no pair has a value on both sides"
    }
    let range = difference.change.interval.map { ", \(text.range($0))" } ?? ""
    return "\(title): \(text.signed(value))\(range)\(test). \(couldHaveSeen)"
  }

  private var sides: String {
    guard let before = difference.reference.value, let after = difference.candidate.value else { return "" }
    let quantity = difference.measure.quantity
    return ", \(quantity.text(before)) to \(quantity.text(after))"
  }

  private var test: String {
    guard let test = difference.test else { return "" }
    var words = test.method.words
    if familySize > 1, let adjusted = test.adjusted {
      words += "; \(ProbabilityText.text(adjusted)) over \(familySize) questions"
    }
    return ", \(ProbabilityText.equation(test.p)) (\(words))"
  }

  private var couldHaveSeen: String {
    guard let detectable = difference.detectable else {
      return "Too few pairs to say what could have been seen."
    }
    let units = detectable.isClustered ? "clusters" : "cases"
    if difference.measure.isShare, detectable.difference > 1 {
      return
        "\(Numbers.count(detectable.units)) \(units) are too few to see any difference four times in five\(cannotBe)"
    }
    var words =
      "\(text.size(detectable.difference)) would have been seen four times in five (\(Numbers.count(detectable.units)) "
      + "\(units))"
    if let needed = detectable.unitsForObserved, let value = difference.change.value,
      needed > detectable.units
    {
      let size = difference.measure.scale == .ratio ? text.signed(value) : text.size(abs(value))
      words += "; \(size) would take about \(ComparisonSentence.round(needed)) \(units)"
    }
    return words + cannotBe
  }

  private var cannotBe: String {
    guard let test = difference.test, !test.canBeSignificant else { return "." }
    let what = test.differing == 1 ? "1 pair differs" : "\(test.differing) pairs differ"
    return ". Only \(what): with five or fewer the test cannot be significant."
  }

  /// To two digits: more would claim too much.
  static func round(_ count: Int) -> String {
    var scale = 1
    while count / scale >= 100 { scale *= 10 }
    return Numbers.count((count + scale - 1) / scale * scale)
  }
}
