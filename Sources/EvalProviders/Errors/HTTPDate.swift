import EvalCore

/// Dates of HTTP headers without Foundation: the three forms of RFC 9110 §5.6.7, and RFC 3339 instants.
enum HTTPDate {
  /// - Returns: Unix seconds; `nil` when the text is none of the forms or no day of the calendar.
  static func unixSeconds(_ text: String) -> Double? {
    let text = text.trimmed
    if text.utf8.count > 64 { return nil }
    if text.first?.isNumber == true { return rfc3339(text) }
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
    // RFC 9110 knows no other zone.
    if words.count == 6, !["GMT", "UTC", "UT", "Z", "+0000"].contains(words[5]) { return nil }
    switch words.count {
    // Sun, 06 Nov 1994 08:49:37 GMT, or Sunday, 06-Nov-94 08:49:37 GMT
    case 6: return moment(year: words[3], month: words[2], day: words[1], time: words[4])
    // Sun Nov  6 08:49:37 1994
    case 5: return moment(year: words[4], month: words[1], day: words[2], time: words[3])
    default: return nil
    }
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  private static func moment(year: String, month: String, day: String, time: String) -> Double? {
    guard var year = Int(year), let day = Int(day), let month = months.firstIndex(of: month.lowercased())
    else {
      return nil
    }
    if year < 100 { year += year < 70 ? 2000 : 1900 }
    return seconds(year, month + 1, day, time[...])
  }

  /// `2026-08-04T09:15:17Z`, with a fraction or an offset.
  private static func rfc3339(_ text: String) -> Double? {
    let halves = text.split(whereSeparator: { $0 == "T" || $0 == "t" || $0 == " " })
    guard halves.count == 2 else { return nil }
    let day = halves[0].split(separator: "-").compactMap { Int($0) }
    guard day.count == 3 else { return nil }
    var time = halves[1]
    var offset = 0.0
    if time.last == "Z" || time.last == "z" {
      time = time.dropLast()
    } else if let sign = time.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      let parts = time[time.index(after: sign)...].split(separator: ":").compactMap { Double($0) }
      guard parts.count == 2 else { return nil }
      offset = (parts[0] * 3600 + parts[1] * 60) * (time[sign] == "-" ? -1 : 1)
      time = time[..<sign]
    } else {
      return nil
    }
    return seconds(day[0], day[1], day[2], time).map { $0 - offset }
  }

  private static func seconds(_ year: Int, _ month: Int, _ day: Int, _ time: Substring) -> Double? {
    let clock = time.split(separator: ":").map(String.init)
    guard clock.count == 3, let hour = Int(clock[0]), let minute = Int(clock[1]),
      let second = RetryHint.decimal(clock[2]), (0..<24).contains(hour), (0..<60).contains(minute),
      second < 61,
      (1...12).contains(month), (1...31).contains(day), (1970...9999).contains(year)
    else { return nil }
    return Double(daysFromCivil(year, month, day) * 86400 + hour * 3600 + minute * 60) + second
  }

  /// Days since 1970-01-01 (Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil).
  private static func daysFromCivil(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = year / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
