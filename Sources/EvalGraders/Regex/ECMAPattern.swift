/// A pattern of ECMA-262 in PCRE2's words, where the two differ: `\s` is all Unicode white space though `\d` is not,
/// and properties may have long names.
struct ECMAPattern {
  private(set) var text = ""
  /// For each byte of `text`, the byte of the source it stands for.
  private var origins: [Int] = []
  private let source: [UInt8]
  private var isClass = false

  init(_ pattern: String) {
    source = Array(pattern.utf8)
    translate()
  }

  /// The place in the source of a byte of ``text``.
  func origin(of offset: Int) -> Int { offset < origins.count ? origins[max(0, offset)] : source.count }

  private mutating func translate() {
    var position = 0
    var start = 0
    while position < source.count {
      switch source[position] {
      case UInt8(ascii: "\\") where position + 1 < source.count:
        let (replacement, length) = escape(position)
        if let replacement {
          copy(start..<position)
          append(replacement, from: position)
          start = position + length
        }
        position += length
        continue
      case UInt8(ascii: "["): isClass = true
      case UInt8(ascii: "]"): isClass = false
      default: break
      }
      position += 1
    }
    copy(start..<source.count)
  }

  /// What the escape at a place becomes, `nil` for what stays, and how long it is.
  private func escape(_ position: Int) -> (String?, length: Int) {
    let letter = source[position + 1]
    switch letter {
    case UInt8(ascii: "s"):
      return (isClass ? ECMAPattern.space : "[\(ECMAPattern.space)]", 2)
    case UInt8(ascii: "S") where !isClass: return ("[^\(ECMAPattern.space)]", 2)
    case UInt8(ascii: "p"), UInt8(ascii: "P"):
      guard position + 2 < source.count, source[position + 2] == UInt8(ascii: "{"),
        let end = source[position...].firstIndex(of: UInt8(ascii: "}"))
      else { return (nil, 2) }
      let name = String(decoding: source[(position + 3)..<end], as: UTF8.self)
      let length = end - position + 1
      guard let short = ECMAPattern.property(name) else { return (nil, length) }
      return ("\\\(Character(Unicode.Scalar(letter))){\(short)}", length)
    default: return (nil, 2)
    }
  }

  private mutating func copy(_ range: Range<Int>) {
    text += String(decoding: source[range], as: UTF8.self)
    origins += range
  }

  private mutating func append(_ replacement: String, from position: Int) {
    text += replacement
    origins += [Int](repeating: position, count: replacement.utf8.count)
  }

  /// ECMA-262 `WhiteSpace` and `LineTerminator`.
  private static let space = "\\s\\ufeff\\u2028\\u2029\\p{Zs}"

  private static func property(_ name: String) -> String? {
    for prefix in ["Script=", "sc=", "General_Category=", "gc="] where name.hasPrefix(prefix) {
      let value = String(name.dropFirst(prefix.count))
      return categories[value] ?? value
    }
    return categories[name]
  }

  /// Long names of general categories (Unicode PropertyValueAliases).
  private static let categories = [
    "Letter": "L", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll", "Titlecase_Letter": "Lt",
    "Cased_Letter": "L&", "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M",
    "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N",
    "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P",
    "punct": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps",
    "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf",
    "Other_Punctuation": "Po",
    "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk",
    "Other_Symbol": "So",
    "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp",
    "Other": "C",
    "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co",
    "Unassigned": "Cn",
  ]
}
