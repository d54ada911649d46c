import EvalCore
import Foundation
import Testing

@testable import EvalStore

@Suite struct LockTests {
  let folder = Folder()

  @Test func secondHolderIsRefusedByName() throws {
    let store = try RunStore(path: folder.database)
    let first = try store.lock("r1")
    let error = #expect(throws: StoreError.self) { try store.lock("r1") }
    #expect(error?.kind == .runLocked)
    let message = try #require(error?.message)
    #expect(message.contains("run r1"))
    #expect(message.contains("process \(getpid())"))
    #expect(try /since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.firstMatch(in: message) != nil)
    // Another run is free, and so is this one afterwards.
    try store.lock("r2").release()
    first.release()
    first.release()
    let second = try store.lock("r1")
    second.release()
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains("lock") }
    #expect(left == [])
  }

  @Test func lockEndsWithItsLastReference() throws {
    let store = try RunStore(path: folder.database)
    do { _ = try store.lock("r1") }
    _ = try store.lock("r1")
  }

  @Test func secondProcessIsRefused() async throws {
    let folder = Folder(sharedAs: "locked", by: getpid())
    let store = try RunStore(path: folder.database)
    let lock = try store.lock("r1")
    await #expect(processExitsWith: .exitCode(7)) {
      let path = Folder.path(sharedAs: "locked", by: getppid()) + "/results.db"
      do throws(StoreError) {
        _ = try RunStore(path: path).lock("r1")
        exit(0)
      } catch {
        exit(error.kind == .runLocked && error.message.contains("process \(getppid())") ? 7 : 1)
      }
    }
    lock.release()
  }

  @Test func runningWithoutALockIsInterrupted() throws {
    let store = try RunStore(path: folder.database)
    let run = testRun()
    try store.begin(run, redactor: noSecrets)
    #expect(try store.run(matching: "latest").status == .interrupted)
    let lock = try store.lock(run.id)
    #expect(try store.run(matching: "latest").status == .running)
    #expect(try store.runs().map(\.status) == [.running])
    lock.release()
    #expect(try store.runs().map(\.status) == [.interrupted])
  }
}
