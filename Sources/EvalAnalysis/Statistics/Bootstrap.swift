import Dispatch
import EvalCore

/// Resampling of whole units with replacement, on all cores.
package enum Bootstrap {
  /// Resamples that share one stream of random numbers: the result is the same on any number of cores.
  private static let block = 64

  /// The sums over units of each resample: `Σ_{j=1}^{n} v_{i_j}` with `i_j` drawn uniformly from the n units.
  ///
  /// Efron and Tibshirani, *An Introduction to the Bootstrap* (1993), chapter 6.
  /// - Parameters:
  ///   - units: up to as many numbers a unit as the vector has; fewer than 2³².
  ///   - seed: the same seed gives the same resamples.
  package static func sums<Vector: SIMD & Sendable>(
    _ units: [Vector], resamples: Int, seed: UInt64
  ) -> [Vector] where Vector.Scalar == Double {
    guard !units.isEmpty, resamples > 0 else { return [] }
    let blocks = (resamples + block - 1) / block
    let sums = [Vector](unsafeUninitializedCapacity: resamples) { buffer, count in
      // Every block writes a part of its own.
      nonisolated(unsafe) let buffer = buffer
      @Sendable func fill(_ number: Int) {
        let range = number * block..<min(resamples, (number + 1) * block)
        var random = SeededRandom(seed: seed &+ UInt64(number) &* 0xD134_2543_DE82_EF95)
        units.withUnsafeBufferPointer { units in
          for index in range {
            (buffer.baseAddress! + index).initialize(to: sum(units, &random))
          }
        }
      }
      if units.count * resamples < 200_000 {
        for number in 0..<blocks { fill(number) }
      } else {
        DispatchQueue.concurrentPerform(iterations: blocks, execute: fill)
      }
      count = resamples
    }
    return sums
  }

  /// The sum of one resample. A random word serves two draws, each in the range without bias (Lemire 2019).
  @inline(__always)
  private static func sum<Vector: SIMD>(
    _ units: UnsafeBufferPointer<Vector>, _ random: inout SeededRandom
  ) -> Vector where Vector.Scalar == Double {
    let range = UInt64(units.count)
    let least = (1 << 32) % range
    var first = Vector.zero
    var second = Vector.zero
    var left = units.count
    while left > 0 {
      let word = random.next()
      let one = (word & 0xFFFF_FFFF) &* range
      if one & 0xFFFF_FFFF >= least {
        first += units[Int(one >> 32)]
        left -= 1
      }
      let other = (word >> 32) &* range
      if left > 0, other & 0xFFFF_FFFF >= least {
        second += units[Int(other >> 32)]
        left -= 1
      }
    }
    return first + second
  }

  /// The 95 % interval from a statistic's resamples.
  /// - Parameter values: of all resamples, in any order; infinite where a resample has no value.
  /// - Returns: `nil` when an end is not finite.
  static func interval(_ values: [Double], units: Int) -> ClosedRange<Double>? {
    let (low, high) = Resamples.bounds(values.sorted(), units: units)
    return low.isFinite && high.isFinite ? low...high : nil
  }
}
