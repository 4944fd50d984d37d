internal import JSONStreaming

/// Values that come in this format's own forms already, from a source that writes them: each is one value.
extension NestedWriter {
  /// A moment in a place without schema, `{"$date": "…"}`: RFC 3339 in UTC, as the source has checked it.
  public mutating func taggedDate(_ utf8: UnsafeBufferPointer<UInt8>) {
    row.nesting.scalar(.object, &row.output) {
      $0.json.beginObject()
      $0.json.key("$date")
      $0.json.text(utf8: utf8)
      $0.json.endObject()
    }
  }

  /// A moment as seconds since 1970, `{"$date": 1.5e12}`: for those outside the years 0001 to 9999. What is no JSON number is an error.
  public mutating func taggedDate(digits: UnsafeRawBufferPointer) throws {
    try row.nesting.scalar(.object, &row.output) { (output) throws in
      output.json.beginObject()
      output.json.key("$date")
      try output.json.number(digits: digits)
      output.json.endObject()
    }
  }

  /// An external file that is gone, `{"$missing": "its name"}`. The source names the omission.
  public mutating func missing(_ name: UnsafeBufferPointer<UInt8>) {
    row.nesting.scalar(.object, masked: !name.isEmpty, &row.output) {
      $0.json.beginObject()
      $0.json.key("$missing")
      $0.json.text(utf8: name)
      $0.json.endObject()
    }
  }

  /// A value that the source has masked itself. It is counted with its column and reason, unless it lies in one that is masked as a whole.
  public mutating func redacted(_ reason: Redaction.Reason) { row.nesting.redacted(Mask(reason), &row.output) }

  /// Bytes that come in pieces, `count` in all: they go to a file of their own where they are more than the limit, as `RowWriter.largeBytes`.
  public mutating func largeBytes(count: Int, _ read: (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    if count > row.output.limits.inlineBytes {
      // Masked as a whole, what it is doesn't matter.
      if row.nesting.masksNext { return row.nesting.hide(.secret, &row.output) }
      return try row.nesting.scalar(.object, &row.output) { (output) throws in
        let file = try output.files.add(count: count, read)
        output.json.beginObject()
        output.json.reference(to: file)
        output.json.endObject()
      }
    }
    let whole = try Array<UInt8>(unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let got = try read(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...]))
        if got == 0 { break }
        filled += got
      }
    }
    if whole.count != count { throw ExportError(.source, "a value of \(count) bytes came with another length") }
    try whole.withUnsafeBytes { try bytes($0) }
  }
}
