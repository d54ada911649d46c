/// SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014): the same seed gives
/// the same draws on every machine.
package struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in 0..<1 with 53 random bits.
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// A number in 0..<bound without bias (Lemire, "Fast Random Integer Generation in an Interval", 2019).
  package mutating func below(_ bound: Int) -> Int {
    precondition(bound > 0)
    let range = UInt64(bound)
    var product = next().multipliedFullWidth(by: range)
    if product.low < range {
      let least = (0 &- range) % range
      while product.low < least { product = next().multipliedFullWidth(by: range) }
    }
    return Int(product.high)
  }

  /// Fisher–Yates with `below`, so that the order is the same whatever the standard library does.
  package mutating func shuffle<Element>(_ elements: inout [Element]) {
    guard elements.count > 1 else { return }
    for last in stride(from: elements.count - 1, through: 1, by: -1) {
      elements.swapAt(last, below(last + 1))
    }
  }
}
