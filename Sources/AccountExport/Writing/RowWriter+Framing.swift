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
    json.key(columns[column].key)
    if hasNamedValues { valueRanges[column] = json.count..<json.count }
  }

  mutating func endValue(_ kind: ValueKinds? = nil, isEmpty: Bool = false) {
    rowKinds[column] = kind ?? []
    if hasNamedValues { closeNamedValue(isEmpty: isEmpty || kind == nil) }
    column += 1
  }

  /// A value that is masked already can't be masked once more.
  mutating func forgetRange() { valueRanges[column] = nil }

  /// Keeps where a value stands that a later column may name; null, true and false, an empty text or a masked value stay as they are.
  private mutating func closeNamedValue(isEmpty: Bool) {
    guard let start = valueRanges[column]?.lowerBound, isUnresolved else { return valueRanges[column] = nil }
    let isBare =
      isEmpty || rowKinds[column] == .boolean || json.count - start <= 2 && rowKinds[column] == .text || isEmptyBytes(from: start)
    valueRanges[column] = isBare || namedSecret[column] || columns[column].isSecret ? nil : start..<json.count
  }

  /// Whether the value that begins at a place of the buffer is bytes, of which there are none.
  private func isEmptyBytes(from start: Int) -> Bool {
    let empty: StaticString = #"{"$base64":""}"#
    return json.withBytes { bytes in empty.withUTF8Buffer { bytes[start...].elementsEqual($0) } }
  }

  mutating func begin() {
    rowStart = json.count
    rowStartSpooled = spool.length
    rowStartFiles = files.count
    column = 0
    if hasNamedValues {
      for index in columns.indices {
        (namedSecret[index], valueRanges[index], valueFiles[index], isAnnounced[index]) = (false, nil, nil, false)
      }
    }
    if isAnyRedacted { forgetRedacted() }
    json.raw(rows == 0 ? "[\n" : ",\n")
    json.resetStructure()
    json.beginObject()
  }

  mutating func end() throws {
    guard column == columns.count else {
      let given = column
      try abort()
      throw ExportError(.source, "a row has \(given) values for \(columns.count) columns")
    }
    json.endObject()
    rows += 1
    for index in columns.indices { kinds[index].formUnion(rowKinds[index]) }
    if isAnyRedacted {
      for index in columns.indices { redacted[index] += rowRedacted[index] }
      for other in rowRedactedOtherwise { redactedOtherwise.add(other.count, other.column, other.reason) }
    }
    if json.count >= Self.drained { try drain() }
  }

  private mutating func forgetRedacted() {
    for index in columns.indices { rowRedacted[index] = 0 }
    rowRedactedOtherwise.removeAll(keepingCapacity: true)
    isAnyRedacted = false
  }

  /// Takes back a row that could not be finished.
  mutating func abort() throws {
    try rewind(to: (rowStart, rowStartSpooled))
    try files.truncate(to: rowStartFiles)
  }

  private mutating func rewind(to start: (buffered: Int, spooled: Int)) throws {
    if spool.length == start.spooled { return json.truncate(to: start.buffered) }
    // Part of the row has left the buffer, so has what stood before it there: cut the spool where the row began.
    try cut(to: start.spooled + start.buffered)
  }

  /// Takes back what has been spooled beyond a length, and what is in the buffer.
  mutating func cut(to length: Int) throws {
    json.truncate(to: 0)
    try spool.truncate(to: length)
    mustRehash = true
  }

  /// Bytes in the buffer before they go on to the spool.
  static let drained = 64 << 10

  mutating func drain() throws(ExportError) {
    try json.withBytes { (bytes) throws(ExportError) in
      hasher.update(bytes)
      try spool.append(bytes)
    }
    json.removeAll()
  }

  /// Closes the array and gives what it takes to pack it.
  mutating func finish() throws -> (content: SpoolSlice, digest: SHA256Digest) {
    json.raw(rows == 0 ? "[]\n" : "\n]\n")
    try drain()
    if !growth.isEmpty { try completeRows() }
    let slice = SpoolSlice(spool: spool, offset: 0, length: spool.length)
    if mustRehash { return (slice, try slice.digest()) }
    return (slice, try hasher.finish())
  }

  /// The values that got files of their own.
  func takeFiles() -> ValueBatch? { files.batch }
}
