package import EvalCore

/// Reads a file of prices, `{"PROFILE or model": {"input": 0.15, "output": 0.6} or "free"}`, in the words of a suite.
package enum PriceFile {
  /// - Parameters:
  ///   - profiles: the profiles that may get another price.
  /// - Returns: the new prices by the profile's name; a profile's own name counts before its model's.
  /// - Throws: everything that is wrong with the file, each with its place.
  package static func read(path: String, for profiles: [Profile]) throws(Problems) -> [String: Price] {
    let bytes: [UInt8]
    do throws(FileFault) {
      bytes = try OpenFile(path).bytes()
    } catch {
      throw Problems([Problem(.error, error.message, advice: error.advice)])
    }
    let source = SourceText(name: path, bytes: bytes)
    let document = JSONDocument()
    do throws(JSONSyntaxError) {
      try document.parse(bytes, dialect: .relaxed)
    } catch {
      throw Problems([source.problem(error)])
    }
    let reader = Reader(
      vocabulary: SuiteVocabulary(providers: [], graders: []), environment: [:],
      checks: CheckReader(graders: []), origin: Origin(source, root: document.root))
    let prices = read(document.root, for: profiles, reader)
    guard reader.diagnostics.errorCount == 0 else {
      throw Problems(reader.diagnostics.all(firstFile: path))
    }
    return prices
  }

  private static func read(_ root: JSONView, for profiles: [Profile], _ reader: Reader) -> [String: Price] {
    guard root.kind == .object, root.count > 0 else {
      reader.wrong(root, expected: "an object of prices by profile or model")
      return [:]
    }
    let known = profiles.map(\.name) + profiles.map(\.model)
    var named: [String: Price] = [:]
    for member in root.members {
      let name = member.key.string ?? ""
      if named[name] != nil {
        reader.error("'\(name)' is given twice", at: member.key, advice: "keep one of them")
      }
      if !known.contains(name) {
        reader.error(
          "the run has no profile and no model '\(name)'", at: member.key,
          advice: suggestion(for: name, among: known)
            ?? "it has \(profiles.map(\.name).joined(separator: ", "))")
      }
      named[name] = PriceDraft.readPrice(member.value, over: PriceDraft(), reader)
    }
    var prices: [String: Price] = [:]
    for profile in profiles { prices[profile.name] = named[profile.name] ?? named[profile.model] }
    return prices
  }
}
