internal import JSONStreaming

/// Values that come in pieces.
extension RowWriter {
  /// Bytes that come in pieces, `count` in all: they go to a file of their own where they are more than the limit.
  /// - Parameters:
  ///   - count: How many bytes there are.
  ///   - read: Fills a buffer and says how many bytes it put there; 0 is the end. Another sum than `count` is an error.
  public mutating func largeBytes(count: Int, _ read: (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    guard hasColumn() else { return }
    if count > 0, let mask = rowMasks[column] { return redact(mask) }
    if count > output.limits.inlineBytes { return reference(try output.files.add(count: count, read)) }
    let whole = try Array<UInt8>(unsafeUninitializedCapacity: count + 1) { buffer, filled in
      while filled <= count {
        let got = try read(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...]))
        if got == 0 { break }
        filled += got
      }
    }
    if whole.count != count { throw ExportError(.source, "a value of \(count) bytes came with another length") }
    try whole.withUnsafeBytes { try bytes($0) }
  }

  /// A value whose file has just been added.
  mutating func reference(_ file: ValueFiles.File) {
    beginValue()
    heldFiles -= 1
    output.json.beginObject()
    output.json.reference(to: file)
    output.json.endObject()
    endValue(.object)
  }

  /// Text that comes in pieces of any length, also cut within a character. Where it is JSON, what is secret in it is masked within it, as in `text`; where
  /// there is more of that than can be kept in mind, the whole of it is masked.
  /// - Parameter read: Fills a buffer and says how many bytes it put there; 0 is the end.
  /// - Returns: false where a piece was no UTF-8; nothing is written then, and the caller writes the value as bytes.
  public mutating func largeText(_ read: (UnsafeMutableRawBufferPointer) throws -> Int) throws -> Bool {
    guard hasColumn() else { return true }
    if let mask = rowMasks[column] {
      redact(mask)
      return true
    }
    let mark = output.mark
    beginValue()
    let isMasked: Bool
    do { isMasked = try pieces(read) } catch is JSONWriterError {
      try output.rewind(to: mark)
      return false
    }
    endValue(isMasked ? .object : .text, isMaskable: !isMasked)
    return true
  }

  /// - Returns: whether the text is masked as a whole.
  private mutating func pieces(_ read: (UnsafeMutableRawBufferPointer) throws -> Int) throws -> Bool {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: StagedOutput.drained, alignment: 16)
    defer { buffer.deallocate() }
    var look = columns[column].isExempt ? nil : PiecewiseLook(output.rules)
    let start = output.end
    output.json.beginText()
    while true {
      let count = try read(buffer)
      if count == 0 { break }
      let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      look?.feed(piece)
      try output.json.appendText(utf8: piece.bindMemory(to: UInt8.self))
      try output.drain()
    }
    try output.json.endText()
    guard let edits = look == nil ? TextEdits() : look!.finish() else {
      _ = try output.replace(start..<output.end, with: Mask.secret.marker)
      countRedacted(.secret)
      return true
    }
    if edits.isEmpty { return false }
    try output.apply(edits, toTextAt: start)
    countRedacted(edits.counts)
    return false
  }
}
