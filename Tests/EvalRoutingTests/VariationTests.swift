import EvalCore
import EvalRouting
import Testing

@Suite struct VariationTests {
  static let policy: JSONValue = [
    "policy": "p",
    "constraints": ["maxAttempts": 3],
    "rules": [
      ["when": ["pinned": true], "use": ["$pinned"]],
      ["when": ["custom.tone": "formal", "lowPower": true], "use": ["cloud"]],
      [
        "when": ["all": [["tokensIn": ["atMost": 3000]], ["task": ["in": ["classify"]]]]], "use": ["device"],
      ],
      [
        "when": ["any": [["tokensIn": ["atMost": 1]], ["not": ["tokensIn": ["atMost": 2]]]]],
        "use": ["device"],
      ],
      ["else": true, "use": ["cloud"]],
    ],
  ]

  static func values(_ list: String) throws -> [JSONValue] {
    try PolicyVariation("constraints.maxAttempts=\(list)").values
  }

  @Test(arguments: [
    ("500:2000:500", "[500,1000,1500,2000]"),
    ("500:1999:500", "[500,1000,1500]"),
    ("3:1:-1", "[3,2,1]"),
    ("4:4:1", "[4]"),
    ("0.1:0.5:0.1", "[0.1,0.2,0.3,0.4,0.5]"),
    ("0:1:0.25", "[0.0,0.25,0.5,0.75,1.0]"),
    ("1, 2,2,1", "[1,2]"),
    ("true,false", "[true,false]"),
    ("on-device,cloud", #"["on-device","cloud"]"#),
    (#""1","a,b""#, #"["1","a,b"]"#),
    ("1:3:1,10", "[1,2,3,10]"),
    (#"["device","cloud"],["cloud"]"#, #"[["device","cloud"],["cloud"]]"#),
    (#"{"retry": 1, "then": "next"},stop"#, #"[{"retry":1,"then":"next"},"stop"]"#),
    ("500ms", #"["500ms"]"#),
  ])
  func `Values are ranges, JSON and words`(_ list: String, _ json: String) throws {
    #expect(try JSONValue.array(Self.values(list)).serialized() == json)
  }

  /// Ten steps of 0.1 in binary are 0.9999999999999999.
  @Test func `A range of decimals lands on its end`() throws {
    let values = try Self.values("0.1:1.0:0.1")
    #expect(values.count == 10 && values.last == .number(1) && values[2] == .number(0.3))
  }

  @Test(arguments: [
    ("constraints.maxAttempts", "--vary:1:1", "does not say which values"),
    ("=1", "--vary:1:1", "expected a place"),
    ("a.=1", "--vary:1:3", "expected a name"),
    ("rules[x]=1", "--vary:1:7", "expected a number from 0"),
    ("rules[0=1", "--vary:1:1", "does not say which values"),
    ("constraints.maxAttempts=", "--vary:1:25", "expected a value"),
    ("constraints.maxAttempts=1,,2", "--vary:1:27", "expected a value"),
    ("constraints.maxAttempts=1:5", "--vary:1:25", "FIRST:LAST:STEP"),
    ("constraints.maxAttempts=1:5:x", "--vary:1:29", "'x' is not a number"),
    ("constraints.maxAttempts=1:5:0", "--vary:1:29", "leads nowhere"),
    ("constraints.maxAttempts=1:5:-1", "--vary:1:29", "never leads from 1 to 5"),
    ("constraints.maxAttempts=0:1:0.000001", "--vary:1:25", "more than 100000 values"),
    ("constraints.maxAttempts=[1", "--vary:1:25", "not valid JSON"),
  ])
  func `A wrong variation is refused with its place`(_ text: String, _ place: String, _ words: String) {
    let problem = #expect(throws: Problem.self) { try PolicyVariation(text) }
    #expect(problem?.location?.description == place)
    #expect(problem?.message.contains(words) == true, "\(problem?.message ?? "")")
  }

  @Test(arguments: [
    ("constraints.maxAttempts", "constraints.maxAttempts"),
    ("constraints.maxCostPerCase", "constraints.maxCostPerCase"),
    ("rules[4].use[0]", "rules[4].use[0]"),
    ("rules[2].when.all[0].tokensIn.atMost", "rules[2].when.all[0].tokensIn.atMost"),
    ("rules[2].when.tokensIn.atMost", "rules[2].when.all[0].tokensIn.atMost"),
    ("rules[2].when.task.in", "rules[2].when.all[1].task.in"),
    ("rules[1].when.custom.tone", #"rules[1].when["custom.tone"]"#),
    (#"rules[1].when["custom.tone"]"#, #"rules[1].when["custom.tone"]"#),
  ])
  func `A place is found, also through all, any and not`(_ text: String, _ full: String) throws {
    let grid = try PolicyGrid([PolicyVariation("\(text)=7")], over: Self.policy)
    #expect(grid.axes[0].path == full)
    let written = try PolicyPath(OptionText(full, option: "x")).steps(in: grid.policy(at: 0))
    #expect(PolicyPath.text(of: written) == full)
  }

  @Test(arguments: [
    ("rule[2].when=1", "--vary:1:1", "the policy has no 'rule'", "did you mean 'rules'?"),
    ("rules[9].when=1", "--vary:1:7", "rules has no element 9", "elements count from 0; the last is 4"),
    ("rules[0].wen.pinned=1", "--vary:1:10", "rules[0] has no 'wen'", "did you mean 'when'?"),
    ("policy[0]=1", "--vary:1:8", "policy is no list", nil),
    ("policy.name=1", "--vary:1:8", "policy is no object that could have 'name'", nil),
    (
      "rules[3].when.tokensIn.atMost=1", "--vary:1:1",
      """
      'rules[3].when.tokensIn.atMost' stands for rules[3].when.any[0].tokensIn.atMost and \
      rules[3].when.any[1].not.tokensIn.atMost
      """,
      "write one of them in full"
    ),
  ])
  func `A place that is not there is refused`(
    _ text: String, _ place: String, _ message: String, _ advice: String?
  ) throws {
    let variation = try PolicyVariation(text)
    let problems = #expect(throws: Problems.self) { try PolicyGrid([variation], over: Self.policy) }
    #expect(problems?.all.first?.location?.description == place)
    #expect(problems?.all.first?.message == message)
    #expect(problems?.all.first?.advice == advice)
  }

  @Test func `Several variations are combined, the last one fastest`() throws {
    let grid = try PolicyGrid(
      [
        PolicyVariation("rules[2].when.tokensIn.atMost=500:1500:500"),
        PolicyVariation("constraints.maxAttempts=1,2"),
      ], over: Self.policy)
    #expect(grid.count == 6)
    let all = (0..<grid.count).map { grid.values(at: $0).map { $0.intValue ?? -1 } }
    #expect(all == [[500, 1], [500, 2], [1000, 1], [1000, 2], [1500, 1], [1500, 2]])
    let third = grid.policy(at: 3)
    #expect(third["constraints"]?["maxAttempts"] == 2)
    #expect(third["rules"]?[2]?["when"]?["all"]?[0]?["tokensIn"]?["atMost"] == 1000)
    // Nothing else has changed.
    var back = third.replacing(grid.axes[0].steps[...], with: 3000)
    back = back.replacing(grid.axes[1].steps[...], with: 3)
    #expect(back == Self.policy)
    #expect(Set((0..<6).map { ContentHash(of: grid.policy(at: $0), kind: "policy") }).count == 6)
  }

  @Test func `Constraints and errors can be varied where the policy has none`() throws {
    let grid = try PolicyGrid([PolicyVariation("onError.network=next,stop")], over: Self.policy)
    #expect(grid.policy(at: 1)["onError"] == ["network": "stop"])
  }

  @Test func `Too many combinations and one place twice are refused, together with a wrong place`() throws {
    let many = "constraints.maxAttempts=1:1001:1"
    let problems = #expect(throws: Problems.self) {
      try PolicyGrid(
        [
          PolicyVariation(many), PolicyVariation("rules[0].use[0]=1:1001:1"),
          PolicyVariation("constraints=1"),
          PolicyVariation("nothing.there=1"),
        ], over: Self.policy)
    }
    let messages = problems?.all.map(\.message) ?? []
    #expect(messages.count == 3, "\(messages)")
    #expect(messages.contains { $0.contains("1001 × 1001 values make more than 1000000 policies") })
    #expect(messages.contains("'constraints' and 'constraints.maxAttempts' change the same place"))
    #expect(messages.contains("the policy has no 'nothing'"))
  }
}
