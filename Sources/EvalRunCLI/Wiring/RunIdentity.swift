import EvalCore
import EvalGraders

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Names and facts of a run that is about to start.
enum RunIdentity {
  /// UTC date and time and four letters against two runs in one second: `20261130-071533-k3f9`.
  static func newID(at seconds: Double) -> String {
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y%m%d-%H%M%S", &parts)
    let stamp = String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // No vowels: they would make words now and then.
    let letters = Array("bcdfghjkmnpqrstvwxz23456789")
    let suffix = (0..<4).map { _ in letters[Int.random(in: 0..<letters.count)] }
    return "\(stamp)-\(String(suffix))"
  }

  /// System, release, architecture and cores: `Linux 6.1.0 x86_64, 2 cores`.
  static var machine: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "unknown" }
    let parts = [text(of: names.sysname), text(of: names.release), text(of: names.machine)]
    return "\(parts.joined(separator: " ")), \(counted(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), "core"))"
  }

  private static func text<Field>(of field: Field) -> String {
    withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

extension Suite {
  /// Who judges, by what and with which words, as it is stored with a run; `nil` when nobody does.
  var judgingObject: JSONValue? {
    guard !judges.isEmpty else { return nil }
    return [
      "comparisons": .array(comparisons.map { ["name": .string($0.name), "content": $0.json] }),
      "promptVersion": .integer(Int64(JudgePrompt.version)), "promptHash": .string(JudgePrompt.hash.hex),
      "judges": .array(
        judges.map { judge in
          [
            "name": .string(judge.name), "hash": .string(judge.hash.hex),
            "isTarget": .bool(judge.isTarget), "content": .object(judge.contentObject),
          ]
        }),
      "rubrics": .array(
        rubrics.map { ["name": .string($0.name), "hash": .string($0.hash.hex), "content": $0.json] }),
    ]
  }
}

extension RunSettings {
  /// What is stored with a run.
  var object: JSONObject {
    var object: JSONObject = [
      "repeats": .integer(Int64(repeats)), "concurrency": .integer(Int64(concurrency)),
      "seed": .integer(Int64(bitPattern: seed)), "warmup": .integer(Int64(warmup)),
      "adaptsWidth": .bool(adaptsWidth), "failuresCountAsZero": .bool(failuresCountAsZero),
      "timeouts": timeouts.json, "retries": retries.json,
    ]
    object["maxConcurrency"] = maxConcurrency.map { .integer(Int64($0)) }
    object["endpointConcurrency"] = endpointConcurrency.map { .integer(Int64($0)) }
    return object
  }
}

extension CallTimeouts {
  fileprivate var json: JSONValue {
    var object: JSONObject = [:]
    object["connectSeconds"] = connect.map { .number($0.seconds) }
    object["firstTokenSeconds"] = firstToken.map { .number($0.seconds) }
    object["stallSeconds"] = stall.map { .number($0.seconds) }
    object["totalSeconds"] = total.map { .number($0.seconds) }
    return .object(object)
  }
}

extension RetrySettings {
  fileprivate var json: JSONValue {
    [
      "limit": .integer(Int64(limit)), "baseDelaySeconds": .number(baseDelay.seconds),
      "maxDelaySeconds": .number(maxDelay.seconds), "maxRetryAfterSeconds": .number(maxRetryAfter.seconds),
    ]
  }
}
