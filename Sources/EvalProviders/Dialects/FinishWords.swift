import EvalCore

/// The words with which servers end an answer. One table for every dialect, since relays pass on the words of the
/// server behind them.
enum FinishWords {
  /// What a word means; `.unknown` when it is not known. Case and separators do not count.
  static func finish(_ word: String) -> Finish {
    let plain = String(word.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " })
    return table[plain] ?? (plain.hasPrefix("image") ? .contentFilter : .unknown)
  }

  private static let table: [String: Finish] = {
    let words: [(Finish, [String])] = [
      (
        .stop,
        ["stop", "endturn", "stopsequence", "pauseturn", "eos", "eostoken", "completed", "complete"]
      ),
      (
        .length,
        ["length", "modellength", "maxtokens", "maxoutputtokens", "maxlength", "modelcontextwindowexceeded"]
      ),
      (.toolCalls, ["toolcalls", "toolcall", "functioncall", "tooluse"]),
      (
        .contentFilter,
        [
          "contentfilter", "contentfiltered", "safety", "recitation", "blocklist", "prohibitedcontent",
          "spii",
          "language", "modelarmor", "guardrailintervened",
        ]
      ),
      (.refusal, ["refusal"]),
      (
        .error,
        [
          "error", "insufficientsystemresource", "malformedfunctioncall", "unexpectedtoolcall",
          "toomanytoolcalls", "malformedresponse", "missingthoughtsignature", "noimage",
        ]
      ),
    ]
    return Dictionary(uniqueKeysWithValues: words.flatMap { finish, list in list.map { ($0, finish) } })
  }()
}
