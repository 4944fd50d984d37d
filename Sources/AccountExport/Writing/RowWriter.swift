internal import Checksums
internal import JSONStreaming

/// The handle of one row: a value for each column, in the columns' order. It writes the key, masks what is secret, and remembers the kinds.
///
/// Values are borrowed: nothing of them is kept, and nothing is allocated for one.
public struct RowWriter: ~Copyable, Sendable {
  var output: StagedOutput
  var columns: [PreparedColumn]
  var kinds: [ValueKinds]
  /// What was masked in each column of the rows that are finished.
  var redacted: [MaskCounts]
  /// The column whose value comes next.
  public internal(set) var column = 0
  var rows = 0
  /// For values with values in them.
  var nesting = NestedMasking()
  let numbers: KeyNumbers
  let pseudonyms: Pseudonyms
  /// Whether texts are looked at for what they are by themselves.
  let looksAtForms: Bool

  // The row that is open: where it begins, what it holds, and what its siblings say of its values.
  var rowStart = 0
  var rowStartFiles = 0
  var rowKinds: [ValueKinds]
  var rowRedacted: [MaskCounts]
  var isAnyRedacted = false
  /// Why each column's value is masked in this row.
  var rowMasks: [Mask?]
  var isAnyMaskOwn = false
  /// Where the values stand that a later column may still make secrets.
  var held: [HeldValue?]
  var heldStart = 0
  var heldFiles = 0
  /// What could not be done within a call that can't throw; told at the row's end.
  var failure: ChecksumError?
  var spoolFailure: ExportError?
  var hasHeldColumns: Bool
  /// Where columns were added after the first row: rows before it lack those from there on.
  var growth: [(row: Int, known: Int)] = []
  /// What is kept for the pages.
  var tap = RowTap.none

  struct PreparedColumn: Sendable {
    var key: PreparedKey
    /// Why its values are masked, where its name or the configuration says so.
    var mask: Mask?
    /// What stands for a masked value.
    var style = MaskStyle.marker
    /// Whether the configuration says that it holds no secrets, whatever they look like.
    var isExempt = false
    /// The columns whose texts name this one's value, and those that this one's text names.
    var namedBy: [Int] = []
    var names: [Int] = []
    /// The columns that this one is made from, and those that are made from it.
    var madeFrom: [Int] = []
    var makes: [Int] = []
    var role = PairRole.none

    /// Whether what becomes of other columns says something of this one's values.
    var isHeld: Bool { !isExempt && !(namedBy.isEmpty && madeFrom.isEmpty) }
  }

  /// What stands for a masked value.
  enum MaskStyle: Sendable {
    case marker
    /// Of another person's: the same wherever the value is.
    case pseudonym
    /// Of a key: the row's number, or one that is the same wherever the key is.
    case rowNumber, keyNumber
  }

  init(
    columns: [PreparedColumn], output: consuming StagedOutput, numbers: KeyNumbers = KeyNumbers(),
    pseudonyms: Pseudonyms = Pseudonyms(key: nil)
  ) {
    looksAtForms = output.rules.secrets.isEnabled
    self.output = output
    self.columns = columns
    (self.numbers, self.pseudonyms) = (numbers, pseudonyms)
    kinds = columns.map { _ in [] }
    redacted = columns.map { _ in MaskCounts() }
    rowKinds = columns.map { _ in [] }
    rowRedacted = columns.map { _ in MaskCounts() }
    rowMasks = columns.map(\.mask)
    held = columns.map { _ in nil }
    hasHeldColumns = columns.contains { $0.isHeld }
  }

  // MARK: Values

  /// Nothing.
  public mutating func null() {
    guard hasColumn() else { return }
    beginValue()
    output.json.null()
    endValue()
  }

  /// A number without a fraction.
  public mutating func integer(_ value: Int64) {
    guard hasColumn() else { return }
    if let mask = rowMasks[column] { return redact(mask, printed: value) }
    beginValue()
    output.json.integer(value)
    endValue(.integer)
  }

  /// A number without a fraction or sign, beyond what `Int64` holds too.
  public mutating func unsigned(_ value: UInt64) {
    guard hasColumn() else { return }
    if let mask = rowMasks[column] { return redact(mask, printed: value) }
    beginValue()
    output.json.integer(value)
    endValue(.integer)
  }

  /// A floating-point number: the shortest text that reads back the same, always with `.` or `e`; NaN and infinities as `$number`.
  public mutating func real(_ value: Double) {
    guard hasColumn() else { return }
    if let mask = rowMasks[column] { return redact(mask, printed: value) }
    beginValue()
    output.json.double(value)
    endValue(value.isFinite ? .number : .object)
  }

  /// True or false. Masked only where it is another person's: it holds no secret, whatever its name.
  public mutating func boolean(_ value: Bool) {
    guard hasColumn() else { return }
    if rowMasks[column] == .thirdParty { return redact(.thirdParty, printed: value) }
    beginValue()
    output.json.bool(value)
    endValue(.boolean)
  }

  /// A number with all its digits, as it is: it must be a JSON number. What is none is an error, and the column still waits for its value.
  public mutating func number(digits: UnsafeRawBufferPointer) throws {
    guard hasColumn() else { return }
    if let mask = rowMasks[column] { return redact(mask, digits) }
    let mark = output.json.mark()
    beginValue()
    do { try output.json.number(digits: digits) } catch {
      output.json.rewind(to: mark)
      throw error
    }
    endValue(.number)
  }

  /// Text, as UTF-8; bytes that are no UTF-8 are written as `$base64`. Where the text is JSON, what is secret in it is masked within it.
  public mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    guard hasColumn() else { return }
    if let first = utf8.first {
      if !columns[column].names.isEmpty { announce(column: column, utf8) }
      if let mask = rowMasks[column] { return redact(mask, UnsafeRawBufferPointer(utf8)) }
      if TextLook.mayHold(first), !columns[column].isExempt { return lookedAt(utf8) }
    }
    beginValue()
    let start = output.json.count
    output.json.text(utf8: utf8)
    endValue(output.json.isText(at: start) ? .text : .object)
  }

  /// A text whose first byte is that of many secrets, or of JSON.
  private mutating func lookedAt(_ utf8: UnsafeBufferPointer<UInt8>) {
    if looksAtForms && SecretForms.matches(utf8) { return redact(.secret, UnsafeRawBufferPointer(utf8)) }
    beginValue()
    let start = output.json.count
    let inside = output.text(utf8)
    if !inside.isEmpty { countRedacted(inside) }
    endValue(output.json.isText(at: start) ? .text : .object)
  }

  /// Text.
  public mutating func text(_ value: String) {
    var copy = value
    copy.withUTF8 { text($0) }
  }

  /// A moment, as RFC 3339 in UTC.
  public mutating func moment(_ value: Timestamp) {
    guard hasColumn() else { return }
    if let mask = rowMasks[column] { return redact(mask) { $0.date(secondsSince1970: value.seconds, nanoseconds: value.nanoseconds) } }
    beginValue()
    let start = output.json.count
    output.json.date(secondsSince1970: value.seconds, nanoseconds: value.nanoseconds)
    endValue(output.json.isText(at: start) ? .moment : .object)
  }

  /// Bytes: in the row up to the limit (4 KiB), else in a file of their own.
  public mutating func bytes(_ value: UnsafeRawBufferPointer) throws {
    guard hasColumn() else { return }
    if !value.isEmpty, let mask = rowMasks[column] { return redact(mask, value) }
    if value.count > output.limits.inlineBytes { return reference(try output.files.add(value)) }
    beginValue()
    output.json.bytes(value)
    endValue(.object)
  }
}
