import Spawn

/// The program of the platform that shows a file to a person.
struct Opener {
  private let environment: [String: String]

  init(_ environment: [String: String]) { self.environment = environment }

  /// What came of it.
  enum Outcome: Equatable {
    case opened
    /// Nobody was there to show it to.
    case nobody(String)
  }

  /// Shows a file; the program goes on when this one has ended.
  /// - Parameter path: from the root.
  func open(_ path: String) -> Outcome {
    let programs = self.programs(for: path)
    guard !programs.isEmpty else { return .nobody("there is no display") }
    var reason = ""
    for program in programs {
      do throws(ChildStartError) {
        // One that fails does so at once; a browser stays.
        switch try DetachedProgram(program).end(within: 2000) {
        case nil, .code(0): return .opened
        case .code(let code): reason = "'\(program[0])' ended with \(code)"
        case .signal(let number): reason = "'\(program[0])' ended by signal \(number)"
        }
      } catch { reason = error.message }
    }
    return .nobody(reason)
  }

  /// In the order in which they are tried. `EVALRUN_OPENER` is one program; `BROWSER` is a list, as other tools read
  /// it: parted by colons, words by blanks, `%s` stands for the file.
  private func programs(for path: String) -> [[String]] {
    if let program = set("EVALRUN_OPENER") { return [[program, path]] }
    if let list = set("BROWSER") {
      return list.split(separator: ":").map { entry in
        let words = entry.split(separator: " ").map(String.init)
        return words.contains { $0.contains("%s") } ? words.map { filled($0, path) } : words + [path]
      }.filter { $0.count > 1 || !$0[0].isEmpty }
    }
    #if canImport(Darwin)
      return [["open", path]]
    #else
      return set("DISPLAY") == nil && set("WAYLAND_DISPLAY") == nil ? [] : [["xdg-open", path]]
    #endif
  }

  private func filled(_ word: String, _ path: String) -> String {
    guard let place = word.firstRange(of: "%s") else { return word }
    return word.replacingCharacters(in: place, with: path)
  }

  private func set(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension String {
  fileprivate func firstRange(of mark: String) -> Range<Index>? {
    indices.lazy.compactMap { start -> Range<Index>? in
      self[start...].hasPrefix(mark) ? start..<index(start, offsetBy: mark.count) : nil
    }.first
  }

  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
