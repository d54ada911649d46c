package import EvalCore

/// Reads labels: the JSON lines that `evalrun judge label` writes, or a file by hand, as JSON lines, a JSON array or CSV.
package enum LabelFileReader {
  /// - Throws: everything that is wrong with it, each with its line and column.
  package static func read(path: String) throws(Problems) -> LabelFile {
    let file: OpenFile
    do throws(FileFault) {
      file = try OpenFile(path)
    } catch {
      throw Problems([Problem(.error, error.message, advice: error.advice)])
    }
    var reading = LabelReading(path: path)
    let format = format(of: path)
    var records = RecordReader(file, format)
    reading: while !reading.diagnostics.isFull {
      switch records.next() {
      case .end: break reading
      case .fault(let problem):
        reading.diagnostics.add(problem)
        break reading
      case .record(let record):
        if format == .csv { reading.addCSV(record) } else { reading.addJSON(record) }
      }
    }
    if reading.diagnostics.errorCount == 0, reading.file.labels.isEmpty {
      reading.diagnostics.add(
        Problem(
          .error, "'\(path)' holds no label",
          advice: "make one with 'evalrun judge label RUN', or see Docs/Judges.md"))
    }
    guard reading.diagnostics.errorCount == 0 else {
      throw Problems(reading.diagnostics.all(firstFile: path))
    }
    return reading.file
  }

  private static func format(of path: String) -> CaseFormat {
    let lowered = path.lowercased()
    if lowered.hasSuffix(".csv") { return .csv }
    return lowered.hasSuffix(".json") ? .json : .jsonl
  }
}

/// What has been read of a file of labels, record by record.
struct LabelReading {
  private static let headKeys = ["format", "version", "run", "suite", "seed", "labelledBy", "note", "strata"]
  private static let keys = [
    "case", "target", "repeat", "turn", "check", "criterion", "label", "question", "levels", "input",
    "reference",
    "answer", "caseHash", "targetHash", "answerHash", "stratum",
  ]
  /// What a person writes by hand.
  static let columns = ["case", "target", "repeat", "turn", "check", "criterion", "label"]

  /// What makes two labels one question.
  private struct Question: Hashable {
    var subject: String
    var target: String
    var repeatIndex: Int
    var turn: Int
    var check: String
    var criterion: String
  }

  private(set) var file: LabelFile
  let diagnostics = Diagnostics()
  var record = Record(bytes: [], offset: 0, line: 1, column: 1)
  private let document = JSONDocument()
  private var questions: [Question: SourceLocation?] = [:]
  /// The columns of a table, once they are read.
  var header: [String]?
  private var isFirst = true

  init(path: String) { file = LabelFile(path: path) }

  // MARK: JSON

  mutating func addJSON(_ record: Record) {
    self.record = record
    do throws(JSONSyntaxError) {
      try document.parse(record.bytes, dialect: .relaxed)
    } catch {
      return note(error.message, at: error.offset)
    }
    let view = document.root
    guard view.kind == .object else { return note("a label is an object", at: view.range.lowerBound) }
    let wasFirst = isFirst
    isFirst = false
    if wasFirst, view["format"] != nil { return readHead(view) }
    checkKeys(view, LabelReading.keys)
    readLabel(view)
  }

  private func checkKeys(_ view: JSONView, _ keys: [String]) {
    for member in view.members {
      let key = member.key.string ?? ""
      if !keys.contains(key) {
        note(
          "'\(key)' is not known here", at: member.key.range.lowerBound,
          advice: suggestion(for: key, among: keys) ?? "there are \(keys.joined(separator: ", "))")
      }
    }
  }

  private mutating func readHead(_ view: JSONView) {
    checkKeys(view, LabelReading.headKeys)
    guard view["format"]?.string == LabelFileWriter.format else {
      return note("this is no file of labels", at: view["format"] ?? view)
    }
    if view["version"]?.int != LabelFileWriter.version {
      note(
        "this file is of another version than \(LabelFileWriter.version)", at: view["version"] ?? view,
        advice: "update evalrun, or make the file again")
    }
    file.run = text(view, "run")
    file.suite = text(view, "suite")
    file.seed = text(view, "seed").flatMap { UInt64($0) }
    file.labelledBy = text(view, "labelledBy")
    file.note = text(view, "note")
    for stratum in view["strata"]?.elements.map({ $0 }) ?? [] {
      guard let answers = stratum["answers"]?.int, let drawn = stratum["drawn"]?.int, drawn >= 1,
        answers >= drawn
      else {
        note("a stratum has 'answers' and, of these, 'drawn'", at: stratum)
        continue
      }
      file.strata.append(.init(answers: Int(answers), drawn: Int(drawn)))
    }
  }

  private mutating func readLabel(_ view: JSONView) {
    guard let subject = required(view, "case"), let check = required(view, "check") else { return }
    var label = AnswerLabel(caseID: subject, check: check, criterion: text(view, "criterion"))
    label.target = text(view, "target")
    label.repeatIndex = count(view, "repeat").map { $0 - 1 }
    label.turn = count(view, "turn").map { $0 - 1 }
    label.caseHash = hash(view, "caseHash")
    label.targetHash = hash(view, "targetHash")
    label.answerHash = hash(view, "answerHash")?.hex
    if let stratum = view["stratum"], !stratum.isNull {
      if let place = stratum.int, file.strata.indices.contains(Int(place)) {
        label.stratum = Int(place)
      } else {
        note("'stratum' is none of the head's \(file.strata.count) strata", at: stratum)
      }
    }
    label.shown = shown(view)
    if let answer = label.shown.answer, let hash = label.answerHash, SHA256.hexOf(answer) != hash {
      note(
        "the answer was edited: it is not the one that 'answerHash' names", at: view["answer"] ?? view,
        advice: "put its words back; only 'label' is to be written")
    }
    label.label = word(view["label"])
    add(label, at: view["label"] ?? view)
  }

  private func shown(_ view: JSONView) -> AnswerLabel.Shown {
    var shown = AnswerLabel.Shown()
    shown.question = text(view, "question")
    shown.input = text(view, "input")
    shown.reference = text(view, "reference")
    shown.answer = text(view, "answer")
    for member in view["levels"]?.members.map({ $0 }) ?? [] {
      shown.levels.append(RubricLevel(label: member.key.string ?? "", summary: member.value.string ?? ""))
    }
    return shown
  }

  /// A label as text: numbers are names of levels, `true` is a pass.
  private func word(_ view: JSONView?) -> String? {
    guard let view, !view.isNull else { return nil }
    if let text = view.string { return text.trimmed.isEmpty ? nil : text.trimmed }
    if let passes = view.bool { return passes ? "pass" : "fail" }
    if let number = view.int { return String(number) }
    note("a label is pass, fail, or the name of a level", at: view)
    return nil
  }

  // MARK: Both

  private mutating func add(_ label: AnswerLabel, at view: JSONView) {
    add(label, offset: view.range.lowerBound)
  }

  mutating func add(_ label: AnswerLabel, offset: Int) {
    var label = label
    label.location = place(offset)
    checkWord(label)
    let question = Question(
      subject: label.caseHash?.hex ?? label.caseID, target: label.targetHash?.hex ?? label.target ?? "",
      repeatIndex: label.repeatIndex ?? -1, turn: label.turn ?? -1, check: label.check,
      criterion: label.criterion ?? "")
    if let before = questions[question] {
      let line = before.map { " in line \($0.line)" } ?? ""
      diagnostics.add(
        Problem(.error, "this question stands\(line) already", at: label.location, advice: "keep one of them")
      )
    }
    questions[question] = label.location
    file.labels.append(label)
  }

  /// What can be known without the run: a verdict is pass or fail, a level one of those that are shown.
  private func checkWord(_ label: AnswerLabel) {
    guard let word = label.label else { return }
    if label.criterion == nil, LabelFile.verdict(word) == nil {
      diagnostics.add(
        Problem(
          .error, "'\(word)' is no verdict", at: label.location,
          advice: "write pass or fail; a level needs its 'criterion'"))
    }
    let names = label.shown.levels.map(\.label)
    if label.criterion != nil, !names.isEmpty,
      !names.contains(where: { $0.lowercased() == word.lowercased() })
    {
      diagnostics.add(
        Problem(
          .error, "'\(word)' is none of the levels", at: label.location,
          advice: suggestion(for: word, among: names) ?? "they are \(names.joined(separator: ", "))"))
    }
  }

  private func required(_ view: JSONView, _ key: String) -> String? {
    if let text = text(view, key), !text.isEmpty { return text }
    if view[key] == nil || view[key]?.isNull == true { note("'\(key)' is missing", at: view) }
    return nil
  }

  private func text(_ view: JSONView, _ key: String) -> String? {
    guard let member = view[key], !member.isNull else { return nil }
    if let text = member.string { return text }
    note("'\(key)' is not a text", at: member)
    return nil
  }

  /// A number that counts from 1.
  private func count(_ view: JSONView, _ key: String) -> Int? {
    guard let member = view[key], !member.isNull else { return nil }
    if let number = member.int, number >= 1, number < Int64(Int32.max) { return Int(number) }
    note("'\(key)' is a whole number of at least 1", at: member)
    return nil
  }

  private func hash(_ view: JSONView, _ key: String) -> ContentHash? {
    guard let text = text(view, key) else { return nil }
    if let hash = ContentHash(hex: text) { return hash }
    note("'\(key)' is not a hash of 64 hexadecimal digits", at: view[key] ?? view)
    return nil
  }

  private func place(_ offset: Int) -> SourceLocation { RowDecoder.location(record, offset, file.path) }

  private func note(_ message: String, at view: JSONView, advice: String? = nil) {
    note(message, at: view.range.lowerBound, advice: advice)
  }

  func note(_ message: String, at offset: Int, advice: String? = nil) {
    diagnostics.add(Problem(.error, message, at: place(offset), advice: advice))
  }
}
