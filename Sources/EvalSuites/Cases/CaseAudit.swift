import EvalCore

/// Looks at cases and profiles together: checks that are missing, variables that instructions ask for, content that
/// a provider cannot take.
final class CaseAudit {
  /// What the instructions of a profile ask every case for.
  private struct Wanted {
    var profile: String
    var name: String
    var place: (view: JSONView, origin: Origin)
  }

  /// Something that a provider may be unable to take, and how many cases have it.
  fileprivate struct Content {
    var count = 0
    var first: Case?
  }

  private let reader: Reader
  private let profiles: [ReadProfile]
  private let wanted: [Wanted]
  private var unchecked = Content()
  private var images = Content()
  private var history = Content()
  private var caseCount = 0
  private let knowsChecks: Bool

  /// - Parameter knowsChecks: false when some of the suite's checks could not be read.
  init(_ reader: Reader, _ profiles: [ReadProfile], knowsChecks: Bool) {
    self.reader = reader
    self.knowsChecks = knowsChecks
    self.profiles = profiles
    wanted = profiles.flatMap { read -> [Wanted] in
      guard let text = read.profile.instructions, let place = read.draft.places["instructions"] else {
        return []
      }
      let names = Template.names(in: text)
      return names.map { Wanted(profile: read.name, name: $0, place: place) }
    }
  }

  func look(at subject: Case) {
    caseCount += 1
    if subject.expects == .answer, subject.checks.isEmpty, subject.allChecks.isEmpty {
      unchecked.add(subject)
    }
    if subject.hasImages { images.add(subject) }
    if !subject.history.isEmpty || subject.turns.count > 1 { history.add(subject) }
  }

  /// Looks at what any case gives to templates, also one that is wrong for another reason.
  func look(atNames names: JSONObject, of id: String?) {
    for wish in wanted where names[wish.name] == nil && wish.name != "id" { check(wish, names, id) }
  }

  func finish() {
    noteUnchecked()
    note(images, .images, "an image")
    note(history, .history, "more than one message")
  }

  private func check(_ wish: Wanted, _ names: JSONObject, _ id: String?) {
    do throws(Template.Missing) {
      _ = try Template.value(of: wish.name, in: names)
    } catch {
      reader.with(wish.place.origin) {
        reader.error(
          "the instructions of '\(wish.profile)' ask for '\(wish.name)', which \(id.map { "the case '\($0)'" } ?? "a case") does not give",
          at: wish.place.view,
          advice: error.advice ?? #"give it in 'variables', or write \\{{ where two braces are meant"#,
          group: "instructions \(wish.profile) \(wish.name)")
      }
    }
  }

  private func noteUnchecked() {
    guard let first = unchecked.first, knowsChecks else { return }
    // Cases that could not be read are not counted: beside errors, "the only case" may be one of many.
    let isWhole = reader.diagnostics.errorCount == 0
    let message =
      if !isWhole, unchecked.count > 1 {
        "no check looks at \(unchecked.count) cases, the first is '\(first.id)'"
      } else if isWhole, unchecked.count == caseCount {
        caseCount == 1 ? "no check looks at the only case" : "no check looks at any of the \(caseCount) cases"
      } else if unchecked.count == 1 {
        "no check looks at the case '\(first.id)'"
      } else {
        "no check looks at \(unchecked.count) of \(caseCount) cases, the first is '\(first.id)'"
      }
    reader.diagnostics.add(
      Problem(
        .warning, message, at: first.location,
        advice: "give it 'checks', or the suite 'checks' for every case"))
  }

  private func note(_ content: Content, _ capability: Capability, _ words: String) {
    guard let first = content.first else { return }
    for read in profiles {
      guard let provider = reader.vocabulary.provider(read.profile.provider),
        !provider.capabilities.contains(capability)
      else { continue }
      let cases =
        content.count == 1
        ? "the case '\(first.id)' has" : "\(content.count) cases have, the first is '\(first.id)'"
      reader.warning(
        "the profile '\(read.name)' cannot take \(words), which \(cases)", at: read.nameView,
        advice: "those trials will fail; leave them out by --target or --tag, or take another provider")
    }
  }
}

extension CaseAudit.Content {
  fileprivate mutating func add(_ subject: Case) {
    count += 1
    if first == nil { first = subject }
  }
}

extension Case {
  var hasImages: Bool {
    func isImage(_ part: ContentPart) -> Bool { if case .image = part { true } else { false } }
    return turns.contains { $0.content.contains(where: isImage) }
      || history.contains { $0.parts.contains(where: isImage) }
  }
}
