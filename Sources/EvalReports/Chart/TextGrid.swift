/// A field of terminal cells to draw in: dots of Braille signs, two across and four down a cell, or one plain sign a cell
/// where there is no Unicode.
struct TextGrid {
  private struct Cell {
    var dots: UInt8 = 0
    var sign: Character?
    /// The slot of the colour; `nil` is plain.
    var slot: Int?
  }

  let columns: Int
  let rows: Int
  let unicode: Bool
  private var cells: [Cell]

  init(columns: Int, rows: Int, unicode: Bool) {
    self.columns = columns
    self.rows = rows
    self.unicode = unicode
    cells = Array(repeating: Cell(), count: columns * rows)
  }

  /// Dots across and down.
  var width: Int { columns * (unicode ? 2 : 1) }
  var height: Int { rows * (unicode ? 4 : 1) }

  /// The dot of a place in 0…1 from left and from below.
  func dot(_ x: Double, _ y: Double) -> (x: Int, y: Int) {
    (Int((x * Double(width - 1)).rounded()), Int(((1 - y) * Double(height - 1)).rounded()))
  }

  /// - Parameter sign: what stands for the dot without Unicode; it replaces no letter.
  mutating func set(_ x: Int, _ y: Int, sign: Character, slot: Int?) {
    guard x >= 0, y >= 0, x < width, y < height else { return }
    let place = unicode ? (y / 4) * columns + x / 2 : y * columns + x
    if unicode {
      cells[place].dots |= TextGrid.bits[y % 4][x % 2]
    } else if cells[place].sign == nil || cells[place].sign == "." {
      cells[place].sign = sign
    }
    if let slot { cells[place].slot = slot }
  }

  private static let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

  /// Bresenham, *Algorithm for computer control of a digital plotter*, IBM Systems Journal 4 (1965).
  /// - Parameter every: draws every so-manieth dot.
  mutating func line(
    _ start: (x: Int, y: Int), _ end: (x: Int, y: Int), sign: Character, slot: Int?, every: Int = 1
  ) {
    let (dx, dy) = (abs(end.x - start.x), -abs(end.y - start.y))
    let (stepX, stepY) = (start.x < end.x ? 1 : -1, start.y < end.y ? 1 : -1)
    var (x, y, error, count) = (start.x, start.y, dx + dy, 0)
    while true {
      if count % every == 0 { set(x, y, sign: sign, slot: slot) }
      if x == end.x, y == end.y { return }
      count += 1
      let twice = 2 * error
      if twice >= dy {
        error += dy
        x += stepX
      }
      if twice <= dx {
        error += dx
        y += stepY
      }
    }
  }

  /// A letter over whatever is there; `*` where another letter is.
  mutating func letter(_ letter: Character, at dot: (x: Int, y: Int), slot: Int?, replaces: Bool = true) {
    let place = unicode ? (dot.y / 4) * columns + dot.x / 2 : dot.y * columns + dot.x
    guard cells.indices.contains(place) else { return }
    if let sign = cells[place].sign, sign.isLetter || sign == "*", sign != letter {
      if replaces { cells[place].sign = "*" }
      return
    }
    cells[place].sign = letter
    cells[place].slot = slot
  }

  var hasSharedCell: Bool { cells.contains { $0.sign == "*" } }

  /// One row as text, painted run by run.
  func row(_ row: Int, paint: (String, Int?) -> String) -> String {
    var text = ""
    var run = ""
    var slot: Int?
    for cell in cells[(row * columns)..<((row + 1) * columns)] {
      let sign = cell.sign ?? (cell.dots == 0 ? " " : TextGrid.braille(cell.dots))
      if cell.slot != slot, !run.isEmpty {
        text += paint(run, slot)
        run = ""
      }
      slot = cell.slot
      run.append(sign)
    }
    return text + paint(run, slot)
  }

  private static func braille(_ dots: UInt8) -> Character {
    Character(Unicode.Scalar(0x2800 + UInt32(dots)) ?? " ")
  }
}
