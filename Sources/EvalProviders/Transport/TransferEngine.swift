import CCurl
import EvalCore
import Synchronization

/// Owns the multi handle and the transfers that are on their way; loop thread only.
final class TransferEngine {
  /// How long a handle stays after its caller has left, to swallow the end of the response and so keep the
  /// connection.
  static let lingerTime: Int64 = 48_000_000
  /// Time limits are looked at no more often than this.
  private static let scanInterval: Int64 = 5_000_000
  /// One initialisation for the whole process, at the first request: it costs some 6 ms.
  private static let libraryState: CURLcode = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

  private let multi: UnsafeMutableRawPointer
  private let driver: SocketDriver
  private let settings: EasyHandle.Settings
  private let poolSize: Int
  private let clock = LoopClock()
  private var active: [Transfer] = []
  private var pool: [EasyHandle] = []

  /// - Parameter maxConnections: how many requests run at once; idle connections up to twice as many are kept.
  init?(settings: EasyHandle.Settings, maxConnections: Int) {
    guard Self.libraryState == CURLE_OK, let multi = curl_multi_init() else { return nil }
    guard let driver = SocketDriver(multi: multi) else {
      curl_multi_cleanup(multi)
      return nil
    }
    self.multi = multi
    self.driver = driver
    self.settings = settings
    poolSize = max(maxConnections, 8)
    // A lingering handle and its successor need a connection each. No limit on open ones: libcurl's queue
    // would hide inside the measured time.
    _ = evr_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 2 * poolSize)
  }

  deinit {
    pool.removeAll()
    curl_multi_cleanup(multi)
  }

  var waker: LoopWaker { driver.waker }

  // MARK: Commands

  func start(_ transfer: Transfer) {
    guard !transfer.isCancelled.load(ordering: .relaxed) else {
      return transfer.resume(.cancelled)
    }
    guard let handle = pool.popLast() ?? EasyHandle(settings) else {
      return refuse(transfer, CURLE_FAILED_INIT, message: nil)
    }
    let code = handle.prepare(transfer.request, context: Unmanaged.passUnretained(transfer).toOpaque())
    guard code == CURLE_OK else {
      refuse(transfer, code, message: handle.message(for: code))
      return recycle(handle)
    }
    transfer.handle = handle
    transfer.slot = active.count
    active.append(transfer)
    transfer.begin(clock: clock)
    let added = curl_multi_add_handle(multi, handle.raw)
    guard added == CURLM_OK else {
      let message = String(cString: curl_multi_strerror(added))
      return end(transfer, .failed(code: Int(CURLE_FAILED_INIT.rawValue), message: message))
    }
    if let deadline = transfer.deadline { clock.expect(deadline) }
    clock.turn += 1
    driver.startNow()
    harvest()
  }

  func cancel(_ transfer: Transfer) {
    guard transfer.slot >= 0 else { return }
    end(transfer, transfer.phase == .running ? .cancelled : .stoppedBySink)
  }

  func cancelAll() {
    while let transfer = active.last { cancel(transfer) }
  }

  private func refuse(_ transfer: Transfer, _ code: CURLcode, message: String?) {
    let words = message ?? String(cString: curl_easy_strerror(code))
    transfer.resume(.failed(code: Int(code.rawValue), message: words))
  }

  // MARK: Turns

  /// Waits for sockets and timers, and works on what is due.
  ///
  /// - Parameter mayWait: false when more commands are pending.
  func run(mayWait: Bool) {
    let turns = driver.wait(milliseconds: mayWait ? millisecondsToScan() : 0)
    for turn in 0..<turns {
      clock.turn += 1
      driver.run(turn: turn)
      harvest()
    }
    scanIfDue()
  }

  private func millisecondsToScan() -> Int32 {
    guard clock.nextScan != .max else { return -1 }
    let left = clock.nextScan - Monotonic.now()
    return Int32(clamping: max(0, (left + 999_999) / 1_000_000))
  }

  /// Takes what libcurl has finished.
  private func harvest() {
    var easy: UnsafeMutableRawPointer?
    var code = CURLE_OK
    while evr_multi_next_done(multi, &easy, &code) != 0 {
      var context: UnsafeMutableRawPointer?
      guard let easy, evr_easy_get_pointer(easy, CURLINFO_PRIVATE, &context) == CURLE_OK, let context else {
        continue
      }
      let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      end(transfer, Self.outcome(of: transfer, code), at: transfer.endStamp)
    }
  }

  private static func outcome(of transfer: Transfer, _ code: CURLcode) -> TransferEnd {
    // The application's terminal marker decides, not the transport.
    if transfer.phase != .running { return .stoppedBySink }
    if code == CURLE_OK { return .complete }
    // No other time limit of libcurl is ever set.
    if code == CURLE_OPERATION_TIMEDOUT, transfer.stamps.connReady == nil { return .timeout(.connect) }
    return .failed(code: Int(code.rawValue), message: transfer.handle?.message(for: code) ?? "")
  }

  /// Looks through the transfers for limits that have run out, and notes when to look again.
  private func scanIfDue() {
    let now = Monotonic.now()
    guard now >= clock.nextScan else { return }
    var next = Int64.max
    var index = active.count
    while index > 0 {
      index -= 1
      let transfer = active[index]
      act(on: transfer, now: now)
      // An ended transfer's place is taken by one that was looked at already.
      if transfer.slot >= 0 { next = min(next, transfer.deadline ?? .max) }
    }
    clock.nextScan = next == .max ? .max : max(next, now + Self.scanInterval)
  }

  private func act(on transfer: Transfer, now: Int64) {
    switch transfer.phase {
    case .running:
      if let limit = transfer.expiredLimit(now: now) { end(transfer, .timeout(limit)) }
    case .settling(let until) where until <= now:
      transfer.resume(.stoppedBySink, info: transfer.handle?.info())
      transfer.phase = .lingering(until: now + Self.lingerTime)
    case .lingering(let until) where until <= now:
      end(transfer, .stoppedBySink)
    case .settling, .lingering:
      break
    }
  }

  /// Takes the handle back and gives the caller its result, unless it has it already.
  ///
  /// Removing an unfinished handle closes its connection (HTTP/2: resets its stream).
  private func end(_ transfer: Transfer, _ end: TransferEnd, at: Int64 = Monotonic.now()) {
    let last = active.removeLast()
    if last !== transfer {
      active[transfer.slot] = last
      last.slot = transfer.slot
    }
    transfer.slot = -1
    guard let handle = transfer.handle else { return }
    transfer.handle = nil
    let info = handle.info()
    curl_multi_remove_handle(multi, handle.raw)
    recycle(handle)
    transfer.resume(end, info: info, at: at)
  }

  private func recycle(_ handle: EasyHandle) {
    handle.forgetRequest()
    if pool.count < poolSize { pool.append(handle) }
  }
}
