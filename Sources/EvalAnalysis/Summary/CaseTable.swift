import EvalCore

/// The cases of a run, numbered as they are met, shared by its targets.
struct CaseTable {
  /// By 64 of the hash's bits: a hundred thousand cases collide once in four billion runs.
  private var numbers: [UInt64: Int32] = [:]
  private var clusterNumbers: [String: Int] = [:]
  private(set) var ids: [String] = []
  private(set) var clusters: [Int?] = []
  private(set) var mustPass: [Bool] = []
  /// A check looks at the case.
  private(set) var hasChecks: [Bool] = []
  /// A trial of the case has a score that nobody set a threshold for.
  private(set) var isUngated: [Bool] = []
  /// Some check of the run gives verdicts.
  private(set) var anyVerdict = false

  var count: Int { ids.count }

  /// The case's number, with what the trial says of its checks.
  mutating func note(_ trial: TrialRecord) -> Int {
    let number = number(of: trial)
    if !trial.scores.isEmpty || trial.score.value != nil { hasChecks[number] = true }
    if trial.score.passed != nil {
      anyVerdict = true
    } else if trial.score.value != nil {
      isUngated[number] = true
    }
    return number
  }

  private mutating func number(of trial: TrialRecord) -> Int {
    if let known = numbers[trial.key.caseHash.firstWord] { return Int(known) }
    let number = ids.count
    numbers[trial.key.caseHash.firstWord] = Int32(number)
    ids.append(trial.caseID)
    mustPass.append(trial.mustPass)
    hasChecks.append(false)
    isUngated.append(false)
    clusters.append(trial.cluster.map { clusterNumber(of: $0) })
    return number
  }

  private mutating func clusterNumber(of name: String) -> Int {
    if let known = clusterNumbers[name] { return known }
    let number = clusterNumbers.count
    clusterNumbers[name] = number
    return number
  }
}
