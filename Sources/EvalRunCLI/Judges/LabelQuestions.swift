import EvalAnalysis
import EvalCore
import EvalReports
import EvalStore

/// Draws answers of a run and makes the questions that a person is asked about each.
struct LabelQuestions {
  let session: Session
  let store: RunStore
  let run: RunInfo

  func draw(_ path: String) throws(CommandFailure) -> LabelFile {
    do {
      let judged = try answers()
      let seed = UInt64(session.arguments.count("seed") ?? 1)
      let draw = LabelDraw(judged, count: session.arguments.count("count") ?? 60, seed: seed)
      var file = LabelFile(path: path)
      file.run = run.id
      file.suite = run.suiteName
      file.seed = seed
      file.labelledBy = session.arguments.text("by")
      file.strata = draw.strata.map { LabelFile.Stratum(answers: $0.answers, drawn: $0.drawn) }
      let texts = try store.textReader(run.id)
      var forms: [ContentHash: JudgedForm] = [:]
      for (answer, stratum) in draw.answers {
        if let hash = answer.identity?.form, forms[hash] == nil { forms[hash] = try store.judgedForm(hash) }
        let form = answer.identity.flatMap { forms[$0.form] }
        let found = try texts.texts(answer.key)
        let content = try store.caseContent(run.id, answer.key.caseHash)
        file.labels +=
          LabelSheet(
            answer: answer, stratum: stratum, form: form, texts: found, content: content
          ).labels
      }
      return file
    } catch {
      throw CommandFailure(error)
    }
  }

  private func answers() throws -> [JudgedAnswer] {
    let all = try JudgedAnswer.all(in: store.trials(run))
    guard !all.isEmpty else {
      throw CommandFailure(
        .usage, "no judge scored an answer of run \(run.id)",
        advice: "a suite judges with checks 'rubric' and 'judge'; see Docs/Judges.md")
    }
    let names = session.arguments.texts("check")
    let known = Set(all.map(\.check)).sorted()
    for name in names where !known.contains(name) {
      throw CommandFailure(
        .usage, "no judge scored anything for a check '\(name)'",
        advice: suggestion(for: name, among: known) ?? "there are \(known.joined(separator: ", "))")
    }
    return names.isEmpty ? all : all.filter { names.contains($0.check) }
  }
}
