import Files
import TestSupport
import Testing

@testable import AccountExport

/// What a source pushes, as it reaches the packer: entries with their bytes, and the source's tally.
struct Staged {
  struct Entry {
    let draft: EntryDraft
    let bytes: [UInt8]

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var table: TableDraft? {
      if case .table(let table) = draft.role { return table }
      return nil
    }
  }

  private(set) var entries: [Entry] = []
  private(set) var tally = SourceTally()
  private(set) var documentRows = ""

  /// Runs a body with a writer of its own.
  init(
    folder: String = "records/Test", request: ExportRequest = .fixed,
    _ body: nonisolated(nonsending) (inout EntryWriter) async throws -> Void
  ) async throws {
    let place = try TemporaryFolder()
    let context = SourceContext(
      request: request, staging: try StagingFolder(in: place.path), events: ExportEvents { _ in },
      topFolder: "account-export-20261130T101500Z", clock: { Timestamp(seconds: 0) })
    let lane = Lane<PackItem>(maximumBytes: .max, maximumItems: .max)
    var writer = EntryWriter(source: folder, folder: folder, context: context, lane: lane)
    try await body(&writer)
    tally = writer.tally
    if let rows = writer.documentRows { documentRows = String(decoding: try rows.whole.bytes(), as: UTF8.self) }
    lane.close()
    try await take(from: lane)
  }

  private mutating func take(from lane: Lane<PackItem>) async throws {
    var open: (draft: EntryDraft, bytes: [UInt8])?
    while let item = try await lane.take() {
      switch item {
      case .entry(let draft, let content, let digest): add(draft, try content.bytes(), try digest == content.digest())
      case .values(let batch):
        var offset = 0
        for (index, (length, digest)) in zip(batch.lengths, batch.digests).enumerated() {
          let slice = SpoolSlice(spool: batch.spool, offset: offset, length: length)
          let draft = EntryDraft(path: batch.path(index + 1), size: UInt64(length), role: .value)
          if !batch.dropped.contains(index) { add(draft, try slice.bytes(), try digest == slice.digest()) }
          offset += length
        }
      case .open(let draft): open = (draft, [])
      case .chunk(let bytes): open?.bytes += bytes
      case .close(let digest):
        let (draft, bytes) = try #require(open)
        add(draft, bytes, try digest == EntryContent.bytes(bytes).digest())
      }
    }
  }

  private mutating func add(_ draft: EntryDraft, _ bytes: [UInt8], _ isTrue: Bool) {
    #expect(isTrue, "the hash of \(draft.path) is another one's")
    #expect(draft.size == UInt64(bytes.count), "the size of \(draft.path) is another one's")
    entries.append(Entry(draft: draft, bytes: bytes))
  }

  /// The entry at a path below the source's folder.
  func entry(_ path: String, folder: String = "records/Test") throws -> Entry {
    try #require(entries.first { $0.draft.path == folder + "/" + path }, "no \(path) among \(entries.map(\.draft.path))")
  }

  /// Masked values by place.
  var redactions: [String: Int] {
    tally.redactions.reduce(into: [:]) { $0[$1.key.path, default: 0] += $1.value.count }
  }
}

extension EntryContent {
  func bytes() throws -> [UInt8] {
    switch self {
    case .bytes(let bytes): bytes
    case .spooled(let slice): try slice.bytes()
    }
  }
}

extension SpoolSlice {
  func bytes() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: length)
    try bytes.withUnsafeMutableBytes { bytes in
      var count = 0
      while count < length {
        let got = try spool.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[count...]), at: offset + count)
        try #require(got > 0)
        count += got
      }
    }
    return bytes
  }
}

/// Random numbers that are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
