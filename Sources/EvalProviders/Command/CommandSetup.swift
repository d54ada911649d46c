import EvalCore

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension ProviderEntry {
  /// Any program that reads a request and writes events or text.
  static let command = ProviderEntry(
    descriptor: ProviderDescriptor(
      name: "command",
      summary: "A program of your own: it reads the request as JSON and writes events as JSON lines, or text",
      needsModel: false, usesEndpoint: false,
      capabilities: Set(Capability.allCases).subtracting([.headers, .tokenCount]),
      options: CommandOptions.specs, validate: CommandSetup.problems),
    server: { _ in nil },
    make: { (profile, parts) throws(Problem) in try CommandSetup.provider(for: profile, parts) })
}

/// Checks a profile of a program and makes its provider.
enum CommandSetup {
  static func provider(for profile: Profile, _ parts: ProviderParts) throws(Problem) -> any Provider {
    guard parts.allowsCommands else {
      throw Problem(
        .error, "a suite may not start programs unless it is allowed to", path: "options.command",
        advice: "pass --allow-commands if you trust this suite")
    }
    if let problem = problems(with: profile).first(where: { $0.severity == .error }) { throw problem }
    let options = try CommandOptions(profile.options)
    parts.resolver.keepInherited()
    let directory = directory(of: profile)
    return CommandProvider(
      options: options, program: path(of: options.arguments[0], in: directory), directory: directory,
      exchange: parts.exchange)
  }

  static func problems(with profile: Profile) -> [Problem] {
    let options: CommandOptions
    do {
      options = try CommandOptions(profile.options)
    } catch {
      return [error]
    }
    var problems = nameProblems(options, profile) + lostProblems(options, profile)
    if profile.key != nil {
      problems.append(
        Problem(
          .error, "a program gets no key from evalrun", path: "key",
          advice: "it inherits the environment, where it finds its own"))
    }
    let program = path(of: options.arguments[0], in: directory(of: profile))
    if problems.isEmpty, !Template.isTemplate(program), !isThere(program) {
      problems.append(
        Problem(
          .warning, "there is no program '\(options.arguments[0])' here; its calls will be unavailable",
          path: "options.command[0]",
          advice: "a path starts at the suite's folder, a name is looked up in PATH"))
    }
    return problems
  }

  /// Names in the arguments that have no value.
  private static func nameProblems(_ options: CommandOptions, _ profile: Profile) -> [Problem] {
    let variables = CommandOptions.variables(of: profile, instructions: profile.instructions, prompt: "")
    return options.names.compactMap { name, place in
      guard let value = variables[name] else {
        return Problem(
          .error, "an argument cannot name '{{\(name)}}'", path: "options.command[\(place)]",
          advice: suggestion(for: name, among: variables.keys)
            ?? "it may name \(variables.keys.joined(separator: ", "))")
      }
      guard value == .null else { return nil }
      return Problem(
        .error, "an argument names '{{\(name)}}', which the profile does not have",
        path: "options.command[\(place)]", advice: "give the profile '\(name)', or take it out")
    }
  }

  /// What the profile asks for and nobody tells the program.
  private static func lostProblems(_ options: CommandOptions, _ profile: Profile) -> [Problem] {
    if options.input == .request { return [] }
    let named = Set(options.names.map(\.name))
    let parameters = profile.parameters
    let asked: [(key: String, isAsked: Bool)] = [
      ("instructions", profile.instructions != nil), ("temperature", parameters.temperature != nil),
      ("topP", parameters.topP != nil), ("seed", parameters.seed != nil),
      ("maxOutputTokens", parameters.maxOutputTokens != nil), ("reasoning", parameters.reasoning != nil),
      ("stop", !parameters.stop.isEmpty), ("tools", !profile.tools.isEmpty),
      ("toolChoice", profile.toolChoice != nil), ("responseSchema", profile.responseSchema != nil),
      ("extraBody", !profile.extraBody.isEmpty),
    ]
    let nameable = CommandOptions.variables(of: profile, instructions: nil, prompt: "")
    return asked.filter { $0.isAsked && !named.contains($0.key) }.map { key, _ in
      Problem(
        .error, "'\(key)' does not reach the program, which reads no request", path: key,
        advice: nameable[key] == nil
          ? "let it read the request (\"input\": \"request\"), or remove '\(key)'"
          : "write {{\(key)}} in an argument, or let it read the request (\"input\": \"request\")")
    }
  }

  /// The folder of the file that names the program, as for every relative path in a suite.
  private static func directory(of profile: Profile) -> String {
    guard let file = profile.location?.file, let slash = file.lastIndex(of: "/") else { return "" }
    return slash == file.startIndex ? "/" : String(file[..<slash])
  }

  private static func path(of program: String, in directory: String) -> String {
    if program.hasPrefix("~/"), let home = variable("HOME") { return home + program.dropFirst() }
    guard program.contains("/"), !program.hasPrefix("/"), !directory.isEmpty else { return program }
    return directory.hasSuffix("/") ? directory + program : "\(directory)/\(program)"
  }

  private static func isThere(_ program: String) -> Bool {
    if program.contains("/") { return access(program, X_OK) == 0 }
    return (variable("PATH") ?? "").split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
