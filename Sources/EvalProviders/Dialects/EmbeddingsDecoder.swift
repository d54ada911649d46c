import EvalCore

/// Reads vectors in all their forms: OpenAI's `data[].embedding`, as numbers or base64, Ollama's `embeddings`, and the
/// `embedding` of its older API.
struct EmbeddingsDecoder: ResponseDecoder {
  mutating func event(_ value: JSONView, isError: Bool, into answer: inout Answer) {
    if isError { answer.fail(value) } else { body(value, into: &answer) }
  }

  mutating func body(_ value: JSONView, into answer: inout Answer) {
    if let error = ErrorBody.find(in: value) { return answer.fail(error) }
    guard let vectors = Self.vectors(value) else { return }
    answer.identify(model: value["model"], id: value["id"])
    answer.embeddings = vectors
    answer.usage.add(Self.usage(value))
    answer.end(raw: nil, .stop)
  }

  /// `nil` when the value has no place for vectors.
  private static func vectors(_ value: JSONView) -> [[Float]]? {
    if let data = value["data"], data.kind == .array { return ordered(data) }
    if let list = value["embeddings"], list.kind == .array { return list.elements.map(vector) }
    return value["embedding"].map { [vector($0)] }
  }

  /// In the order of the inputs, which `index` tells where it tells anything.
  private static func ordered(_ data: JSONView) -> [[Float]] {
    var vectors: [[Float]] = []
    var places: [Int] = []
    for item in data.elements {
      vectors.append(item["embedding"].map(vector) ?? [])
      places.append(item["index"]?.int.map { Int($0) } ?? -1)
    }
    guard places.sorted() == Array(vectors.indices) else { return vectors }
    var sorted = vectors
    for (place, vector) in zip(places, vectors) { sorted[place] = vector }
    return sorted
  }

  /// What is no number is NaN, and text that is no base64 an empty vector: whoever uses it sees that.
  private static func vector(_ view: JSONView) -> [Float] {
    if view.kind == .array { return view.elements.map { $0.double.map { Float($0) } ?? .nan } }
    guard let bytes = view.string.flatMap(Base64.decode), bytes.count.isMultiple(of: 4) else { return [] }
    return stride(from: 0, to: bytes.count, by: 4).map { start in
      let word = bytes[start..<start + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return Float(bitPattern: word)
    }
  }

  /// An embedding generates nothing, so a count of the input is the whole usage.
  private static func usage(_ value: JSONView) -> UsageReport {
    var report = UsageReport()
    let usage = value["usage"]
    report.input =
      UsageReport.count(usage?["prompt_tokens"]) ?? UsageReport.count(usage?["total_tokens"])
      ?? UsageReport.count(value["prompt_eval_count"])
    report.output = report.input.map { _ in 0 }
    return report
  }
}
