import EvalCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Why a file could not be read, in words.
struct FileFault: Error {
  var message: String
  var advice: String?
}

/// An open file and what was known of it when it was opened.
final class OpenFile: Sendable {
  /// What tells that a file changed.
  struct Stamp: Sendable, Equatable {
    var size: Int
    var seconds: Int
    var nanoseconds: Int
  }

  let path: String
  let stamp: Stamp
  /// Permission bits.
  let mode: UInt32
  private let descriptor: Int32

  init(_ path: String) throws(FileFault) {
    self.path = path
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw OpenFile.fault(path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw FileFault(message: "'\(path)' is not a file")
    }
    self.descriptor = descriptor
    stamp = OpenFile.stamp(status)
    mode = UInt32(status.st_mode) & 0o777
  }

  deinit { close(descriptor) }

  /// Whether the file is still what it was when it was opened.
  var isUnchanged: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && OpenFile.stamp(status) == stamp
  }

  /// Reads up to the buffer's length; fewer bytes only at the file's end.
  func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(FileFault) -> Int {
    var done = 0
    while done < buffer.count {
      let count = pread(
        descriptor, buffer.baseAddress! + done, buffer.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw OpenFile.fault(path) }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// The whole file.
  func bytes() throws(FileFault) -> [UInt8] { try bytes(at: 0, count: stamp.size) }

  /// A part of the file, shorter when it ends early.
  func bytes(at offset: Int, count: Int) throws(FileFault) -> [UInt8] {
    var fault: FileFault?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(FileFault) {
        filled = try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
      } catch { fault = error }
    }
    if let fault { throw fault }
    return bytes
  }

  private static func stamp(_ status: stat) -> Stamp {
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Stamp(size: Int(status.st_size), seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec))
  }

  private static func fault(_ path: String) -> FileFault {
    let code = errno
    if code == ENOENT || code == ENOTDIR {
      return FileFault(message: "there is no file '\(path)'", advice: Paths.suggestion(for: path))
    }
    return FileFault(message: "'\(path)' cannot be read: \(String(cString: strerror(code)))")
  }
}
