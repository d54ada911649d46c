import CCurl
import EvalCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What libcurl tells about a transfer afterwards.
struct TransferInfo {
  var newConnection: Bool?
  var httpVersion: String?
  var primaryIP: String?
  var primaryPort: Int?
  var bytesSent: Int
  var bytesReceived: Int
}

/// One reusable libcurl easy handle; loop thread only.
///
/// What never changes is set once; `prepare` sets every option that depends on the request, so that nothing
/// of the last request survives and no reset is needed.
final class EasyHandle {
  /// Options that hold for every request of a transport.
  struct Settings: Sendable {
    var userAgent: String
    /// A PEM file that replaces libcurl's built-in trust store.
    var caBundle: String?
  }

  let raw: UnsafeMutableRawPointer
  private let errorBuffer: UnsafeMutablePointer<CChar>
  private var headerList: UnsafeMutablePointer<curl_slist>?

  init?(_ settings: Settings) {
    guard let raw = curl_easy_init() else { return nil }
    self.raw = raw
    errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorBuffer.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    guard configure(settings) == CURLE_OK else { return nil }
  }

  deinit {
    curl_easy_cleanup(raw)
    curl_slist_free_all(headerList)
    errorBuffer.deallocate()
  }

  private func configure(_ settings: Settings) -> CURLcode {
    var first = FirstFailure()
    first.note(evr_easy_set_pointer(raw, CURLOPT_ERRORBUFFER, errorBuffer))
    first.note(evr_easy_set_long(raw, CURLOPT_NOSIGNAL, 1))
    // Giving up during a name lookup must not make the loop thread wait for the resolver's thread.
    first.note(evr_easy_set_long(raw, CURLOPT_QUICK_EXIT, 1))
    first.note(evr_easy_set_string(raw, CURLOPT_PROTOCOLS_STR, "http,https"))
    first.note(evr_easy_set_string(raw, CURLOPT_USERAGENT, settings.userAgent))
    // A followed redirect would carry x-api-key to another host.
    first.note(evr_easy_set_long(raw, CURLOPT_FOLLOWLOCATION, 0))
    // Asks for no compression, yet decodes what comes compressed all the same.
    first.note(evr_easy_set_string(raw, CURLOPT_ACCEPT_ENCODING, "identity"))
    first.note(evr_easy_set_long(raw, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1))
    // A reasoning model is silent for minutes, long enough for a NAT to forget the connection.
    first.note(evr_easy_set_long(raw, CURLOPT_TCP_KEEPALIVE, 1))
    first.note(evr_easy_set_long(raw, CURLOPT_SSL_VERIFYPEER, 1))
    first.note(evr_easy_set_long(raw, CURLOPT_SSL_VERIFYHOST, 2))
    if let caBundle = settings.caBundle { first.note(evr_easy_set_string(raw, CURLOPT_CAINFO, caBundle)) }
    first.note(evr_easy_set_write(raw, CURLOPT_WRITEFUNCTION, curlGaveBody))
    first.note(evr_easy_set_write(raw, CURLOPT_HEADERFUNCTION, curlGaveHeaderLine))
    first.note(evr_easy_set_prereq(raw, curlIsConnected))
    first.note(evr_easy_set_open_socket(raw, curlOpensSocket))
    return first.code
  }

  /// Sets every option that depends on the request.
  ///
  /// - Parameter context: the `Transfer` that the callbacks shall get.
  /// - Returns: the first error, for example 3 for a malformed URL.
  func prepare(_ request: HTTPRequest, context: UnsafeMutableRawPointer) -> CURLcode {
    errorBuffer.pointee = 0
    guard Self.isCleanText(request.url), Self.isCleanText(request.method),
      request.headers.allSatisfy({ Self.isCleanText($0.0) && Self.isCleanText($0.1) })
    else { return CURLE_BAD_FUNCTION_ARGUMENT }
    var first = FirstFailure()
    first.note(evr_easy_set_string(raw, CURLOPT_URL, request.url))
    // "*" is every host; nil leaves it to the environment.
    let isLoopback = LoopbackHost.isHost(ofURL: request.url)
    first.note(evr_easy_set_string(raw, CURLOPT_NOPROXY, isLoopback ? "*" : nil))
    let version = request.httpVersion == .h2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
    first.note(evr_easy_set_long(raw, CURLOPT_HTTP_VERSION, Int(version)))
    first.note(evr_easy_set_long(raw, CURLOPT_CONNECTTIMEOUT_MS, Self.milliseconds(request.timeouts.connect)))
    first.note(setMethod(request))
    first.note(setHeaders(request.headers))
    first.note(evr_easy_set_pointer(raw, CURLOPT_WRITEDATA, context))
    first.note(evr_easy_set_pointer(raw, CURLOPT_HEADERDATA, context))
    first.note(evr_easy_set_pointer(raw, CURLOPT_PREREQDATA, context))
    first.note(evr_easy_set_pointer(raw, CURLOPT_PRIVATE, context))
    return first.code
  }

  /// Lets go of the request's memory when the handle goes back to the pool.
  func forgetRequest() {
    _ = evr_easy_set_pointer(raw, CURLOPT_COPYPOSTFIELDS, nil)
    _ = evr_easy_set_list(raw, CURLOPT_HTTPHEADER, nil)
    curl_slist_free_all(headerList)
    headerList = nil
  }

  private func setMethod(_ request: HTTPRequest) -> CURLcode {
    var first = FirstFailure()
    let plainMethod: String
    if let body = request.body ?? (["POST", "PUT", "PATCH"].contains(request.method) ? [] : nil) {
      plainMethod = "POST"
      first.note(evr_easy_set_long(raw, CURLOPT_POST, 1))
      first.note(evr_easy_set_offset(raw, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
      first.note(
        body.withUnsafeBytes { bytes in
          // The size is taken from the option above; an empty array's address may be nil, which means "none".
          withUnsafeBytes(of: 0 as UInt8) { empty in
            let base = bytes.baseAddress ?? empty.baseAddress
            return evr_easy_set_pointer(raw, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: base))
          }
        })
    } else {
      plainMethod = request.method == "HEAD" ? "HEAD" : "GET"
      first.note(evr_easy_set_long(raw, CURLOPT_HTTPGET, 1))
      if request.method == "HEAD" { first.note(evr_easy_set_long(raw, CURLOPT_NOBODY, 1)) }
    }
    let custom = request.method == plainMethod ? nil : request.method
    first.note(evr_easy_set_string(raw, CURLOPT_CUSTOMREQUEST, custom))
    return first.code
  }

  private func setHeaders(_ headers: [(String, String)]) -> CURLcode {
    curl_slist_free_all(headerList)
    // Without this libcurl asks "Expect: 100-continue" for bodies over 1 MiB and waits up to a second.
    headerList = curl_slist_append(nil, "Expect:")
    for (name, value) in headers {
      // libcurl sends an empty field only when told with a semicolon; "Name:" would remove it.
      let line = value.isEmpty ? "\(name);" : "\(name): \(value)"
      guard let longer = curl_slist_append(headerList, line) else { return CURLE_OUT_OF_MEMORY }
      headerList = longer
    }
    return evr_easy_set_list(raw, CURLOPT_HTTPHEADER, headerList)
  }

  private static func isCleanText(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 != 0x0D && $0 != 0x0A && $0 != 0 }
  }

  /// libcurl's own default for 0 is five minutes, so "never" is a very large number.
  private static func milliseconds(_ duration: Duration?) -> Int {
    guard let duration else { return Int(Int32.max) }
    return min(max(Int(duration.nanoseconds / 1_000_000), 1), Int(Int32.max))
  }

  // MARK: Afterwards

  /// libcurl's words for a failed transfer.
  func message(for code: CURLcode) -> String {
    let detail = String(cString: errorBuffer)
    return detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
  }

  /// What is known so far; may be asked before the transfer has ended, but not inside a callback.
  func info() -> TransferInfo {
    let ip = string(CURLINFO_PRIMARY_IP)
    let version = long(CURLINFO_HTTP_VERSION)
    return TransferInfo(
      newConnection: ip == nil ? nil : long(CURLINFO_NUM_CONNECTS) > 0,
      httpVersion: Self.versionName(version), primaryIP: ip,
      primaryPort: ip == nil ? nil : long(CURLINFO_PRIMARY_PORT),
      bytesSent: long(CURLINFO_REQUEST_SIZE) + offset(CURLINFO_SIZE_UPLOAD_T),
      bytesReceived: long(CURLINFO_HEADER_SIZE) + offset(CURLINFO_SIZE_DOWNLOAD_T))
  }

  private static func versionName(_ version: Int) -> String? {
    switch version {
    case Int(CURL_HTTP_VERSION_1_0): "1.0"
    case Int(CURL_HTTP_VERSION_1_1): "1.1"
    case Int(CURL_HTTP_VERSION_2_0): "2"
    case Int(CURL_HTTP_VERSION_3): "3"
    default: nil
    }
  }

  private func long(_ info: CURLINFO) -> Int {
    var value = 0
    _ = evr_easy_get_long(raw, info, &value)
    return value
  }

  private func offset(_ info: CURLINFO) -> Int {
    var value: curl_off_t = 0
    _ = evr_easy_get_offset(raw, info, &value)
    return Int(value)
  }

  private func string(_ info: CURLINFO) -> String? {
    var value: UnsafePointer<CChar>?
    guard evr_easy_get_string(raw, info, &value) == CURLE_OK, let value, value.pointee != 0 else {
      return nil
    }
    return String(cString: value)
  }
}

/// Keeps the first code that is not OK.
private struct FirstFailure {
  private(set) var code = CURLE_OK

  mutating func note(_ next: CURLcode) { if code == CURLE_OK { code = next } }
}
