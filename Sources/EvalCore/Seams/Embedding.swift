/// Texts to be embedded for one check.
package struct EmbeddingQuestion: Sendable {
  /// The embedder's profile.
  package var embedder: String
  package var texts: [String]
  package var place: JudgePlace
  /// The signals of the case that the texts belong to.
  package var signals: JSONObject

  package init(embedder: String, texts: [String], place: JudgePlace, signals: JSONObject) {
    self.embedder = embedder
    self.texts = texts
    self.place = place
    self.signals = signals
  }
}

/// What came of an `EmbeddingQuestion`.
package struct EmbeddingAnswer: Sendable {
  package enum Result: Sendable {
    /// A vector for each text, in their order; every number finite, none of them all zero, their lengths as they came.
    case vectors([[Float]])
    /// Why there are none.
    case none(String)
  }

  package var result: Result
  /// Of the calls that were made; texts that were known cost nothing.
  package var cost: Cost

  package init(_ result: Result, cost: Cost = Cost(dollars: 0)) {
    self.result = result
    self.cost = cost
  }
}

/// How a check came by the vectors of its texts: booked with its trial.
package struct EmbeddingUse: Sendable, Hashable {
  /// A vector that was not known before.
  package struct New: Sendable, Hashable {
    package var key: ContentHash
    package var model: String
    package var vector: [Float]

    package init(key: ContentHash, model: String, vector: [Float]) {
      self.key = key
      self.model = model
      self.vector = vector
    }
  }

  package var place: JudgePlace
  /// The embedder's profile.
  package var embedder: String
  /// Different texts that the check needed.
  package var texts: Int
  /// Of these, known from earlier in this process.
  package var fromRun: Int
  /// Of these, known from the database.
  package var fromDatabase: Int
  /// What was learned from live calls; empty when read back.
  package var new: [New] = []

  package init(place: JudgePlace, embedder: String, texts: Int, fromRun: Int, fromDatabase: Int) {
    self.place = place
    self.embedder = embedder
    self.texts = texts
    self.fromRun = fromRun
    self.fromDatabase = fromDatabase
  }
}

/// Vectors that earlier runs have paid for.
package protocol EmbeddingShelf: Sendable {
  /// - Returns: `nil` when there is none, or when it cannot be read: then it is asked for again.
  func vector(_ key: ContentHash) -> [Float]?
}

extension JudgeCalling {
  package func embed(_ question: EmbeddingQuestion) async -> EmbeddingAnswer {
    EmbeddingAnswer(.none("nobody is there to embed"))
  }
}

extension Profile {
  /// The identity of a text's vector: everything that can change it, hashed with the text.
  ///
  /// Prices, widths, keys and the name of the profile are not part of it.
  package func embeddingKey(of text: String) -> ContentHash {
    var object: JSONObject = [
      "provider": .string(provider), "model": .string(model), "options": .object(options),
      "extraBody": .object(extraBody), "headers": .array(headers.map(\.json)), "text": .string(text),
    ]
    object["endpoint"] = endpoint.map { .string($0) }
    object["server"] = server.map { .string($0) }
    return ContentHash(of: .object(object), kind: "embedding")
  }
}
