import EvalCore
import Foundation
import Testing

@testable import EvalSuites

@Suite struct ProfileTests {
  private let folder = Folder()

  /// The problems of one profile, without the suite's first columns.
  private func problems(_ profile: String, environment: [String: String] = [:]) -> [String] {
    folder.problems(suite(profiles: #"{"m": \#(profile)}"#), environment: environment).map {
      String($0.drop { $0 != " " }.dropFirst())
    }
  }

  @Test func trimmingNeedsAWindow() throws {
    func read(_ keys: String) throws -> Suite {
      try folder.read(
        suite(profiles: #"{"m": {"endpoint": "http://h/v1", "model": "m", "price": "free", \#(keys)}}"#))
    }
    let auto = try read(#""trimHistory": "oldestTurns", "contextSize": "auto""#)
    #expect(auto.profiles[0].trimHistory == .oldestTurns && auto.findings.isEmpty)
    let windowless = try read(#""trimHistory": "oldestTurns""#)
    #expect(
      windowless.findings.map(\.message) == ["nothing is left out for 'm': it has no window to fit into"])
    #expect(windowless.findings.map(\.path) == ["profiles.m.trimHistory"])
    let none = try read(#""trimHistory": "none""#)
    #expect(none.findings.isEmpty)
    // It changes what is sent, so it is another profile; the default is no difference.
    #expect(none.profiles[0].hash != windowless.profiles[0].hash)
    #expect(none.profiles[0].hash == (try read(#""concurrency": 1"#)).profiles[0].hash)
    let misspelt = problems(
      #"{"endpoint": "http://h/v1", "model": "m", "price": "free", "trimHistory": "oldest"}"#)
    #expect(misspelt.count == 1)
    #expect(misspelt[0].contains("profiles.m.trimHistory: expected ") && misspelt[0].contains("oldestTurns"))
  }

  @Test(arguments: [
    (
      "ftp://h/v1",
      "error: profiles.m.endpoint: 'ftp://h/v1' is not a URL (it begins with http:// or https://)"
    ),
    (
      "127.0.0.1:8080",
      "error: profiles.m.endpoint: '127.0.0.1:8080' is not a URL (it begins with http:// or https://)"
    ),
    ("http://", "error: profiles.m.endpoint: 'http://' is not a URL: it has no host"),
    (
      "http://h:0/v1",
      "error: profiles.m.endpoint: 'http://h:0/v1' is not a URL: its port is not a number from 1 to 65535"
    ),
    ("http://h: /v1", "error: profiles.m.endpoint: 'http://h: /v1' is not a URL: it has white space in it"),
    ("http://h:/v1", "error: profiles.m.endpoint: 'http://h:/v1' is not a URL: no port stands after ':'"),
    ("http://[::1/v1", "error: profiles.m.endpoint: 'http://[::1/v1' is not a URL: '[' without ']'"),
    (
      "http://h/v1#x",
      "error: profiles.m.endpoint: 'http://h/v1#x' has a fragment, which no server sees (remove '#' and what follows)"
    ),
    (
      "http://me:hush@h/v1",
      #"error: profiles.m.endpoint: the endpoint has a user name or password in it (give the key by 'key': {"env": "NAME"})"#
    ),
    (
      "me:hush@h/v1",
      "error: profiles.m.endpoint: the endpoint is not a URL (it begins with http:// or https://)"
    ),
    (
      "http://h/v1?api-version=1&key=hush",
      #"error: profiles.m.endpoint: the endpoint has a secret in its query ('key') (give the key by 'key': {"env": "NAME"})"#
    ),
    (
      "http://h/v1?code=hush",
      #"error: profiles.m.endpoint: the endpoint has a secret in its query ('code') (give the key by 'key': {"env": "NAME"})"#
    ),
    (
      "http://h/v1?a=1&t=sk-hush-hush-hush-hush",
      #"error: profiles.m.endpoint: the endpoint has a secret in its query ('t') (give the key by 'key': {"env": "NAME"})"#
    ),
  ])
  func refusesAnEndpointThatIsNone(endpoint: String, problem: String) {
    let profile = #"{"endpoint": "\#(endpoint)", "model": "x", "price": "free"}"#
    #expect(problems(profile) == [problem])
    // The same by name, and never shown.
    let named = problems(
      #"{"endpoint": {"env": "URL"}, "model": "x", "price": "free"}"#, environment: ["URL": endpoint])
    #expect(named.count == 1)
    #expect(!named[0].contains(endpoint))
    #expect(!named[0].contains("hush"))
  }

  @Test(arguments: [
    "http://127.0.0.1:18080/v1", "https://h", "HTTPS://h.example/v1?api-version=2024", "http://[::1]:8080/v1",
    "http://münchen.example/",
  ])
  func takesAnEndpointThatIsOne(endpoint: String) throws {
    let read = try folder.read(
      suite(profiles: #"{"m": {"endpoint": "\#(endpoint)", "model": "x", "price": "free"}}"#))
    #expect(read.profiles[0].endpoint == endpoint)
  }

  @Test(arguments: [
    #""key": "hush-hush""#, #""key": {"env": "hush hush"}"#, #""key": {"value": "hush"}"#,
    #""headers": {"Authorization": "Bearer hush"}"#, #""headers": {"x-api-key": "hush"}"#,
    #""headers": {"Cookie": "hush"}"#, #""headers": {"X-Other": "Basic hush"}"#,
    #""headers": {"X-AccessToken": "hush"}"#,
    #""extraBody": {"a": [{"b": "sk-hush-hush-hush-hush"}]}"#,
    #""options": {"apiVersion": "sk-hush-hush-hush-hush"}"#,
    #""extraBody": {"api_key": "hush"}"#, #""extraBody": {"auth": {"clientSecret": ["hush"]}}"#,
  ])
  func refusesASecretWithoutShowingIt(member: String) {
    let found = problems(#"{"endpoint": "http://h/v1", "model": "x", "price": "free", \#(member)}"#)
    #expect(!found.isEmpty)
    for line in found {
      #expect(line.hasPrefix("error: profiles.m."), "\(line)")
      #expect(!line.contains("hush"), "\(line)")
    }
  }

  /// Members of real services whose names sound like keys.
  @Test func takesMembersThatAreNoSecrets() {
    let body =
      #"{"prompt_cache_key": "users-7", "stop_token_ids": [2], "max_tokens": 5, "tokenizer": "x", "api_key": ""}"#
    #expect(
      problems(#"{"endpoint": "http://h/v1", "model": "x", "price": "free", "extraBody": \#(body)}"#).isEmpty)
  }

  @Test(arguments: [
    #""headers": {"Content-Length": "3"}"#, #""headers": {"X Y": "3"}"#, #""headers": {"X": "a\nb"}"#,
    #""headers": {"X": 3}"#, #""headers": []"#,
  ])
  func refusesAHeaderThatCannotBeSent(member: String) {
    let found = problems(#"{"endpoint": "http://h/v1", "model": "x", "price": "free", \#(member)}"#)
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("error: profiles.m.headers"))
  }

  @Test func refusesAKeyWithALineBreak() throws {
    let profile = #"{"endpoint": "http://h/v1", "model": "x", "price": "free", "key": {"env": "K"}}"#
    #expect(problems(profile).isEmpty)
    #expect(problems(profile, environment: ["K": "abc"]).isEmpty)
    let found = problems(profile, environment: ["K": "hush\nhush"])
    #expect(
      found == [
        "error: profiles.m.key: the value of 'K' has a line break or another control character in it (set it again without one)"
      ])
  }

  @Test func takesAKeyFileThatOnlyItsOwnerReads() throws {
    let file = folder.write("key.txt", "abc\n")
    let profile = #"{"endpoint": "http://h/v1", "model": "x", "price": "free", "key": {"file": "~/key.txt"}}"#
    chmod(file, 0o644)
    #expect(
      problems(profile, environment: ["HOME": folder.path]) == [
        "error: profiles.m.key.file: the key file 'key.txt' can be read by others (run: chmod 600 key.txt)"
      ])
    chmod(file, 0o600)
    let read = try folder.read(suite(profiles: #"{"m": \#(profile)}"#), environment: ["HOME": folder.path])
    #expect(read.profiles[0].key == .file(file))
  }

  @Test func holdsAProfileAgainstItsProvider() {
    let found = folder.problems(
      suite(
        profiles: """
          {
            "a": {"provider": "plain", "temperature": 1, "stream": true, "endpoint": "http://h", "price": "free",
                  "options": {"command": [], "sped": 1, "speed": 0}},
            "b": {"provider": "plain", "price": "free", "server": "vllm"},
            "c": {"provider": "plain", "price": "free", "options": {"command": ["rm"]}, "tools": [], "extraBody": {}},
            "d": {"server": "vlm", "model": "x", "price": "free"}
          }
          """))
    #expect(
      found == [
        "suite.json:2:45: error: profiles.a.temperature: the provider 'plain' cannot take 'temperature', which the profile 'a' has (remove it)",
        "suite.json:2:58: error: profiles.a.stream: the provider 'plain' cannot stream (remove it)",
        "suite.json:2:76: error: profiles.a.endpoint: the provider 'plain' has no endpoint (remove it)",
        "suite.json:3:32: error: profiles.a.options.command: expected an array of at least 1 (the program)",
        "suite.json:3:36: error: profiles.a.options.sped: the provider 'plain' has no option 'sped' (did you mean 'speed'?)",
        "suite.json:3:56: error: profiles.a.options.speed: expected at least 1 (how fast it is)",
        "suite.json:4:3: error: profiles.b.options: the provider 'plain' needs the option 'command' (the program)",
        "suite.json:4:57: error: profiles.b.server: the provider 'plain' knows no server 'vllm' (remove it)",
        "suite.json:5:71: error: profiles.c.options.command[0]: that program is dangerous (take another)",
        "suite.json:6:19: error: profiles.d.server: the provider 'openai-chat' knows no server 'vlm' (did you mean 'vllm'?)",
      ])
  }

  @Test func tellsWhatProfilesLack() {
    let found = folder.problems(
      suite(
        profiles:
          #"{"a": {"endpoint": "http://h"}, "b": {"model": "x", "price": {"input": 1}}, "": {}, "a": {}}"#))
    #expect(found.contains { $0.contains("profiles.a: the profile 'a' has no model") })
    #expect(found.contains { $0.contains("warning: profiles.a: the cost of 'a' is unknown") })
    #expect(found.contains { $0.contains("the profile 'b' has no endpoint") })
    #expect(found.contains { $0.contains("profiles.b.price: a price needs 'output'") })
    #expect(found.contains { $0.contains("a profile needs a name") })
    #expect(found.contains { $0.contains("two profiles are called 'a'") })
  }

  @Test func anUnknownPriceIsAFindingAndFreeMustBeSaid() throws {
    let unknown = try folder.read(suite(profiles: #"{"m": {"endpoint": "http://h", "model": "x"}}"#))
    #expect(unknown.findings.map(\.severity) == [.warning])
    #expect(unknown.findings[0].message == "the cost of 'm' is unknown: it has no price")
    #expect(unknown.profiles[0].price == nil)
    let free = try folder.read(suite())
    #expect(free.findings.isEmpty)
    #expect(free.profiles[0].price?.isFree == true)
  }

  @Test func notesProfilesThatDifferInNothing() throws {
    let read = try folder.read(
      suite(
        profiles: """
          {"a": {"endpoint": "http://h", "model": "x", "price": "free"},
           "b": {"extends": "a", "concurrency": 3, "key": {"env": "K"}}}
          """))
    #expect(read.findings.map(\.message) == ["the profile 'b' is the same as 'a' but for its name"])
    #expect(read.findings.map(\.path) == ["profiles.b"])
    #expect(read.findings.map(\.location?.line) == [2])
  }

  @Test func refusesASchemaThatIsNone() {
    folder.write("schema.json", #"{"type": "objct", "required": "a"}"#)
    let found = folder.problems(
      suite(
        profiles: """
          {"m": {
            "endpoint": "http://h", "model": "x", "price": "free", "responseSchema": {"file": "schema.json"},
            "toolChoice": {"tool": "clok"},
            "tools": [
              {"name": "clock", "parameters": {"type": "array"}},
              {"name": "clock", "parameters": {"properties": {"a": {"enum": []}, "b": 3}, "minProperties": -1}},
              {"name": "bad name", "parameters": {"required": ["x"], "properties": {"y": true}, "additionalProperties": false}},
              {"parameters": {"anyOf": []}}
            ]}}
          """))
    #expect(
      found == [
        "suite.json:3:17: error: profiles.m.toolChoice: there is no tool 'clok' to choose (did you mean 'clock'?)",
        #"suite.json:5:46: error: profiles.m.tools[0].parameters.type: a tool's arguments are an object (write "type": "object")"#,
        "suite.json:6:14: error: profiles.m.tools[1].name: two tools are called 'clock' (rename one)",
        "suite.json:6:67: error: profiles.m.tools[1].parameters.properties.a.enum: expected an array of allowed values, found an empty array",
        "suite.json:6:77: error: profiles.m.tools[1].parameters.properties.b: expected a JSON Schema, which is an object, true or false, found 3",
        "suite.json:6:98: error: profiles.m.tools[1].parameters.minProperties: expected a whole number of at least 0, found -1",
        #"suite.json:7:14: error: profiles.m.tools[2].name: expected a tool's name of at most 64 letters, digits, '_', '-' and '.', found the string "bad name""#,
        "suite.json:7:54: error: profiles.m.tools[2].parameters.required[0]: 'x' is required but is no property (did you mean 'y'?)",
        "suite.json:8:5: error: profiles.m.tools[3]: 'name' is missing (The tool's name.)",
        "suite.json:8:30: error: profiles.m.tools[3].parameters.anyOf: expected an array of JSON Schemas, found an empty array",
        #"schema.json:1:10: error: type: expected a JSON type's name, found the string "objct" (did you mean 'object'?)"#,
        #"schema.json:1:31: error: required: expected an array of property names, found the string "a""#,
      ])
  }

  @Test func refusesNumbersThatAreNone() {
    #expect(folder.problems(suite(profiles: #"{"m": {"temperature": NaN}}"#)).count == 1)
    let found = problems(
      #"{"endpoint": "http://h", "model": "x", "temperature": 3, "topP": 1.1, "seed": 1.5, "maxOutputTokens": 0, "contextSize": "big", "price": {"input": -1, "output": 0}, "rateLimit": {"requestsPerMinute": 0}, "concurrency": 1e9}"#
    )
    #expect(
      messages(found) == [
        "expected a number from 0 to 2, found 3", "expected a number from 0 to 1, found 1.1",
        "expected a whole number, found 1.5", "expected a whole number from 1 to 1000000000, found 0",
        #"expected a number of tokens or "auto", found the string "big""#,
        "expected a number of at least 0, found -1",
        "expected a number above 0, found 0", "expected a whole number from 1 to 65535, found 1000000000.0",
      ])
  }

  @Test func routesShareTheNamesOfProfiles() throws {
    folder.write("policy.json", #"{"arms": ["m"]}"#)
    let read = try folder.read(suite(more: #""routes": {"r": {"file": "policy.json"}, "s": {"arms": []}}"#))
    #expect(read.routes.map(\.name) == ["r", "s"])
    #expect(read.routes[0].policy == ["arms": ["m"]])
    #expect(read.targets.map(\.kind) == ["profile", "route", "route"])
    let found = folder.problems(
      suite(more: #""routes": {"m": {"arms": []}, "t": 3, "u": {"file": "none.json"}}"#))
    #expect(
      found.map { $0.drop { $0 != " " } } == [
        " error: routes.m: a profile is called 'm', too (rename one: both are targets)",
        #" error: routes.t: expected a policy, a path, or {"file": "policy.json"}, found 3"#,
        " error: routes.u.file: there is no file 'none.json'",
      ])
  }
}
