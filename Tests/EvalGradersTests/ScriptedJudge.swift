import EvalCore
import Foundation
import Synchronization

@testable import EvalGraders

/// A judge whose replies a test writes; it keeps what it was asked.
final class ScriptedJudge: JudgeCalling {
  /// What a reply may be made of.
  struct Asked: Sendable {
    var question: JudgeQuestion
    /// The call's code, as the judge finds it in the form of the verdict.
    var code: String
    /// The section of the prompt that is judged.
    var answer: String
    /// 1-based over all questions.
    var number: Int
  }

  private let script: @Sendable (Asked) -> ProviderReply
  private let seen = Mutex<[JudgeQuestion]>([])
  private let cost: Cost

  init(cost: Cost = Cost(dollars: 0.25), _ script: @escaping @Sendable (Asked) -> ProviderReply) {
    self.script = script
    self.cost = cost
  }

  var questions: [JudgeQuestion] { seen.withLock { $0 } }

  func ask(_ question: JudgeQuestion) async -> JudgeCall {
    let number = seen.withLock { seen in
      seen.append(question)
      return seen.count
    }
    let code = question.schema["properties"]?["verdict"]?["enum"]?[0]?.stringValue ?? ""
    let text = question.messages[0].text
    let parts = text.components(between: "<<<ANSWER \(code)>>>\n", and: "\n<<<END ANSWER \(code)>>>")
    let reply = script(Asked(question: question, code: code, answer: parts ?? "", number: number))
    return JudgeCall(
      place: question.place, judge: question.judge, judgeHash: ContentHash(of: "judge", kind: "profile"),
      force: .none,
      temperature: nil, seed: nil, number: 1, wait: 0, reply: reply, cost: cost, reading: question.read(reply)
    )
  }

  /// Vectors that count words: letters and digits in lower case.
  func embed(_ question: EmbeddingQuestion) async -> EmbeddingAnswer {
    let words = question.texts.map { text in
      text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
    let all = Set(words.joined()).sorted()
    return EmbeddingAnswer(
      .vectors(words.map { own in all.map { word in Float(own.count { $0 == word }) } }), cost: cost)
  }

  /// Finds what names Paris good and everything else bad.
  static let paris = ScriptedJudge { asked in
    .verdict(asked) { $0.levels[asked.answer.contains("Paris") ? $0.levels.count - 1 : 0] }
  }
}

extension String {
  fileprivate func components(between start: String, and end: String) -> String? {
    guard let from = range(of: start), let to = range(of: end, range: from.upperBound..<endIndex) else {
      return nil
    }
    return String(self[from.upperBound..<to.lowerBound])
  }
}

extension ProviderReply {
  static func said(_ text: String, finish: Finish = .stop) -> ProviderReply {
    var reply = ProviderReply(outcome: text.isEmpty ? .empty : .ok)
    reply.text = text
    reply.finish = finish
    return reply
  }

  /// A verdict as the schema of the question wants it, each criterion by the labels that it may have.
  static func verdict(
    _ asked: ScriptedJudge.Asked, _ choose: (_ criterion: (name: String, levels: [String])) -> String
  ) -> ProviderReply {
    .said(asked.verdict(choose).serialized())
  }
}

extension ScriptedJudge.Asked {
  /// The criteria with their labels, the one for "cannot judge" not among them.
  var criteria: [(name: String, levels: [String])] {
    let scores = question.schema["properties"]?["scores"]?["properties"]?.objectValue?.members ?? []
    return scores.map { member in
      let labels = member.value["properties"]?["level"]?["enum"]?.arrayValue?.compactMap(\.stringValue) ?? []
      return (member.key, labels.filter { $0 != Rubric.abstention })
    }
  }

  func verdict(_ choose: (_ criterion: (name: String, levels: [String])) -> String) -> JSONValue {
    let scores = criteria.map { criterion in
      (
        key: criterion.name,
        value: JSONValue.object(["reason": "because", "level": .string(choose(criterion))])
      )
    }
    return ["verdict": .string(code), "scores": .object(JSONObject(scores))]
  }
}

extension JudgingContext {
  /// A rubric of two criteria called `helpful`, and a profile called `judge`.
  static func paris(judge: any JudgeCalling, change: (inout Rubric) -> Void = { _ in }) -> JudgingContext {
    var rubric = Rubric(
      name: "helpful",
      criteria: [
        Criterion(
          name: "right", question: "Is it right?",
          levels: (1...4).map { RubricLevel(label: "\($0)", summary: "right to the degree \($0)") }, weight: 2
        ),
        Criterion(
          name: "clear", question: "Is it clear?",
          levels: [RubricLevel(label: "no", summary: "muddled"), RubricLevel(label: "yes", summary: "plain")]),
      ], judges: ["judge"])
    change(&rubric)
    return JudgingContext(
      rubrics: ["helpful": rubric], profiles: ["judge", "other", "third"], standing: nil,
      embedders: ["embedder"], caller: judge)
  }
}
