import EvalCore
import Testing

@testable import EvalSuites

@Suite struct PriceFileTests {
  static let profiles = [
    Profile(name: "device", provider: "openai-chat", model: "small"),
    Profile(name: "cloud", provider: "openai-chat", model: "large"),
    Profile(name: "other", provider: "openai-chat", model: "large"),
  ]

  @Test func `Prices are given by profile or model, the profile's name first`() throws {
    let folder = Folder()
    let path = folder.write(
      "prices.json",
      """
      {
        // a comment
        "device": "free",
        "cloud": {"input": 1, "output": 2, "cachedInput": 0.5, "asOf": "2026-12-01"},
        "large": {"input": 3, "output": 4},
      }
      """)
    let prices = try PriceFile.read(path: path, for: Self.profiles)
    #expect(prices["device"] == .free)
    #expect(prices["cloud"] == Price(input: 1, cachedInput: 0.5, output: 2, asOf: "2026-12-01"))
    #expect(prices["other"] == Price(input: 3, output: 4))
  }

  @Test func `Everything that is wrong is said at once with its place`() {
    let folder = Folder()
    let path = folder.write(
      "prices.json",
      """
      {"clud": "free",
       "device": {"input": 1},
       "cloud": {"input": -1, "output": 1, "cashedInput": 2},
       "large": "cheap"}
      """)
    let problems = #expect(throws: Problems.self) { try PriceFile.read(path: path, for: Self.profiles) }
    let lines = folder.lines(problems?.all ?? [])
    #expect(
      lines == [
        "prices.json:1:2: error: clud: the run has no profile and no model 'clud' (did you mean 'cloud'?)",
        "prices.json:2:12: error: device: a price needs 'output' (dollars for a million output tokens; 0 must be said)",
        "prices.json:3:21: error: cloud.input: expected a number of at least 0, found -1",
        "prices.json:3:38: error: cloud.cashedInput: 'cashedInput' is not a key of a price (did you mean 'cachedInput'?)",
        "prices.json:4:11: error: large: expected \"free\" or an object of prices, found the string \"cheap\"",
      ], "\(lines.joined(separator: "\n"))")
  }

  @Test(arguments: ["[]", "{}", "{"]) func `A file that holds no prices is refused`(_ text: String) {
    let folder = Folder()
    let path = folder.write("prices.json", text)
    #expect(throws: Problems.self) { try PriceFile.read(path: path, for: Self.profiles) }
    #expect(throws: Problems.self) { try PriceFile.read(path: path + "x", for: Self.profiles) }
  }
}
