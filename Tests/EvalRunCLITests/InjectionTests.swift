import EvalCore
import Testing

@testable import EvalRunCLI

@Suite struct InjectionTests {
  @Test func `Shares and a seed are read`() throws {
    let injection = try InjectionReader("network=0.1, rateLimited = 5%, seed=7")
    #expect(injection.rates == [.network: 0.1, .rateLimited: 0.05])
    #expect(injection.seed == 7)
    let words = try InjectionReader("service=0.1,quota=0.2,guardrail=0,parseFailure=0.3")
    #expect(
      words.rates == [.serverError: 0.1, .quotaExceeded: 0.2, .contentFiltered: 0, .malformedResponse: 0.3])
    #expect(words.seed == 1)
  }

  @Test(arguments: [
    ("netwrok=0.1", 1, "there is no error 'netwrok'", "did you mean 'network'?"),
    ("network=2", 9, "expected a share from 0 to 1, or per cent, found '2'", nil),
    ("network=x", 9, "expected a share from 0 to 1, or per cent, found 'x'", nil),
    ("network", 1, "expected ERROR=SHARE, such as network=0.1, found 'network'", nil),
    ("network=0.1, seed=-1", 19, "expected a whole number for the seed, found '-1'", nil),
    ("network=0.1, network=0.2", 14, "'network' is given twice", nil),
    (
      "network=0.6, overloaded=0.5", 1, "the shares add up to more than 1: no call could be struck by all",
      nil
    ),
    ("seed=1", 1, "no error to inject", "for instance network=0.1"),
    ("", 1, "expected ERROR=SHARE, such as network=0.1, found ''", nil),
  ])
  func `What is wrong is said with its place`(
    _ text: String, _ column: Int, _ message: String, _ advice: String?
  ) {
    let problems = #expect(throws: Problems.self) { try InjectionReader(text) }
    #expect(problems?.all.first?.location == SourceLocation(file: "--inject", line: 1, column: column))
    #expect(problems?.all.first?.message == message)
    #expect(problems?.all.first?.advice == advice)
  }

  @Test func `An error that the request decides cannot be injected, and all problems come at once`() {
    let problems = #expect(throws: Problems.self) {
      try InjectionReader("authentication=0.1, contextSizeExceeded=0.1, nope")
    }
    #expect(problems?.all.count == 3)
    #expect(
      problems?.all.first?.message == "'authentication' does not happen by chance: the request decides it")
  }
}
