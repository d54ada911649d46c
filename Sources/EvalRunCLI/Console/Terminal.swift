#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What a stream can show: decided once for each of standard output and standard error.
package struct Terminal: Sendable, Hashable {
  package var isTerminal: Bool
  /// Whether a line can be written over; a dumb terminal cannot.
  package var isLive: Bool
  package var hasColor: Bool
  package var isUTF8: Bool
  /// Columns; 80 where nobody says.
  package var width: Int

  package enum ColorWish: String, Sendable, CaseIterable { case auto, always, never }

  /// - Parameters:
  ///   - descriptor: 1 or 2.
  ///   - environment: `NO_COLOR`, `CLICOLOR_FORCE`, `FORCE_COLOR`, `TERM`, `COLUMNS` and the locale count.
  package init(descriptor: Int32, environment: [String: String], color: ColorWish) {
    isTerminal = isatty(descriptor) == 1
    isLive = isTerminal && environment["TERM"] != "dumb"
    hasColor = Terminal.color(wish: color, isTerminal: isTerminal, environment)
    let locale =
      ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let lowered = locale.lowercased()
    // A file is read elsewhere later: only a terminal is asked what it can show.
    isUTF8 = !isTerminal || lowered.contains("utf-8") || lowered.contains("utf8")
    width = Terminal.columns(descriptor) ?? environment["COLUMNS"].flatMap { Int($0) } ?? 80
    width = max(40, width)
  }

  private static func color(
    wish: ColorWish, isTerminal: Bool, _ environment: [String: String]
  ) -> Bool {
    switch wish {
    case .always: return true
    case .never: return false
    case .auto: break
    }
    // https://no-color.org: any value that is not empty.
    if environment["NO_COLOR"]?.isEmpty == false { return false }
    let forced = ["CLICOLOR_FORCE", "FORCE_COLOR"].contains { name in
      environment[name].map { !$0.isEmpty && $0 != "0" } ?? false
    }
    return forced || (isTerminal && environment["TERM"] != "dumb")
  }

  private static func columns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }
}

/// The process's environment as a dictionary.
package func processEnvironment() -> [String: String] {
  var result: [String: String] = [:]
  guard var entry = environmentPointer() else { return [:] }
  while let text = entry.pointee {
    let line = String(cString: text)
    if let equals = line.firstIndex(of: "=") {
      result[String(line[..<equals])] = String(line[line.index(after: equals)...])
    }
    entry += 1
  }
  return result
}
