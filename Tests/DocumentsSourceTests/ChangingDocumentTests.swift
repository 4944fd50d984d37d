import AccountExport
import Files
import Foundation
import Synchronization
import Testing

@testable import DocumentsSource

@Suite("Documents that change while they are read")
struct ChangingDocumentTests {
  let scratch: Scratch
  let output: Scratch

  init() throws { (scratch, output) = (try Scratch(), try Scratch()) }

  /// Exports a large file that is cut or grows to a length as soon as its first bytes were read.
  private func exportLarge(from size: Int, to changed: Int) async throws -> ExportedBundle {
    let path = scratch.path.appending("large")
    try scratch.write("begin", to: "large")
    #expect(path.withCString { truncate($0, off_t(size)) } == 0)
    let once = Once()
    return try await ExportedBundle.export(DocumentsSource(scratch.path), into: output.path, staging: 4096) { event in
      guard case .progress(_, _, let bytes) = event, bytes > 0, once.isFirst() else { return }
      if path.withCString({ truncate($0, off_t(changed)) }) != 0 { Issue.record("the file could not be changed") }
    }
  }

  @Test func aLargeOneThatShrinksKeepsItsSize() async throws {
    let bundle = try await exportLarge(from: 64 << 20, to: 10 << 10)
    let row = try #require(try bundle.row("large"))
    let document = try #require(bundle.document(row))
    #expect(document.count == 64 << 20 && document.starts(with: "begin".utf8) && document.last == 0)
    #expect(bundle.omissions == ["large: changed (10240 bytes)"] && bundle.manifest.outcome == .partial)
  }

  @Test func aLargeOneThatGrowsIsCut() async throws {
    let bundle = try await exportLarge(from: 64 << 20, to: 65 << 20)
    let row = try #require(try bundle.row("large"))
    #expect(bundle.document(row)?.count == 64 << 20 && row["bytes"] as? Int == 64 << 20)
    #expect(bundle.omissions == ["large: changed (\(65 << 20) bytes)"])
  }

  @Test func aSmallOneIsReadAgainOnceThenNamed() throws {
    try scratch.write(String(repeating: "a", count: 1 << 20), to: "small")
    let file = try scratch.folder.reading("small")
    let reader = DocumentReader(limit: 2 << 20)
    let quiet = try reader.read(file, file.status(), once: false)
    #expect(quiet.count == 1 << 20 && quiet.isWhole && !quiet.isChanged)
    // It changed once, before: the second reading finds it at rest.
    let stale = try file.status()
    let path = scratch.path.appending("small")
    #expect(path.withCString { truncate($0, 1000) } == 0)
    let settled = try reader.read(file, stale, once: false)
    #expect(settled.count == 1000 && settled.status.size == 1000 && !settled.isChanged)
    // It grew beyond what is read whole.
    #expect(path.withCString { truncate($0, 3 << 20) } == 0)
    let grown = try reader.read(file, stale, once: false)
    #expect(!grown.isWhole && grown.status.size == 3 << 20)
  }

  @Test func oneThatNeverRestsIsChanged() throws {
    try scratch.write("", to: "busy")
    let file = try scratch.folder.reading("busy")
    let writer = BusyWriter(path: scratch.path.appending("busy"))
    Thread.detachNewThread { writer.run() }
    defer { writer.end() }
    let reader = DocumentReader(limit: 2 << 20)
    var changed = 0
    for _ in 0..<100_000 where changed < 10 {
      if try reader.read(file, file.status(), once: false).isChanged { changed += 1 }
    }
    #expect(changed == 10)
  }
}

private final class Once: Sendable {
  private let isDone = Atomic(false)
  func isFirst() -> Bool { !isDone.exchange(true, ordering: .relaxed) }
}

/// Gives a file another length all the time.
private final class BusyWriter: Sendable {
  private let path: PathBytes
  private let isStopped = Atomic(false)
  private let done = DispatchSemaphore(value: 0)

  init(path: PathBytes) { self.path = path }

  func run() {
    var length: off_t = 0
    while !isStopped.load(ordering: .relaxed) {
      length = (length + 4099) % (1 << 20)
      path.withCString { _ = truncate($0, length) }
    }
    done.signal()
  }

  func end() {
    isStopped.store(true, ordering: .relaxed)
    done.wait()
  }
}
