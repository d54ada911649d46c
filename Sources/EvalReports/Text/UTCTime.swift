/// Points in time for people, in UTC so that a report reads the same everywhere.
enum UTCTime {
  /// `2026-11-30 07:15:33 UTC`; a time that is not finite is missing.
  static func text(_ secondsSince1970: Double) -> String {
    guard secondsSince1970.isFinite, abs(secondsSince1970) < 1e12 else { return Numbers.missing }
    let seconds = Int(secondsSince1970.rounded(.down))
    let days = Int((Double(seconds) / 86_400).rounded(.down))
    let time = seconds - days * 86_400
    let (year, month, day) = civil(days)
    return
      "\(year)-\(two(month))-\(two(day)) \(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60)) UTC"
  }

  /// `2026-11-30T07:15:33`, in UTC without saying so, as JUnit files have it; a time that is not finite is the epoch.
  static func iso(_ secondsSince1970: Double) -> String {
    let text = text(secondsSince1970)
    guard text != Numbers.missing else { return "1970-01-01T00:00:00" }
    return String(text.dropLast(" UTC".count)).replacing(" ", with: "T")
  }

  private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

  /// Hinnant, *chrono-Compatible Low-Level Date Algorithms*, `civil_from_days`.
  private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let ofEra = shifted - era * 146_097
    let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let shiftedMonth = (5 * ofYear + 2) / 153
    let day = ofYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (year + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
