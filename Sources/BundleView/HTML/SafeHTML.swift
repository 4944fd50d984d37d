internal import AccountExport

/// HTML as it may stand in a page: made of markup that is written in code, and of text that went through the escaper. There is no other way in.
///
/// Texts may stand between tags and in double-quoted attributes alike. The bytes lie in one buffer that grows and is used again.
struct SafeHTML: ~Copyable {
  private(set) var count = 0
  private var capacity: Int
  private var storage: UnsafeMutablePointer<UInt8>

  init(capacity: Int = 64 << 10) {
    self.capacity = max(64, capacity)
    storage = .allocate(capacity: self.capacity)
  }

  deinit { storage.deallocate() }

  func withBytes<Result, Failure: Error>(_ body: (UnsafeRawBufferPointer) throws(Failure) -> Result) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: storage, count: count))
  }

  /// All bytes, for a page that is whole.
  var bytes: [UInt8] { withBytes { Array($0) } }

  mutating func removeAll() { count = 0 }

  /// Takes back what stands beyond a length.
  mutating func truncate(to length: Int) {
    precondition(length <= count, "what wasn't written can't be kept")
    count = length
  }

  // MARK: What may stand in it

  /// Markup of the program's own.
  mutating func markup(_ markup: StaticString) {
    markup.withUTF8Buffer { append(UnsafeRawBufferPointer($0)) }
  }

  /// A text; what is no UTF-8 in it is replaced.
  mutating func text(_ text: String) {
    var copy = text
    copy.withUTF8 { self.text(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// A text of valid UTF-8.
  mutating func text(utf8: UnsafeRawBufferPointer) { escape(utf8, isJSON: false) }

  /// A text as it stands between the quotes of a JSON string.
  mutating func text(json: UnsafeRawBufferPointer) { escape(json, isJSON: true) }

  mutating func number(_ number: Int) {
    var digits: (UInt64, UInt64, UInt32) = (0, 0, 0)
    withUnsafeMutableBytes(of: &digits) { buffer in
      var (place, rest) = (buffer.count, number.magnitude)
      repeat {
        place -= 1
        buffer[place] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      } while rest > 0
      if number < 0 {
        place -= 1
        buffer[place] = UInt8(ascii: "-")
      }
      append(UnsafeRawBufferPointer(rebasing: buffer[place...]))
    }
  }

  /// What was made elsewhere.
  mutating func html(_ other: borrowing SafeHTML) {
    other.withBytes { append($0) }
  }

  /// JSON inside of a script element of data: there, only `<` could end it.
  mutating func data(json: UnsafeRawBufferPointer) {
    var start = 0
    for (index, byte) in json.enumerated() where byte == UInt8(ascii: "<") {
      append(UnsafeRawBufferPointer(rebasing: json[start..<index]))
      markup("\\u003c")
      start = index + 1
    }
    append(UnsafeRawBufferPointer(rebasing: json[start...]))
  }

  /// The view's own style or script, as the build embeds it.
  mutating func asset(_ asset: borrowing ViewAsset) {
    asset.bytes.withUnsafeBytes { append($0) }
  }

  // MARK: The buffer

  private mutating func reserve(_ room: Int) {
    if capacity - count >= room { return }
    capacity = max(capacity * 2, count + room)
    let grown = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    grown.update(from: storage, count: count)
    storage.deallocate()
    storage = grown
  }

  @inline(__always)
  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    reserve(bytes.count)
    UnsafeMutableRawPointer(storage + count).copyMemory(from: start, byteCount: bytes.count)
    count += bytes.count
  }

  /// What was made elsewhere and has waited.
  fileprivate mutating func append(_ length: Int, of scratch: PageScratch, at offset: Int) throws {
    reserve(length)
    var done = 0
    while done < length {
      let rest = UnsafeMutableRawBufferPointer(start: storage + count + done, count: length - done)
      let got = try scratch.read(into: rest, at: offset + done)
      if got == 0 { throw ExportError(.output, "the staging folder lost \(length - done) bytes of a page") }
      done += got
    }
    count += length
  }

  // MARK: The escaper

  /// Bytes below 64 that stand for themselves: tab, newline, and all from the space on but `"`, `&`, `'`, `<` and `>`.
  private static let plainBelow64: UInt64 =
    ~((1 << 32) - 1) & ~(1 << 34 | 1 << 38 | 1 << 39 | 1 << 60 | 1 << 62) | 1 << 9 | 1 << 10

  /// Whether a byte stands for itself. A backslash doesn't in JSON; from 0xC2 and 0xEF on, some letters begin that HTML doesn't allow.
  @inline(__always)
  private static func isPlain(_ byte: UInt8) -> Bool {
    if byte < 64 { return plainBelow64 >> UInt64(byte) & 1 == 1 }
    return byte < 0xC2 ? byte != 0x7F && byte != 0x5C : byte != 0xC2 && byte < 0xEF
  }

  private mutating func escape(_ text: UnsafeRawBufferPointer, isJSON: Bool) {
    guard let base = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    let end = base + text.count
    var place = base
    while place < end {
      let start = place
      while place < end, Self.isPlain(place.pointee) { place += 1 }
      append(UnsafeRawBufferPointer(start: start, count: place - start))
      if place < end { place += escapeOne(place, end, isJSON: isJSON) }
    }
  }

  /// Writes what stands for the bytes at a place, and says how many they are.
  private mutating func escapeOne(_ place: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, isJSON: Bool) -> Int {
    let byte = place.pointee
    switch byte {
    case UInt8(ascii: "<"): markup("&lt;")
    case UInt8(ascii: ">"): markup("&gt;")
    case UInt8(ascii: "&"): markup("&amp;")
    case UInt8(ascii: "\""): markup("&quot;")
    case UInt8(ascii: "'"): markup("&#39;")
    case UInt8(ascii: "\\"):
      if isJSON { return escapeOfJSON(place, end) }
      append(UnsafeRawBufferPointer(start: place, count: 1))
    case 0..<0x20, 0x7F: control(byte)
    default: return letter(place, end)
    }
    return 1
  }

  /// A control character, for which HTML has no form, by its picture.
  private mutating func control(_ byte: UInt8) {
    reserve(3)
    (storage[count], storage[count + 1]) = (0xE2, 0x90)
    storage[count + 2] = byte == 0x7F ? 0xA1 : 0x80 + byte
    count += 3
  }

  /// A letter of two bytes or more; one that no text can have in HTML becomes U+FFFD.
  private mutating func letter(_ place: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int {
    let length = place.pointee < 0xE0 ? 2 : place.pointee < 0xF0 ? 3 : 4
    guard end - place >= length else {
      markup("\u{FFFD}")
      return end - place
    }
    let isForbidden =
      switch place.pointee {
      case 0xC2: place[1] < 0xA0  // C1 controls
      case 0xEF: place[1] == 0xBF && place[2] >= 0xBE || place[1] == 0xB7 && 0x90..<0xB0 ~= place[2]
      case 0xF0...: place[1] & 0x0F == 0x0F && place[2] == 0xBF && place[3] >= 0xBE
      default: false
      }
    if isForbidden { markup("\u{FFFD}") } else { append(UnsafeRawBufferPointer(start: place, count: length)) }
    return length
  }

  private mutating func escapeOfJSON(_ place: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int {
    guard end - place >= 2 else { return 1 }
    switch place[1] {
    case UInt8(ascii: "n"): markup("\n")
    case UInt8(ascii: "t"): markup("\t")
    case UInt8(ascii: "r"): control(0x0D)
    case UInt8(ascii: "b"): control(0x08)
    case UInt8(ascii: "f"): control(0x0C)
    case UInt8(ascii: "u"): return unicodeEscape(place, end)
    default:
      // A quote, a backslash or a slash.
      if place[1] == UInt8(ascii: "\\") || Self.isPlain(place[1]) {
        append(UnsafeRawBufferPointer(start: place + 1, count: 1))
      } else {
        return 1 + escapeOne(place + 1, end, isJSON: false)
      }
    }
    return 2
  }

  private mutating func unicodeEscape(_ place: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int {
    guard let high = Self.unit(place, end) else {
      markup("\u{FFFD}")
      return 2
    }
    if let scalar = Unicode.Scalar(high) {
      self.scalar(scalar)
      return 6
    }
    if high < 0xDC00, let low = Self.unit(place + 6, end), 0xDC00..<0xE000 ~= low,
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    {
      self.scalar(scalar)
      return 12
    }
    markup("\u{FFFD}")
    return 6
  }

  /// The four digits of a `\u` escape.
  private static func unit(_ place: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UInt32? {
    guard end - place >= 6, place[0] == UInt8(ascii: "\\"), place[1] == UInt8(ascii: "u") else { return nil }
    var unit: UInt32 = 0
    for index in 2..<6 {
      switch place[index] {
      case let digit where 0x30...0x39 ~= digit: unit = unit << 4 | UInt32(digit - 0x30)
      case let letter where 0x41...0x46 ~= letter & ~0x20: unit = unit << 4 | UInt32(letter & ~0x20 - 0x41 + 10)
      default: return nil
      }
    }
    return unit
  }

  private mutating func scalar(_ scalar: Unicode.Scalar) {
    let utf8 = Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    utf8.withUnsafeBytes { escape($0, isJSON: false) }
  }
}

/// Parts of pages that are made before it is known how many pages there are: what the pages say of themselves stands above them.
struct HeldHTML {
  private let scratch: PageScratch
  private var ends: [Int] = []

  init(_ scratch: PageScratch) { self.scratch = scratch }

  /// How many parts are held.
  var count: Int { ends.count }

  mutating func add(_ part: borrowing SafeHTML) throws {
    try part.withBytes { try scratch.append($0) }
    ends.append(scratch.count)
  }

  /// Writes the part of a place, from 0.
  func write(_ place: Int, to html: inout SafeHTML) throws {
    let start = place == 0 ? 0 : ends[place - 1]
    try html.append(ends[place] - start, of: scratch, at: start)
  }
}
