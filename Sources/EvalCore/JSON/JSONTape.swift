/// One node of a parsed text. The tape holds the nodes in text order: an object is followed by key, value,
/// key, value…, an array by its elements, each with its own subtree.
struct JSONTapeEntry {
  /// Offset of the node's first byte; of a string, its opening quote.
  var start: UInt32
  /// Offset after the node's last byte.
  var end: UInt32
  /// Tape index after the node's subtree, which is its next sibling. While a container is open, its parent.
  var next: UInt32
  var tag: Tag

  struct Tag: Equatable {
    var bits: UInt32

    static let null = Tag(bits: 0)
    static let `false` = Tag(bits: 1)
    static let `true` = Tag(bits: 2)
    static let number = Tag(bits: 3)
    static let string = Tag(bits: 4)
    static let array = Tag(bits: 5)
    static let object = Tag(bits: 6)
    /// A number without point and exponent.
    static let plainInteger = Tag(bits: 3 | 8)

    /// Set on strings that hold a backslash.
    static let escaped: UInt32 = 16
    /// Set on strings that hold a byte above 0x7F.
    static let nonASCII: UInt32 = 32

    /// The tag without its flags.
    @inline(__always) var base: UInt32 { bits & 7 }
    @inline(__always) var isEscaped: Bool { bits & Tag.escaped != 0 }
    /// Whether the text between the quotes is the value itself.
    @inline(__always) var isVerbatim: Bool { bits & (Tag.escaped | Tag.nonASCII) == 0 }
    @inline(__always) var isString: Bool { base == Tag.string.bits }
    @inline(__always) var isNumber: Bool { base == Tag.number.bits }
  }
}

/// The memory of a ``JSONDocument``: the copied text, its tape, and room to decode strings. It lives behind a
/// pointer so that reading it costs neither exclusivity checks nor reference counting.
struct JSONTapeStorage {
  var text: UnsafeMutablePointer<UInt8>
  var textCapacity: Int
  var textCount: Int
  var tape: UnsafeMutablePointer<JSONTapeEntry>
  var tapeCapacity: Int
  var scratch: UnsafeMutablePointer<UInt8>
  var scratchCapacity: Int
  /// Grows with every parse; a view that carries an older one is stale.
  var generation: UInt32

  /// Zero bytes kept after the text: they end every scan, and let strings be read eight bytes at a time.
  static let padding = 16

  init() {
    textCapacity = 1024
    textCount = 0
    text = .allocate(capacity: textCapacity)
    tapeCapacity = textCapacity / 2 + jsonDepthLimit + 8
    tape = .allocate(capacity: tapeCapacity)
    scratchCapacity = 256
    scratch = .allocate(capacity: scratchCapacity)
    generation = 0
    reset()
  }

  func deallocate() {
    text.deallocate()
    tape.deallocate()
    scratch.deallocate()
  }

  /// Leaves one null node, so that the root of an unparsed or refused text can still be asked for.
  mutating func reset() {
    tape[0] = JSONTapeEntry(start: 0, end: 0, next: 1, tag: .null)
  }

  /// Copies `bytes` and makes room for the longest tape they can need: every node but an opened container is
  /// followed by at least one separator, and at most ``jsonDepthLimit`` containers are open.
  @inline(__always)
  mutating func load(_ bytes: UnsafeRawBufferPointer) {
    if bytes.count + Self.padding > textCapacity { grow(toHold: bytes.count) }
    textCount = bytes.count
    if let base = bytes.baseAddress {
      UnsafeMutableRawPointer(text).copyMemory(from: base, byteCount: bytes.count)
    }
    let tail = UnsafeMutableRawPointer(text + bytes.count)
    tail.storeBytes(of: 0, as: UInt64.self)
    tail.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
  }

  @inline(never)
  private mutating func grow(toHold count: Int) {
    text.deallocate()
    tape.deallocate()
    textCapacity = max(count + Self.padding, textCapacity * 2)
    tapeCapacity = textCapacity / 2 + jsonDepthLimit + 8
    text = .allocate(capacity: textCapacity)
    tape = .allocate(capacity: tapeCapacity)
    reset()
  }

  /// Room for `count` decoded bytes.
  mutating func reserveScratch(_ count: Int) {
    guard count > scratchCapacity else { return }
    scratch.deallocate()
    scratchCapacity = max(count, scratchCapacity * 2)
    scratch = .allocate(capacity: scratchCapacity)
  }
}
