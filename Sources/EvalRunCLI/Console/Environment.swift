#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

#if canImport(Darwin)
  /// macOS gives libraries the environment through a function only.
  func environmentPointer() -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    _NSGetEnviron().pointee
  }
#else
  /// Read once at start, before any thread could change it.
  func environmentPointer() -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    // The global is mutable to the compiler; nothing here writes it.
    unsafeEnvironment
  }

  // Safe: read only, and only while the process has one thread.
  nonisolated(unsafe) private let unsafeEnvironment = environ
#endif
