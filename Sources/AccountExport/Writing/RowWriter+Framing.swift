internal import Checksums
internal import JSONStreaming

extension RowWriter {
  /// Whether a column is left for a value. One too many is only counted, and told when the row ends.
  mutating func hasColumn() -> Bool {
    if column < columns.count { return true }
    column += 1
    return false
  }

  mutating func beginValue() {
    output.json.key(columns[column].key)
    if hasHeldColumns { (heldStart, heldFiles) = (output.end, output.files.count) }
    if tap.readsDates { tap.valueStart = output.end }
  }

  mutating func endValue(_ kind: ValueKinds? = nil, isMaskable: Bool = true) {
    rowKinds[column] = kind ?? []
    if hasHeldColumns { hold(isMaskable: isMaskable && kind != nil && kind != .boolean) }
    if tap.readsDates { readDate(kind) }
    column += 1
  }

  mutating func begin() {
    rowStart = output.end
    rowStartFiles = output.files.count
    column = 0
    if hasHeldColumns {
      for index in columns.indices { held[index] = nil }
    }
    if isAnyMaskOwn {
      for index in columns.indices { rowMasks[index] = columns[index].mask }
      isAnyMaskOwn = false
    }
    if isAnyRedacted { forgetRedacted() }
    output.json.raw(rows == 0 ? "[\n" : ",\n")
    output.json.resetStructure()
    output.json.beginObject()
  }

  mutating func end() throws {
    guard column == columns.count else {
      let given = column
      try abort()
      throw ExportError(.source, "a row has \(given) values for \(columns.count) columns")
    }
    if let spoolFailure { throw spoolFailure }
    if let failure { throw ExportError(.output, "no pseudonym can be made", cause: failure) }
    output.json.endObject()
    rows += 1
    for index in columns.indices { kinds[index].formUnion(rowKinds[index]) }
    if isAnyRedacted {
      for index in columns.indices { redacted[index] += rowRedacted[index] }
    }
    if tap.isActive { try keepRow() }
    if output.json.count >= StagedOutput.drained { try output.drain() }
  }

  private mutating func forgetRedacted() {
    for index in columns.indices { rowRedacted[index] = MaskCounts() }
    isAnyRedacted = false
  }

  /// Takes back a row that could not be finished.
  mutating func abort() throws {
    tap.forgetRow()
    try output.cut(to: rowStart)
    try output.files.truncate(to: rowStartFiles)
  }

  /// Closes the array and gives what it takes to pack it.
  mutating func finish() throws -> (content: SpoolSlice, digest: SHA256Digest) {
    output.json.raw(rows == 0 ? "[]\n" : "\n]\n")
    if !growth.isEmpty { try completeRows() }
    return try output.finish()
  }

  /// The values that got files of their own.
  func takeFiles() -> ValueBatch? { output.files.batch }
}

extension JSONWriter {
  /// A masked value.
  mutating func redacted(_ reason: Redaction.Reason) {
    beginObject()
    key("$redacted")
    string(reason.name)
    endObject()
  }

  /// The keys that refer to a file of a large value.
  mutating func reference(to file: ValueFiles.File) {
    key("$file")
    string(file.path)
    key("bytes")
    integer(file.length)
    key("sha256")
    file.digest.withHex { text(utf8: $0.bindMemory(to: UInt8.self)) }
  }

  /// Whether the value that begins at a place of the buffer was written as a string.
  func isText(at start: Int) -> Bool {
    // A comma may stand before a value in an array; in a row the value follows its key.
    withBytes { start < $0.count && $0[start] == UInt8(ascii: "\"") }
  }
}

extension SHA256 {
  /// A hasher, with the error that an export gives.
  static func forExport() throws(ExportError) -> SHA256 {
    do throws(ChecksumError) { return try SHA256.make() } catch { throw ExportError(.output, "no SHA-256 can be made here", cause: error) }
  }
}
