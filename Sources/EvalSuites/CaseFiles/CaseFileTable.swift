import EvalCore

/// How the rows of a case file are written.
enum CaseFormat: String, CaseIterable, Sendable {
  case jsonl, json, csv

  /// By a file's ending.
  init?(ending: String) {
    switch ending {
    case "jsonl", "ndjson": self = .jsonl
    case "json", "jsonc": self = .json
    case "csv": self = .csv
    default: return nil
    }
  }
}

/// A file of cases while its entry in the suite is read.
struct CaseFileDraft: Draft {
  var file = ""
  var format: CaseFormat?
  var fields: JSONView?
  var defaults: JSONView?
  var templates = true
}

extension ObjectTable where Into == CaseFileDraft {
  static let caseFile = ObjectTable(
    "caseFile", "a case file",
    [
      Key("file", \.file, .name, "The path; a relative one starts at the suite's folder.").required(),
      Key("format", \.format, .word, "How its rows are written; by the file's ending unless given."),
      Key(
        "fields", \.fields, .later(FieldMapping.schema), "For case keys, the columns that they are read from."
      ),
      Key(
        "defaults", \.defaults, .later(Shape<CaseDraft>.reference("caseDefaults")),
        "Case keys for rows without them."),
      Key("templates", \.templates, .bool, "Whether braces in the rows are templates; true unless given."),
    ])
}
