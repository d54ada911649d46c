package import EvalCore

extension JudgeDesk {
  /// Finds vectors: those of this process, those of the database, and by a call the rest. Texts that others are asking
  /// for at the same time are waited for.
  package func embed(_ question: EmbeddingQuestion) async -> EmbeddingAnswer {
    guard let counter = counterNow, let index = counter.floor.indexOfProfile[question.embedder] else {
      return EmbeddingAnswer(.none("there is no embedder '\(question.embedder)' in this run"))
    }
    var search = EmbeddingSearch(
      desk: self, memory: embeddings, parts: counter.floor.parts, profile: counter.floor.profiles[index],
      question: question)
    let answer = await search.run()
    if case .vectors = answer.result {
      for observer in counter.floor.parts.observers { observer.receive(.embedding(search.use)) }
    }
    return answer
  }
}

/// The search for the vectors of one check.
private struct EmbeddingSearch {
  let desk: JudgeDesk
  let memory: EmbeddingMemory
  let parts: EngineParts
  let profile: Profile
  let question: EmbeddingQuestion
  private let keys: [ContentHash]
  /// By key; each text once.
  private let texts: [ContentHash: String]
  private var found: [ContentHash: [Float]] = [:]
  private var costs: [Cost] = []
  private(set) var use: EmbeddingUse

  init(
    desk: JudgeDesk, memory: EmbeddingMemory, parts: EngineParts, profile: Profile,
    question: EmbeddingQuestion
  ) {
    (self.desk, self.memory, self.parts, self.profile) = (desk, memory, parts, profile)
    self.question = question
    keys = question.texts.map(profile.embeddingKey)
    texts = Dictionary(zip(keys, question.texts), uniquingKeysWith: { first, _ in first })
    use = EmbeddingUse(
      place: question.place, embedder: question.embedder, texts: texts.count, fromRun: 0, fromDatabase: 0)
  }

  mutating func run() async -> EmbeddingAnswer {
    var open = texts.keys.sorted { $0.hex < $1.hex }
    while !open.isEmpty {
      var mine: [ContentHash] = []
      var theirs: [ContentHash] = []
      for key in open {
        switch memory.claim(key) {
        case .known(let vector): find(key, vector, \.fromRun)
        case .mine: mine.append(key)
        case .theirs: theirs.append(key)
        }
      }
      if let why = await settle(mine) { return EmbeddingAnswer(.none(why), cost: .sum(of: costs)) }
      for key in theirs { await memory.wait(for: key) }
      // What another one could not have is tried for here.
      open = theirs
    }
    return EmbeddingAnswer(.vectors(keys.map { found[$0] ?? [] }), cost: .sum(of: costs))
  }

  private mutating func find(
    _ key: ContentHash, _ vector: [Float], _ source: WritableKeyPath<EmbeddingUse, Int>
  ) {
    found[key] = vector
    use[keyPath: source] += 1
  }

  /// Ends every claim: by the database, else by a call for each text, so that a text that is too long fails alone.
  /// - Returns: why a vector cannot be had; `nil` when all are there.
  private mutating func settle(_ claimed: [ContentHash]) async -> String? {
    var fault: String?
    for key in claimed {
      if fault != nil {
        memory.settle(key, nil)
      } else if let vector = parts.embeddings?.vector(key), Embedding.fault(of: vector) == nil {
        find(key, vector, \.fromDatabase)
        memory.settle(key, vector)
      } else {
        let vector = await ask(key, &fault)
        memory.settle(key, vector)
      }
    }
    return fault
  }

  private mutating func ask(_ key: ContentHash, _ fault: inout String?) async -> [Float]? {
    var asked = JudgeQuestion(
      judge: question.embedder, place: question.place, instructions: "",
      messages: [Message(.user, texts[key] ?? "")], schema: .null, read: Embedding.reading)
    asked.signals = question.signals
    let call = await desk.ask(asked)
    costs.append(call.cost)
    if case .unread(_, let why) = call.reading {
      fault = why
      return nil
    }
    let vector = call.reply.embeddings[0]
    found[key] = vector
    if call.reply.provenance == .live {
      use.new.append(.init(key: key, model: profile.model, vector: vector))
    }
    return vector
  }
}

/// What makes a vector of use.
enum Embedding {
  static func reading(_ reply: ProviderReply) -> JudgeReading {
    if let error = reply.outcome.error {
      return .unread(error.kind == .cancelled ? .cancelled : .callFailed, error.message)
    }
    guard reply.embeddings.count == 1 else {
      return .unread(.noEmbedding, "the answer holds \(reply.embeddings.count) vectors for a text")
    }
    return fault(of: reply.embeddings[0]).map { .unread(.noEmbedding, $0) } ?? .embedded
  }

  /// Why nothing can be compared with this vector; `nil` when it is of use.
  static func fault(of vector: [Float]) -> String? {
    if vector.isEmpty { return "the vector has no numbers" }
    if !vector.allSatisfy(\.isFinite) { return "the vector holds what is no finite number" }
    return vector.allSatisfy { $0 == 0 } ? "the vector is all zeros and has no direction" : nil
  }
}
