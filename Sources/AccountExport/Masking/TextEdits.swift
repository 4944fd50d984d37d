internal import JSONStreaming

/// Secrets within a JSON text, and what stands in their places: the text stays text.
struct TextEdits: Sendable {
  /// One value of the text.
  struct Edit: Sendable {
    /// Its bytes in the text, with the quotes of a string.
    var range: Range<Int>
    /// What it becomes: a string that says so, unless a string's own JSON was edited.
    var literal: [UInt8]?
  }

  /// In the order of the text, none within another.
  private(set) var edits: [Edit] = []
  /// What was masked.
  private(set) var counts = MaskCounts()
  /// How many values that were masked before went with them.
  private(set) var markers = 0

  /// A text without secrets.
  init() {}

  init(_ edits: [Edit], counts: MaskCounts, markers: Int = 0) { (self.edits, self.counts, self.markers) = (edits, counts, markers) }

  /// The same for a text that has so many bytes before.
  func moved(by shift: Int) -> TextEdits {
    if shift == 0 { return self }
    var moved = self
    for index in moved.edits.indices {
      let range = moved.edits[index].range
      moved.edits[index].range = range.lowerBound + shift..<range.upperBound + shift
    }
    return moved
  }

  var isEmpty: Bool { edits.isEmpty }

  /// The string that stands for a masked value.
  static let literal = Array(#""[redacted]""#.utf8)

  /// Puts the text with its edits behind some bytes.
  func apply(to text: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + text.count)
    var place = 0
    for edit in edits {
      bytes += text[place..<edit.range.lowerBound]
      bytes += edit.literal ?? Self.literal
      place = edit.range.upperBound
    }
    bytes += text[place...]
  }
}

/// Edits a text that is written as a JSON string already, piece by piece: where an escape stands, so does one byte of the text.
struct EscapedEdit {
  private let edits: [TextEdits.Edit]
  private var next = 0
  private var offset = 0
  private var hasBegun = false
  /// The begin of an escape, and how many bytes it still waits for.
  private var escape: [UInt8] = []
  private var missing = 0
  private var edited: [UInt8] = []

  init(_ edits: TextEdits) { self.edits = edits.edits }

  /// Takes the next piece; the first begins with the opening quote.
  mutating func feed(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    edited.removeAll(keepingCapacity: true)
    for byte in bytes {
      if !hasBegun {
        hasBegun = true
        edited.append(byte)
      } else if missing > 0 {
        escape.append(byte)
        missing = missing == 1 && escape.count == 2 && byte == UInt8(ascii: "u") ? 4 : missing - 1
        if missing == 0 { unit() }
      } else {
        escape.append(byte)
        if byte == UInt8(ascii: "\\") { missing = 1 } else { unit() }
      }
    }
    return edited
  }

  /// One byte of the text, as it is written.
  private mutating func unit() {
    if next < edits.count && offset == edits[next].range.lowerBound { replace() }
    let isReplaced = next < edits.count && offset > edits[next].range.lowerBound - 1
    if !isReplaced { edited += escape }
    offset += 1
    if isReplaced && offset == edits[next].range.upperBound { next += 1 }
    escape.removeAll(keepingCapacity: true)
  }

  private mutating func replace() {
    var writer = JSONWriter(capacity: 64)
    (edits[next].literal ?? TextEdits.literal).withUnsafeBufferPointer { writer.text(utf8: $0) }
    writer.withBytes { edited += $0.dropFirst().dropLast() }
  }
}
