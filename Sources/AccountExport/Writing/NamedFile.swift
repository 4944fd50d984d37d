internal import JSONStreaming

/// Files that the texts of rows name. Each goes into the bundle, whatever its size, and its text stays beside it:
/// `{"$file": "records/…", "bytes": 12, "sha256": "…", "name": "2026/cat.jpg"}`.
extension RowWriter {
  /// Whether the next value would be masked if it were this text: then what it names is nobody's to read either.
  package func hides(_ text: UnsafeBufferPointer<UInt8>) -> Bool { column < columns.count && (masks || isSecret(form: text)) }

  /// The file that the column's text names.
  /// - Parameters:
  ///   - name: The text.
  ///   - read: Fills a buffer and says how many bytes it put there; 0 is the end. Where it throws, nothing is written, and the column still waits.
  package mutating func file(
    named name: UnsafeBufferPointer<UInt8>, _ read: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws {
    guard hasColumn() else { return }
    let file = try addFile(named: name, read)
    announce(column: column, name)
    if hasNamedValues { valueFiles[column] = files.count - 1 }
    beginValue()
    json.file(file, named: name)
    endValue(.object)
  }

  fileprivate mutating func addFile(
    named name: UnsafeBufferPointer<UInt8>, _ read: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws -> ValueFiles.File { try files.add(suffix: Self.suffix(of: name), read) }

  /// The suffix that a file keeps, so that it opens as what it is; none where it is long or strange. What ends in `.json` below `data/` is one of the
  /// bundle's own tables, so a file that doesn't say so is none.
  private static func suffix(of name: UnsafeBufferPointer<UInt8>) -> String? {
    let last = name[((name.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...]
    guard let dot = last.lastIndex(of: UInt8(ascii: ".")), dot > last.startIndex, 2...6 ~= last.endIndex - dot else { return nil }
    let suffix = String(decoding: last[(dot + 1)...], as: UTF8.self).lowercased()
    let isPlain = suffix.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 }
    return isPlain && suffix != "json" ? suffix : nil
  }
}

extension NestedWriter {
  /// Whether the next value would be masked if it were this text.
  package func hides(_ text: UnsafeBufferPointer<UInt8>) -> Bool { maskedDepth > 0 || isSecret || row.isSecret(form: text) }

  /// The file that a text within the value names; masked where a later column may still name the whole value a secret.
  package mutating func file(
    named name: UnsafeBufferPointer<UInt8>, _ read: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws {
    if row.isUnresolved {
      isSecret = true
      return scalar(.object) { $0.null() }
    }
    let file = try row.addFile(named: name, read)
    scalar(.object, masked: false) { $0.file(file, named: name) }
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
