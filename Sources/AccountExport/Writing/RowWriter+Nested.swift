internal import JSONStreaming

extension RowWriter {
  /// One value with values in it: an array, an object, or a JSON value of the account's own. Where the column is a secret's, arrays and objects
  /// are masked as a whole; inside others, what stands under a key that names a secret, or beside a sibling that does.
  ///
  /// Where `body` throws, what it wrote is taken back, and the column still waits for its value.
  /// - Parameters:
  ///   - isLarge: Whether the value may be larger than memory should hold: it leaves for the spool in pieces then.
  ///   - body: Writes the value.
  public mutating func nested(isLarge: Bool = false, _ body: (inout NestedWriter) throws -> Void) throws {
    guard hasColumn() else { return }
    let mark = output.mark
    beginValue()
    nesting.reset(mask: rowMasks[column])
    var nested = NestedWriter(row: self, isLarge: isLarge)
    do {
      try body(&nested)
      try nested.checkEnd()
    } catch {
      self = nested.release()
      try output.rewind(to: mark)
      throw error
    }
    self = nested.release()
    if !nesting.ledger.total.isEmpty { countRedacted(nesting.ledger.total) }
    endValue(nesting.kind, isMaskable: !nesting.isMasked)
  }
}

/// The handle of one value with values in it. The calls follow the value's form: `beginObject`, then `key` and a value in turn, `endObject`; or one
/// scalar alone. Values are borrowed, and nothing is allocated for one.
public struct NestedWriter: ~Copyable, Sendable {
  var row: RowWriter
  let isLarge: Bool
  /// Where a text in pieces begins, and what is found in it; nil where it is masked.
  private var textStart: Int?
  private var look: PiecewiseLook?

  init(row: consuming RowWriter, isLarge: Bool) {
    self.row = row
    self.isLarge = isLarge
  }

  consuming func release() -> RowWriter { row }

  func checkEnd() throws {
    if row.nesting.depth != 0 { throw ExportError(.source, "a value ended with \(row.nesting.depth) containers open") }
    if row.nesting.roots != 1 { throw ExportError(.source, "a column got \(row.nesting.roots) values instead of one") }
  }

  // MARK: Structure

  /// Begins an object.
  public mutating func beginObject() throws { try row.nesting.begin(.object, &row.output) }

  /// Ends an object.
  public mutating func endObject() { row.nesting.end(.object, &row.output) }

  /// Begins an array.
  public mutating func beginArray() throws { try row.nesting.begin(.array, &row.output) }

  /// Ends an array.
  public mutating func endArray() { row.nesting.end(.array, &row.output) }

  /// A key of the account's own: one that begins with `$` gets one more. It says whether its value is a secret.
  public mutating func key(_ utf8: UnsafeBufferPointer<UInt8>) { row.nesting.key(utf8, &row.output) }

  // MARK: Values

  /// Nothing.
  public mutating func null() { row.nesting.scalar(nil, masked: false, &row.output) { $0.json.null() } }

  /// True or false. Not masked: it holds no secret, whatever its name.
  public mutating func boolean(_ value: Bool) { row.nesting.scalar(.boolean, masked: false, &row.output) { $0.json.bool(value) } }

  /// A number without a fraction.
  public mutating func integer(_ value: Int64) { row.nesting.scalar(.integer, &row.output) { $0.json.integer(value) } }

  /// A floating-point number; NaN and infinities as `$number`.
  public mutating func real(_ value: Double) {
    row.nesting.scalar(value.isFinite ? .number : .object, &row.output) { $0.json.double(value) }
  }

  /// A number with all its digits: it must be a JSON number.
  public mutating func number(digits: UnsafeRawBufferPointer) throws {
    try row.nesting.scalar(.number, &row.output) { (output) throws in try output.json.number(digits: digits) }
    try breathe()
  }

  /// Text, as UTF-8; bytes that are no UTF-8 become `$base64`. What is secret in a JSON text is masked within it.
  public mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) throws {
    try row.nesting.text(utf8, &row.output)
    try breathe()
  }

  /// A moment, as RFC 3339 in UTC.
  public mutating func moment(_ value: Timestamp) {
    row.nesting.scalar(.moment, &row.output) { $0.json.date(secondsSince1970: value.seconds, nanoseconds: value.nanoseconds) }
  }

  /// Bytes: here up to the limit (4 KiB), else in a file of their own.
  public mutating func bytes(_ value: UnsafeRawBufferPointer) throws {
    try row.nesting.bytes(value, &row.output)
    try breathe()
  }

  /// Begins a text that comes in pieces: `appendText`, then `endText`. For texts too long to be looked at as a whole for their form.
  public mutating func beginText() {
    if row.nesting.masksNext { return }
    look = PiecewiseLook(row.output.rules)
    row.output.json.beginText()
    // The quote; a comma may stand before it.
    textStart = row.output.end - 1
  }

  /// A piece of the text, of any length; one that is no UTF-8 is an error.
  public mutating func appendText(_ utf8: UnsafeBufferPointer<UInt8>) throws {
    if textStart == nil { return }
    look?.feed(UnsafeRawBufferPointer(utf8))
    try row.output.json.appendText(utf8: utf8)
    try breathe()
  }

  /// Ends the text.
  public mutating func endText() throws {
    guard let start = textStart else { return row.nesting.hide(.secret, &row.output) }
    textStart = nil
    try row.output.json.endText()
    let found = look == nil ? TextEdits() : look!.finish()
    look = nil
    if let found {
      if !found.isEmpty { try row.output.apply(found, toTextAt: start) }
      row.nesting.endPieces(from: start, found.counts, row.output)
    } else {
      _ = try row.output.replace(start..<row.output.end, with: Mask.secret.marker)
      row.nesting.endMasked(.secret)
    }
  }

  private mutating func breathe() throws {
    if isLarge && row.output.json.count >= StagedOutput.drained { try row.output.drain() }
  }
}
