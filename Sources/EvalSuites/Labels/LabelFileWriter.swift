package import EvalCore

/// Writes labels as JSON lines: a head, then one question a line, in an order that tells nothing.
///
/// What a person reads and writes comes first in a line; what identifies the answer comes last. No line names the target
/// or the judge's verdict.
package enum LabelFileWriter {
  package static let format = "evalrun.labels"
  static let version: Int64 = 1

  package static func text(_ file: LabelFile) -> String {
    ([head(file)] + file.labels.map(line)).map { $0.serialized() + "\n" }.joined()
  }

  private static func head(_ file: LabelFile) -> JSONValue {
    var object: JSONObject = ["format": .string(format), "version": .integer(version)]
    object["run"] = file.run.map { .string($0) }
    object["suite"] = file.suite.map { .string($0) }
    object["seed"] = file.seed.map { .string(String($0)) }
    object["labelledBy"] = file.labelledBy.map { .string($0) } ?? .null
    object["note"] = file.note.map { .string($0) }
    object["strata"] = .array(
      file.strata.map { ["answers": .integer(Int64($0.answers)), "drawn": .integer(Int64($0.drawn))] })
    return .object(object)
  }

  private static func line(_ label: AnswerLabel) -> JSONValue {
    var object: JSONObject = ["case": .string(label.caseID), "check": .string(label.check)]
    object["criterion"] = label.criterion.map { .string($0) }
    object["question"] = label.shown.question.map { .string($0) }
    if !label.shown.levels.isEmpty {
      object["levels"] = .object(
        JSONObject(label.shown.levels.map { (key: $0.label, value: .string($0.summary)) }))
    }
    object["input"] = label.shown.input.map { .string($0) }
    object["reference"] = label.shown.reference.map { .string($0) }
    object["answer"] = label.shown.answer.map { .string($0) }
    object["label"] = label.label.map { .string($0) } ?? .null
    object["target"] = label.target.map { .string($0) }
    object["repeat"] = label.repeatIndex.map { .integer(Int64($0 + 1)) }
    object["turn"] = label.turn.map { .integer(Int64($0 + 1)) }
    object["caseHash"] = label.caseHash.map { .string($0.hex) }
    object["targetHash"] = label.targetHash.map { .string($0.hex) }
    object["answerHash"] = label.answerHash.map { .string($0) }
    object["stratum"] = label.stratum.map { .integer(Int64($0)) }
    return .object(object)
  }
}
