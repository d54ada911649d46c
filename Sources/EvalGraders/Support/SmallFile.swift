import EvalCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Files that a check names.
enum SmallFile {
  private static let limit = 16 << 20

  /// The absolute path of what `path` names from `directory`, which may itself be relative or empty.
  static func absolute(_ path: String, in directory: String) -> String {
    if path.hasPrefix("/") { return path }
    let below = directory.isEmpty ? path : "\(directory)/\(path)"
    if below.hasPrefix("/") { return below }
    guard let current = getcwd(nil, 0) else { return below }
    defer { free(current) }
    return "\(String(cString: current))/\(below)"
  }

  /// A file's JSON; comments and trailing commas are accepted, as in suites.
  static func json(_ path: String, in directory: String, at place: String) throws(GraderProblem) -> JSONValue
  {
    guard let bytes = read(absolute(path, in: directory)) else {
      throw GraderProblem(
        "the file '\(path)' cannot be read", path: place, advice: "relative paths start in the suite's folder"
      )
    }
    do {
      return try JSONValue.parse(bytes, .relaxed)
    } catch {
      let (line, column) = SourceText(name: path, bytes: bytes).position(of: error.offset)
      throw GraderProblem("\(path):\(line):\(column): \(error.message)", path: place)
    }
  }

  private static func read(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while bytes.count <= limit {
      #if canImport(Darwin)
        let count = Darwin.read(descriptor, &buffer, buffer.count)
      #else
        let count = Glibc.read(descriptor, &buffer, buffer.count)
      #endif
      if count < 0, errno == EINTR { continue }
      if count < 0 { return nil }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
    return nil
  }
}
