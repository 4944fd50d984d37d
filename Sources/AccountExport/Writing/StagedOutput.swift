internal import Checksums
internal import JSONStreaming

/// JSON on its way into the bundle: a buffer, and the spool behind it. What was written can still be taken back, replaced or masked, wherever it is by then.
struct StagedOutput: ~Copyable, Sendable {
  /// What has not gone on to the spool yet.
  var json = JSONWriter()
  private(set) var spool: Spool
  var files: ValueFiles
  let rules: MaskingRules
  var names: KnownNames
  let limits: ExportLimits
  private var hasher: SHA256
  /// Whether something of what was hashed has been changed since.
  private var mustRehash = false
  private var spooled = 0
  private var look: TextLook

  /// Bytes in the buffer before they go on to the spool.
  static let drained = 64 << 10

  init(spool: Spool, files: consuming ValueFiles, rules: MaskingRules, limits: ExportLimits) throws(ExportError) {
    hasher = try SHA256.forExport()
    self.spool = spool
    self.files = files
    self.rules = rules
    self.limits = limits
    names = KnownNames(rules)
    look = TextLook(rules)
  }

  /// The bytes written so far: where the next one will stand.
  var end: Int { spooled + json.count }

  /// Empties the buffer into the spool.
  mutating func drain() throws(ExportError) {
    try json.withBytes { (bytes) throws(ExportError) in
      hasher.update(bytes)
      try spool.append(bytes)
    }
    spooled += json.count
    json.removeAll()
  }

  /// Gives what was written from a place on, or nil where some of that has left the buffer.
  func withUndrained<Result, Failure: Error>(
    from start: Int, _ body: (UnsafeRawBufferPointer?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try json.withBytes { (bytes) throws(Failure) in
      try body(start < spooled ? nil : UnsafeRawBufferPointer(rebasing: bytes[(start - spooled)...]))
    }
  }

  /// Gives what was written from a place on, in pieces.
  func forEachPiece(from start: Int, _ body: (UnsafeRawBufferPointer) -> Void) throws(ExportError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.drained, alignment: 16)
    defer { buffer.deallocate() }
    var done = start
    while done < spooled {
      let count = try spool.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, spooled - done)]), at: done)
      if count == 0 { throw ExportError(.output, "the staging folder lost part of a spool") }
      body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      done += count
    }
    withUndrained(from: done) { if let rest = $0 { body(rest) } }
  }

  /// Takes back what stands beyond a length. The structure of the JSON is the caller's to set right.
  mutating func cut(to length: Int) throws(ExportError) {
    if length >= spooled { return json.truncate(to: length - spooled) }
    json.truncate(to: 0)
    try spool.truncate(to: length)
    spooled = length
    mustRehash = true
  }

  /// A place to come back to with `rewind`.
  struct Mark {
    fileprivate let end: Int
    fileprivate let json: JSONWriter.Mark
    fileprivate let files: Int
  }

  var mark: Mark { Mark(end: end, json: json.mark(), files: files.count) }

  /// Goes back to a mark, as if nothing had been written since.
  mutating func rewind(to mark: Mark) throws(ExportError) {
    try cut(to: mark.end)
    json.restoreStructure(of: mark.json)
    try files.truncate(to: mark.files)
  }

  /// Puts a marker in the place of a value that is written. What stands behind it moves by the result.
  mutating func replace(_ range: Range<Int>, with marker: StaticString) throws(ExportError) -> Int {
    let shift = marker.utf8CodeUnitCount - range.count
    if range.lowerBound < spooled {
      try drain()
      try marker.withBytes { (bytes) throws(ExportError) in try spool.replace(range, with: bytes) }
      spooled += shift
      mustRehash = true
    } else {
      marker.withBytes { json.replace(from: range.lowerBound - spooled, to: range.upperBound - spooled, with: $0) }
    }
    return shift
  }

  /// Whether the value that begins at a place was written as a string.
  func isText(at start: Int) -> Bool {
    let place = start - spooled
    // A value that has left the buffer is long, and what is no text is short.
    return json.withBytes { place < 0 || (place < $0.count && $0[place] == UInt8(ascii: "\"")) }
  }

  private static let emptyBytes: StaticString = #"{"$base64":""}"#

  /// Whether the value that begins at a place and ends here is empty: `""`, `[]`, `{}`, or no bytes.
  func isEmptyValue(from start: Int) -> Bool {
    let length = end - start
    if length > Self.emptyBytes.utf8CodeUnitCount || start < spooled { return false }
    return json.withBytes { bytes in
      let value = bytes[(start - spooled)...]
      if length == 2 { return [UInt8(ascii: "\""), UInt8(ascii: "["), UInt8(ascii: "{")].contains(value[value.startIndex]) }
      return Self.emptyBytes.withUTF8Buffer { value.elementsEqual($0) }
    }
  }

  /// Writes everything once more, into another spool: `edit` takes what it can of the bytes from a place on, writes what becomes of them, and says how
  /// many it took.
  mutating func rewrite(_ edit: (UnsafeRawBufferPointer, inout JSONWriter) -> Int) throws(ExportError) {
    try drain()
    let old = spool
    (spool, spooled, mustRehash) = (old.another(deflatesAhead: true), 0, false)
    hasher.reset()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.drained, alignment: 16)
    defer { buffer.deallocate() }
    var done = 0
    while done < old.length {
      let count = try old.read(into: buffer, at: done)
      let taken = edit(UnsafeRawBufferPointer(rebasing: buffer[..<count]), &json)
      if taken == 0 { throw ExportError(.output, "the staging folder lost part of a spool") }
      done += taken
      try drain()
    }
  }

  /// Ends what is written, and gives what it takes to pack it.
  mutating func finish() throws -> (content: SpoolSlice, digest: SHA256Digest) {
    try drain()
    let slice = SpoolSlice(spool: spool, offset: 0, length: spool.length)
    return (slice, mustRehash ? try slice.digest() : try hasher.finish())
  }
}

// MARK: Texts that may hold secrets

extension StagedOutput {
  /// Writes a text; what is secret in a JSON text is replaced within it. Bytes that are no UTF-8 become `$base64`.
  /// - Returns: what was replaced.
  mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) -> MaskCounts {
    guard rules.isActive, TextLook.mayBeJSON(utf8) else {
      json.text(utf8: utf8)
      return MaskCounts()
    }
    return lookedAt(utf8)
  }

  /// What is still to be masked in a value that is written as the bundle has it.
  mutating func edits(inOwn value: UnsafeRawBufferPointer) -> TextEdits {
    guard rules.isActive, TextLook.mayHaveParts(value) else { return TextEdits() }
    return look.edits(in: value.bindMemory(to: UInt8.self), isOwn: true)
  }

  private mutating func lookedAt(_ utf8: UnsafeBufferPointer<UInt8>) -> MaskCounts {
    let edits = look.edits(in: utf8)
    if edits.isEmpty {
      json.text(utf8: utf8)
      return MaskCounts()
    }
    var masked: [UInt8] = []
    edits.apply(to: utf8, into: &masked)
    masked.withUnsafeBufferPointer { json.text(utf8: $0) }
    return edits.counts
  }

  /// Puts edits of a text that is written into it. It begins with the quote at `start`, and ends here.
  mutating func apply(_ edits: TextEdits, toTextAt start: Int) throws(ExportError) {
    try drain()
    let edited = spool.another()
    var pass = EscapedEdit(edits)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.drained, alignment: 16)
    defer { buffer.deallocate() }
    try Self.copy(spool, from: start, buffer) { (bytes) throws(ExportError) in
      try pass.feed(bytes).withBytes { (bytes) throws(ExportError) in try edited.append(bytes) }
    }
    try cut(to: start)
    try Self.copy(edited, from: 0, buffer) { (bytes) throws(ExportError) in try spool.append(bytes) }
    spooled = spool.length
    mustRehash = true
  }

  private static func copy(
    _ spool: Spool, from start: Int, _ buffer: UnsafeMutableRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws(ExportError) -> Void
  ) throws(ExportError) {
    var place = start
    while true {
      let count = try spool.read(into: buffer, at: place)
      if count == 0 { return }
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      place += count
    }
  }
}

extension StaticString {
  /// The text's bytes, for a body with an error of a type.
  fileprivate func withBytes<Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
    try body(UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount))
  }
}
