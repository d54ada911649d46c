import EvalAnalysis
import EvalCore

/// What a run says, in one sentence that somebody can act on: leaks and gates, who is ahead in what and how surely, and
/// where no difference is shown.
struct RunVerdict {
  private let summary: RunSummary

  init(_ summary: RunSummary) { self.summary = summary }

  var block: ReportBlock { .verdict(sentence, tone) }

  var sentence: String {
    guard summary.finished > 0 else { return "Nothing has been measured yet." }
    var parts = [leaks, gates].compactMap(\.self)
    let mute = summary.targets.filter(\.isMute)
    if !mute.isEmpty, mute.count == summary.targets.count {
      return sofar + (parts + ["nothing was answered: \(failed(mute))"]).joined(separator: "; ") + "."
    }
    // Before anything is said of quality: a target that never answered is not a bad one but a broken one.
    parts += mute.map { "\($0.name) answered nothing (\(failed([$0])))" }
    if summary.targets.count > 1 {
      let words = StandingWords(summary.standings, targets: summary.targets.count)
      parts += words.clauses
      if words.clauses.isEmpty { parts.append("there is nothing to set the targets against each other by") }
    } else if let target = summary.targets.first {
      parts.append(alone(target))
    }
    return sofar + parts.joined(separator: "; ") + "."
  }

  /// Bad when something leaked or a gate failed, good when every gate passed.
  var tone: ReportCell.Tone {
    if !summary.leaks.isEmpty || summary.targets.contains(where: \.isMute) { return .bad }
    switch summary.verdict?.outcome {
    case .fail: return .bad
    case .inconclusive, .invalid: return .warning
    case .pass: return .good
    case nil: return .plain
    }
  }

  private var sofar: String {
    guard summary.finished < summary.planned else { return "" }
    return "So far, with \(Numbers.part(summary.finished, of: summary.planned)) trials: "
  }

  private func failed(_ targets: [TargetSummary]) -> String {
    let counts = targets.map(\.counts)
    let words = Numbers.part(counts.reduce(0) { $0 + $1.failed }, of: counts.reduce(0) { $0 + $1.finished })
    return "\(words) trials failed"
  }

  private var leaks: String? {
    let leaks = summary.leaks
    guard !leaks.isEmpty else { return nil }
    let routes = RunReport.ordered(leaks.map(\.route)).joined(separator: ", ")
    return "\(routes) leaked \(leaks.count == 1 ? "once" : "\(Numbers.count(leaks.count)) times")"
  }

  private var gates: String? {
    guard let verdict = summary.verdict else { return nil }
    let results = verdict.results
    func count(_ outcomes: Set<GateOutcome>) -> Int { results.count { outcomes.contains($0.outcome) } }
    func part(_ part: Int) -> String {
      results.count == 1 ? "" : " (\(Numbers.part(part, of: results.count)))"
    }
    switch verdict.outcome {
    case .pass: return results.count == 1 ? "the gate passed" : "all \(results.count) gates passed"
    case .fail: return "gates failed\(part(count([.fail])))"
    case .inconclusive: return "gates are inconclusive\(part(count([.inconclusive])))"
    case .invalid: return "gates could not be judged\(part(count([.invalid])))"
    }
  }

  /// With nobody to set it against.
  private func alone(_ target: TargetSummary) -> String {
    var parts: [String] = []
    let (pass, score) = (target.score.passStrict, target.score.strict)
    func range(_ estimate: Estimate, _ quantity: Quantity) -> String {
      let interval = estimate.interval.map { "\(quantity.text($0)), " } ?? ""
      return " (\(interval)n=\(Numbers.count(estimate.n)))"
    }
    if let value = pass.value, pass.n > 0 {
      parts.append("passes \(Quantity.share.text(value)) of its trials\(range(pass, .share))")
    } else if let value = score.value, score.n > 0 {
      parts.append("scores \(Quantity.score.text(value))\(range(score, .score))")
    }
    if let total = target.headline?.total.p50.measured {
      parts.append("takes \(Quantity.milliseconds.text(total)) at the median")
    }
    if let cost = target.cost.perTrial.value {
      parts.append(
        cost == 0 ? "costs nothing" : "costs \(Quantity.dollars.text(cost * 1000)) for 1,000 trials")
    }
    return parts.isEmpty
      ? "\(target.name) finished \(Numbers.count(target.counts.finished)) trials, with nothing to judge them by"
      : "\(target.name) " + StandingWords.list(parts)
  }
}

extension TargetSummary {
  /// Whether every finished trial failed.
  fileprivate var isMute: Bool { counts.finished > 0 && counts.failed == counts.finished }
}

/// Standings in words.
struct StandingWords {
  private let standings: [Standing]
  private let targets: Int

  /// - Parameter targets: how many there are.
  init(_ standings: [Standing], targets: Int) {
    self.standings = standings.filter { !$0.isFlat }
    self.targets = targets
  }

  /// Quality first; then what each leader is surely ahead in, then what nobody is.
  var clauses: [String] {
    let quality = standings.filter { StandingWords.isQuality($0.measure) }
    let rest = standings.filter { !StandingWords.isQuality($0.measure) }
    // One clause a leader, so that a name is said once.
    let sure = (quality + rest).filter { !$0.behind.isEmpty }
    let wins = RunReport.ordered(sure.map(\.leader)).map { leader in
      "\(leader) " + StandingWords.list(sure.filter { $0.leader == leader }.map(win))
    }
    let open = (quality + rest).filter { $0.behind.isEmpty }
    let doubts =
      open.isEmpty ? [] : ["no difference is shown in \(StandingWords.list(open.map(question)))"]
    // Who decides asks for quality first, whatever is known of it.
    return quality.allSatisfy { $0.behind.isEmpty } ? doubts + wins : wins + doubts
  }

  private static func isQuality(_ measure: ComparisonMeasure) -> Bool {
    switch measure {
    case .score, .pass, .scoreConditional, .passConditional: true
    case .latency, .firstToken, .cost, .cloudShare: false
    }
  }

  /// `passes more (75.0 % against 45.8 %, +29.2 points, 8.4 to 50.0)`; among more than two, the others' names.
  private func win(_ standing: Standing) -> String {
    let behind = standing.behind
    let verb = self.verb(standing.measure)
    guard let nearest = behind.min(by: { StandingWords.size($0) < StandingWords.size($1) }) else { return "" }
    let evidence = self.evidence(nearest.difference)
    if targets == 2 { return "\(verb) (\(evidence))" }
    let others = standing.isSettled ? "every other" : StandingWords.list(behind.map(\.name))
    // The numbers of the one that comes closest; of the rest the table below has them.
    guard StandingWords.isQuality(standing.measure) else { return "\(verb) than \(others)" }
    let name = behind.count > 1 ? "\(nearest.name): " : ""
    return "\(verb) than \(others) (\(name)\(evidence))"
  }

  /// How far from no difference; of times on the logarithm's scale.
  private static func size(_ rival: Standing.Rival) -> Double {
    guard let value = rival.difference.change.value else { return .infinity }
    return rival.difference.measure.scale == .ratio ? max(value, 1 / value) : abs(value)
  }

  private func verb(_ measure: ComparisonMeasure) -> String {
    switch measure {
    case .pass, .passConditional: "passes more"
    case .score, .scoreConditional: "scores higher"
    case .latency: "ends sooner"
    case .firstToken: "starts sooner"
    case .cost: "costs less"
    case .cloudShare: "leaves the device less"
    }
  }

  private func evidence(_ difference: PairedDifference) -> String {
    let text = ChangeText(difference.measure)
    guard let value = difference.change.value else { return "" }
    let range = difference.change.interval.map { ", \(text.range($0))" } ?? ""
    switch difference.measure {
    case .latency, .firstToken: return ofTheTime(value, difference.change.interval)
    case .cost: return sides(difference, .dollars, times: 1000) + " for 1,000 trials"
    case .cloudShare: return sides(difference, .share, times: 1)
    default:
      return "\(sides(difference, difference.measure.quantity, times: 1)), \(text.signed(value))\(range)"
    }
  }

  /// `48.5 % of the time, 39.0 to 60.3`.
  private func ofTheTime(_ value: Double, _ interval: ClosedRange<Double>?) -> String {
    func percent(_ value: Double) -> String { Numbers.fixed(value * 100, value < 0.1 ? 2 : 1) }
    let range = interval.map { ", \(percent($0.lowerBound)) to \(percent($0.upperBound))" } ?? ""
    return "\(percent(value)) % of the time\(range)"
  }

  private func sides(_ difference: PairedDifference, _ quantity: Quantity, times factor: Double) -> String {
    guard let mine = difference.candidate.value, let other = difference.reference.value else { return "" }
    return "\(quantity.text(mine * factor)) against \(quantity.text(other * factor))"
  }

  /// A measure that nobody is surely ahead in; of quality between two, with what was seen.
  private func question(_ standing: Standing) -> String {
    let title = standing.measure.title
    guard targets == 2, StandingWords.isQuality(standing.measure),
      let difference = standing.rivals.first?.difference, let value = difference.change.value
    else { return title }
    let text = ChangeText(standing.measure)
    var seen = "\(standing.leader) \(text.signed(value))"
    if let range = difference.change.interval {
      seen += ", \(text.range(range))"
      // An interval is of one question; the test is corrected for all that were asked.
      if !range.contains(0), let p = difference.test?.adjusted {
        seen += ", corrected \(ProbabilityText.equation(p))"
      }
    }
    return "\(title) (\(seen))"
  }

  /// `a, b and c`.
  static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}
