import CSpawn

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A program started in a process group of its own with three pipes, so that it and whatever it starts can be stopped
/// together.
struct ChildProcess: ~Copyable {
  /// Also the number of its process group.
  let id: pid_t
  var input: Descriptor
  var output: Descriptor
  var errors: Descriptor

  /// Starts a program without a shell.
  /// - Parameters:
  ///   - arguments: the program and its arguments; a name without a slash is looked up in `PATH`, a relative path
  ///     begins where this process is, not in `directory`.
  ///   - directory: where it runs; empty for the current one.
  init(_ arguments: [String], in directory: String) throws(ChildStartError) {
    let input = try Pipe()
    let output = try Pipe()
    let errors = try Pipe()
    id = try ChildProcess.spawn(
      arguments, directory, [input.reading.number, output.writing.number, errors.writing.number])
    ChildGroups.add(id)
    self.input = input.takeWriting()
    self.output = output.takeReading()
    self.errors = errors.takeReading()
    self.input.setNonblocking()
    self.output.setNonblocking()
    self.errors.setNonblocking()
  }

  /// - Parameter descriptors: what becomes its standard input, output and error.
  static func spawn(
    _ arguments: [String], _ directory: String, _ descriptors: [Int32]
  ) throws(ChildStartError) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if !directory.isEmpty {
      #if canImport(Darwin)
        posix_spawn_file_actions_addchdir_np(&actions, directory)
      #else
        spawn_actions_add_directory(&actions, directory)
      #endif
    }
    for (target, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
    }
    var flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    // Nothing that this process has open reaches the child; evalrun's own files and sockets would not anyway.
    #if canImport(Darwin)
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      spawn_actions_close_from(&actions, 3)
    #endif
    // What this program ignores or blocks, as SIGINT and SIGPIPE, is not passed on.
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var id: pid_t = 0
    let code = posix_spawnp(
      &id, absolute(arguments[0]), &actions, &attributes, &words, spawn_environment())
    guard code == 0 else { throw ChildStartError("'\(arguments[0])' cannot be started", code) }
    return id
  }

  /// The child changes its folder before it looks for the program.
  private static func absolute(_ program: String) -> String {
    guard program.contains("/"), !program.hasPrefix("/"), let folder = getcwd(nil, 0) else { return program }
    defer { free(folder) }
    return "\(String(cString: folder))/\(program)"
  }

  /// Whether the program itself has ended; it is not reaped, so that its group's number stays its own.
  borrowing func hasEnded() -> Bool {
    var info = siginfo_t()
    let code = waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT)
    #if canImport(Darwin)
      return code == 0 && info.si_pid == id
    #else
      return code == 0 && info.si_signo == SIGCHLD
    #endif
  }

  /// Sends a signal to the program and everything it started that stayed in its group.
  borrowing func signal(_ number: Int32) { kill(-id, number) }

  /// Ends whatever is left of the group and waits for the program itself.
  consuming func reap() -> ChildEnd.Exit {
    ChildGroups.remove(id)
    kill(-id, SIGKILL)
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal)
  }
}

/// Why a program could not be started.
package struct ChildStartError: Error, Sendable {
  /// With the system's words.
  package var message: String
  /// The system's error number: `ENOENT` for a program that is not there, `E2BIG` for arguments that are too long.
  package var code: Int32

  init(_ what: String, _ code: Int32) {
    message = "\(what): \(String(cString: strerror(code)))"
    self.code = code
  }
}

/// An open file descriptor, closed when it goes.
struct Descriptor: ~Copyable {
  /// −1 when closed.
  private(set) var number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { if number >= 0 { close(number) } }

  mutating func shut() {
    if number >= 0 { close(number) }
    number = -1
  }

  borrowing func setNonblocking() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }
}

private struct Pipe: ~Copyable {
  var reading: Descriptor
  var writing: Descriptor

  init() throws(ChildStartError) {
    var pair: [Int32] = [-1, -1]
    // A child of another thread that inherited an end would keep this child's reader waiting.
    #if canImport(Darwin)
      let code = pipe(&pair)
      for number in pair { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    #else
      let code = pipe2(&pair, O_CLOEXEC)
    #endif
    guard code == 0 else { throw ChildStartError("no pipe for the command", errno) }
    reading = Descriptor(Pipe.lifted(pair[0]))
    writing = Descriptor(Pipe.lifted(pair[1]))
  }

  /// Out of the way of the child's first three, which are free where this process was started without them.
  private static func lifted(_ number: Int32) -> Int32 {
    guard number < 3 else { return number }
    let high = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard high >= 0 else { return number }
    close(number)
    return high
  }

  consuming func takeReading() -> Descriptor { reading }
  consuming func takeWriting() -> Descriptor { writing }
}
