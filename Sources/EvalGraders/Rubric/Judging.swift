import EvalCore

/// Puts a rubric to one answer: every judge, draw and part is a question of its own, all asked at once; widths and limits
/// are the caller's.
struct Judging: Sendable {
  let rubric: Rubric
  let check: String
  /// The rubric's name in the suite; `nil` for a criterion that a check states itself.
  let name: String?
  let caller: any JudgeCalling
  let form: JudgedForm

  /// The marks of one judge's one draw on one part.
  struct Answer: Sendable {
    var judge: String
    var place: JudgePlace
    var reading: JudgeReading
    var cost: Cost
  }

  func answers(_ subject: Subject, _ material: JudgedMaterial) async -> [Answer] {
    let places = places(for: subject)
    return await withTaskGroup(of: (Int, Answer).self) { group in
      for (index, (judge, place)) in places.enumerated() {
        group.addTask { (index, await ask(judge, place, material)) }
      }
      var answers: [(Int, Answer)] = []
      for await answer in group { answers.append(answer) }
      return answers.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  private func places(for subject: Subject) -> [(judge: String, place: JudgePlace)] {
    var places: [(judge: String, place: JudgePlace)] = []
    let again = isRechecked(subject)
    for judge in rubric.judges {
      for draw in 0..<(rubric.draws + (again ? 1 : 0)) {
        for part in rubric.parts.indices {
          places.append(
            (
              judge,
              JudgePlace(
                trial: subject.trial, target: subject.target, check: check, rubric: name, turn: subject.turn,
                part: part, draw: draw, purpose: draw < rubric.draws ? .score : .recheck)
            ))
        }
      }
    }
    return places
  }

  /// Chosen by the trial's identity, so that a run that goes on chooses the same.
  private func isRechecked(_ subject: Subject) -> Bool {
    guard rubric.recheck > 0 else { return false }
    let identity: JSONValue = [
      "case": .string(subject.trial?.caseHash.hex ?? subject.caseID),
      "target": .string(subject.trial?.targetHash.hex ?? subject.target),
      "repeat": .integer(Int64(subject.trial?.repeatIndex ?? 0)), "check": .string(check),
      "turn": .integer(Int64(subject.turn)),
    ]
    let draw = Double(ContentHash(of: identity, kind: "recheck").firstWord) / Double(UInt64.max)
    return draw < rubric.recheck
  }

  /// Asks once, and once more when the answer holds no verdict.
  private func ask(_ judge: String, _ place: JudgePlace, _ material: JudgedMaterial) async -> Answer {
    let criteria = rubric.parts[place.part]
    let prompt = RubricPrompt(rubric, criteria, material, at: place)
    var question = JudgeQuestion(
      judge: judge, place: place, instructions: prompt.instructions, messages: prompt.messages(),
      schema: prompt.schema
    ) { reply in
      VerdictReader.read(reply, code: prompt.code) { verdict in
        switch VerdictForm.marks(in: verdict, criteria) {
        case .first(let marks): .first(.marks(marks))
        case .second(let why): .second(why)
        }
      }
    }
    question.form = form
    question.signals = material.signals
    let first = await caller.ask(question)
    guard case .unread(let fault, let why) = first.reading, fault.isWorthRepair else {
      return Answer(judge: judge, place: place, reading: first.reading, cost: first.cost)
    }
    question.place.isRepair = true
    question.messages = prompt.messages(afterFault: why)
    let second = await caller.ask(question)
    return Answer(
      judge: judge, place: place, reading: second.reading, cost: .sum(of: [first.cost, second.cost]))
  }
}

extension JudgeFault {
  /// Whether asking again in other words can help.
  var isWorthRepair: Bool {
    switch self {
    case .noVerdict, .truncated: true
    case .callFailed, .refused, .abstained, .noEmbedding, .withheld, .cancelled: false
    }
  }
}
