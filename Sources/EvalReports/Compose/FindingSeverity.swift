import EvalCore

/// How much a finding weighs for who decides, in a word.
enum FindingSeverity: String, Sendable {
  /// The numbers do not say what they seem to.
  case serious = "Serious"
  /// Some number is to be read with care.
  case warning = "Warning"
  /// Good to know.
  case note = "Note"

  init(_ finding: Finding) {
    if FindingSeverity.gravest.contains(finding.code) {
      self = .serious
    } else {
      self = FindingSeverity.lightest.contains(finding.code) ? .note : .warning
    }
  }

  var tone: ReportCell.Tone {
    switch self {
    case .serious: .bad
    case .warning: .warning
    case .note: .quiet
    }
  }

  private static let gravest: Set<String> = [
    "all-fail", "error", "must-pass-failed", "no-common-case", "no-common-trial", "served-model-differs",
  ]
  private static let lightest: Set<String> = [
    "all-pass", "cached-prompts", "cases-all-fail", "cases-all-pass", "context-size-unknown", "few-clusters",
    "machine-differs", "sampled", "served-model-version", "suite", "too-few-cases", "too-few-for-p95",
    "tool-differs",
  ]
}
