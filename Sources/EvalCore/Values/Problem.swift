/// A place in a file, 1-based, for messages.
package struct SourceLocation: Sendable, Hashable {
  package var file: String
  package var line: Int
  package var column: Int

  package init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }
}

extension SourceLocation: CustomStringConvertible {
  package var description: String { "\(file):\(line):\(column)" }
}

/// Something wrong or doubtful in what the person wrote, with what to do about it.
package struct Problem: Error, Sendable, Hashable {
  package enum Severity: String, Sendable, Hashable {
    /// Nothing runs.
    case error
    /// A finding: the run goes on, `--strict` makes it an error.
    case warning
  }

  package var severity: Severity
  package var location: SourceLocation?
  /// A JSON path such as `cases[3].checks[0].regex`; `nil` for the file as a whole.
  package var path: String?
  /// What is wrong, in one sentence without a full stop.
  package var message: String
  /// What to do, `nil` when the message says it.
  package var advice: String?

  package init(
    _ severity: Severity, _ message: String, at location: SourceLocation? = nil, path: String? = nil,
    advice: String? = nil
  ) {
    self.severity = severity
    self.location = location
    self.path = path
    self.message = message
    self.advice = advice
  }
}

/// Problems that stop the tool: thrown, and shown as help.
package struct Problems: Error, Sendable {
  package var all: [Problem]

  package init(_ all: [Problem]) { self.all = all }
}

/// A warning about a run with advice, shown beside what it concerns.
package struct Finding: Sendable, Hashable {
  /// A stable word for machines, for instance `served-model-differs`.
  package var code: String
  package var message: String
  package var advice: String?
  /// The target it concerns; `nil` for the whole run.
  package var target: String?

  package init(code: String, message: String, advice: String? = nil, target: String? = nil) {
    self.code = code
    self.message = message
    self.advice = advice
    self.target = target
  }
}
