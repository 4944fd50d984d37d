internal import JSONStreaming

extension RowWriter {
  /// Tells what a naming column of this row holds before its turn: `session_tokens` in `meta_key` makes a secret of `meta_value`.
  public mutating func announce(column index: Int, _ utf8: UnsafeBufferPointer<UInt8>) {
    if columns[index].names.isEmpty { return }
    isAnnounced[index] = true
    let isSecret = rules.isSecret(name: String(decoding: utf8, as: UTF8.self))
    for value in columns[index].names where isSecret {
      namedSecret[value] = true
      if let range = valueRanges[value] { takeBack(value, range) }
    }
  }

  /// The column that names this one's value, where there is one.
  public func namingColumn(of column: Int) -> Int? { columns[column].namedBy }

  var masks: Bool { columns[column].isSecret || namedSecret[column] }

  /// Whether a later column may still say that this value is a secret.
  var isUnresolved: Bool { isUnresolved(column) }

  private func isUnresolved(_ value: Int) -> Bool {
    guard let naming = columns[value].namedBy else { return false }
    return naming > value && !isAnnounced[naming]
  }

  /// Whether a text is a secret by its own form.
  func isSecret(form utf8: UnsafeBufferPointer<UInt8>) -> Bool { rules.isEnabled && !utf8.isEmpty && SecretForms.matches(utf8) }

  mutating func redact() {
    beginValue()
    json.redacted(.secret)
    countRedacted()
    endValue(.object)
  }

  /// Counts a masked value of the present column; what the row's end makes part of the collection.
  mutating func countRedacted() {
    rowRedacted[column] += 1
    isAnyRedacted = true
  }

  /// Counts a value of the present column that the source itself masked.
  mutating func countRedacted(_ reason: Redaction.Reason) {
    if reason == .secret { return countRedacted() }
    rowRedactedOtherwise.add(1, column, reason)
    isAnyRedacted = true
  }

  /// What is masked so far in the present column's value, for taking back what comes after.
  var columnRedactions: ColumnRedactions { ColumnRedactions(secret: rowRedacted[column], otherwise: rowRedactedOtherwise) }

  /// Forgets what was masked in the present column's value since.
  mutating func rewindRedactions(to before: ColumnRedactions) {
    rowRedacted[column] = before.secret
    rowRedactedOtherwise = before.otherwise
  }

  /// Empties the buffer before a long value, so that taking that back only cuts the spool. What a later column may still name can't be taken
  /// back from the spool: it is masked now.
  mutating func drainBefore() throws {
    for value in valueRanges.indices {
      if let range = valueRanges[value], isUnresolved(value) { takeBack(value, range) }
    }
    for value in valueRanges.indices { valueRanges[value] = nil }
    try drain()
  }

  /// Masks a value that is written already, since a later column names it.
  private mutating func takeBack(_ value: Int, _ range: Range<Int>) {
    valueRanges[value] = nil
    if let file = valueFiles[value] { files.drop(file) }
    let mask: StaticString = #"{"$redacted":"secret"}"#
    mask.withUTF8Buffer { json.replace(from: range.lowerBound, to: range.upperBound, with: UnsafeRawBufferPointer($0)) }
    // What was masked within it is gone with it.
    rowRedacted[value] = 1
    rowRedactedOtherwise.removeAll { $0.column == value }
    isAnyRedacted = true
    rowKinds[value] = .object
    let shift = mask.utf8CodeUnitCount - range.count
    for later in valueRanges.indices {
      if let other = valueRanges[later], other.lowerBound >= range.upperBound {
        valueRanges[later] = other.lowerBound + shift..<other.upperBound + shift
      }
    }
  }
}

/// Values of a column that a source masked itself, for another reason than being a secret.
struct OtherRedaction: Sendable, Equatable {
  let column: Int
  let reason: Redaction.Reason
  var count: Int
}

/// The masked values of a column within a row.
struct ColumnRedactions: Equatable {
  let secret: Int
  let otherwise: [OtherRedaction]
}

extension [OtherRedaction] {
  /// Counts values. The entries of one column stand together at the end while its value is written: a long value makes a few of them only.
  mutating func add(_ count: Int, _ column: Int, _ reason: Redaction.Reason) {
    if let known = lastIndex(where: { $0.column == column && $0.reason == reason }) {
      self[known].count += count
    } else {
      append(OtherRedaction(column: column, reason: reason, count: count))
    }
  }
}
