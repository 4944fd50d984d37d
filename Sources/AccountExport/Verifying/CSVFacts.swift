internal import Checksums

/// What one pass over a CSV file finds: whether it is CSV as this format writes it, how many rows it has, and what its first line is. Its memory doesn't
/// depend on what is in the file.
struct CSVFacts: ~Copyable, Sendable {
  struct Found: Sendable {
    /// Lines below the first.
    let rows: Int
    /// The hash of the first line's fields, each with a byte behind it that no text has.
    let labels: SHA256Digest
    /// What is wrong with it.
    let problem: String?
  }

  private enum Place {
    case mark, fieldStart, bare, quoted, quote, lineEnd
  }

  private var place = Place.mark
  /// Bytes of the mark at the file's begin that were met.
  private var marked = 0
  private var lines = 0, fields = 0, columns = 0
  private var problem: String?
  private var hasher: SHA256

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let quote = UInt8(ascii: "\""), comma = UInt8(ascii: ",")

  init() throws(ExportError) { hasher = try SHA256.forExport() }

  mutating func reset() {
    (place, marked, lines, fields, columns, problem) = (.mark, 0, 0, 0, 0, nil)
    hasher.reset()
  }

  mutating func feed(_ bytes: UnsafeRawBufferPointer) {
    if problem != nil { return }
    var index = 0
    while index < bytes.count && problem == nil {
      if case .quoted = place {
        let end = bytes[index...].firstIndex(of: Self.quote) ?? bytes.count
        label(UnsafeRawBufferPointer(rebasing: bytes[index..<end]))
        if end < bytes.count { place = .quote }
        index = end + 1
      } else {
        take(bytes[index])
        index += 1
      }
    }
  }

  private mutating func take(_ byte: UInt8) {
    switch (place, byte) {
    case (.mark, Self.byteOrderMark[marked]):
      marked += 1
      if marked == Self.byteOrderMark.count { place = .fieldStart }
    case (.mark, _): problem = "doesn't begin with the mark of UTF-8"
    case (.fieldStart, Self.quote): place = .quoted
    case (.quote, Self.quote):
      label(byte)
      place = .quoted
    case (.fieldStart, Self.comma), (.bare, Self.comma), (.quote, Self.comma): endField()
    case (.fieldStart, 0x0D), (.bare, 0x0D), (.quote, 0x0D):
      endField()
      place = .lineEnd
    case (.lineEnd, 0x0A): endLine()
    case (.fieldStart, _) where byte > 0x20, (.bare, _) where byte > 0x20 && byte != Self.quote:
      label(byte)
      place = .bare
    default: problem = "line \(lines + 1) is no CSV as this format has it"
    }
  }

  private mutating func label(_ byte: UInt8) { withUnsafeBytes(of: byte) { label($0) } }

  private mutating func label(_ bytes: UnsafeRawBufferPointer) {
    if lines == 0 { hasher.update(bytes) }
  }

  private mutating func endField() {
    label(0xFF)
    fields += 1
    place = .fieldStart
  }

  private mutating func endLine() {
    if lines == 0 { columns = fields }
    if fields != columns { problem = "line \(lines + 1) has \(fields) fields, and the first \(columns)" }
    (lines, fields, place) = (lines + 1, 0, .fieldStart)
  }

  mutating func finish() throws(ChecksumError) -> Found {
    if problem == nil {
      if case .fieldStart = place, fields == 0, lines > 0 {} else { problem = "ends within line \(lines + 1)" }
    }
    return Found(rows: max(0, lines - 1), labels: try hasher.finish(), problem: problem)
  }

  /// The hash that a first line of these labels has.
  static func digest(of labels: [String]) throws(ExportError) -> SHA256Digest {
    var hasher = try SHA256.forExport()
    for label in labels { (Array(label.utf8) + [0xFF]).withUnsafeBytes { hasher.update($0) } }
    do throws(ChecksumError) { return try hasher.finish() } catch {
      throw ExportError(.output, "no SHA-256 can be made here", cause: error)
    }
  }
}
