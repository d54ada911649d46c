import EvalCore
import Testing

@testable import EvalSuites

@Suite struct SuiteReaderTests {
  @Test func readsEverythingThatAProfileSays() throws {
    let folder = Folder()
    folder.write("system.txt", "Be brief.\n")
    let suite = try folder.read(
      """
      // A comment, and trailing commas.
      {
        "$schema": "./evalrun.schema.json",
        "version": 1,
        "description": "all of it",
        "defaults": { "profile": { "temperature": 0.5, "headers": {"X-Team": "blue", "X-Old": "1"} } },
        "profiles": {
          "base": {
            "server": "llama.cpp", "endpoint": {"env": "URL"}, "model": "m", "boundary": "privateCloud",
            "contextSize": "auto", "instructions": {"file": "system.txt"},
            "price": {"input": 1, "cachedInput": 0.5, "output": 2, "asOf": "2026-11-30"},
            "extraBody": {"a": {"b": 1, "c": 2}},
          },
          "derived": {
            "extends": "base", "temperature": null, "topP": 1, "seed": 7, "stop": "END", "maxOutputTokens": 64,
            "reasoning": "low", "stream": false, "concurrency": 2, "contextSize": 4096,
            "rateLimit": {"requestsPerMinute": 60}, "key": {"env": "TEAM_KEY"},
            "headers": {"x-old": null, "X-Key": {"env": "TEAM_KEY"}},
            "extraBody": {"a": {"c": 3, "d": 4}}, "price": {"output": 4},
            "tools": [{"name": "clock", "description": "tells the time", "strict": true}],
            "toolChoice": {"tool": "clock"}, "responseSchema": {"type": "object"},
            "options": {"apiVersion": "2"},
          },
        },
        "cases": [{"id": "a", "input": "Hello"}],
        "checks": [{"contains": "x"}],
        "run": {
          "repeats": 3, "concurrency": 4, "maxConcurrency": 8, "endpointConcurrency": 6, "seed": 9, "warmup": 1,
          "private": true, "failuresCountAsZero": false,
          "timeouts": {"connect": "500ms", "firstToken": 2, "stall": "1.5m", "total": "none"},
          "retries": {"limit": 0, "baseDelay": "1s", "maxDelay": "1h", "maxRetryAfter": 5},
        },
      }
      """, environment: ["URL": "http://127.0.0.1:18080/v1"])

    #expect(suite.name == "suite")
    #expect(suite.summary == "all of it")
    #expect(suite.profiles.map(\.name) == ["base", "derived"])
    let base = suite.profiles[0]
    #expect(base.endpoint == "http://127.0.0.1:18080/v1")
    #expect(base.instructions == "Be brief.")
    #expect(base.parameters == GenerationParameters(temperature: 0.5))
    #expect(base.contextSize == .auto)
    #expect(base.boundary == .privateCloud)
    #expect(base.price == Price(input: 1, cachedInput: 0.5, output: 2, asOf: "2026-11-30"))
    #expect(base.stream)

    let derived = suite.profiles[1]
    #expect(
      derived.parameters
        == GenerationParameters(
          topP: 1, seed: 7, stop: ["END"], maxOutputTokens: 64, reasoning: "low"))
    #expect(derived.server == "llama.cpp")
    #expect(derived.stream == false)
    #expect(derived.concurrency == 2)
    #expect(derived.contextSize == .tokens(4096))
    #expect(derived.rateLimit == RateLimit(requestsPerMinute: 60))
    #expect(derived.key == .environment("TEAM_KEY"))
    #expect(
      derived.headers == [
        HeaderField(name: "X-Team", value: .literal("blue")),
        HeaderField(name: "X-Key", value: .environment("TEAM_KEY")),
      ])
    #expect(derived.extraBody == ["a": ["b": 1, "c": 3, "d": 4]])
    #expect(derived.price == Price(input: 1, cachedInput: 0.5, output: 4, asOf: "2026-11-30"))
    #expect(derived.tools.map(\.name) == ["clock"])
    #expect(derived.toolChoice == .tool("clock"))
    #expect(derived.responseSchema == ["type": "object"])
    #expect(derived.options == ["apiVersion": "2"])
    #expect(derived.location?.line == 14)

    let run = suite.settings
    #expect((run.repeats, run.concurrency, run.maxConcurrency, run.endpointConcurrency) == (3, 4, 8, 6))
    #expect((run.seed, run.warmup) == (9, 1))
    #expect(run.isPrivate)
    #expect(!run.failuresCountAsZero)
    #expect(run.timeouts.connect == .milliseconds(500))
    #expect(run.timeouts.firstToken == .seconds(2))
    #expect(run.timeouts.stall == .seconds(90))
    #expect(run.timeouts.total == nil)
    #expect(run.retries.limit == 0)
    #expect(run.retries.maxDelay == .seconds(3600))
    #expect(run.retries.maxRetryAfter == .seconds(5))
    #expect(suite.findings.isEmpty)
  }

  @Test func tellsEveryProblemAtOnce() {
    let folder = Folder()
    let lines = folder.problems(
      """
      {
        "version": 1,
        "nmae": "typo",
        "profiles": {
          "a": {"endpoint": "http://h/v1", "model": "x", "temprature": 1, "concurrency": 0, "price": "free"},
          "b": {"extends": "aa", "temperature": -1, "topP": "0.7", "model": "x", "model": "y"},
          "c": {"provider": "openai-chta", "extends": "d"},
          "d": {"extends": "c", "instructions": {"file": "nowhere.txt"}}
        },
        "cases": [
          {"id": "x", "input": "Hi", "assert": []},
          {"id": "x", "input": "Ho", "checks": [{"contains": 3}, {"regex": "[a"}]},
          {"id": "x", "input": 3},
          {"id": "x", "input": "Hm"}, {"id": "x", "input": "Ha"},
          {"file": "cases.jsonl"}
        ],
        "checks": [{"cntains": "x"}],
        "run": {"repeats": -1, "timeouts": {"total": "soon"}},
      }
      """)
    #expect(
      lines == [
        "suite.json:3:3: error: nmae: 'nmae' is not a key of a suite (did you mean 'name'?)",
        "suite.json:5:52: error: profiles.a.temprature: 'temprature' is not a key of a profile (did you mean 'temperature'?)",
        "suite.json:5:84: error: profiles.a.concurrency: expected a whole number from 1 to 65535, found 0",
        "suite.json:6:22: error: profiles.b.extends: there is no profile 'aa' to extend (did you mean 'a'?)",
        "suite.json:6:43: error: profiles.b.temperature: expected a number from 0 to 2, found -1",
        "suite.json:6:55: error: profiles.b.topP: expected a number from 0 to 1, found the string \"0.7\"",
        "suite.json:6:76: error: profiles.b.model: 'model' is given twice (keep one of them)",
        "suite.json:7:23: error: profiles.c.provider: there is no provider 'openai-chta' (did you mean 'openai-chat'?)",
        "suite.json:7:49: error: profiles.c.extends: profiles extend each other in a circle: c → d → c (remove one 'extends')",
        "suite.json:8:52: error: profiles.d.instructions.file: there is no file 'nowhere.txt'",
        "suite.json:11:32: error: cases[0].assert: 'assert' is not a key of a case (the keys here are id, variables, reference, tags, cluster, mustPass, signals, input, messages, turns, toolResults, checks, expects)",
        "suite.json:12:5: error: the id 'x' is taken by the case at suite.json:11:5 (give one of them another id)",
        "suite.json:12:56: error: cases[1].checks[0].contains: 'contains' takes a string",
        "suite.json:12:70: error: cases[1].checks[1].regex: the pattern has '[' without ']' (close it)",
        "suite.json:13:5: error: the id 'x' is taken by the case at suite.json:11:5 (give one of them another id)",
        "suite.json:13:26: error: cases[2].input: expected a text or an array of parts such as {\"text\": \"…\"}, found 3",
        "suite.json:14:5: error: the id 'x' is taken by the case at suite.json:11:5 (give one of them another id)",
        "suite.json:14:33: error: the id 'x' is taken by the case at suite.json:11:5 (give one of them another id)",
        "suite.json:15:14: error: cases[5].file: there is no file 'cases.jsonl'",
        "suite.json:17:15: error: checks[0].cntains: 'cntains' is not a kind of check (did you mean 'contains'?)",
        "suite.json:18:22: error: run.repeats: expected a whole number from 1 to 65535, found -1",
        "suite.json:18:48: error: run.timeouts.total: expected a time above 0 such as \"500ms\", \"10s\" or \"2m\", found the string \"soon\"",
      ])
  }
}
