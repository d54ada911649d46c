/// Which texts a parse accepts.
package enum JSONDialect: Sendable, Hashable {
  /// RFC 8259, nothing more: what comes over the wire.
  case strict
  /// RFC 8259 with `//` and `/* */` comments, trailing commas and a leading byte order mark: what people
  /// write.
  case relaxed
}

/// The first place where a text stops being JSON.
package struct JSONSyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Byte offset in the parsed text, 0 to its length; ``SourceText/position(of:)`` gives line and column.
  package var offset: Int
  /// One lower-case phrase without an offset, such as `expected ',' or '}' after a member`.
  package var message: String

  package init(offset: Int, message: String) {
    self.offset = offset
    self.message = message
  }

  package var description: String { "\(message) (at byte \(offset))" }
}

/// The deepest nesting of arrays and objects that a parse accepts; deeper texts are refused, so that
/// recursive readers cannot run out of stack.
package let jsonDepthLimit = 512

/// What the scanner found wrong, before anybody needs words for it.
enum JSONFault: UInt8 {
  case expectedValue, unexpectedWord, unexpectedEnd, textAfterValue
  case expectedKey, expectedKeyOrEnd, expectedColon
  case afterMember, afterElement, trailingComma
  case unterminatedString, lineBreakInString, tabInString, controlInString, badEscape, badUnicodeEscape
  case leadingZero, leadingPlus, digitAfterMinus, digitAfterPoint, digitBeforePoint, digitInExponent
  case numberTooLarge, unterminatedComment, commentInStrict, byteOrderMark, tooDeep, tooLong
}

extension JSONFault {
  /// The message for the reader; `found` is the quoted word or character at the offset, or `end of text`.
  func message(found: String) -> String {
    switch self {
    case .expectedValue: "unexpected \(found), expected a value"
    case .unexpectedWord: "unexpected \(found)"
    case .unexpectedEnd: "unexpected end of text"
    case .textAfterValue: "unexpected \(found) after the value"
    case .expectedKey: "expected a key in double quotes, found \(found)"
    case .expectedKeyOrEnd: "expected a key in double quotes or '}', found \(found)"
    case .expectedColon: "expected ':' after a key, found \(found)"
    case .afterMember: "expected ',' or '}' after a member, found \(found)"
    case .afterElement: "expected ',' or ']' after an element, found \(found)"
    case .trailingComma: "trailing comma"
    case .unterminatedString: "unterminated string"
    case .lineBreakInString: #"line break inside a string (write \n, or close the string)"#
    case .tabInString: #"tab inside a string (write \t)"#
    case .controlInString: "control character inside a string (write it as \\u00XX)"
    case .badEscape: #"invalid escape (expected one of \" \\ \/ \b \f \n \r \t \u)"#
    case .badUnicodeEscape: #"\u needs four hexadecimal digits"#
    case .leadingZero: "a number may not begin with 0"
    case .leadingPlus: "a number may not begin with '+'"
    case .digitAfterMinus: "expected a digit after '-'"
    case .digitAfterPoint: "expected a digit after '.'"
    case .digitBeforePoint: "expected a digit before '.'"
    case .digitInExponent: "expected a digit in the exponent"
    case .numberTooLarge: "number is beyond the range of a double"
    case .unterminatedComment: "unterminated comment"
    case .commentInStrict: "comments are not allowed here"
    case .byteOrderMark: "unexpected byte order mark"
    case .tooDeep: "nested deeper than \(jsonDepthLimit) levels"
    case .tooLong: "text is longer than 2 GiB"
    }
  }
}
