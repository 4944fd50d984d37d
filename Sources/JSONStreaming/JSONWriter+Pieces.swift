/// A value that is being written in pieces, and what of it waits for the next piece.
struct Piece: Sendable {
  enum Kind: Sendable { case none, text, base64 }

  var kind = Kind.none
  /// How many bytes of the value were taken.
  var offset = 0
  var text = UTF8Carry()
  /// Up to two bytes that don't fill a group of base64, the first one highest.
  var group: UInt32 = 0
  var groupCount = 0
}

extension JSONWriter {
  /// Begins a string whose text comes in chunks.
  ///
  /// Between chunks the buffer may be taken and emptied, so that a text of any length needs little memory.
  public mutating func beginText() {
    beginValue()
    append(UInt8(ascii: "\""))
    piece = Piece(kind: .text)
  }

  /// Appends a chunk of the text. It may end inside a code point, which the next chunk then finishes.
  ///
  /// Throws `.invalidUTF8`; the text is then to be taken back with ``rewind(to:)``, to a mark from before ``beginText()``.
  public mutating func appendText(utf8 chunk: UnsafeBufferPointer<UInt8>) throws(JSONWriterError) {
    precondition(piece.kind == .text, "appendText(utf8:) without beginText()")
    guard var bytes = chunk.baseAddress else { return }
    var left = chunk.count
    if piece.text.count > 0 {
      let start = piece.offset
      switch piece.text.finish(with: &bytes, count: &left) {
      case .valid(let size):
        let carry = piece.text
        carry.withBytes { append(UnsafeRawBufferPointer(start: $0, count: size)) }
        piece.text.clear()
        piece.offset = start + size
      case .cut: return
      case .invalid: throw JSONWriterError(code: .invalidUTF8, offset: start)
      }
    }
    let taken = appendEscaped(UnsafeBufferPointer(start: bytes, count: left))
    piece.offset += taken
    if taken < left {
      guard UTF8Sequence(at: bytes + taken, count: left - taken) == .cut else {
        throw JSONWriterError(code: .invalidUTF8, offset: piece.offset)
      }
      piece.text.keep(bytes + taken, count: left - taken)
    }
  }

  /// Ends the text. Throws `.invalidUTF8` where its last code point is unfinished.
  public mutating func endText() throws(JSONWriterError) {
    precondition(piece.kind == .text, "endText() without beginText()")
    guard piece.text.count == 0 else { throw JSONWriterError(code: .invalidUTF8, offset: piece.offset) }
    append(UInt8(ascii: "\""))
    piece = Piece()
  }

  /// Begins `{"$base64":"…"}` whose bytes come in chunks.
  public mutating func beginBase64() {
    beginValue()
    append("{\"$base64\":\"")
    piece = Piece(kind: .base64)
  }

  /// Appends a chunk of the bytes, of any length.
  public mutating func appendBase64(_ chunk: UnsafeRawBufferPointer) {
    precondition(piece.kind == .base64, "appendBase64(_:) without beginBase64()")
    var rest = chunk[...]
    while piece.groupCount > 0, let byte = rest.popFirst() {
      piece.group = piece.group << 8 | UInt32(byte)
      piece.groupCount += 1
      if piece.groupCount == 3 {
        withUnsafeBytes(of: (piece.group << 8).bigEndian) { appendGroups(UnsafeRawBufferPointer(rebasing: $0[..<3])) }
        piece.group = 0
        piece.groupCount = 0
      }
    }
    let whole = rest.count - rest.count % 3
    appendGroups(UnsafeRawBufferPointer(rebasing: rest.prefix(whole)))
    for byte in rest.dropFirst(whole) {
      piece.group = piece.group << 8 | UInt32(byte)
      piece.groupCount += 1
    }
  }

  /// Ends the bytes and their object.
  public mutating func endBase64() {
    precondition(piece.kind == .base64, "endBase64() without beginBase64()")
    appendLastGroup(piece.group, count: piece.groupCount)
    append("\"}")
    piece = Piece()
  }
}
