import EvalCore

extension SampleRun {
  /// What people said of 30 answers of the device and 30 of the cloud, 15 of each right: a judge that passes 13 right ones
  /// of each, 4 wrong ones of the device, and 14 wrong ones of the cloud.
  static let labels: [VerdictLabel] = [(device, 4), (cloud, 14)].flatMap { target, passed in
    (0..<30).map { number in
      let judges = ["judge", "second"].map { hash($0, "profile") }.sorted { $0.hex < $1.hex }
      var label = VerdictLabel(
        form: hash("helpful", "form"), judges: judges,
        key: TrialKey(
          caseHash: hash("labelled-\(number)", "case"), targetHash: hash(target, "profile"), repeatIndex: 0),
        target: target, check: "helpful", turn: 0, answerHash: "\(number)", person: number < 15,
        judge: number < 13 || number >= 30 - passed, source: "labels | of *anna*.jsonl", run: "earlier",
        checkedAt: 1_700_000_000)
      label.labelledBy = "anna"
      return label
    }
  }
}
