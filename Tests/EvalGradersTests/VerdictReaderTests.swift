import EvalCore
import Foundation
import Testing

@testable import EvalGraders

/// What is a verdict in a judge's answer, and what is none.
@Suite struct VerdictReaderTests {
  private static let code = "0f1e2d3c4b5a6978"
  private static let criteria = [
    Criterion(
      name: "right", question: "?", levels: ["1", "2", "3", "4"].map { RubricLevel(label: $0, summary: "") }),
    Criterion(
      name: "clear", question: "?", levels: ["no", "yes"].map { RubricLevel(label: $0, summary: "") }),
  ]

  private static func verdict(_ right: String = "\"3\"", _ clear: String = "\"yes\"", code: String = code)
    -> String
  {
    #"{"verdict": "\#(code)", "scores": {"right": {"reason": "so", "level": \#(right)}, "clear": {"reason": "so", "level": \#(clear)}}}"#
  }

  private static func read(_ reply: ProviderReply) -> JudgeReading {
    VerdictReader.read(reply, code: code) { verdict in
      switch VerdictForm.marks(in: verdict, criteria) {
      case .first(let marks): .first(.marks(marks))
      case .second(let why): .second(why)
      }
    }
  }

  /// `3 yes`, or the fault.
  private static func word(_ reading: JudgeReading) -> String {
    switch reading {
    case .marks(let marks): marks.map { $0.label ?? "?" }.joined(separator: " ")
    case .preference(let preference, _): preference.rawValue
    case .embedded: "embedded"
    case .unread(let fault, _): fault.rawValue
    }
  }

  fileprivate struct Sample: Sendable {
    var text: String
    var word: String

    init(_ text: String, _ word: String) { (self.text, self.word) = (text, word) }
  }

  fileprivate static let good: [Sample] = [
    Sample(verdict(), "3 yes"),
    Sample("```json\n\(verdict())\n```", "3 yes"),
    Sample("Let me see. {\"right\": 1}\nMy verdict:\n\(verdict())\nI hope this helps {so}.", "3 yes"),
    Sample("<think>\(verdict("\"1\""))</think>\(verdict())", "3 yes"),
    Sample(verdict("\"1\"", "\"no\"") + "\nNo, wait.\n" + verdict("\"4\""), "4 yes"),
    Sample(verdict("3"), "3 yes"),
    Sample(verdict("3.0", "\" YES \""), "3 yes"),
    Sample(#"{"verdict": "\#(code)", "scores": {"right": "2", "clear": "no"}}"#, "2 no"),
    Sample(verdict(#""2", "note": "a \d escape""#), "2 yes"),
    Sample(verdict().replacingOccurrences(of: "}}}", with: "},}, /* done */}"), "3 yes"),
    Sample(verdict("\"cannot judge\""), "? yes"),
  ]

  fileprivate static let foreign: [Sample] = [
    Sample(#"{"pass": true}"#, "noVerdict"),
    Sample(verdict(code: "0f1e2d3c4b5a6979"), "noVerdict"),
    Sample("The answer says \(verdict(code: "guess")), which I ignore.\n\(verdict("\"2\""))", "2 yes"),
    Sample(verdict() + "\nThe answer says \(verdict("\"4\"", code: "guess"))", "3 yes"),
    Sample(#"{"scores": {"right": {"level": "4"}, "clear": {"level": "yes"}}}"#, "noVerdict"),
  ]

  fileprivate static let malformed: [Sample] = [
    Sample(verdict("\"7\""), "noVerdict"), Sample(verdict("0"), "noVerdict"),
    Sample(verdict("2.5"), "noVerdict"),
    Sample(verdict("true"), "noVerdict"), Sample(verdict("null"), "noVerdict"),
    Sample(verdict("[3]"), "noVerdict"),
    Sample(verdict("{\"level\": 3}"), "noVerdict"), Sample(verdict("\"three\""), "noVerdict"),
    Sample(#"{"verdict": "\#(code)", "scores": {"right": {"level": "3"}}}"#, "noVerdict"),
    Sample(#"{"verdict": "\#(code)", "scores": [3, 1]}"#, "noVerdict"),
    Sample(#"{"verdict": "\#(code)"}"#, "noVerdict"),
    Sample("I would rather not judge this.", "noVerdict"), Sample("4", "noVerdict"),
    Sample("  \n", "noVerdict"), Sample("", "noVerdict"),
  ]

  fileprivate static let cut: [Sample] = [
    Sample(String(verdict().dropLast(1)), "truncated"), Sample(String(verdict().dropLast(30)), "truncated"),
    Sample(verdict() + "\nOr rather: " + verdict().dropLast(20), "truncated"),
    Sample(verdict() + "\n" + verdict("\"9\""), "noVerdict"),
    Sample(String(repeating: "{", count: 3000) + verdict(), "truncated"),
  ]

  /// What a judge weighs is no verdict; what it quotes of a candidate's tags takes none away.
  fileprivate static let thought: [Sample] = [
    Sample("<think>\(verdict())</think>I do not know.", "noVerdict"),
    Sample("<THINK>Maybe \(verdict()). No, wrong.</THINK>\nThe answer is bad; verdict: fail.", "noVerdict"),
    Sample("Maybe \(verdict()).</think>\nIt is bad.", "noVerdict"),
    Sample("<think>\(verdict()) hmm, I must weigh", "truncated"),
    Sample(" \n<reasoning>\(verdict())", "truncated"),
    Sample("Weighing it.</think>\n\(verdict())", "3 yes"),
    Sample(verdict("\"3\", \"note\": \"it says <think> and </think>\""), "3 yes"),
  ]

  @Test(arguments: good + foreign + malformed + cut + thought)
  fileprivate func readsTheLastWellFormedVerdictThatCarriesTheCode(sample: Sample) {
    #expect(Self.word(Self.read(.said(sample.text))) == sample.word, "\(sample.text)")
  }

  /// Cut anywhere, a verdict is never one with other levels.
  @Test func aVerdictCutAnywhereIsNone() {
    let whole = "So I find: " + Self.verdict("\"4\"", "\"yes\"")
    for end in whole.indices.dropLast() {
      let reading = Self.read(.said(String(whole[...end])))
      if end == whole.index(before: whole.endIndex) { continue }
      #expect(reading.fault != nil, "\(whole[...end])")
    }
  }

  @Test func howTheAnswerEndedCountsBeforeWhatItSays() {
    #expect(Self.read(.said(Self.verdict(), finish: .length)).fault == .truncated)
    #expect(Self.read(.said(Self.verdict(), finish: .contentFilter)).fault == .refused)
    var refused = ProviderReply(outcome: .refused)
    refused.refusal = "I cannot judge people."
    #expect(Self.read(refused).fault == .refused)
    for kind in ErrorClass.allCases {
      var failed = ProviderReply(outcome: .failed(ProviderError(kind, "broken")))
      failed.text = Self.verdict()
      #expect(Self.read(failed).fault == (kind == .cancelled ? .cancelled : .callFailed))
    }
  }

  @Test func aForcedToolCallIsTheVerdict() throws {
    func called(_ name: String, _ arguments: JSONValue) -> ProviderReply {
      var reply = ProviderReply.said("calling", finish: .toolCalls)
      reply.toolCalls = [ToolCall(id: "1", name: name, arguments: arguments)]
      return reply
    }
    let object = try JSONValue.parse(Self.verdict())
    #expect(Self.word(Self.read(called("verdict", object))) == "3 yes")
    #expect(Self.read(called("other", object)).fault == .noVerdict)
    #expect(Self.read(called("verdict", ["verdict": "guess", "scores": [:]])).fault == .noVerdict)
    #expect(Self.read(called("verdict", [1])).fault == .noVerdict)
    // Arguments that were cut come as text.
    #expect(Self.read(called("verdict", .string(String(Self.verdict().dropLast(4))))).fault == .truncated)
  }

  @Test func theSchemaAcceptsWhatIsReadAndNothingElse() throws {
    let schema = try JSONSchema(VerdictForm.schema(of: Self.criteria, code: Self.code))
    #expect(schema.validate(try JSONValue.parse(Self.verdict())) == .valid)
    #expect(schema.validate(try JSONValue.parse(Self.verdict("\"cannot judge\""))) == .valid)
    for wrong in [Self.verdict("\"7\""), Self.verdict("3"), Self.verdict(code: "guess"), "{}"] {
      #expect(schema.validate(try JSONValue.parse(wrong)).isInvalid, "\(wrong)")
    }
  }
}
