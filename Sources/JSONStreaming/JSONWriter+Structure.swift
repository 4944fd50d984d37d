extension JSONWriter {
  /// How many objects and arrays are open.
  public var depth: Int { nesting.depth }

  /// Opens an object.
  public mutating func beginObject() {
    beginValue()
    append(UInt8(ascii: "{"))
    nesting.open(object: true)
  }

  /// Closes the innermost open level, which must be an object.
  public mutating func endObject() {
    precondition(nesting.isInObject && !nesting.awaitsValue, "endObject() without an open object, or after a key without a value")
    append(UInt8(ascii: "}"))
    nesting.close()
  }

  /// Opens an array.
  public mutating func beginArray() {
    beginValue()
    append(UInt8(ascii: "["))
    nesting.open(object: false)
  }

  /// Closes the innermost open level, which must be an array.
  public mutating func endArray() {
    precondition(nesting.isInArray, "endArray() without an open array")
    append(UInt8(ascii: "]"))
    nesting.close()
  }

  /// Appends bytes as they are: no comma, and the structure isn't touched. For frames and white space.
  public mutating func raw(_ bytes: UnsafeRawBufferPointer) {
    append(bytes)
  }

  /// Appends text as it is: no comma, and the structure isn't touched. For frames and white space.
  public mutating func raw(_ text: StaticString) {
    append(text)
  }

  /// Appends bytes that are one whole JSON value already, with the comma it may need. They are not checked.
  public mutating func rawValue(_ bytes: UnsafeRawBufferPointer) {
    beginValue()
    append(bytes)
  }

  /// Appends text that is one whole JSON value already, with the comma it may need. It is not checked.
  public mutating func rawValue(_ text: StaticString) {
    beginValue()
    append(text)
  }

  /// Forgets all open objects and arrays, and a value in pieces, so that what comes next starts fresh and without a comma. The bytes stay.
  public mutating func resetStructure() {
    nesting = Nesting()
    piece = Piece()
  }

  /// A place in the output, to come back to with ``JSONWriter/rewind(to:)``.
  public struct Mark: Sendable {
    let count: Int
    let nesting: Nesting
    let piece: Piece
  }

  /// The present place: the bytes written and the structure.
  public func mark() -> Mark {
    Mark(count: count, nesting: nesting, piece: piece)
  }

  /// Goes back to a mark, as if nothing had been written since. The buffer must not have been emptied below the mark in between.
  public mutating func rewind(to mark: Mark) {
    truncate(to: mark.count)
    nesting = mark.nesting
    piece = mark.piece
  }

  /// Takes the structure of a mark, and leaves the bytes: they are the caller's to set right, where the buffer has been emptied since.
  public mutating func restoreStructure(of mark: Mark) {
    nesting = mark.nesting
    piece = mark.piece
  }

  /// Writes the comma that the next value may need, and takes note that the value stands.
  @inline(__always)
  mutating func beginValue() {
    precondition(piece.kind == .none, "a value inside a value in pieces")
    if nesting.awaitsValue {
      nesting.awaitsValue = false
    } else {
      precondition(!nesting.isInObject, "a value in an object needs a key first")
      if nesting.needsComma {
        append(UInt8(ascii: ","))
      }
    }
    nesting.needsComma = true
  }

  /// Writes the comma that the next key may need, and takes note that a value must follow.
  @inline(__always)
  mutating func beginKey() {
    precondition(piece.kind == .none && !nesting.isInArray && !nesting.awaitsValue, "a key stands in an object, and before a value")
    if nesting.needsComma {
      append(UInt8(ascii: ","))
    }
    nesting.awaitsValue = true
  }
}
