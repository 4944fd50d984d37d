internal import Checksums
internal import JSONStreaming

/// A value that has a file of its own, as a row refers to it.
package struct WrittenFile: Sendable {
  /// The path relative to `data/`, in bytes its length, and its hash in hexadecimal digits.
  package let path: String, length: Int, sha256: String
}

/// Rows that were encoded elsewhere and come in ready values: for sources of this package that have written the JSON themselves.
extension RowWriter {
  /// One value that is JSON already, not checked. It is masked here where its column is a secret's, as every other value.
  /// - Parameters:
  ///   - kind: What it is; nil for null.
  ///   - isMaskable: Whether it can be a secret: not null, not true or false, not empty.
  ///   - redactions: How many values within are masked already.
  package mutating func written(_ value: UnsafeRawBufferPointer, _ kind: ValueKinds?, isMaskable: Bool, redactions: Int) {
    guard hasColumn() else { return }
    if isMaskable && masks { return redact() }
    beginValue()
    json.rawValue(value)
    rowRedacted[column] += redactions
    if redactions > 0 { isAnyRedacted = true }
    endValue(kind, isEmpty: !isMaskable)
  }

  /// Whether the next value is masked as a whole, unless it is empty.
  package var isNextMasked: Bool { column < columns.count && masks }

  /// Whether a column's text can make secrets of others; such are announced before the row's first value.
  package func isNaming(_ column: Int) -> Bool { hasNamedValues && !columns[column].names.isEmpty }

  /// Gives a value of the row a file of its own.
  package mutating func file(_ value: UnsafeRawBufferPointer) throws -> WrittenFile {
    let file = try addFile(value)
    return WrittenFile(path: file.path, length: file.length, sha256: file.digest.hex)
  }
}
