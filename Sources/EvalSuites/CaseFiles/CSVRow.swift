/// The fields of one CSV record.
enum CSVRow {
  /// Where a field stands in its record, its quotes included.
  struct Field: Equatable {
    var range: Range<Int>
    var isQuoted: Bool
  }

  struct Fault: Error, Equatable {
    var offset: Int
    var message: String
  }

  static func fields(of record: [UInt8]) throws(Fault) -> [Field] {
    var fields: [Field] = []
    var start = 0
    while true {
      var end = start
      let isQuoted = start < record.count && record[start] == UInt8(ascii: "\"")
      if isQuoted {
        guard let after = record.withUnsafeBytes({ afterQuotes($0, from: start) }) else {
          throw Fault(offset: start, message: "the quote that begins here has no end")
        }
        end = after
        if end < record.count, record[end] != UInt8(ascii: ",") {
          throw Fault(
            offset: end, message: "text after a closing quote; a quote within quotes is written twice")
        }
      } else {
        while end < record.count, record[end] != UInt8(ascii: ",") { end += 1 }
      }
      fields.append(Field(range: start..<end, isQuoted: isQuoted))
      if end >= record.count { return fields }
      start = end + 1
    }
  }

  /// A field's text, quotes taken off.
  static func text(_ field: Field, of record: [UInt8]) -> String {
    guard field.isQuoted else { return String(decoding: record[field.range], as: UTF8.self) }
    var bytes: [UInt8] = []
    var index = field.range.lowerBound + 1
    while index < field.range.upperBound - 1 {
      bytes.append(record[index])
      index += record[index] == UInt8(ascii: "\"") ? 2 : 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The offset after a quoted field that begins at `start`; `nil` when it has no end.
  static func afterQuotes(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var index = start + 1
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "\"") {
        guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\"") else { return index + 1 }
        index += 2
      } else {
        index += 1
      }
    }
    return nil
  }
}
