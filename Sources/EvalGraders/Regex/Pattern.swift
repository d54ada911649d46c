import CPCRE2
import EvalCore

/// A compiled regular expression whose every search ends soon.
///
/// PCRE2's own match limit counts per starting place and not over a search, so one bad pattern on a long text could
/// still take minutes. Automatic callouts count every step of the whole search instead; see ``SearchBudget``.
package final class Pattern: Sendable {
  /// How a pattern is read.
  package enum Dialect: Sendable {
    /// Perl's syntax, Unicode classes, for what people write in suites.
    case perl
    /// ECMA-262 with the `u` flag as far as PCRE2 knows it: `\d` and `\w` are ASCII, `$` is the very end, `\uXXXX`
    /// is an escape. For JSON Schema.
    case ecmaScript
    /// I-Regexp (RFC 9485): the whole text must match and a dot is no line break. For JSONPath's `match`.
    case iRegexpWhole
    /// I-Regexp anywhere in the text. For JSONPath's `search`.
    case iRegexp
  }

  /// A pattern that does not compile.
  package struct SyntaxError: Error, Sendable, Hashable {
    /// PCRE2's words.
    package var message: String
    /// Where in the pattern, counted in characters from 0.
    package var offset: Int
  }

  package enum Outcome: Sendable {
    case match(Match)
    case noMatch
    /// The search was given up: too many steps or too much memory.
    case tooExpensive
  }

  /// What matched. Group 0 is the whole match; a group that took no part is `nil`.
  package struct Match: Sendable {
    package var groups: [String?]
  }

  private let code: Code
  /// The number of capture groups, group 0 not counted.
  package let groupCount: Int

  /// PCRE2 never writes to a compiled pattern, so threads may share it.
  private struct Code: @unchecked Sendable { let pointer: OpaquePointer }

  /// - Parameter flags: any of `i` (ignore case), `m` (`^` and `$` at every line), `s` (dot is any character), `x`
  ///   (white space and comments in the pattern), `U` (ungreedy).
  package init(
    _ pattern: String, flags: String = "", dialect: Dialect = .perl
  ) throws(SyntaxError) {
    var options = dialect.options
    for flag in flags { options |= Pattern.option(flag) ?? 0 }
    let ecma = dialect == .ecmaScript ? ECMAPattern(pattern) : nil
    let text = ecma?.text ?? (dialect == .iRegexpWhole ? "\\A(?:\(pattern))\\z" : pattern)
    let context = pcre2_compile_context_create_8(nil)
    defer { pcre2_compile_context_free_8(context) }
    if dialect == .iRegexp || dialect == .iRegexpWhole {
      pcre2_set_newline_8(context, UInt32(PCRE2_NEWLINE_ANYCRLF))
    }
    if dialect == .ecmaScript {
      pcre2_set_compile_extra_options_8(context, UInt32(PCRE2_EXTRA_ALT_BSUX))
    }
    var code: Int32 = 0
    var offset = 0
    let bytes = Array(text.utf8)
    guard let pointer = pcre2_compile_8(bytes, bytes.count, options, &code, &offset, context) else {
      let place = ecma?.origin(of: offset) ?? (dialect == .iRegexpWhole ? offset - 5 : offset)
      throw SyntaxError(message: Pattern.message(code), offset: Pattern.characters(pattern, before: place))
    }
    // Without the compiler (some systems forbid it) the interpreter runs, under the same budget.
    pcre2_jit_compile_8(pointer, UInt32(PCRE2_JIT_COMPLETE))
    self.code = Code(pointer: pointer)
    var count: UInt32 = 0
    pcre2_pattern_info_8(pointer, UInt32(PCRE2_INFO_CAPTURECOUNT), &count)
    groupCount = Int(count)
  }

  deinit { pcre2_code_free_8(code.pointer) }

  /// The option that a flag stands for; `nil` for an unknown flag.
  package static func option(_ flag: Character) -> UInt32? {
    switch flag {
    case "i": UInt32(PCRE2_CASELESS)
    case "m": UInt32(PCRE2_MULTILINE)
    case "s": UInt32(PCRE2_DOTALL)
    case "x": UInt32(PCRE2_EXTENDED)
    case "U": UInt32(PCRE2_UNGREEDY)
    default: nil
    }
  }

  /// The number of the group called `name`; `nil` when there is none.
  package func group(named name: String) -> Int? {
    let number = pcre2_substring_number_from_name_8(code.pointer, Array(name.utf8) + [0])
    return number > 0 ? Int(number) : nil
  }

  /// The first match in a text.
  package func firstMatch(in text: String) -> Outcome {
    guard let matches = matches(in: text, limit: 1) else { return .tooExpensive }
    return matches.first.map { .match($0) } ?? .noMatch
  }

  /// The matches of a text in their order, none overlapping another; `nil` when the search was given up.
  package func matches(in text: String, limit: Int = .max) -> [Match]? {
    var text = text
    return text.withUTF8 { search($0, limit) }
  }

  private func search(_ text: UnsafeBufferPointer<UInt8>, _ limit: Int) -> [Match]? {
    guard let data = pcre2_match_data_create_from_pattern_8(code.pointer, nil),
      let offsets = pcre2_get_ovector_pointer_8(data)
    else { return nil }
    defer { pcre2_match_data_free_8(data) }
    var budget = SearchBudget()
    var found: [Match] = []
    var position = 0
    while position <= text.count, found.count < limit {
      let result = withUnsafeMutablePointer(to: &budget) {
        Pattern.run(code.pointer, text, position, data, $0)
      }
      if result == PCRE2_ERROR_NOMATCH { break }
      // Limits, the budget, no memory: the search did not end, so it says nothing.
      guard result > 0 else { return nil }
      found.append(Match(groups: groups(offsets, text)))
      // After an empty match, and after \K set the start behind, the next one begins a character later.
      let end = max(offsets[0], offsets[1])
      position =
        end > position && offsets[0] != offsets[1] ? end : Pattern.next(position: max(end, position), text)
    }
    return found
  }

  private static func next(position: Int, _ text: UnsafeBufferPointer<UInt8>) -> Int {
    var next = position + 1
    while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
    return next
  }

  private static func run(
    _ code: OpaquePointer, _ text: UnsafeBufferPointer<UInt8>, _ position: Int, _ data: OpaquePointer,
    _ budget: UnsafeMutablePointer<SearchBudget>
  ) -> Int32 {
    let context = pcre2_match_context_create_8(nil)
    defer { pcre2_match_context_free_8(context) }
    pcre2_set_callout_8(context, spendStep, budget)
    pcre2_set_match_limit_8(context, SearchBudget.matchLimit)
    pcre2_set_depth_limit_8(context, SearchBudget.matchLimit)
    pcre2_set_heap_limit_8(context, SearchBudget.heapKibibytes)
    let result = match(code, text, position, data, context)
    guard result == PCRE2_ERROR_JIT_STACKLIMIT else { return result }
    let stack = pcre2_jit_stack_create_8(32 * 1024, SearchBudget.stackBytes, nil)
    guard let stack else { return result }
    defer { pcre2_jit_stack_free_8(stack) }
    pcre2_jit_stack_assign_8(context, nil, UnsafeMutableRawPointer(stack))
    return match(code, text, position, data, context)
  }

  private static func match(
    _ code: OpaquePointer, _ text: UnsafeBufferPointer<UInt8>, _ position: Int, _ data: OpaquePointer,
    _ context: OpaquePointer?
  ) -> Int32 {
    // Swift's strings are valid UTF-8 already.
    let options = UInt32(PCRE2_NO_UTF_CHECK)
    guard let start = text.baseAddress else {
      // The empty text may have no address, which PCRE2 takes for a mistake.
      let empty: [UInt8] = [0]
      return empty.withUnsafeBufferPointer {
        pcre2_match_8(code, $0.baseAddress, 0, 0, options, data, context)
      }
    }
    return pcre2_match_8(code, start, text.count, position, options, data, context)
  }

  private func groups(
    _ offsets: UnsafeMutablePointer<Int>, _ text: UnsafeBufferPointer<UInt8>
  ) -> [String?] {
    (0...groupCount).map { group in
      let (start, end) = (offsets[2 * group], offsets[2 * group + 1])
      // A group that took no part is at −1; `\K` inside a lookahead may put a start behind its end.
      guard start >= 0, start <= end, end <= text.count else { return nil }
      return String(decoding: UnsafeBufferPointer(rebasing: text[start..<end]), as: UTF8.self)
    }
  }

  private static func message(_ code: Int32) -> String {
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = pcre2_get_error_message_8(code, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(0, Int(count))), as: UTF8.self)
  }

  private static func characters(_ text: String, before offset: Int) -> Int {
    String(decoding: Array(text.utf8).prefix(max(0, offset)), as: UTF8.self).count
  }
}

extension Pattern.Dialect {
  fileprivate var options: UInt32 {
    let common = UInt32(PCRE2_UTF) | UInt32(PCRE2_NEVER_BACKSLASH_C) | UInt32(PCRE2_AUTO_CALLOUT)
    let ecma = UInt32(PCRE2_DOLLAR_ENDONLY) | UInt32(PCRE2_ALT_BSUX) | UInt32(PCRE2_MATCH_UNSET_BACKREF)
    switch self {
    case .perl: return common | UInt32(PCRE2_UCP)
    case .ecmaScript: return common | ecma | UInt32(PCRE2_ALLOW_EMPTY_CLASS)
    case .iRegexp, .iRegexpWhole: return common | UInt32(PCRE2_DOLLAR_ENDONLY)
    }
  }
}
