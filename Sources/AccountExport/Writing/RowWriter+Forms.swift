internal import JSONStreaming

/// Values that come in this format's own forms already, from a source that writes them: each is one value.
extension NestedWriter {
  /// A moment in a place without schema, `{"$date": "…"}`: RFC 3339 in UTC, as the source has checked it.
  public mutating func taggedDate(_ utf8: UnsafeBufferPointer<UInt8>) {
    scalar(.object) {
      $0.beginObject()
      $0.key("$date")
      $0.text(utf8: utf8)
      $0.endObject()
    }
  }

  /// A moment as seconds since 1970, `{"$date": 1.5e12}`: for those outside the years 0001 to 9999. What is no JSON number is an error.
  public mutating func taggedDate(digits: UnsafeRawBufferPointer) throws {
    try scalar(.object) { (json) throws in
      json.beginObject()
      json.key("$date")
      try json.number(digits: digits)
      json.endObject()
    }
  }

  /// An external file that is gone, `{"$missing": "its name"}`. The source names the omission.
  public mutating func missing(_ name: UnsafeBufferPointer<UInt8>) {
    scalar(.object, masked: !name.isEmpty) {
      $0.beginObject()
      $0.key("$missing")
      $0.text(utf8: name)
      $0.endObject()
    }
  }

  /// A value that the source has masked itself. It is counted with its column and reason, unless it lies in one that is masked as a whole.
  public mutating func redacted(_ reason: Redaction.Reason) {
    if maskedDepth == 0 {
      row.countRedacted(reason)
      isMasked = isMasked || depth == 0
    }
    scalar(.object, masked: false) { $0.redacted(reason) }
  }

  /// Bytes that come in pieces, `count` in all: they go to a file of their own where they are more than the limit, as `RowWriter.largeBytes`.
  public mutating func largeBytes(count: Int, _ read: (UnsafeMutableRawBufferPointer) throws -> Int) throws {
    if count > row.inlineBytes && !isSecret && maskedDepth == 0 && !row.isUnresolved {
      let file = try row.addFile(count: count, read)
      return scalar(.object) {
        $0.beginObject()
        $0.reference(to: file)
        $0.endObject()
      }
    }
    if count > row.inlineBytes {
      // It is masked as a whole, so that what it is doesn't matter.
      if maskedDepth == 0 { isSecret = true }
      return scalar(.object) { $0.null() }
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

extension RowWriter {
  /// Puts a value that comes in pieces into a file of its own.
  mutating func addFile(count: Int, _ read: (UnsafeMutableRawBufferPointer) throws -> Int) throws -> ValueFiles.File {
    try files.add(count: count, read)
  }
}
