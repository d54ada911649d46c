import EvalCore
import Testing

@Suite struct JSONSourceTextTests {
  /// The line and column of each byte of `text`, and of its end.
  private func positions(_ bytes: [UInt8]) -> [String] {
    let source = SourceText(name: "x.json", bytes: bytes)
    return (0...bytes.count).map { offset in
      let position = source.position(of: offset)
      return "\(position.line):\(position.column)"
    }
  }

  @Test func countsLinesAndColumnsFromOne() {
    #expect(positions([]) == ["1:1"])
    #expect(positions(Array("ab\n\nc".utf8)) == ["1:1", "1:2", "1:3", "2:1", "3:1", "3:2"])
    #expect(positions(Array("a\n".utf8)) == ["1:1", "1:2", "2:1"])
  }

  @Test func everyLineEndCountsOnce() {
    #expect(positions(Array("a\r\nb".utf8)) == ["1:1", "1:2", "1:3", "2:1", "2:2"])
    #expect(positions(Array("a\rb\r\r\n".utf8)) == ["1:1", "1:2", "2:1", "2:2", "3:1", "3:2", "4:1"])
  }

  @Test func columnsCountScalars() {
    #expect(
      positions(Array("é😀x".utf8)) == ["1:1", "1:1", "1:2", "1:2", "1:2", "1:2", "1:3", "1:4"])
    #expect(positions(Array("e\u{301}x".utf8)) == ["1:1", "1:2", "1:2", "1:3", "1:4"])
  }

  @Test func aByteOrderMarkIsNoColumn() {
    #expect(
      positions([0xEF, 0xBB, 0xBF] + Array("a\nb".utf8)) == ["1:1", "1:1", "1:1", "1:1", "1:2", "2:1", "2:2"])
  }

  @Test func offsetsOutsideStandForTheEnds() {
    let source = SourceText(name: "x.json", bytes: Array("ab\nc".utf8))
    #expect(source.position(of: 99) == (2, 2))
    #expect(source.position(of: -1) == (1, 1))
  }

  @Test func givesTheTextOfALine() {
    let source = SourceText(name: "x.json", bytes: [0xEF, 0xBB, 0xBF] + Array("{ é\r\n\r\n  1\r}".utf8))
    #expect((0...5).map(source.lineText) == ["", "{ é", "", "  1", "}", ""])
    #expect(source.lineCount == 4 && source.name == "x.json")
    #expect(SourceText(name: "", bytes: Array("a\n".utf8)).lineText(2) == "")
  }
}
