import Files
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AccountExport

/// A bundle as chunks, and as bytes into another's descriptor.
@Suite struct StreamTests {
  private static let sources: [any ExportSource] = [ExportResourcesTests.Noise(rows: 40_000), EverythingDocuments()]

  private static func file() async throws -> [UInt8] {
    let folder = try TemporaryFolder()
    _ = try await AccountExporter(sources: sources).export(.fixed, to: folder.path("data.zip"))
    return try folder.bytes(of: "data.zip")
  }

  @Test func chunksAreTheFile() async throws {
    let receipts = Mutex<[ExportReceipt]>([])
    var bytes: [UInt8] = []
    for try await chunk in AccountExporter(sources: Self.sources).stream(
      .fixed, finished: { receipt in receipts.withLock { $0.append(receipt) } })
    {
      #expect(!chunk.isEmpty)
      bytes += chunk
    }
    #expect(try await bytes == Self.file())
    #expect(receipts.withLock { $0.map(\.bytes) } == [UInt64(bytes.count)])
  }

  /// What was sent of an export that fails is no ZIP, whatever was sent.
  @Test func failedExportsAreNoZip() async throws {
    struct Failing: ExportSource {
      let name = "records/Failing"
      let kind = "test"
      func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
        try await ExportResourcesTests.Noise().export(for: subject, into: &writer)
        throw ExportError(.noSpace, "the disk is full")
      }
    }
    var bytes: [UInt8] = []
    let error = await #expect(throws: ExportError.self) {
      for try await chunk in AccountExporter(sources: [ExportResourcesTests.Noise(rows: 60_000), Failing()]).stream(.fixed) {
        bytes += chunk
      }
    }
    #expect(error?.code == .noSpace)
    #expect(bytes.count > 10_000)
    var verifier = try BundleVerifier()
    bytes.withBytes { verifier.feed($0) }
    #expect(try !verifier.finish().isIntact)
    let folder = try TemporaryFolder()
    try folder.write(bytes, to: "data.zip")
    let read = try runProgram("python3", ["-c", "import sys, zipfile; zipfile.ZipFile(sys.argv[1])", folder.path("data.zip").text ?? ""])
    #expect(read.status != 0)
  }

  /// An export that can't begin says so at the first chunk.
  @Test func errorsBeforeTheFirstByte() async throws {
    var iterator = AccountExporter(sources: []).stream(.fixed).makeAsyncIterator()
    let error = await #expect(throws: ExportError.self) { _ = try await iterator.next() }
    #expect(error?.code == .configuration)
  }

  // MARK: Descriptors

  /// The kinds of descriptors that another may hand over.
  private enum Kind: CaseIterable { case pipe, pipeThatDoesNotBlock, socket }

  @Test(arguments: Kind.allCases) private func slowReaders(_ kind: Kind) async throws {
    var ends: [CInt] = [0, 0]
    let made = kind == .socket ? socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) : pipe(&ends)
    try #require(made == 0)
    // A pipe is read at its first end and written at its second.
    let (reading, writing) = (ends[0], ends[1])
    if kind == .pipeThatDoesNotBlock { _ = fcntl(writing, F_SETFL, O_NONBLOCK) }
    let flags = fcntl(writing, F_GETFL)
    let export = Task {
      let receipt = try await AccountExporter(sources: Self.sources, resources: ExportResources(threads: 1)).export(
        .fixed, streamingTo: writing)
      #expect(fcntl(writing, F_GETFL) == flags, "the flags of another's descriptor were changed")
      close(writing)
      return receipt
    }
    let bytes = await Self.drain(reading)
    #expect(try await export.value.bytes == UInt64(bytes.count))
    #expect(try await bytes == Self.file())
  }

  /// Reads a descriptor to its end on a thread of its own, in uneven pieces.
  private static func drain(_ descriptor: CInt) async -> [UInt8] {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 100_000)
        while true {
          let count = read(descriptor, &buffer, 1 + bytes.count % 99_991)
          if count <= 0 { break }
          bytes += buffer[..<count]
        }
        close(descriptor)
        continuation.resume(returning: bytes)
      }
    }
  }

  /// A reader that goes away is an error of the export, and no end of the process that has it, whatever that does about signals.
  @Test(arguments: [0, 1, 2], [false, true]) func readersThatGoAway(kind: Int, isGoneBefore: Bool) async {
    await #expect(processExitsWith: .success) { [kind, isGoneBefore] in
      signal(SIGPIPE, SIG_DFL)
      var ends: [CInt] = [0, 0]
      let kind = Kind.allCases[kind]
      try #require((kind == .socket ? socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) : pipe(&ends)) == 0)
      let (reading, writing) = (ends[0], ends[1])
      if kind == .pipeThatDoesNotBlock { _ = fcntl(writing, F_SETFL, O_NONBLOCK) }
      if isGoneBefore { close(reading) }
      let export = Task { try await AccountExporter(sources: Self.sources).export(.fixed, streamingTo: writing) }
      if !isGoneBefore {
        var byte: UInt8 = 0
        #expect(read(reading, &byte, 1) == 1)
        close(reading)
      }
      let error = await #expect(throws: ExportError.self) { try await export.value }
      #expect(error?.code == .output)
      // The signal is still there for everyone else: neither blocked nor ignored.
      var blocked = sigset_t()
      pthread_sigmask(SIG_SETMASK, nil, &blocked)
      #expect(sigismember(&blocked, SIGPIPE) == 0)
      var action = sigaction()
      sigaction(SIGPIPE, nil, &action)
      #expect(action.__sigaction_handler.sa_handler == nil)
    }
  }

  /// A file is written where it stands, as the shell's `>>` has it.
  @Test func behindWhatIsThere() async throws {
    let folder = try TemporaryFolder()
    try folder.write("before".utf8, to: "data")
    let file = try FileHandle(forUpdating: folder.url.appendingPathComponent("data"))
    try file.seekToEnd()
    _ = try await AccountExporter(sources: Self.sources).export(.fixed, streamingTo: file.fileDescriptor)
    try file.close()
    #expect(try await folder.bytes(of: "data") == Array("before".utf8) + Self.file())
  }

  @Test(arguments: ["/dev/full", "/dev/null"]) func devices(_ path: String) async throws {
    let device = try #require(FileHandle(forWritingAtPath: path))
    let export = Task { try await AccountExporter(sources: Self.sources).export(.fixed, streamingTo: device.fileDescriptor) }
    switch await export.result {
    case .success: #expect(path == "/dev/null")
    case .failure(let error): #expect((error as? ExportError)?.code == .noSpace && path == "/dev/full")
    }
    try device.close()
  }
}
