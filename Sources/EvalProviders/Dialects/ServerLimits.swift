import EvalCore

/// A wish about tools, whichever tool it names.
package enum ToolChoiceKind: Sendable, Hashable, CaseIterable {
  case auto, none, required, named

  init(_ choice: ToolChoice) {
    switch choice {
    case .auto: self = .auto
    case .none: self = .none
    case .required: self = .required
    case .tool: self = .named
    }
  }
}

extension ServerTraits {
  /// What a profile asks for and this server refuses, or ignores without saying so: both would be measured as if it had
  /// been obeyed.
  func problems(with profile: Profile) -> [Problem] {
    var problems: [Problem] = []
    let parameters = profile.parameters
    if ignores.contains(.responseSchema), profile.responseSchema != nil {
      problems.append(ignored("a schema", path: "responseSchema", profile))
    }
    if ignores.contains(.reasoning), parameters.reasoning != nil {
      problems.append(ignored("a reasoning level", path: "reasoning", profile))
    }
    if let choice = profile.toolChoice, !toolChoices.contains(ToolChoiceKind(choice)) {
      problems.append(ignored("this tool choice", path: "toolChoice", profile))
    }
    if let least = leastOutputTokens, let limit = parameters.maxOutputTokens, limit < least {
      problems.append(
        Problem(
          .error, "\(name) takes no output limit below \(least) tokens", path: "maxOutputTokens",
          advice: "ask for at least \(least)"))
    }
    if let highest = highestTemperature, let temperature = parameters.temperature, temperature > highest {
      problems.append(
        Problem(.error, "\(name) takes no temperature above \(highest)", path: "temperature"))
    }
    return problems
  }

  private func ignored(_ what: String, path: String, _ profile: Profile) -> Problem {
    Problem(
      .error, "\(name) ignores \(what) in \(profile.provider) requests", path: path,
      advice: "ask the same server over another provider, or leave it out")
  }
}
