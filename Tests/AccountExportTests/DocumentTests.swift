import Files
import TestSupport
import Testing

@testable import AccountExport

/// Documents: staged and read twice, streamed and changed meanwhile, and the row that each gets.
@Suite struct DocumentTests {
  private static func document(
    size: UInt64?, path: PathBytes = "a/b.txt", _ body: nonisolated(nonsending) (inout DocumentContent) async throws -> Void
  ) async throws -> Staged {
    var request = ExportRequest.fixed
    request.limits.stagedDocument = 100
    return try await Staged(folder: "documents/D", request: request) { writer in
      var description = DocumentDescription(path: path, kind: .file)
      description.size = size
      try await writer.document(description, body)
    }
  }

  private static func push(_ count: Int, _ byte: UInt8 = 0x61, into content: inout DocumentContent) async throws {
    try await [UInt8](repeating: byte, count: count).withContiguousBytes { try await content.write($0) }
  }

  @Test(arguments: [0, 1, 100, 101, 5000]) func asItIs(_ size: Int) async throws {
    let staged = try await Self.document(size: UInt64(size)) { content in
      let isStaged = content.isStaged
      #expect(isStaged == (size <= 100))
      for _ in 0..<size { try await Self.push(1, into: &content) }
      let length = content.length
      #expect(length == UInt64(size))
    }
    #expect(try staged.entry("a/b.txt", folder: "documents/D").bytes == [UInt8](repeating: 0x61, count: size))
    #expect(staged.tally.omissions.isEmpty)
    #expect(staged.tally.items == 1 && staged.tally.bytes == UInt64(size))
    #expect(staged.documentRows.hasPrefix(#"{"path":"a/b.txt","kind":"file","bytes":\#(size),"sha256":""#))
  }

  @Test func readAgain() async throws {
    let staged = try await Self.document(size: 50) { content in
      try await Self.push(30, 0x62, into: &content)
      let isTaken = content.restart()
      #expect(isTaken)
      try await Self.push(50, into: &content)
    }
    #expect(try staged.entry("a/b.txt", folder: "documents/D").bytes == [UInt8](repeating: 0x61, count: 50))
    #expect(staged.tally.omissions.isEmpty)
  }

  @Test func readAgainAfterItHadGrown() async throws {
    let staged = try await Self.document(size: 50) { content in
      try await Self.push(500, 0x62, into: &content)
      let isTaken = content.restart()
      #expect(isTaken)
      try await Self.push(50, into: &content)
    }
    #expect(staged.tally.omissions.isEmpty, "what is inside is whole")
    #expect(try staged.entry("a/b.txt", folder: "documents/D").bytes.count == 50)
  }

  @Test func changedWhileStaged() async throws {
    let staged = try await Self.document(size: 50) { content in
      try await Self.push(40, into: &content)
      content.markChanged(length: 40)
    }
    #expect(staged.tally.omissions == [Omission(source: "documents/D", path: "a/b.txt", reason: .changed, bytes: 40)])
    #expect(staged.documentRows.contains(#""bytes":40,"#))
  }

  @Test func grownFarBeyondWhatIsStaged() async throws {
    let staged = try await Self.document(size: 100) { content in for _ in 0..<7 { try await Self.push(50, into: &content) } }
    #expect(try staged.entry("a/b.txt", folder: "documents/D").bytes.count == 200)
    #expect(staged.tally.omissions.map(\.reason) == [.changed])
    #expect(staged.tally.omissions.first?.bytes == 350)
  }

  @Test(arguments: [0, 1, 999]) func shrunkWhileStreaming(_ length: Int) async throws {
    let staged = try await Self.document(size: 1000) { content in
      if length > 0 { try await Self.push(length, into: &content) }
      let isTaken = content.restart()
      #expect(!isTaken)
    }
    let expected = [UInt8](repeating: 0x61, count: length) + [UInt8](repeating: 0, count: 1000 - length)
    #expect(try staged.entry("a/b.txt", folder: "documents/D").bytes == expected)
    #expect(staged.tally.omissions == [Omission(source: "documents/D", path: "a/b.txt", reason: .changed, bytes: UInt64(length))])
    #expect(staged.documentRows.contains(#""bytes":1000,"#))
  }

  @Test func grownWhileStreaming() async throws {
    let staged = try await Self.document(size: 1000) { content in
      try await Self.push(900, into: &content)
      try await Self.push(300, 0x62, into: &content)
      try await Self.push(300, 0x63, into: &content)
    }
    let expected = [UInt8](repeating: 0x61, count: 900) + [UInt8](repeating: 0x62, count: 100)
    #expect(try staged.entry("a/b.txt", folder: "documents/D").bytes == expected)
    #expect(staged.tally.omissions == [Omission(source: "documents/D", path: "a/b.txt", reason: .changed, bytes: 1500)])
  }

  @Test func unreadableWhileStreaming() async throws {
    let staged = try await Self.document(size: 200_000) { content in
      try await Self.push(7, into: &content)
      throw Planned("a bad sector")
    }
    #expect(try staged.entry("a/b.txt", folder: "documents/D").bytes.count == 200_000)
    #expect(staged.tally.omissions == [Omission(source: "documents/D", path: "a/b.txt", reason: .unreadable, bytes: 7)])
  }

  @Test func unreadableWhileStaged() async throws {
    let staged = try await Self.document(size: 10) { content in
      try await Self.push(7, into: &content)
      throw Planned("a bad sector")
    }
    #expect(staged.entries.isEmpty)
    #expect(staged.tally.omissions == [Omission(source: "documents/D", path: "a/b.txt", reason: .unreadable)])
    #expect(
      staged.documentRows
        == #"{"path":"a/b.txt","kind":"file","bytes":10,"sha256":null,"file":null,"target":null,"mediaType":null,"#
        + #""modified":null,"created":null,"mode":null}"# + "\n")
  }

  @Test func everyKeyOfARow() async throws {
    let staged = try await Staged(folder: "documents/D") { writer in
      var link = DocumentDescription(path: PathBytes([0x61, 0xFF]), kind: .link)
      (link.target, link.mode, link.mediaType) = (PathBytes([0xFE]), 0o777, "inode/symlink")
      (link.modified, link.created) = (Timestamp(seconds: 1, nanoseconds: 120_000_000), Timestamp(seconds: -1))
      try await writer.document(link)
    }
    #expect(
      staged.documentRows
        == #"{"path":{"$base64":"Yf8="},"kind":"link","bytes":null,"sha256":null,"file":null,"target":{"$base64":"/g=="},"#
        + #""mediaType":"inode/symlink","modified":"1970-01-01T00:00:01.12Z","created":"1969-12-31T23:59:59Z","mode":511}"# + "\n")
  }

  @Test func emptyFolderHasAnEntry() async throws {
    let staged = try await Staged(folder: "documents/D") { writer in
      var folder = DocumentDescription(path: "empty", kind: .folder)
      try await writer.document(folder)
      folder.isEmptyFolder = true
      try await writer.document(folder)
    }
    #expect(staged.entries.map(\.draft.path) == ["documents/D/empty/"])
    #expect(staged.documentRows.split(separator: "\n").count == 2)
  }
}
