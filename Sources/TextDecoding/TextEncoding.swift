/// A way in which text is written as bytes.
public struct TextEncoding: Hashable, Sendable {
  enum Form: UInt8, Sendable { case utf8, utf16LittleEndian, utf16BigEndian, latin1, windows1252 }

  let form: Form
  /// Its name, as a configuration writes it.
  public let name: String

  private init(_ form: Form, _ name: String) { (self.form, self.name) = (form, name) }

  /// UTF-8.
  public static let utf8 = TextEncoding(.utf8, "utf-8")
  /// UTF-16, the low byte first.
  public static let utf16LittleEndian = TextEncoding(.utf16LittleEndian, "utf-16le")
  /// UTF-16, the high byte first.
  public static let utf16BigEndian = TextEncoding(.utf16BigEndian, "utf-16be")
  /// ISO 8859-1: each byte is the code point of its number.
  public static let latin1 = TextEncoding(.latin1, "latin-1")
  /// Windows code page 1252, as the WHATWG Encoding Standard has it: the five bytes that it leaves open are control characters.
  public static let windows1252 = TextEncoding(.windows1252, "windows-1252")

  /// All encodings that can be decoded.
  public static let all: [TextEncoding] = [.utf8, .utf16LittleEndian, .utf16BigEndian, .latin1, .windows1252]

  /// The encoding of a name (`utf-8`, `utf-16le`, `utf-16be`, `latin-1`, `windows-1252`); nil where it isn't known.
  public init?(name: String) {
    guard let known = Self.all.first(where: { $0.name == name }) else { return nil }
    self = known
  }

  /// The bytes of this encoding's byte order mark.
  var mark: [UInt8] {
    switch form {
    case .utf8: [0xEF, 0xBB, 0xBF]
    case .utf16LittleEndian: [0xFF, 0xFE]
    case .utf16BigEndian: [0xFE, 0xFF]
    case .latin1, .windows1252: []
    }
  }

  /// How many bytes of a byte order mark stand at the begin of a text in this encoding.
  public func markLength(of head: UnsafeRawBufferPointer) -> Int {
    head.starts(with: mark) ? mark.count : 0
  }

  /// Tells a text's encoding by its first bytes: by a byte order mark, else by the zero bytes that UTF-16 has in every other place of most texts,
  /// else UTF-8. The encodings of one byte a character are never guessed.
  public static func detected(in head: UnsafeRawBufferPointer) -> TextEncoding {
    for encoding in [utf8, utf16LittleEndian, utf16BigEndian] where encoding.markLength(of: head) > 0 { return encoding }
    let pairs = head.count / 2
    if pairs < 2 { return .utf8 }
    var zeros = (even: 0, odd: 0)
    for pair in 0..<pairs {
      if head[2 * pair] == 0 { zeros.even += 1 }
      if head[2 * pair + 1] == 0 { zeros.odd += 1 }
    }
    if zeros.odd * 5 >= pairs * 2 && zeros.even * 20 <= pairs { return .utf16LittleEndian }
    if zeros.even * 5 >= pairs * 2 && zeros.odd * 20 <= pairs { return .utf16BigEndian }
    return .utf8
  }
}
