import EvalCore

/// The suite's outermost object while it is read. What names other parts is read when those are known.
struct SuiteDraft: Draft {
  var version: JSONView?
  var name: String?
  var description: String?
  var defaults = DefaultsDraft()
  var profiles: JSONView?
  var routes: JSONView?
  var privacy = PrivacyDraft()
  var cases: JSONView?
  var checks: JSONView?
  var rubrics: JSONView?
  var gates: JSONView?
  var comparisons: JSONView?
  var run = RunSettings()
  var replay: ReplayDraft?
}

struct DefaultsDraft: Draft {
  var profile: JSONView?
  var `case`: JSONView?
  var judge: JSONView?
}

struct ReplayDraft: Draft {
  var file = ""
  var pace = ReplayPace.recorded
  var failures = false
}

extension ObjectTable where Into == SuiteDraft {
  static let suite = ObjectTable(
    "suite", "a suite",
    [
      Key("$schema", schema: ["type": "string"], "The JSON Schema, for editors.") { _, _, _ in },
      Key("version", \.version, .later(["const": 1]), "The version of the format, 1.").required(),
      Key("name", \.name, .name, "How reports call the suite; the file's name unless given."),
      Key("description", \.description, .text, "What the suite is for."),
      Key(
        "defaults", \.defaults, ObjectTable<DefaultsDraft>.defaults.tolerantShape,
        "Keys for every profile and every case, and the judge."),
      Key(
        "profiles", \.profiles, .later(named("profile")),
        "The models under test with their settings, by name."
      ).required(),
      Key(
        "routes", \.routes, .later(["type": "object", "additionalProperties": RoutesReader.schema]),
        "Policies over the profiles, by name: in place, or the path of a policy file."),
      Key(
        "privacy", \.privacy, ObjectTable<PrivacyDraft>.privacy.tolerantShape,
        "How far content may travel, for every route; a policy can only be stricter."),
      Key("cases", \.cases, .later(cases), "The inputs: in place or in files.").required(),
      Key(
        "checks", \.checks, .later(["type": "array", "items": Shape<CheckSpec>.check.schema]),
        "What is checked about every case."),
      Key(
        "gates", \.gates, .later(GatesReader.schema),
        "The rules that a run must hold; see [Gates.md](Gates.md)."),
      Key(
        "rubrics", \.rubrics,
        .later(["type": "object", "additionalProperties": ["$ref": "#/$defs/rubric"]]),
        "Criteria that a model judges answers by, by name."),
      Key(
        "comparisons", \.comparisons,
        .later(["type": "object", "additionalProperties": ["$ref": "#/$defs/comparison"]]),
        "What a model is asked about pairs of answers to the same case, by name."),
      Key(
        "run", \.run, ObjectTable<RunSettings>.run.shape,
        "How the suite is run; the command line overrides it."),
      Key(
        "replay", \.replay, ObjectTable<ReplayDraft>.replay.shape,
        "A recording that answers instead of the providers."),
    ])

  private static func named(_ table: String) -> JSONValue {
    ["type": "object", "minProperties": 1, "additionalProperties": ["$ref": .string("#/$defs/\(table)")]]
  }

  private static let cases: JSONValue = [
    "if": ["type": "array"],
    "then": [
      "minItems": 1,
      "items": [
        "if": ["type": "object", "required": ["file"]], "then": ["$ref": "#/$defs/caseFile"],
        "else": ["$ref": "#/$defs/case"],
      ],
    ],
    "else": ["$ref": "#/$defs/caseFile"],
  ]
}

extension ObjectTable where Into == DefaultsDraft {
  static let defaults = ObjectTable(
    "defaults", "the defaults",
    [
      Key(
        "profile", \.profile, .later(["$ref": "#/$defs/profileDefaults"]), "Keys for profiles without them."),
      Key("case", \.case, .later(["$ref": "#/$defs/caseDefaults"]), "Keys for cases without them."),
      Key(
        "judge", \.judge, .later(["type": "string", "minLength": 1]),
        "The profile that judges where a rubric or a check names none."),
    ])
}

extension ObjectTable where Into == ReplayDraft {
  static let replay = ObjectTable(
    "replay", "a replay",
    [
      Key("file", \.file, .name, "The recording; a relative path starts at the suite's folder.").required(),
      Key(
        "pace", \.pace, .word,
        "Whether it answers as fast as the model did, or at once; recorded unless given."),
      Key(
        "failures", \.failures, .bool,
        "Serve recorded failures, too, as they went; false unless given, then a failed call is a missing one."
      ),
    ])
}
