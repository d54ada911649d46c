#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The functions under the distributions, accurate to some 14 digits.
enum SpecialFunctions {
  /// The error of Stirling's formula: `ln Γ(x+1) − (x+½)·ln x + x − ½·ln 2π`, for `x > 0`.
  ///
  /// The asymptotic series (Abramowitz and Stegun 6.1.41) from 16 on; below, the recurrence
  /// `S(x) = S(x+1) + (x+½)·ln(1+1/x) − 1`.
  static func stirlingError(_ x: Double) -> Double {
    var sum = 0.0
    var x = x
    while x < 16 {
      sum += (x + 0.5) * log1p(1 / x) - 1
      x += 1
    }
    let square = x * x
    let series =
      1 / 12.0 - (1 / 360.0 - (1 / 1260.0 - (1 / 1680.0 - 1 / 1188.0 / square) / square) / square) / square
    return sum + series / x
  }

  /// The deviance part `x·ln(x/m) + m − x`, without cancellation when the two are near.
  ///
  /// Loader, *Fast and Accurate Computation of Binomial Probabilities* (2000), `bd0`.
  static func deviance(_ x: Double, _ m: Double) -> Double {
    guard x > 0 else { return m }
    let difference = x - m
    guard abs(difference) < 0.1 * (x + m) else { return x * log(x / m) - difference }
    let ratio = difference / (x + m)
    var sum = difference * ratio
    var term = 2 * x * ratio
    let square = ratio * ratio
    for index in 1..<1000 {
      term *= square
      let next = sum + term / Double(2 * index + 1)
      if next == sum { break }
      sum = next
    }
    return sum
  }

  /// The regularised incomplete beta function `I_x(a, b)` with `y = 1 − x` given apart, so that neither loses digits.
  ///
  /// The continued fraction of DiDonato and Morris (DLMF 8.17.22) by Lentz's method on the side where it converges
  /// fast; its factor `x^a·y^b/B(a,b)` by Loader's saddle-point form.
  /// - Returns: a value in 0…1. `a` and `b` must be above 0, `x` and `y` in 0…1.
  static func incompleteBeta(_ a: Double, _ b: Double, x: Double, y: Double) -> Double {
    if x <= 0 { return 0 }
    if y <= 0 { return 1 }
    if x < (a + 1) / (a + b + 2) {
      return min(1, density(a, b, x, y) * fraction(a, b, x) / a)
    }
    return max(0, 1 - density(b, a, y, x) * fraction(b, a, y) / b)
  }

  /// `x^a·y^b/B(a,b)`.
  private static func density(_ a: Double, _ b: Double, _ x: Double, _ y: Double) -> Double {
    let n = a + b
    let exponent =
      stirlingError(n) - stirlingError(a) - stirlingError(b) - deviance(a, n * x) - deviance(b, n * y)
    return exp(exponent) * (a * b / n / (2 * Double.pi)).squareRoot()
  }

  private static func fraction(_ a: Double, _ b: Double, _ x: Double) -> Double {
    let tiny = 1e-300
    func guarded(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
    var c = 1.0
    var d = 1 / guarded(1 - (a + b) * x / (a + 1))
    var result = d
    for index in 1...20_000 {
      let m = Double(index)
      let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
      d = 1 / guarded(1 + even * d)
      c = guarded(1 + even / c)
      result *= d * c
      let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
      d = 1 / guarded(1 + odd * d)
      c = guarded(1 + odd / c)
      let step = d * c
      result *= step
      if abs(step - 1) < 1e-15 { break }
    }
    return result
  }
}
