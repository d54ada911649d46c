import EvalCore
import Foundation
import Testing

@testable import EvalStore

@Suite struct BaselineStoreTests {
  private func store(_ folder: Folder, runs: [String]) throws -> RunStore {
    let store = try RunStore(path: folder.database)
    for id in runs {
      let profile = testProfile("small")
      let recorder = try store.record(testRun(id, profiles: [profile], plan: .string(id)))
      for index in 0..<2 { recorder.record(testCase("a"), profile, index) }
      try recorder.flush()
      try store.finish(id, .finished, redactor: noSecrets)
    }
    return store
  }

  @Test func aNameMovesFromRunToRunAndGoes() throws {
    let folder = Folder()
    let store = try store(folder, runs: ["one", "two"])
    try store.setBaseline("main", to: try store.run(matching: "one"))
    #expect(try store.baseline(named: "main").run.id == "one")
    try store.setBaseline("main", to: try store.run(matching: "two"))
    try store.setBaseline("dev", to: try store.run(matching: "one"))
    #expect(try store.baseline(named: "main").run.id == "two")
    #expect(try store.baselineNames() == ["dev", "main"])
    try store.removeBaseline("main")
    #expect(try store.baselineNames() == ["dev"])
    #expect(try store.run(matching: "two").id == "two", "the run stays")
    let error = #expect(throws: StoreError.self) { try store.removeBaseline("dve") }
    #expect(error?.kind == .noSuchBaseline && error?.advice?.contains("dev") == true)
  }

  @Test func anImportedBaselineIsTheFileAgain() throws {
    let folder = Folder()
    let store = try store(folder, runs: ["one"])
    let text = try store.trials(try store.run(matching: "one")).written()
    try store.importBaseline("elsewhere", content: Array(text.utf8))
    let baseline = try store.baseline(named: "elsewhere")
    guard case .file(let file) = baseline.origin else {
      Issue.record("it has become a run")
      return
    }
    #expect(try file.written() == text)
    #expect(try file.all().count == 2)
  }

  /// A database as version 1 of the schema left it.
  @Test func aFileOfTheFirstVersionIsBroughtUpToDate() throws {
    let folder = Folder()
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
    _ = FileManager.default.createFile(atPath: folder.database, contents: nil)
    do {
      let connection = try Connection(path: folder.database, access: .readWrite)
      try connection.execute(Schema.migrations[0])
      try connection.execute(
        "PRAGMA user_version = 1; PRAGMA application_id = \(Schema.applicationID)")
    }
    let store = try self.store(folder, runs: ["one"])
    try store.setBaseline("main", to: try store.run(matching: "one"))
    #expect(try store.baseline(named: "main").run.id == "one")
    let version = try Connection(path: folder.database, access: .readOnly).integer("PRAGMA user_version")
    #expect(version == Schema.version)
  }
}
