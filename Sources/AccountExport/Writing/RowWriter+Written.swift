internal import Checksums
internal import JSONReading
internal import JSONStreaming

/// A value that has a file of its own, as a row refers to it.
package struct WrittenFile: Sendable {
  /// The path relative to `data/`, in bytes its length, and its hash in hexadecimal digits.
  package let path: String, length: Int, sha256: String
  fileprivate let index: Int
}

/// Rows that were encoded elsewhere and come in ready values: for sources of this package that have written the JSON themselves.
extension RowWriter {
  /// One value that is JSON already, not checked. It is masked here where its column is a secret's, as every other value; in it, what a sibling names, what
  /// a law forbids to send, and what is secret in a text that is JSON.
  /// - Parameters:
  ///   - kind: What it is; nil for null.
  ///   - isMaskable: Whether it can be a secret: not null, not true or false, not empty.
  ///   - redactions: How many values within are masked already.
  ///   - files: The files that the value refers to, by where it does.
  package mutating func written(
    _ value: UnsafeRawBufferPointer, _ kind: ValueKinds?, isMaskable: Bool, redactions: Int, files: [(place: Int, file: WrittenFile)] = []
  ) {
    guard hasColumn() else { return }
    if isMaskable, let mask = rowMasks[column] {
      for file in files { output.files.drop(file.file.index) }
      return redact(mask, json: value)
    }
    beginValue()
    if !files.isEmpty { heldFiles -= files.count }
    let edits = isMaskable && !columns[column].isExempt ? output.edits(inOwn: value) : TextEdits()
    if edits.isEmpty {
      output.json.rawValue(value)
    } else {
      var masked: [UInt8] = []
      edits.apply(to: value.bindMemory(to: UInt8.self), into: &masked)
      masked.withUnsafeBytes { output.json.rawValue($0) }
      for file in files where edits.edits.contains(where: { $0.range.contains(file.place) }) { output.files.drop(file.file.index) }
    }
    var counts = edits.counts
    if redactions > edits.markers { counts.add(.secret, count: redactions - edits.markers) }
    if !counts.isEmpty { countRedacted(counts) }
    endValue(kind, isMaskable: isMaskable)
  }

  /// Masks a value by what tells it apart: of a string its text, as every other source hands it over.
  private mutating func redact(_ mask: Mask, json value: UnsafeRawBufferPointer) {
    if columns[column].style == .marker || columns[column].style == .rowNumber { return redact(mask) }
    var scanner = JSONScanner(limits: TextLook.limits)
    var text = StringText()
    do throws(JSONError) {
      try scanner.feed(value, handler: &text)
      try scanner.finish(handler: &text)
    } catch { return redact(mask, value) }  // it isn't checked: what it is tells it apart all the same
    if text.isString { text.bytes.withUnsafeBytes { redact(mask, $0) } } else { redact(mask, value) }
  }

  /// Whether the next value is masked as a whole, unless it is empty.
  package var isNextMasked: Bool { column < columns.count && rowMasks[column] != nil }

  /// Whether a column's text can make secrets of others; such are announced before the row's first value.
  package func isNaming(_ column: Int) -> Bool { !columns[column].names.isEmpty }

  /// Gives a value of the row a file of its own.
  package mutating func file(_ value: UnsafeRawBufferPointer) throws -> WrittenFile {
    let file = try output.files.add(value)
    return WrittenFile(path: file.path, length: file.length, sha256: file.digest.hex, index: output.files.count - 1)
  }
}

/// The text of a JSON string.
private struct StringText: JSONEventHandler {
  var bytes: [UInt8] = []
  var isString = false
  private var depth = 0

  mutating func beginObject() { depth += 1 }
  mutating func beginArray() { depth += 1 }
  mutating func beginString() { if depth == 0 { isString = true } }
  mutating func stringPart(_ utf8: UnsafeRawBufferPointer) { if isString { bytes += utf8 } }
}
