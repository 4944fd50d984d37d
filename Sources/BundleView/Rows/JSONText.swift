/// Texts as they stand in JSON, between their quotes.
enum JSONText {
  /// Where a text ends after so many letters (an escape is one); nil where it has no more.
  static func end(of text: UnsafeRawBufferPointer, letters limit: Int) -> Int? {
    if text.count <= limit { return nil }
    var (index, letters) = (0, 0)
    while index < text.count {
      if letters == limit { return index }
      index += length(of: text, at: index)
      letters += 1
    }
    return nil
  }

  /// How many letters a text has (an escape is one).
  static func letters(in text: UnsafeRawBufferPointer) -> Int {
    var (index, letters) = (0, 0)
    while index < text.count {
      index += length(of: text, at: index)
      letters += 1
    }
    return letters
  }

  private static func length(of text: UnsafeRawBufferPointer, at index: Int) -> Int {
    let byte = text[index]
    if byte == UInt8(ascii: "\\") { return index + 1 < text.count && text[index + 1] == UInt8(ascii: "u") ? 6 : 2 }
    return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
  }

  /// The text of a value that is a string.
  static func inside(_ value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    value.count < 2 ? UnsafeRawBufferPointer(start: nil, count: 0) : UnsafeRawBufferPointer(rebasing: value[1..<value.count - 1])
  }
}
