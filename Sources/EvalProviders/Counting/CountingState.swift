import EvalCore

/// What a server said to a request beside the calls.
enum SideReply: Sendable {
  case value(JSONValue)
  /// It answered, with this status and nothing that helps.
  case refused(status: Int)
  /// It did not answer in time or not at all.
  case failed
}

/// Remembers which way of counting a server takes, so that it is not asked in vain for every call.
struct CountingState: Sendable {
  /// Failures in a row after which nothing is asked any more.
  static let patience = 3

  private let recipes: Int
  /// The way to try next; `nil` when there is none left.
  private(set) var recipe: Int?
  private var failures = 0

  init(recipes: Int) {
    self.recipes = recipes
    recipe = recipes > 0 ? 0 : nil
  }

  /// Learns from an answer to one way.
  ///
  /// A server that does not know the path, or not the model there, will not know it the next time either; one that is busy
  /// may.
  mutating func learn(_ reply: SideReply, from tried: Int) {
    guard tried == recipe else { return }
    switch reply {
    case .value: failures = 0
    case .refused(let status) where status < 500 && ![408, 429].contains(status):
      recipe = tried + 1 < recipes ? tried + 1 : nil
    case .refused, .failed:
      failures += 1
      if failures >= Self.patience { recipe = nil }
    }
  }
}
