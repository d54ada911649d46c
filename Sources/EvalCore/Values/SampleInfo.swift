/// What a draw took of the cases it chose from: in every stratum, the cases of one first tag, its share.
package struct SampleInfo: Sendable, Hashable {
  package struct Stratum: Sendable, Hashable {
    /// The first tag of its cases; `nil` for cases without a tag.
    package var tag: String?
    package var taken: Int
    package var of: Int

    package init(tag: String?, taken: Int, of: Int) {
      self.tag = tag
      self.taken = taken
      self.of = of
    }
  }

  package var seed: UInt64
  /// By tag, cases without one first.
  package var strata: [Stratum]

  package init(seed: UInt64, strata: [Stratum]) {
    self.seed = seed
    self.strata = strata
  }

  package var taken: Int { strata.reduce(0) { $0 + $1.taken } }
  package var of: Int { strata.reduce(0) { $0 + $1.of } }

  /// `40 of 200 cases drawn with seed 1: billing 12 of 60, tone 28 of 140`; at most twelve strata are named.
  package var sentence: String {
    let named = strata.prefix(12).map { "\($0.tag ?? "without tag") \($0.taken) of \($0.of)" }
    let more = strata.count > 12 ? " and \(strata.count - 12) more tags" : ""
    let parts = strata.count == 1 ? "" : ": " + named.joined(separator: ", ") + more
    return "\(taken) of \(of) cases drawn with seed \(seed)\(parts)"
  }

  /// As a run's settings keep it.
  package var json: JSONValue {
    [
      "seed": .string(String(seed)), "taken": .integer(Int64(taken)), "of": .integer(Int64(of)),
      "strata": .array(
        strata.map { stratum in
          var object: JSONObject = [:]
          object["tag"] = stratum.tag.map { .string($0) }
          object["taken"] = .integer(Int64(stratum.taken))
          object["of"] = .integer(Int64(stratum.of))
          return .object(object)
        }),
    ]
  }

  /// Reads a run's settings; `nil` when the run is no sample.
  package init?(settings: JSONValue) {
    guard let json = settings["sample"], let seed = json["seed"]?.stringValue.flatMap({ UInt64($0) }),
      let strata = json["strata"]?.arrayValue
    else { return nil }
    self.seed = seed
    self.strata = strata.compactMap { stratum in
      guard let taken = stratum["taken"]?.intValue, let of = stratum["of"]?.intValue else { return nil }
      return Stratum(tag: stratum["tag"]?.stringValue, taken: Int(taken), of: Int(of))
    }
  }
}
