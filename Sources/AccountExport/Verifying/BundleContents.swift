internal import Checksums
internal import JSONReading

/// What the entries of a bundle hold, gathered one after another, and held against each other at the end.
struct BundleContents: ~Copyable, Sendable {
  var report = VerificationReport()
  var index = EntryIndex()
  var tables: [String: TableFacts] = [:]
  var csvs: [String: CSVFacts.Found] = [:]
  var manifest = ManifestSums()
  /// Lines of the BagIt manifests, and references in the records, whose file had not come yet.
  private(set) var claims: [Claim] = []
  /// Rows of collections and of `documents.json`, and files of one value: what the sources' items add up to.
  var items = 0
  var redactions = 0
  private var names = NameChecks()
  private var hasher: SHA256
  private var path: [UInt8] = []
  private var check = FileCheck.none
  private var scanner = JSONScanner()
  private var facts = JSONFacts(isDocuments: false)
  private var manifestFacts = ManifestFacts()
  private var lines = BagLines()
  private var csv: CSVFacts
  private var text: [UInt8] = []
  private var hasFailed = false
  /// Bytes that are kept of what files say of others, and how many may be.
  private var held = 0
  private let heldBytes: Int

  /// What a line or a reference says of a file.
  struct Claim: Sendable {
    let path: String
    let digest: SHA256Digest?
    let size: UInt64?
    let by: String
  }

  /// What was found in an array of rows.
  struct TableFacts: Sendable {
    let rows: Int
    let isArray: Bool
    let oddRow: Int?
    let keys: [String]
    let kinds: [ValueKinds]
  }

  /// How a file is looked at while it passes.
  private enum FileCheck { case none, json, csv, manifest, bagLines, text }

  init(heldBytes: Int = VerificationLimits().heldBytes) throws(ExportError) {
    let hasher = try SHA256.forExport()
    let csv = try CSVFacts()
    self.hasher = hasher
    self.csv = csv
    self.heldBytes = heldBytes
  }

  /// Whether it would have to keep more than it may: then it keeps nothing more.
  private(set) var isTooLarge = false

  mutating func hold(bytes count: Int) { held += count }

  // MARK: Entries

  mutating func begin(_ fullPath: UnsafeRawBufferPointer, isFolder: Bool) {
    if let problem = names.problem(with: fullPath) { report.add("\(shown(fullPath)): \(problem)") }
    let slash = fullPath.firstIndex(of: UInt8(ascii: "/")) ?? fullPath.endIndex
    let top = String(decoding: fullPath[..<slash], as: UTF8.self)
    if report.topFolder == nil { report.topFolder = top }
    if report.topFolder != top || slash == fullPath.endIndex { report.add("\(shown(fullPath)): lies outside of the bundle's folder") }
    path = Array(fullPath[min(slash + 1, fullPath.endIndex)...])
    hasher.reset()
    hasFailed = false
    check = isFolder ? .none : kind(of: path)
    switch check {
    case .json:
      scanner = JSONScanner(limits: JSONScanner.Limits(depth: 2048))
      facts = JSONFacts(isDocuments: path.elementsEqual("data/documents.json".utf8))
    case .manifest:
      scanner = JSONScanner(limits: JSONScanner.Limits(depth: 64))
      manifestFacts = ManifestFacts()
    case .csv: csv.reset()
    case .bagLines: lines = BagLines()
    case .text: text.removeAll(keepingCapacity: true)
    case .none: break
    }
  }

  private func shown(_ path: some Sequence<UInt8>) -> String { String(decoding: Array(path), as: UTF8.self) }

  private func kind(of path: [UInt8]) -> FileCheck {
    if path.elementsEqual("datapackage.json".utf8) { return .manifest }
    if path.elementsEqual("manifest-sha256.txt".utf8) || path.elementsEqual("tagmanifest-sha256.txt".utf8) { return .bagLines }
    if path.elementsEqual("bagit.txt".utf8) || path.elementsEqual("bag-info.txt".utf8) { return .text }
    let isData = path.starts(with: "data/".utf8) && !path.starts(with: "data/documents/".utf8)
    if isData && path.suffix(4).elementsEqual(".csv".utf8) { return .csv }
    return isData && path.suffix(5).elementsEqual(".json".utf8) ? .json : .none
  }

  mutating func content(_ bytes: UnsafeRawBufferPointer) {
    hasher.update(bytes)
    if hasFailed || isTooLarge { return }
    defer { isTooLarge = held + max(facts.heldBytes, manifestFacts.heldBytes) > heldBytes }
    // A failure is told only after what was read before it, or the order would depend on how the bytes are cut.
    var failure: JSONError?
    switch check {
    case .none: return
    case .json:
      do throws(JSONError) { try scanner.feed(bytes, handler: &facts) } catch { failure = error }
      takeReferences()
    case .manifest:
      do throws(JSONError) { try scanner.feed(bytes, handler: &manifestFacts) } catch { failure = error }
      takeElements()
    case .csv: csv.feed(bytes)
    case .bagLines: takeLines(bytes)
    case .text: if text.count < 1 << 20 { text.append(contentsOf: bytes) }
    }
    if let failure { fail(failure) }
  }

  private mutating func fail(_ error: JSONError) {
    hasFailed = true
    report.add("\(shown(path)): is no JSON that this format allows: \(error)")
  }

  mutating func end(size: UInt64) {
    if path.last == UInt8(ascii: "/") || path.isEmpty { return }
    let digest: SHA256Digest
    do throws(ChecksumError) { digest = try hasher.finish() } catch {
      report.add("\(shown(path)): can't be hashed: \(error)")
      return
    }
    // That a path comes twice is told by the ZIP's reader.
    _ = path.withBytes { index.add($0, digest, size: size) }
    if hasFailed || isTooLarge { return }
    switch check {
    case .none: return
    case .json: endJSON()
    case .csv:
      do throws(ChecksumError) { csvs[shown(path)] = try csv.finish() } catch { report.add("\(shown(path)): can't be hashed: \(error)") }
      hold(bytes: path.count + MemoryLayout<CSVFacts.Found>.size)
    case .manifest:
      do throws(JSONError) { try scanner.finish(handler: &manifestFacts) } catch { fail(error) }
      takeElements()
    case .bagLines: endLines()
    case .text: endText()
    }
  }

  private mutating func endJSON() {
    do throws(JSONError) { try scanner.finish(handler: &facts) } catch { return fail(error) }
    takeReferences()
    redactions += facts.redactions
    let keys = facts.keys.map { String(decoding: $0, as: UTF8.self) }
    hold(bytes: facts.heldBytes)
    facts.heldBytes = 0
    tables[shown(path)] = TableFacts(rows: facts.rows, isArray: facts.isArray, oddRow: facts.oddRow, keys: keys, kinds: facts.kinds)
  }

  // MARK: What files say of others

  private mutating func takeReferences() {
    for reference in facts.references {
      let digest = reference.digest.withBytes { SHA256Digest(hexBytes: $0) }
      claim("data/" + shown(reference.path), digest: digest, size: UInt64(shown(reference.size)), by: shown(path))
    }
    facts.references.removeAll(keepingCapacity: true)
  }

  private mutating func claim(_ target: String, digest: SHA256Digest?, size: UInt64?, by source: String) {
    let claim = Claim(path: target, digest: digest, size: size, by: source)
    guard let place = index.place(of: target) else { return keep(claim) }
    hold(claim, against: place)
  }

  private mutating func keep(_ claim: Claim) {
    claims.append(claim)
    hold(bytes: MemoryLayout<Claim>.size + claim.path.utf8.count)
  }

  mutating func hold(_ claim: Claim, against place: Int) {
    if claim.by == "data/documents.json" { index.markDescribed(place) }
    let found = index.found[place]
    if claim.digest != found.digest { report.add("\(claim.path): its SHA-256 is not the one in \(claim.by)") }
    if let size = claim.size, size != found.size { report.add("\(claim.path): its size is not the one in \(claim.by)") }
  }

  private mutating func takeLines(_ bytes: UnsafeRawBufferPointer) {
    var lines = lines
    lines.feed(bytes) { takeLine($0, $1) }
    self.lines = lines
  }

  private mutating func endLines() {
    var lines = lines
    lines.finish { takeLine($0, $1) }
  }

  private mutating func takeLine(_ digest: SHA256Digest?, _ listed: UnsafeRawBufferPointer) {
    let by = shown(path)
    guard let digest else { return report.add("\(by): has a line that is none: \(shown(listed.prefix(80)))") }
    let isPayload = by == "manifest-sha256.txt"
    if listed.starts(with: "data/".utf8) != isPayload { report.add("\(by): lists \(shown(listed)), which is not its to list") }
    guard let place = index.place(of: listed) else {
      return keep(Claim(path: shown(listed), digest: digest, size: nil, by: by))
    }
    if !index.markListed(place) { report.add("\(by): lists \(shown(listed)) twice") }
    if index.found[place].digest != digest { report.add("\(shown(listed)): its SHA-256 is not the one in \(by)") }
  }

  private mutating func endText() {
    let content = shown(text)
    if path.elementsEqual("bagit.txt".utf8) {
      let isDeclared = content.split(whereSeparator: \.isNewline) == ["BagIt-Version: 1.0", "Tag-File-Character-Encoding: UTF-8"]
      if !isDeclared { report.add("bagit.txt: does not declare BagIt 1.0 in UTF-8") }
      return
    }
    for line in content.split(whereSeparator: \.isNewline) where line.hasPrefix("Payload-Oxum:") {
      manifest.oxum = line.dropFirst("Payload-Oxum:".count).trimmingPrefix { $0 == " " }.description
    }
  }

  private mutating func takeElements() {
    let elements = manifestFacts.elements
    manifestFacts.elements.removeAll(keepingCapacity: true)
    for element in elements { take(element.place, element.value, bytes: element.bytes) }
  }
}
