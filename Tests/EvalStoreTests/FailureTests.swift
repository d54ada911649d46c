import EvalCore
import Foundation
import Testing

@testable import EvalStore

@Suite struct FailureTests {
  let folder = Folder()
  let profile = testProfile("small")

  private func openingFails(_ path: String? = nil, _ access: RunStore.Access = .write) -> StoreError? {
    #expect(throws: StoreError.self) { _ = try RunStore(path: path ?? folder.database, access: access) }
  }

  private func makeFolder() throws {
    try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
  }

  @Test func fileIsForItsOwnerAlone() throws {
    let path = folder.path + "/new/folder/results.db"
    let store = try RunStore(path: path)
    try store.begin(testRun(), redactor: noSecrets)
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(path) == 0o600)
    #expect(try mode(path + "-wal") == 0o600)
    #expect(try mode(path + "-shm") == 0o600)
    #expect(try mode(folder.path + "/new/folder") == 0o700)
    #expect(try mode(folder.path + "/new") == 0o700)
  }

  @Test func relativePathIsMadeWhereItSays() throws {
    let name = "evalstore-\(UUID().uuidString).db"
    defer { for end in ["", "-wal", "-shm"] { unlink(name + end) } }
    _ = try RunStore(path: name)
    #expect(FileManager.default.fileExists(atPath: name))
  }

  @Test func missingDatabaseIsNotMadeByLooking() {
    #expect(openingFails(nil, .read)?.kind == .missing)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func placeThatCannotBeWrittenIsSaid() {
    let error = openingFails("/dev/null/folder/results.db")
    #expect(error?.kind == .unwritable)
    #expect(error?.message.contains("/dev/null/folder") == true)
  }

  #if os(Linux)
    /// Looking whether the folder is there all the same has a reason of its own, "no such file".
    @Test func theReasonIsThatOfMakingTheFolder() {
      let error = openingFails("/sys/evalrun/results.db")
      #expect(error?.kind == .unwritable)
      #expect(error?.message.contains("cannot create the folder /sys/evalrun:") == true)
      #expect(error?.message.contains("No such file") == false)
    }
  #endif

  @Test func aDatabaseThatCannotBeLookedForIsNotCalledMissing() throws {
    try makeFolder()
    try FileManager.default.createSymbolicLink(atPath: folder.database, withDestinationPath: folder.database)
    let error = openingFails(nil, .read)
    #expect(error?.kind == .unwritable)
    #expect(error?.message.contains(String(cString: strerror(ELOOP))) == true)
  }

  @Test func folderIsNoDatabase() throws {
    try makeFolder()
    #expect(openingFails(folder.path)?.kind == .unwritable)
  }

  @Test func textIsNoDatabase() throws {
    try makeFolder()
    try Data(repeating: 0x41, count: 5000).write(to: URL(fileURLWithPath: folder.database))
    #expect(openingFails()?.kind == .notADatabase)
    #expect(openingFails(nil, .read)?.kind == .notADatabase)
  }

  @Test func databaseOfAnotherProgramIsLeftAlone() throws {
    try makeFolder()
    try Data().write(to: URL(fileURLWithPath: folder.database))
    try Connection(path: folder.database, access: .readWrite).execute(
      "CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))
    #expect(openingFails()?.kind == .foreign)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database)) == before)
  }

  @Test(arguments: [RunStore.Access.write, .read]) func newerDatabaseIsRefused(_ access: RunStore.Access)
    throws
  {
    try RunStore(path: folder.database).close()
    try Connection(path: folder.database, access: .readWrite).execute("PRAGMA user_version = 99")
    let error = openingFails(nil, access)
    #expect(error?.kind == .newerSchema)
    #expect(error?.message.contains("version 99") == true)
    #expect(error?.advice?.contains("update evalrun") == true)
  }

  @Test func openingTwiceKeepsWhatIsThere() throws {
    try RunStore(path: folder.database).begin(testRun(), redactor: noSecrets)
    let again = try RunStore(path: folder.database)
    #expect(try again.runs().map(\.id) == [testRun().id])
    let connection = try Connection(path: folder.database, access: .readOnly)
    #expect(try connection.integer("PRAGMA user_version") == Schema.version)
  }

  @Test func fullDiskIsReportedOnceAndLosesNothingBefore() throws {
    let store = try RunStore(path: folder.database)
    try store.begin(testRun(), redactor: noSecrets)
    let failures = Failures()
    let recorder = try store.recorder(
      run: testRun(), redactor: noSecrets, isPrivate: false, onFailure: failures.add)
    recorder.record(testCase("before"), profile)
    try recorder.flush()
    let pages = try store.write { desk throws(StoreError) in
      try desk.connection.integer("PRAGMA page_count") ?? 0
    }
    try store.write { desk throws(StoreError) in
      try desk.connection.execute("PRAGMA max_page_count = \(pages + 20)")
    }
    for index in 0..<2000 { recorder.record(testCase("after \(index)"), profile) }
    let error = #expect(throws: StoreError.self) { try recorder.flush() }
    #expect(error?.kind == .full)
    #expect(failures.errors.map(\.kind) == [.full])
    // What came later was dropped without another word.
    recorder.record(testCase("late"), profile)
    #expect(throws: StoreError.self) { try recorder.flush() }
    #expect(failures.errors.count == 1)
    let finished = try store.finishedTrials(testRun().id)
    #expect(finished.contains(testKey(testCase("before"), profile)))
    #expect(finished.count < 2000)
    // With room made, another process goes on.
    try store.write { desk throws(StoreError) in try desk.connection.execute("PRAGMA max_page_count = 100000")
    }
    let next = try store.recorder(
      run: testRun(), redactor: noSecrets, isPrivate: false, onFailure: failures.add)
    next.record(testCase("late"), profile)
    try next.flush()
    #expect(failures.errors.count == 1)
    #expect(try store.finishedTrials(testRun().id).contains(testKey(testCase("late"), profile)))
  }

  @Test func readingStoreDoesNotWrite() throws {
    try RunStore(path: folder.database).begin(testRun(), redactor: noSecrets)
    let reading = try RunStore(path: folder.database, access: .read)
    #expect(try reading.runs().count == 1)
    #expect(throws: StoreError.self) { try reading.abandon(testRun().id) }
  }

  @Test func closingWritesWhatIsQueued() throws {
    let store = try RunStore(path: folder.database)
    let recorder = try store.record(testRun())
    for index in 0..<200 { recorder.record(testCase("\(index)"), profile) }
    store.close()
    store.close()
    #expect(try store.finishedTrials(testRun().id).count == 200)
    // More than the queue would hold.
    for index in 0..<2000 { recorder.record(testCase("late \(index)"), profile) }
    #expect(throws: StoreError.self) { try recorder.flush() }
    #expect(try store.finishedTrials(testRun().id).count == 200)
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left == ["results.db"])
  }

  @Test func twoRunsAtOnceAreBothWhole() async throws {
    let first = try RunStore(path: folder.database)
    let second = try RunStore(path: folder.database)
    let runs = [testRun("r1"), testRun("r2")]
    let recorders = [try first.record(runs[0]), try second.record(runs[1])]
    await withTaskGroup { group in
      for recorder in recorders {
        group.addTask {
          for index in 0..<300 {
            recorder.record(testCase("case \(index)"), testProfile("small"))
            if index.isMultiple(of: 50) { try? recorder.flush() }
          }
        }
      }
    }
    for recorder in recorders { try recorder.flush() }
    for run in runs { #expect(try first.finishedTrials(run.id).count == 300) }
  }
}
