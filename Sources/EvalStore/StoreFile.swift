#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The database as a file: its folder and its permissions.
enum StoreFile {
  /// Makes the file, for its owner's eyes only, and the folders above it where they are missing.
  ///
  /// An existing file is left alone: opening and closing it here would drop the locks that another connection of this
  /// process has on it (https://www.sqlite.org/howtocorrupt.html, 2.2).
  static func create(_ path: String) throws(StoreError) {
    if exists(path) { return }
    try createFolders(above: path)
    let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file >= 0 {
      close(file)
    } else if errno != EEXIST {
      throw unwritable("cannot create \(path)", errno)
    }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// - Throws: `missing` for a file that is not there, `unwritable` for one that cannot be looked for.
  static func find(_ path: String) throws(StoreError) {
    if exists(path) { return }
    guard errno == ENOENT || errno == ENOTDIR else {
      throw StoreError(
        .unwritable, "cannot open \(path): \(String(cString: strerror(errno)))",
        advice: "check the permissions of the file and of its folder")
    }
    throw StoreError(
      .missing, "there are no results at \(path)", advice: "run a suite first, or name another database")
  }

  private static func createFolders(above path: String) throws(StoreError) {
    for end in path.indices where path[end] == "/" && end != path.startIndex {
      let folder = String(path[..<end])
      // A folder that is there may be one of those where nothing can be made, such as `/`.
      if mkdir(folder, 0o700) == 0 || errno == EEXIST { continue }
      let reason = errno
      if exists(folder) { continue }
      throw unwritable("cannot create the folder \(folder)", reason)
    }
  }

  private static func unwritable(_ message: String, _ reason: Int32) -> StoreError {
    StoreError(
      .unwritable, "\(message): \(String(cString: strerror(reason)))",
      advice: "name a place that can be written")
  }
}
