internal import JSONStreaming

extension RowWriter {
  /// One value with values in it: an array, an object, or a JSON value of the account's own. Where the column is a secret's, arrays and objects
  /// are masked as a whole; inside others, what stands under a key that names a secret.
  ///
  /// Where `body` throws, what it wrote is taken back, and the column still waits for its value.
  /// - Parameters:
  ///   - isLarge: Whether the value may be larger than memory should hold: it leaves for the spool in pieces then. Where a later column may
  ///     name this value a secret, call `announce` first; it is masked else, since a long value can't be taken back.
  ///   - body: Writes the value.
  public mutating func nested(isLarge: Bool = false, _ body: (inout NestedWriter) throws -> Void) throws {
    guard hasColumn() else { return }
    if isLarge {
      if isUnresolved { return redact() }
      try drainBefore()
    }
    let (start, before) = ((spool.length, json.mark()), (columnRedactions, files.count))
    beginValue()
    let first = json.count
    var nested = NestedWriter(row: self, isLarge: isLarge)
    do {
      try body(&nested)
      try nested.checkEnd()
    } catch {
      self = nested.release()
      if spool.length != start.0 { try cut(to: start.0) }
      json.rewind(to: start.1)
      rewindRedactions(to: before.0)
      try files.truncate(to: before.1)
      throw error
    }
    let (kind, isMasked) = (nested.kind, nested.isMasked)
    self = nested.release()
    if isMasked { forgetRange() }
    endValue(kind, isEmpty: json.count - first <= 2 && spool.length == start.0)
  }
}

/// The handle of one value with values in it. The calls follow the value's form: `beginObject`, then `key` and a value in turn, `endObject`; or one
/// scalar alone. Values are borrowed, and nothing is allocated for one.
public struct NestedWriter: ~Copyable, Sendable {
  var row: RowWriter
  let isLarge: Bool
  var depth = 0
  var count = 0
  /// Whether the next value stands under a name of a secret.
  var isSecret: Bool
  /// How deep the walk is in a container that is masked as a whole, and whether anything was in it.
  var maskedDepth = 0
  var maskedIsEmpty = true
  private(set) var kind: ValueKinds?
  var isMasked = false

  init(row: consuming RowWriter, isLarge: Bool) {
    isSecret = row.masks
    self.row = row
    self.isLarge = isLarge
  }

  consuming func release() -> RowWriter { row }

  func checkEnd() throws {
    if depth != 0 { throw ExportError(.source, "a value ended with \(depth) containers open") }
    if count != 1 { throw ExportError(.source, "a column got \(count) values instead of one") }
  }

  // MARK: Structure

  /// Begins an object.
  public mutating func beginObject() throws { try begin(.object) { $0.beginObject() } }

  /// Ends an object.
  public mutating func endObject() {
    end({ $0.endObject() }) {
      $0.beginObject()
      $0.endObject()
    }
  }

  /// Begins an array.
  public mutating func beginArray() throws { try begin(.array) { $0.beginArray() } }

  /// Ends an array.
  public mutating func endArray() {
    end({ $0.endArray() }) {
      $0.beginArray()
      $0.endArray()
    }
  }

  /// A key of the account's own: one that begins with `$` gets one more. It says whether its value is a secret.
  public mutating func key(_ utf8: UnsafeBufferPointer<UInt8>) {
    if maskedDepth > 0 { return maskedIsEmpty = false }
    row.json.userKey(utf8: utf8)
    isSecret = row.isSecret(key: utf8)
  }

  private mutating func begin(_ kind: ValueKinds, _ write: (inout JSONWriter) -> Void) throws {
    if depth == 0 { self.kind = kind }
    note()
    depth += 1
    if depth > row.maximumDepth { throw ExportError(.source, "values lie more than \(row.maximumDepth) deep in one another") }
    if maskedDepth > 0 {
      maskedIsEmpty = false
      maskedDepth += 1
    } else if isSecret {
      maskedIsEmpty = true
      maskedDepth = 1
    } else {
      write(&row.json)
    }
  }

  private mutating func end(_ write: (inout JSONWriter) -> Void, empty: (inout JSONWriter) -> Void) {
    depth -= 1
    if maskedDepth == 0 { return write(&row.json) }
    maskedDepth -= 1
    if maskedDepth > 0 { return }
    if !maskedIsEmpty { return redact() }
    empty(&row.json)
    isSecret = false
  }

  private mutating func note() {
    if depth == 0 { count += 1 }
  }

  // MARK: Values

  /// Nothing.
  public mutating func null() { scalar(nil, masked: false) { $0.null() } }

  /// True or false. Not masked: it holds no secret, whatever its name.
  public mutating func boolean(_ value: Bool) { scalar(.boolean, masked: false) { $0.bool(value) } }

  /// A number without a fraction.
  public mutating func integer(_ value: Int64) { scalar(.integer) { $0.integer(value) } }

  /// A floating-point number; NaN and infinities as `$number`.
  public mutating func real(_ value: Double) { scalar(value.isFinite ? .number : .object) { $0.double(value) } }

  /// A number with all its digits: it must be a JSON number.
  public mutating func number(digits: UnsafeRawBufferPointer) throws {
    try scalar(.number) { (json) throws in try json.number(digits: digits) }
    try breathe()
  }

  /// Text, as UTF-8; bytes that are no UTF-8 become `$base64`.
  public mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) throws {
    let isHash = maskedDepth == 0 && !isSecret && row.isSecret(form: utf8)
    if isHash { isSecret = true }
    scalar(.text, masked: !utf8.isEmpty) { $0.text(utf8: utf8) }
    try breathe()
  }

  /// A moment, as RFC 3339 in UTC.
  public mutating func moment(_ value: Timestamp) {
    scalar(.moment) { $0.date(secondsSince1970: value.seconds, nanoseconds: value.nanoseconds) }
  }

  /// Bytes: here up to the limit (4 KiB), else in a file of their own; masked where a later column may still name the whole value a secret.
  public mutating func bytes(_ value: UnsafeRawBufferPointer) throws {
    if value.count > row.inlineBytes && row.isUnresolved { isSecret = true }
    if value.count > row.inlineBytes && !isSecret && maskedDepth == 0 {
      let file = try row.addFile(value)
      return scalar(.object) {
        $0.beginObject()
        $0.reference(to: file)
        $0.endObject()
      }
    }
    scalar(.object, masked: !value.isEmpty) { $0.bytes(value) }
    try breathe()
  }

  /// Begins a text that comes in pieces: `appendText`, then `endText`. For texts too long to be looked at as a whole.
  public mutating func beginText() {
    if maskedDepth > 0 || isSecret { return }
    if depth == 0 { kind = .text }
    row.json.beginText()
  }

  /// A piece of the text, of any length; one that is no UTF-8 is an error.
  public mutating func appendText(_ utf8: UnsafeBufferPointer<UInt8>) throws {
    if maskedDepth > 0 || isSecret { return }
    try row.json.appendText(utf8: utf8)
    try breathe()
  }

  /// Ends the text.
  public mutating func endText() throws {
    note()
    if maskedDepth > 0 { return maskedIsEmpty = false }
    if isSecret { return redact() }
    try row.json.endText()
  }

  mutating func scalar(_ kind: ValueKinds?, masked: Bool = true, _ write: (inout JSONWriter) throws -> Void) rethrows {
    note()
    if maskedDepth > 0 { return maskedIsEmpty = false }
    if depth == 0 { self.kind = kind }
    if masked && isSecret { return redact() }
    try write(&row.json)
    isSecret = false
  }

  private mutating func redact() {
    row.json.redacted(.secret)
    row.countRedacted()
    if depth == 0 {
      kind = .object
      isMasked = true
    }
    isSecret = false
  }

  private mutating func breathe() throws {
    if isLarge && row.json.count >= RowWriter.drained { try row.drain() }
  }
}

/// Whether keys name secrets, remembered for the keys that come again and again: a JSON column has few, and each in every row.
package struct SecretKeys: Sendable {
  private struct Known {
    var key: [UInt8] = []
    var isSecret = false
    var isFilled = false
  }

  private var known = [Known](repeating: Known(), count: 256)

  /// No key yet.
  package init() {}

  /// Whether a key names a secret.
  package mutating func isSecret(_ key: UnsafeBufferPointer<UInt8>, _ rules: SecretRules) -> Bool {
    var hash: UInt32 = 2_166_136_261
    for byte in key { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    let slot = Int((hash >> 8 ^ hash) & 255)
    if known[slot].isFilled && known[slot].key.elementsEqual(key) { return known[slot].isSecret }
    let isSecret = rules.isSecret(name: String(decoding: key, as: UTF8.self))
    if key.count <= 256 { known[slot] = Known(key: Array(key), isSecret: isSecret, isFilled: true) }
    return isSecret
  }
}
