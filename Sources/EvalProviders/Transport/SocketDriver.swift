import CCurl
import EvalCore

// The only file that knows how this system waits for sockets. Both drivers offer the same four things:
// a waker for other threads, `wait`, `run` and `startNow`.

#if os(Linux) && !EVALRUN_CURL_POLL
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Wakes a waiting loop from any thread. Must not be used once its driver is gone.
  struct LoopWaker: Sendable {
    fileprivate let eventFD: Int32

    func wake() {
      var one: UInt64 = 1
      _ = write(eventFD, &one, 8)
    }
  }

  /// Waits with epoll and tells libcurl which socket is ready, so that a wake-up costs the same with one
  /// stream or with hundreds.
  final class SocketDriver {
    let waker: LoopWaker
    private let multi: UnsafeMutableRawPointer
    private let epoll: Int32
    private let events: UnsafeMutablePointer<epoll_event>
    private static let maxEvents = 256
    /// When libcurl wants to be called for its own timers.
    private var curlDeadline: Int64?
    private var isTimerTurn = -1

    init?(multi: UnsafeMutableRawPointer) {
      let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
      let eventFD = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
      self.multi = multi
      self.epoll = epoll
      waker = LoopWaker(eventFD: eventFD)
      events = .allocate(capacity: Self.maxEvents)
      guard epoll >= 0, eventFD >= 0 else { return nil }
      var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: eventFD))
      guard epoll_ctl(epoll, EPOLL_CTL_ADD, eventFD, &event) == 0 else { return nil }
      let context = Unmanaged.passUnretained(self).toOpaque()
      guard evr_multi_set_socket_callback(multi, curlWantsSocket) == CURLM_OK,
        evr_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context) == CURLM_OK,
        evr_multi_set_timer_callback(multi, curlWantsTimer) == CURLM_OK,
        evr_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context) == CURLM_OK
      else { return nil }
    }

    deinit {
      if epoll >= 0 { close(epoll) }
      if waker.eventFD >= 0 { close(waker.eventFD) }
      events.deallocate()
    }

    /// Waits until something is ready and returns the number of turns to `run`.
    ///
    /// - Parameter milliseconds: how long at most; -1 is for ever.
    func wait(milliseconds: Int32) -> Int {
      var limit = milliseconds
      if let curlDeadline {
        let left = Self.ceilingMilliseconds(curlDeadline - Monotonic.now())
        limit = limit < 0 ? left : min(limit, left)
      }
      let ready = Int(epoll_wait(epoll, events, Int32(Self.maxEvents), limit))
      var turns = 0
      for index in 0..<max(ready, 0) {
        if events[index].data.fd == waker.eventFD {
          var drained: UInt64 = 0
          _ = read(waker.eventFD, &drained, 8)
        } else {
          events[turns] = events[index]
          turns += 1
        }
      }
      isTimerTurn = -1
      if let curlDeadline, curlDeadline <= Monotonic.now() {
        isTimerTurn = turns
        turns += 1
      }
      return turns
    }

    /// Lets libcurl work on one ready socket, or on its timers.
    func run(turn: Int) {
      if turn == isTimerTurn { return startNow() }
      let flags = events[turn].events
      var mask: Int32 = 0
      if flags & EPOLLIN.rawValue != 0 { mask |= CURL_CSELECT_IN }
      if flags & EPOLLOUT.rawValue != 0 { mask |= CURL_CSELECT_OUT }
      // An error or hang-up alone leaves the mask empty: libcurl then looks at the socket itself.
      var running: Int32 = 0
      _ = curl_multi_socket_action(multi, events[turn].data.fd, mask, &running)
    }

    /// Lets libcurl start what was added, now rather than after the next wait.
    func startNow() {
      curlDeadline = nil
      var running: Int32 = 0
      _ = curl_multi_socket_action(multi, evr_socket_timeout(), 0, &running)
    }

    private static func ceilingMilliseconds(_ nanoseconds: Int64) -> Int32 {
      Int32(clamping: max(0, (nanoseconds + 999_999) / 1_000_000))
    }

    // MARK: Called back by libcurl

    fileprivate func setTimer(milliseconds: Int) {
      curlDeadline = milliseconds < 0 ? nil : Monotonic.now() + Int64(milliseconds) * 1_000_000
    }

    fileprivate func watch(_ socket: curl_socket_t, for what: Int32, isKnown: Bool) {
      if what == CURL_POLL_REMOVE {
        var unused = epoll_event()
        epoll_ctl(epoll, EPOLL_CTL_DEL, socket, &unused)
        return
      }
      var flags: UInt32 = 0
      if what & CURL_POLL_IN != 0 { flags |= EPOLLIN.rawValue }
      if what & CURL_POLL_OUT != 0 { flags |= EPOLLOUT.rawValue }
      var event = epoll_event(events: flags, data: epoll_data_t(fd: socket))
      epoll_ctl(epoll, isKnown ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event)
      if !isKnown {
        // Any non-null pointer will do: it only has to come back as `socketContext`.
        curl_multi_assign(multi, socket, Unmanaged.passUnretained(self).toOpaque())
      }
    }
  }

  private func curlWantsSocket(
    _ easy: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: Int32,
    _ context: UnsafeMutableRawPointer?, _ socketContext: UnsafeMutableRawPointer?
  ) -> Int32 {
    guard let context else { return 0 }
    let driver = Unmanaged<SocketDriver>.fromOpaque(context).takeUnretainedValue()
    driver.watch(socket, for: what, isKnown: socketContext != nil)
    return 0
  }

  private func curlWantsTimer(
    _ multi: UnsafeMutableRawPointer?, _ milliseconds: Int, _ context: UnsafeMutableRawPointer?
  ) -> Int32 {
    guard let context else { return 0 }
    Unmanaged<SocketDriver>.fromOpaque(context).takeUnretainedValue().setTimer(milliseconds: milliseconds)
    return 0
  }
#else
  /// Wakes a waiting loop from any thread. Must not be used once its multi handle is gone. Unchecked because
  /// `curl_multi_wakeup` is the one call that libcurl allows from other threads.
  struct LoopWaker: @unchecked Sendable {
    fileprivate let multi: UnsafeMutableRawPointer

    func wake() { curl_multi_wakeup(multi) }
  }

  /// Waits with libcurl's own poll; portable, but each wake-up walks all transfers.
  final class SocketDriver {
    let waker: LoopWaker
    private let multi: UnsafeMutableRawPointer

    init?(multi: UnsafeMutableRawPointer) {
      self.multi = multi
      waker = LoopWaker(multi: multi)
    }

    /// Waits until something is ready and returns the number of turns to `run`: always one.
    ///
    /// - Parameter milliseconds: how long at most; -1 is for ever.
    func wait(milliseconds: Int32) -> Int {
      var ready: Int32 = 0
      // libcurl shortens the wait itself when one of its timers is due earlier.
      _ = curl_multi_poll(multi, nil, 0, milliseconds < 0 ? 60_000 : milliseconds, &ready)
      return 1
    }

    func run(turn: Int) { startNow() }

    func startNow() {
      var running: Int32 = 0
      _ = curl_multi_perform(multi, &running)
    }
  }
#endif
