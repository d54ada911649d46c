#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Single keys of the terminal on standard input, as they are pressed.
struct Keyboard {
  private let before: termios

  /// `nil` when standard input is no terminal.
  init?() {
    var settings = termios()
    guard tcgetattr(0, &settings) == 0 else { return nil }
    before = settings
    // Ctrl-C comes as a key, so that the terminal is never left in this state by it.
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    guard tcsetattr(0, TCSANOW, &settings) == 0 else { return nil }
  }

  /// Gives the terminal back as it was.
  func restore() {
    var settings = before
    _ = tcsetattr(0, TCSANOW, &settings)
  }

  /// Waits for a key.
  /// - Returns: `nil` when the terminal is gone.
  func next() -> Character? {
    var byte: UInt8 = 0
    while true {
      let count = read(0, &byte, 1)
      if count < 0, errno == EINTR { continue }
      return count == 1 ? Character(Unicode.Scalar(byte)) : nil
    }
  }
}
