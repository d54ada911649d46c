import EvalCore
import Foundation
import Testing

@testable import EvalProviders

@Suite struct CommandSetupTests {
  private let bench: CommandBench

  init() throws { bench = try CommandBench() }

  private func problem(_ profile: Profile, allowsCommands: Bool = true) throws -> Problem {
    do throws(Problem) {
      _ = try CommandBench.factory(allowsCommands: allowsCommands).make(profile)
    } catch {
      return error
    }
    throw Problem(.error, "nothing was refused")
  }

  @Test func commandsAreOffUnlessAllowed() throws {
    let refused = try problem(bench.profile(["true"]), allowsCommands: false)
    #expect(refused.advice?.contains("--allow-commands") == true)
    #expect(try CommandBench.factory().make(bench.profile(["true"])).limitKey == "true")
  }

  @Test func theLimitIsTheProgramsPath() throws {
    let factory = CommandBench.factory()
    #expect(try factory.make(bench.profile(["./p.sh", "a"])).limitKey == bench.path("./p.sh"))
    #expect(try factory.make(bench.profile(["/bin/p", "a"])).limitKey == "/bin/p")
  }

  @Test func wrongOptionsAreRefusedWithTheirPlace() throws {
    var profile = Profile(name: "p", provider: "command", model: "")
    #expect(try problem(profile).path == "options.command")
    for (command, path) in [
      (JSONValue.string("echo hello"), "options.command"), ([], "options.command"),
      ([""], "options.command[0]"),
      (["p", "a\u{0}b"], "options.command[1]"), (["p", "{{promt}}"], "options.command[1]"),
      (["p", "{{temperature}}"], "options.command[1]"),
    ] {
      profile.options["command"] = command
      #expect(try problem(profile).path == path, "\(command)")
    }
    #expect(try problem(bench.profile(["p", "{{promt}}"])).advice?.contains("prompt") == true)
    #expect(try problem(bench.profile(["p"]) { $0.options["output"] = "xml" }).path == "options.output")
    #expect(try problem(bench.profile(["p"]) { $0.options["input"] = "none" }).path == "options.command")
    #expect(try problem(bench.profile(["p"]) { $0.key = .environment("K") }).path == "key")
  }

  @Test func whatDoesNotReachTheProgramIsRefused() throws {
    func text(_ command: [String], _ change: (inout Profile) -> Void) -> [String] {
      let profile = bench.profile(command) {
        $0.options["output"] = "text"
        change(&$0)
      }
      return CommandSetup.problems(with: profile).filter { $0.severity == .error }.compactMap(\.path)
    }
    let asked: (inout Profile) -> Void = {
      $0.instructions = "x"
      $0.parameters = GenerationParameters(temperature: 0, stop: ["."])
      $0.tools = [ToolDefinition(name: "f", summary: nil, parameters: [:])]
    }
    #expect(text(["sh", "{{prompt}}"], asked) == ["instructions", "temperature", "stop", "tools"])
    #expect(
      text(["sh", "{{instructions}} {{prompt}}", "-t", "{{temperature}}"], asked) == ["stop", "tools"])
    #expect(
      text(["sh"]) {
        asked(&$0)
        $0.options["input"] = "request"
      } == [])
  }

  @Test func aMissingProgramIsAFinding() {
    func warnings(_ program: String) -> [Problem] { CommandSetup.problems(with: bench.profile([program])) }
    for program in ["no-such-program-here", "./no", "/no/such"] {
      #expect(warnings(program).map(\.severity) == [.warning], "\(program)")
    }
    #expect(warnings("sh").isEmpty && warnings("/bin/sh").isEmpty)
  }

  @Test func inheritedCredentialsAreSecrets() throws {
    let factory = CommandBench.factory([
      "OPENAI_API_KEY": "sk-0123456789", "GH_TOKEN": "ghp_abcdefgh", "DB_PASSWORD": "short",
      "TOKENIZERS_PARALLELISM": "false-false", "PATH": "/usr/bin:/bin",
    ])
    #expect(factory.resolver.secrets.isEmpty)
    _ = try factory.make(bench.profile(["true"]))
    #expect(factory.resolver.secrets == ["ghp_abcdefgh", "sk-0123456789"])
  }

  @Test func aRecordingAnswersWithoutTheProgram() async throws {
    let recording = bench.path("r.jsonl")
    let profile = bench.profile([
      "/bin/sh", "-c",
      #"echo x >> runs; echo '{"text": "a"}'; sleep 0.2; echo '{"text": "b", "finish": "stop"}'; exit 2"#,
    ])
    let transport = HTTPTransport.forTests(1)
    let live = try ProviderFactory(
      .recording(to: recording, header: RecordingBench.header, isPrivate: false), transport: transport,
      environment: [:], allowsCommands: true
    ).make(profile)
    let first = await live.send(call(profile))
    // Not allowed, and not needed: nothing is started.
    let factory = try ProviderFactory(
      .replaying(recording, pace: .instant, includeFailures: false), transport: transport, environment: [:])
    let again = await (try factory.make(profile)).send(call(profile))
    #expect(try bench.text("runs") == "x\n")
    #expect(again.outcome == .ok && again.provenance == .recorded)
    #expect(again.text == "ab" && first.text == "ab")
    #expect(again.notes == first.notes && again.notes.count == 1)
    #expect(again.requestHash == first.requestHash)
    #expect(again.timeline.timeToFirstToken == first.timeline.timeToFirstToken)
    #expect(again.timeline.tokenReads.count == first.timeline.tokenReads.count)
    let other = await (try factory.make(profile)).send(call(profile, [Message(.user, "Another")]))
    #expect(other.failure == .notRecorded)
  }
}
