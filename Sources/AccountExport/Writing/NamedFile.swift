internal import JSONStreaming

/// Files that the texts of rows name. Each goes into the bundle, whatever its size, and its text stays beside it:
/// `{"$file": "records/…", "bytes": 12, "sha256": "…", "name": "2026/cat.jpg"}`.
extension RowWriter {
  /// Whether the next value would be masked if it were this text: then what it names is nobody's to read either.
  package func hides(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    column < columns.count && (rowMasks[column] != nil || looksAtForms && SecretForms.matches(text))
  }

  /// The file that the column's text names.
  /// - Parameters:
  ///   - name: The text.
  ///   - read: Fills a buffer and says how many bytes it put there; 0 is the end. Where it throws, nothing is written, and the column still waits.
  package mutating func file(
    named name: UnsafeBufferPointer<UInt8>, _ read: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws {
    guard hasColumn() else { return }
    let file = try output.files.add(suffix: Self.suffix(of: name), read)
    if !columns[column].names.isEmpty { announce(column: column, name) }
    beginValue()
    heldFiles -= 1
    output.json.file(file, named: name)
    endValue(.object)
  }

  /// The suffix that a file keeps, so that it opens as what it is; none where it is long or strange. What ends in `.json` below `data/` is one of the
  /// bundle's own tables, so a file that doesn't say so is none.
  fileprivate static func suffix(of name: UnsafeBufferPointer<UInt8>) -> String? {
    let last = name[((name.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...]
    guard let dot = last.lastIndex(of: UInt8(ascii: ".")), dot > last.startIndex, 2...6 ~= last.endIndex - dot else { return nil }
    let suffix = String(decoding: last[(dot + 1)...], as: UTF8.self).lowercased()
    let isPlain = suffix.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 }
    return isPlain && suffix != "json" ? suffix : nil
  }
}

extension NestedWriter {
  /// Whether the next value would be masked if it were this text.
  package func hides(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    row.nesting.masksNext || row.looksAtForms && SecretForms.matches(text)
  }

  /// The file that a text within the value names. Where `read` throws, nothing is written.
  package mutating func file(
    named name: UnsafeBufferPointer<UInt8>, _ read: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws {
    let before = row.nesting
    do {
      try row.nesting.scalar(.object, &row.output) { (output) throws in
        let file = try output.files.add(suffix: RowWriter.suffix(of: name), read)
        output.json.file(file, named: name)
      }
    } catch {
      row.nesting = before
      throw error
    }
  }
}

extension JSONWriter {
  fileprivate mutating func file(_ file: ValueFiles.File, named name: UnsafeBufferPointer<UInt8>) {
    beginObject()
    reference(to: file)
    key("name")
    text(utf8: name)
    endObject()
  }
}
