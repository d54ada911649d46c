import Foundation
import Testing

@testable import EvalCore

/// Holds the estimate against what real tokenizers count, and `Docs/Metrics.md` against both.
@Suite struct InputCountTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

  private static var document: String {
    get throws {
      try String(
        contentsOf: root.deletingLastPathComponent().appending(path: "Docs/Metrics.md"), encoding: .utf8)
    }
  }

  struct Sample: Sendable, CustomTestStringConvertible {
    var file: String
    var text: String
    var counts: [String: Int]
    var testDescription: String { file }

    var language: String { String(file.prefix { $0 != "-" && $0 != "." }) }
    func error(_ vocabulary: String) throws -> Double {
      Double(TokenEstimate.tokens(in: text)) / Double(try #require(counts[vocabulary])) - 1
    }
  }

  static let samples: [Sample] = {
    let folder = root.appending(path: "Fixtures/tokens")
    guard let bytes = try? Data(contentsOf: folder.appending(path: "counts.json")),
      let counts = try? JSONValue.parse(Array(bytes))["counts"]?.objectValue
    else { return [] }
    return counts.members.compactMap { member in
      guard let text = try? String(contentsOf: folder.appending(path: member.key), encoding: .utf8) else {
        return nil
      }
      let numbers = member.value.objectValue?.members.compactMap { vocabulary in
        vocabulary.value.intValue.map { (vocabulary.key, Int($0)) }
      }
      return Sample(
        file: member.key, text: text, counts: Dictionary(uniqueKeysWithValues: numbers ?? []))
    }
  }()

  @Test(arguments: samples)
  func `Real counts lie within the bounds`(sample: Sample) throws {
    let estimate = TokenEstimate.count(in: sample.text)
    try #require(sample.counts.count == 4)
    for (vocabulary, count) in sample.counts {
      #expect(count >= estimate.low, "\(vocabulary)")
      #expect(count <= estimate.most ?? 0, "\(vocabulary)")
      // A small vocabulary of English alone needs more.
      if vocabulary != "smollm2" { #expect(count <= estimate.high, "\(vocabulary)") }
    }
  }

  /// By language: the mean error against each vocabulary, as the table in the documentation states it.
  @Test func `The documented errors are the real ones`() throws {
    let document = try Self.document
    let languages = [
      "en": "English", "es": "Spanish", "de": "German", "ja": "Japanese", "code": "code", "fr": "French",
      "ru": "Russian", "zh": "Chinese", "ko": "Korean", "ar": "Arabic", "hi": "Hindi",
    ]
    #expect(Set(Self.samples.map(\.language)) == Set(languages.keys))
    for (code, name) in languages {
      let samples = Self.samples.filter { $0.language == code }
      let cells = try ["qwen", "smollm2", "o200k", "llama3"].map { vocabulary in
        let mean = try samples.map { try $0.error(vocabulary) }.reduce(0, +) / Double(samples.count)
        return percent(mean)
      }
      let row = "| \(name) | \(samples.count) | \(cells.joined(separator: " | ")) |"
      #expect(document.contains(row), "\(row)")
    }
  }

  /// The five that the estimate is held to, against llama.cpp's tokenizer of a current model.
  @Test(arguments: [("en", 0.10), ("es", 0.22), ("de", 0.10), ("ja", 0.25), ("code", 0.10)])
  func `Each text of the main languages is within its bound`(language: String, bound: Double) throws {
    let samples = Self.samples.filter { $0.language == language }
    #expect(samples.count >= 3)
    for sample in samples { #expect(abs(try sample.error("qwen")) <= bound, "\(sample.file)") }
  }

  @Test func `A sum keeps its bounds and says who counted`() {
    let text = TokenEstimate.count(in: "a few words")
    let sum = text + .counted(10)
    #expect(sum.tokens == text.tokens + 10 && sum.source == .estimate)
    #expect(sum.low == text.low + 10 && sum.most == 12 + 10)
    #expect((InputCount.counted(3) + .counted(4)) == .counted(7))
    #expect(TokenEstimate.count(in: "") == .none)
    let image = TokenEstimate.Input(
      profile: Profile(name: "p", provider: "x", model: "m"), instructions: nil,
      messages: [Message(role: .user, parts: [.image(ImageContent(mediaType: "image/png", base64: "AA=="))])])
    #expect(image.total.most == nil && image.total.low < image.total.high)
  }

  @Test func `An input has instructions, tools, schema, history and its own text`() {
    var profile = Profile(name: "p", provider: "x", model: "m")
    let words = "Where does the river begin, and where does it end?"
    func total(_ messages: [Message], instructions: String? = nil) -> Int {
      TokenEstimate.Input(profile: profile, instructions: instructions, messages: messages).total.tokens
    }
    let one = total([Message(.user, words)])
    #expect(one > TokenEstimate.tokens(in: words))
    #expect(total([Message(.user, words)], instructions: words) > one + 10)
    #expect(total([Message(.user, words), Message(.assistant, words), Message(.user, words)]) > one + 20)
    let call = ToolCall(id: "1", name: "rivers", arguments: ["name": "Rhine", "country": "Germany"])
    #expect(
      total([Message(role: .assistant, parts: [], toolCalls: [call]), Message(.user, words)]) > one + 10)
    profile.responseSchema = ["type": "object", "properties": ["length": ["type": "number"]]]
    let withSchema = total([Message(.user, words)])
    #expect(withSchema > one + 10)
    profile.tools = [
      ToolDefinition(name: "rivers", summary: "Looks up rivers.", parameters: ["type": "object"])
    ]
    #expect(total([Message(.user, words)]) > withSchema + 100)
  }

  /// A whole request, counted by llama.cpp with the chat templates of both models (`/v1/chat/completions/input_tokens`).
  @Test(arguments: [(false, 18, 19), (true, 382, 426)])
  func `A request with its template`(hasTool: Bool, qwen: Int, smollm2: Int) throws {
    var profile = Profile(name: "p", provider: "x", model: "m")
    if hasTool {
      let sample = try #require(Self.samples.first { $0.file == "code.json.txt" })
      let tool = try #require(try JSONValue.parse(Array(sample.text.utf8))["function"])
      profile.tools = [
        ToolDefinition(
          name: try #require(tool["name"]?.stringValue), summary: tool["description"]?.stringValue,
          parameters: try #require(tool["parameters"]))
      ]
    }
    let estimate = TokenEstimate.Input(
      profile: profile, instructions: "Be short.", messages: [Message(.user, "Hello there")]
    ).total
    for count in [qwen, smollm2] {
      #expect(abs(estimate.tokens - count) <= max(4, count / 8), "\(estimate)")
      #expect(estimate.low <= count && count <= estimate.high)
    }
    guard hasTool else { return }
    func error(_ count: Int) -> String { percent(Double(estimate.tokens) / Double(count) - 1) }
    let words = "was \(error(qwen)) (Qwen, \(qwen)) and \(error(smollm2)) (SmolLM2, \(smollm2))"
    #expect(try Self.document.contains(words), "\(words)")
  }
}

/// `+3 %`
private func percent(_ part: Double) -> String {
  let number = (part * 100).formatted(
    .number.precision(.fractionLength(0)).sign(strategy: .always()).locale(Locale(identifier: "en_US")))
  return "\(number) %"
}
