import EvalCore
import Testing

@testable import EvalGraders

/// A subject with the facts that a test cares about.
func subject(
  _ text: String = "", reference: JSONValue? = nil, toolCalls: [ToolCall] = [], finish: Finish? = .stop,
  refusal: String? = nil, outcome: Outcome = .ok, provenance: Provenance = .live, latency: Int64? = nil,
  firstToken: Int64? = nil, cost: Cost = Cost(dollars: nil), usage: Usage? = nil, earlier: [TurnAnswer] = []
) -> Subject {
  let answer = TurnAnswer(text: text, reasoning: "", toolCalls: toolCalls, finish: finish, refusal: refusal)
  var judged = Subject(
    caseID: "case", target: "target", input: "question", variables: ["city": "Paris"], reference: reference,
    answer: answer, turns: earlier + [answer], outcome: outcome, provenance: provenance,
    totalLatency: latency,
    firstTokenLatency: firstToken, cost: cost, usage: usage)
  judged.earlier = earlier.indices.map { turn in
    Subject(
      caseID: "case", target: "target", input: "question", variables: ["city": "Paris"], reference: reference,
      answer: earlier[turn], turns: Array(earlier[...turn]), outcome: .ok, provenance: provenance,
      totalLatency: nil, firstTokenLatency: nil, cost: cost, usage: nil)
  }
  return judged
}

/// Makes the grader of a check.
func grader(
  _ check: JSONValue, allowsCommands: Bool = false, directory: String = ""
) throws -> any Grader {
  let spec = try CheckSpec.decode(check, graders: GraderRegistry.all)
  return try makeGrader(
    spec, allowsCommands: allowsCommands, directory: directory, judging: .paris(judge: ScriptedJudge.paris))
}

func verdict(_ check: JSONValue, _ subject: Subject) async throws -> Verdict {
  try await grader(check).grade(subject)
}

func verdict(_ check: JSONValue, _ answer: String, reference: JSONValue? = nil) async throws -> Verdict {
  try await verdict(check, subject(answer, reference: reference))
}

/// The problem that a check has; a failure of the test when it has none.
func problem(
  _ check: JSONValue, allowsCommands: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
) throws -> GraderProblem {
  try #require(throws: GraderProblem.self, sourceLocation: sourceLocation) {
    _ = try grader(check, allowsCommands: allowsCommands)
  }
}

typealias SourceLocation = Testing.SourceLocation

/// A judgement in one word: `pass`, `fail`, the value of a number without a verdict, or the reason of an unscored one.
extension Judgement {
  var word: String {
    switch self {
    case .scored(_, true?): "pass"
    case .scored(_, false?): "fail"
    case .scored(let value, nil): "\((value * 1000).rounded() / 1000)"
    case .unscored(let reason, _): reason.rawValue
    }
  }

  var value: Double? { if case .scored(let value, _) = self { value } else { nil } }
}

/// One row of a table: a check, an answer, and the word that the judgement should be.
struct Row: Sendable, CustomTestStringConvertible {
  var check: JSONValue
  var answer: String
  var reference: JSONValue?
  var word: String

  init(_ check: JSONValue, _ answer: String, _ word: String, reference: JSONValue? = nil) {
    self.check = check
    self.answer = answer
    self.word = word
    self.reference = reference
  }

  var testDescription: String { "\(check.serialized()) on \(answer.debugDescription)" }

  func verify(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let verdict = try await verdict(check, answer, reference: reference)
    #expect(
      verdict.judgement.word == word, "\(testDescription): \(verdict.explanation ?? "")",
      sourceLocation: sourceLocation)
    #expect(verdict.judgement.value.map { (0...1).contains($0) } ?? true, sourceLocation: sourceLocation)
    if case .scored = verdict.judgement {
      #expect(
        verdict.explanation?.isEmpty == false, "\(testDescription) explains nothing",
        sourceLocation: sourceLocation)
    }
  }
}
