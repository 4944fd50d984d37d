import Checksums
import Files
import Synchronization
import Testing
import ZipArchive

@testable import AccountExport

/// A bundle taken apart, to be put together again with something changed.
private struct LooseBundle {
  var entries: [(path: String, bytes: [UInt8])] = []

  init(_ zip: [UInt8]) throws {
    var reader = try ZipStreamReader.make()
    var entries: [(path: String, bytes: [UInt8])] = []
    try zip.withBytes { bytes in
      try reader.feed(bytes) { event in
        switch event {
        case .entry(let header): entries.append((String(decoding: header.path, as: UTF8.self), []))
        case .content(let piece): entries[entries.count - 1].bytes.append(contentsOf: piece)
        case .entryEnd, .directoryEntry, .end: break
        }
      }
    }
    try reader.finish()
    self.entries = entries
  }

  var top: String { String(entries[0].path.prefix { $0 != "/" }) }

  subscript(_ path: String) -> String {
    get { entries.first { $0.path == top + "/" + path }.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "" }
    set {
      if let index = entries.firstIndex(where: { $0.path == top + "/" + path }) { entries[index].bytes = Array(newValue.utf8) }
    }
  }

  mutating func replace(_ old: String, with new: String, in path: String) {
    let text = self[path]
    #expect(text.contains(old), "\(path) does not hold \(old)")
    self[path] = text.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }

  mutating func remove(_ path: String) {
    let full = top + "/" + path
    entries.removeAll { $0.path == full }
  }

  mutating func add(_ path: String, _ text: String) { entries.append((top + "/" + path, Array(text.utf8))) }

  /// Makes the bag's manifests and the resources' sizes and hashes true again, so that only the lie itself is left.
  mutating func seal() throws {
    let described = entries.filter { !$0.path.hasSuffix("datapackage.json") && !$0.path.hasSuffix("tagmanifest-sha256.txt") }
    var payload = ""
    for entry in described where entry.path.hasPrefix(top + "/data/") && !entry.path.hasSuffix("/") {
      payload += try digest(entry.bytes) + "  " + String(entry.path.dropFirst(top.count + 1)) + "\n"
    }
    self["manifest-sha256.txt"] = payload
    var lines = self["datapackage.json"].split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for index in lines.indices {
      guard lines[index].hasPrefix("{\"name\":"), let start = lines[index].range(of: "\"path\":\"") else { continue }
      let path = String(lines[index][start.upperBound...].prefix { $0 != "\"" })
      guard let entry = entries.first(where: { $0.path == top + "/" + path }) else { continue }
      let size = lines[index].range(of: "\"bytes\":")
      guard let cut = (size ?? lines[index].range(of: "\"hash\":")).map({ lines[index][..<$0.lowerBound] }) else { continue }
      let comma = lines[index].hasSuffix(",") ? "," : ""
      let bytes = size == nil ? "" : "\"bytes\":\(entry.bytes.count),"
      lines[index] = "\(cut)\(bytes)\"hash\":\"sha256:\(try digest(entry.bytes))\"}\(comma)"
    }
    self["datapackage.json"] = lines.joined(separator: "\n")
    var tags = ""
    for entry in entries where !entry.path.hasPrefix(top + "/data/") && !entry.path.hasSuffix("/tagmanifest-sha256.txt") {
      tags += try digest(entry.bytes) + "  " + String(entry.path.dropFirst(top.count + 1)) + "\n"
    }
    self["tagmanifest-sha256.txt"] = tags
  }

  private func digest(_ bytes: [UInt8]) throws -> String {
    var hasher = try SHA256.make()
    bytes.withBytes { hasher.update($0) }
    return try hasher.finish().hex
  }

  func zipped() throws -> [UInt8] {
    var writer = try ZipWriter.make()
    for entry in entries {
      try writer.begin(ZipEntry(path: entry.path, size: UInt64(entry.bytes.count), modified: 1_700_000_000))
      try entry.bytes.withBytes { try writer.write($0) }
      try writer.endEntry()
    }
    try writer.finish()
    return writer.withPending { Array($0) }
  }
}

extension String {
  fileprivate func range(of part: String) -> Range<String.Index>? {
    for start in indices where self[start...].hasPrefix(part) { return start..<index(start, offsetBy: part.count) }
    return nil
  }
}

/// A sink that keeps everything.
private final class MemorySink: BundleSink {
  private let bytes = Mutex<[UInt8]>([])
  func write(_ piece: UnsafeRawBufferPointer) async throws { bytes.withLock { $0.append(contentsOf: piece) } }
  var all: [UInt8] { bytes.withLock { $0 } }
}

private struct SampleSource: ExportSource {
  let name = "records/Notes"
  let kind = "sqlite"

  func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    try await writer.collection(CollectionDescription("note", columns: [.init("id"), .init("title"), .init("token"), .init("image")])) {
      rows in
      for number in 0..<3 {
        try rows.row { row in
          row.integer(Int64(number))
          row.text("title \(number)")
          row.text("secret")
          try [UInt8](repeating: 1, count: 5000).withBytes { try row.bytes($0) }
        }
      }
    }
    writer.omit("search", .derived)
  }
}

private struct SampleDocuments: ExportSource {
  let name = "documents/Documents"
  let kind = "documents"

  func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    var description = DocumentDescription(path: "letter.txt", kind: .file)
    description.size = 5
    try await writer.document(description) { content in try await content.write(hello) }
  }

  /// Bytes that live as long as the program.
  private var hello: UnsafeRawBufferPointer {
    let text: StaticString = "hello"
    return UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }
}

private func sampleBundle() async throws -> [UInt8] {
  var request = ExportRequest()
  request.fixedTime = Timestamp(seconds: 1_796_033_700)
  let staging = try StagingFolder(in: "/var/tmp")
  let sink = MemorySink()
  let run = ExportRun(request: request, sources: [SampleSource(), SampleDocuments()], events: ExportEvents { _ in }, staging: staging)
  _ = try await run.write(to: sink)
  return sink.all
}

private func verify(_ zip: [UInt8], pieces: Int = .max) throws -> VerificationReport {
  var verifier = try BundleVerifier()
  zip.withBytes { bytes in
    var offset = 0
    while offset < bytes.count {
      let end = min(bytes.count, offset + min(pieces, bytes.count))
      verifier.feed(UnsafeRawBufferPointer(rebasing: bytes[offset..<end]))
      offset = end
    }
  }
  return try verifier.finish()
}

@Suite struct VerifierTests {
  @Test(arguments: [1, 7, 4096, Int.max]) func aSoundBundleIsIntact(pieces: Int) async throws {
    let report = try verify(try await sampleBundle(), pieces: pieces)
    #expect(report.problems == [])
    #expect(report.isIntact)
    #expect(report.outcome == "complete")
    #expect(report.items == 4)
    #expect(report.redactions == 3)
    #expect(report.omissions == 1)
    #expect(report.topFolder == "account-export-20261130T101500Z")
    #expect(report.digest.count == 64)
  }

  @Test func aBundlePutTogetherAgainIsIntact() async throws {
    var loose = try LooseBundle(try await sampleBundle())
    try loose.seal()
    #expect(try verify(try loose.zipped()).problems == [])
  }

  /// A change that leaves the manifests as they were: the hashes tell.
  @Test func aChangedFileIsToldByBothManifests() async throws {
    var loose = try LooseBundle(try await sampleBundle())
    loose.replace("title 1", with: "title 7", in: "data/records/Notes/note.json")
    let problems = try verify(try loose.zipped()).problems
    #expect(problems.contains("data/records/Notes/note.json: its SHA-256 is not the one in manifest-sha256.txt"))
    #expect(problems.contains("data/records/Notes/note.json: its SHA-256 is not the one in datapackage.json"))
  }

  /// Lies that are sealed: every hash is true, and only what the files say of each other is not.
  @Test(arguments: [
    (
      "a masked value shown", "data/records/Notes/note.json", #"{"$redacted":"secret"}"#, #""secret""#,
      "counts 3 masked values, and 0 are inside"
    ),
    ("a row less", "data/records/Notes/note.json", ",\n{\"id\":2", "\n]\n{\"id\":2", "is no JSON that this format allows"),
    ("a key renamed in one row", "data/records/Notes/note.json", "{\"id\":1,", "{\"ID\":1,", "row 2 has other keys than the first row"),
    ("another type", "data/records/Notes/note.json", "\"id\":2,", "\"id\":\"2\",", "values under id are not what its schema says"),
    (
      "a fraction among integers", "data/records/Notes/note.json", "\"id\":2,", "\"id\":2.5,",
      "values under id are not what its schema says"
    ),
    (
      "a wrong hash of a large value", "data/records/Notes/note.json", "\"sha256\":\"", "\"sha256\":\"0",
      "its SHA-256 is not the one in data/records/Notes/note.json"
    ),
    (
      "a wrong size of a large value", "data/records/Notes/note.json", "\"bytes\":5000", "\"bytes\":5001",
      "its size is not the one in data/records/Notes/note.json"
    ),
    (
      "a value's file that isn't there", "data/records/Notes/note.json", "files/note/2.bin", "files/note/9.bin",
      "is named in data/records/Notes/note.json, and is not inside"
    ),
    (
      "a document that isn't there", "data/documents.json", "Documents/letter.txt", "Documents/lettre.txt",
      "is named in data/documents.json, and is not inside"
    ),
    (
      "more of the masked values in texts than there are", "datapackage.json", "\"count\":3", "\"count\":3,\"inText\":4",
      "counts masked values as there can't be any"
    ),
    (
      "a source by another name", "datapackage.json", "{\"name\":\"records/Notes\",\"kind\"", "{\"name\":\"records/Other\",\"kind\"",
      "data/records/Notes/note.json: is of no source that datapackage.json names"
    ),
    (
      "items of another source", "datapackage.json", "\"items\":3", "\"items\":2",
      "counts 2 items of records/Notes, and 3 are inside"
    ),
    (
      "more items than can be counted", "datapackage.json", "\"items\":3", "\"items\":9223372036854775807",
      "counts 9223372036854775807 items, and 4 are inside"
    ),
    ("more items", "datapackage.json", "\"items\":3", "\"items\":4", "counts 5 items, and 4 are inside"),
    (
      "partial without a reason", "datapackage.json", "\"outcome\":\"complete\",\"subject\"", "\"outcome\":\"partial\",\"subject\"",
      "says partial, and names nothing that is missing"
    ),
    (
      "complete in spite of an omission", "datapackage.json", "\"reason\":\"derived\"", "\"reason\":\"unreadable\"",
      "says complete, and names what is missing"
    ),
    ("another format", "datapackage.json", "\"formatVersion\":\"1.0\"", "\"formatVersion\":\"9.0\"", "is of format version 9.0"),
    ("other sums", "bag-info.txt", "Payload-Oxum: ", "Payload-Oxum: 1", "its Payload-Oxum is not"),
    ("another bag", "bagit.txt", "1.0", "0.9", "does not declare BagIt 1.0"),
    (
      "a missing value in the metadata's JSON", "data/metadata.json", "\"formatVersion\":\"1.0\"", "\"formatVersion\":",
      "is no JSON that this format allows"
    ),
  ])
  func aSealedLieIsTold(what: String, path: String, old: String, new: String, expected: String) async throws {
    var loose = try LooseBundle(try await sampleBundle())
    loose.replace(old, with: new, in: path)
    try loose.seal()
    let problems = try verify(try loose.zipped()).problems
    #expect(problems.contains { $0.contains(expected) }, "\(what): \(problems)")
  }

  @Test(arguments: [
    "data/metadata.json", "bagit.txt", "bag-info.txt", "index.html", "datapackage.json", "manifest-sha256.txt", "tagmanifest-sha256.txt",
  ])
  func aFileThatMustBeInsideIsMissed(path: String) async throws {
    var loose = try LooseBundle(try await sampleBundle())
    loose.remove(path)
    #expect(try verify(try loose.zipped()).problems.contains { $0.hasPrefix(path + ": is not inside") })
  }

  @Test(arguments: [
    ("data/extra.bin", "is listed in no manifest of the bag"), ("extra.txt", "is described in no resource"),
    ("data/CON.txt", "not safe everywhere"), ("data/a%b", "not safe everywhere"), ("data/Records/x.bin", "in case only"),
    ("../outside.txt", "not safe everywhere"), ("data/e\u{301}.txt", "not safe everywhere"),
    ("data/metadata.json/x", "is a file and a folder"),
    ("data/\(String(repeating: "n", count: 121))", "not safe everywhere"), ("data/records/Notes/NOTE.json", "in case only"),
  ])
  func aFileThatMayNotBeInsideIsTold(path: String, expected: String) async throws {
    var loose = try LooseBundle(try await sampleBundle())
    loose.add(path, "x")
    let problems = try verify(try loose.zipped()).problems
    #expect(problems.contains { $0.contains(expected) }, "\(problems)")
  }

  @Test func aSecondFolderIsTold() async throws {
    var loose = try LooseBundle(try await sampleBundle())
    loose.entries.append(("other/file.txt", Array("x".utf8)))
    #expect(try verify(try loose.zipped()).problems.contains("other/file.txt: lies outside of the bundle's folder"))
  }

  @Test func everythingWrongIsToldAtOnce() async throws {
    var loose = try LooseBundle(try await sampleBundle())
    loose.replace("title 1", with: "title 7", in: "data/records/Notes/note.json")
    loose.replace("hello", with: "hullo", in: "data/documents/Documents/letter.txt")
    loose.remove("index.html")
    let problems = try verify(try loose.zipped()).problems
    for path in ["data/records/Notes/note.json", "data/documents/Documents/letter.txt", "index.html"] {
      #expect(problems.contains { $0.hasPrefix(path) }, "\(path) is not in \(problems)")
    }
  }

  /// Whatever is cut off, the rest is no bundle, and the check ends.
  @Test func aBundleCutAnywhereIsNotIntact() async throws {
    let zip = try await sampleBundle()
    for length in stride(from: 0, to: zip.count, by: 97) {
      #expect(try !verify(Array(zip[..<length])).isIntact, "cut at \(length)")
    }
  }

  /// Bits that are turned over: never a crash, and what isn't told changes nothing that a reader sees.
  @Test func turnedBitsAreTold() async throws {
    let zip = try await sampleBundle()
    var random = SeededRandom(seed: 20_261_130)
    var untold = 0
    for _ in 0..<500 {
      var changed = zip
      let place = Int.random(in: 0..<zip.count, using: &random)
      changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      if try verify(changed).isIntact { untold += 1 }
    }
    // Times, versions and attributes of the ZIP are no part of what is checked.
    #expect(untold < 500 / 8, "\(untold) of 500")
  }
}

/// A generator that repeats (SplitMix64).
private struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
