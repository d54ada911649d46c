import EvalCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// File paths as text.
enum Paths {
  /// The folder of a file, `.` when the path has none.
  static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func fileName(of path: String) -> String { String(path.split(separator: "/").last ?? "") }

  /// The file's name without its ending.
  static func stem(of path: String) -> String {
    let name = fileName(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// The ending without its dot, in lower case; empty when there is none.
  static func ending(of path: String) -> String {
    let name = fileName(of: path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  /// A path as a file in `directory` writes it: `~` is the home folder, a relative path starts at `directory`.
  static func resolve(_ path: String, in directory: String, home: String?) -> String {
    if path == "~" || path.hasPrefix("~/"), let home { return home + path.dropFirst() }
    if path.hasPrefix("/") || directory == "." { return path }
    return directory.hasSuffix("/") ? directory + path : directory + "/" + path
  }

  /// "did you mean" for a file that is not there, among the files beside it.
  static func suggestion(for path: String) -> String? {
    guard let folder = opendir(directory(of: path)) else { return nil }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    // The order of a folder is the file system's whim.
    return EvalCore.suggestion(for: fileName(of: path), among: names.sorted())
  }
}
