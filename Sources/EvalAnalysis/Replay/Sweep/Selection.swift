/// The k-th smallest value without sorting all.
enum Selection {
  /// Puts the value of this rank in its place, with smaller ones before and larger ones behind: Hoare's quickselect
  /// (Communications of the ACM 4 (1961), algorithm 65), the middle of three as pivot.
  static func value(at rank: Int, of values: inout [Double], in range: Range<Int>) -> Double {
    values.withUnsafeMutableBufferPointer { values in
      var (low, high) = (range.lowerBound, range.upperBound - 1)
      while low < high {
        let pivot = median(values[low], values[(low + high) / 2], values[high])
        var (left, right) = (low, high)
        while left <= right {
          while values[left] < pivot { left += 1 }
          while values[right] > pivot { right -= 1 }
          guard left <= right else { break }
          values.swapAt(left, right)
          left += 1
          right -= 1
        }
        if rank <= right { high = right } else if rank >= left { low = left } else { break }
      }
      return values[rank]
    }
  }

  private static func median(_ a: Double, _ b: Double, _ c: Double) -> Double {
    max(min(a, b), min(max(a, b), c))
  }
}
