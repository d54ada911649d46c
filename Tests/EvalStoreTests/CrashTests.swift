import EvalCore
import Foundation
import Testing

@testable import EvalStore

#if canImport(Glibc)
  import Glibc
#endif

@Suite struct CrashTests {
  @Test func killedProcessLosesNothingThatWasFlushed() async throws {
    let folder = Folder(sharedAs: "killed", by: getpid())
    await #expect(processExitsWith: .signal(SIGKILL)) {
      let path = Folder.path(sharedAs: "killed", by: getppid()) + "/results.db"
      let store = try RunStore(path: path)
      let lock = try store.lock(testRun().id)
      let recorder = try store.record(testRun())
      let profile = testProfile("small")
      for index in 0..<500 { recorder.record(testCase("case \(index)"), profile) }
      try recorder.flush()
      // Goes on to write while it is killed.
      for index in 500..<900 { recorder.record(testCase("case \(index)"), profile) }
      kill(getpid(), SIGKILL)
      lock.release()
    }
    let store = try RunStore(path: folder.database)
    let connection = try Connection(path: folder.database, access: .readOnly)
    let check = try connection.prepare("PRAGMA integrity_check")
    #expect(try check.step())
    #expect(check.text(0) == "ok")
    let run = try #require(try store.unfinished(planHash: testRun().planHash))
    #expect(run.id == testRun().id)
    #expect(run.status == .interrupted)
    let finished = try store.finishedTrials(run.id)
    #expect(finished.count >= 500)
    for index in 0..<500 {
      #expect(finished.contains(testKey(testCase("case \(index)"), testProfile("small"))))
    }
    // Only whole attempts: each has its texts.
    #expect(
      try connection.integer("SELECT count(*) FROM attempts")
        == connection.integer(
          "SELECT count(*) FROM attempts JOIN texts USING (attempt_no)"))
    let lock = try store.lock(run.id)
    lock.release()
  }

  @Test func resultsOfAKilledProcessAreReadWithoutWriting() async throws {
    let folder = Folder(sharedAs: "read", by: getpid())
    await #expect(processExitsWith: .signal(SIGKILL)) {
      let path = Folder.path(sharedAs: "read", by: getppid()) + "/results.db"
      let recorder = try RunStore(path: path).record(testRun())
      recorder.record(testCase("one"), testProfile("small"))
      try recorder.flush()
      kill(getpid(), SIGKILL)
    }
    let store = try RunStore(path: folder.database, access: .read)
    #expect(try store.allTrials(testRun()).count == 1)
  }
}
