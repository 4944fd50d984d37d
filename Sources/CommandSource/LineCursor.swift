/// A place in a line that is known to be JSON. Lines in memory are read where they are, those in a file through a window.
struct LineCursor: ~Copyable {
  private var base: UnsafePointer<UInt8>
  private var index = 0
  private var count = 0
  /// Where in the line the window begins.
  private var origin = 0
  private var text: LineText
  private var window: UnsafeMutableRawBufferPointer

  private static let windowSize = 64 << 10

  init() {
    window = .allocate(byteCount: Self.windowSize, alignment: 16)
    base = UnsafePointer(window.baseAddress!.assumingMemoryBound(to: UInt8.self))
    text = LineText(UnsafeRawBufferPointer(rebasing: window[..<0]))
  }

  deinit { window.deallocate() }

  /// Begins a line.
  mutating func open(_ line: LineText) {
    text = line
    (index, origin, count) = (0, 0, 0)
    base = UnsafePointer(window.baseAddress!.assumingMemoryBound(to: UInt8.self))
    if let memory = line.memory, let start = memory.baseAddress {
      base = start.assumingMemoryBound(to: UInt8.self)
      count = memory.count
    }
  }

  /// Bytes of the line before this place.
  var offset: Int { origin + index }

  /// Goes to a place.
  mutating func seek(to offset: Int) {
    if offset >= origin && offset <= origin + count {
      index = offset - origin
    } else {
      (origin, index, count) = (offset, 0, 0)
    }
  }

  /// Fills the window again; false at the line's end.
  private mutating func refill() throws -> Bool {
    guard let file = text.file, offset < text.length else { return false }
    origin = offset
    let wanted = min(window.count, text.length - origin)
    count = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: window[..<wanted]), at: text.fileStart + origin)
    index = 0
    return count > 0
  }

  /// The byte here; 0 at the line's end.
  mutating func peek() throws -> UInt8 {
    if index == count, try !refill() { return 0 }
    return base[index]
  }

  /// The byte here, and goes on.
  mutating func next() throws -> UInt8 {
    let byte = try peek()
    if index < count { index += 1 }
    return byte
  }

  /// The next byte that is no white space; stays before it.
  mutating func token() throws -> UInt8 {
    while true {
      let byte = try peek()
      if byte > 0x20 || byte == 0 { return byte }
      index += 1
    }
  }

  /// Passes over white space and one byte.
  mutating func skipToken() throws {
    _ = try token()
    if index < count { index += 1 }
  }

  // MARK: Strings

  /// All of a string that lies in the window and has no escapes; behind its opening quote. It goes on behind the closing one. Nil stays here.
  mutating func plainText() throws -> UnsafeBufferPointer<UInt8>? {
    _ = try peek()
    var place = index
    while place < count {
      let byte = base[place]
      if byte == UInt8(ascii: "\"") {
        let whole = UnsafeBufferPointer(start: base + index, count: place - index)
        index = place + 1
        return whole
      }
      if byte == UInt8(ascii: "\\") { return nil }
      place += 1
    }
    return nil
  }

  /// The next bytes of a string with its escapes resolved, never a part of a code point that an escape made; 0 once the closing quote is passed.
  mutating func text(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    var filled = 0
    while filled + 4 <= buffer.count {
      let byte = try next()
      if byte == UInt8(ascii: "\"") {
        // The quote is met again by the call that says that this was all.
        if filled > 0 { index -= 1 }
        return filled
      }
      if byte == UInt8(ascii: "\\") {
        filled += Self.write(try escaped(), to: buffer, at: filled)
      } else {
        buffer[filled] = byte
        filled += 1
      }
    }
    return filled
  }

  /// What the escape stands for whose backslash was passed. Halves of surrogate pairs come in pairs: the line was checked.
  private mutating func escaped() throws -> UInt32 {
    switch try next() {
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "u"):
      let unit = try digits()
      guard 0xD800...0xDBFF ~= unit else { return unit }
      _ = (try next(), try next())
      return 0x10000 + (unit - 0xD800) << 10 + (try digits() - 0xDC00)
    case let plain: return UInt32(plain)
    }
  }

  private mutating func digits() throws -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      let digit = try next()
      value = value << 4 | UInt32(digit <= UInt8(ascii: "9") ? digit - UInt8(ascii: "0") : (digit | 0x20) - UInt8(ascii: "a") + 10)
    }
    return value
  }

  private static func write(_ value: UInt32, to buffer: UnsafeMutableRawBufferPointer, at place: Int) -> Int {
    guard let scalar = Unicode.Scalar(value), let bytes = UTF8.encode(scalar) else { return 0 }
    var count = 0
    for byte in bytes {
      buffer[place + count] = byte
      count += 1
    }
    return count
  }

  // MARK: Passing over values

  /// Passes over a string whose opening quote was passed.
  mutating func skipText() throws {
    while true {
      while index < count && base[index] != UInt8(ascii: "\"") && base[index] != UInt8(ascii: "\\") { index += 1 }
      switch try next() {
      case UInt8(ascii: "\""), 0: return
      case UInt8(ascii: "\\"): _ = try next()
      default: break
      }
    }
  }

  /// Passes over a value.
  mutating func skipValue() throws {
    var depth = 0
    repeat {
      switch try token() {
      case UInt8(ascii: "\""):
        index += 1
        try skipText()
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        index += 1
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        index += 1
        depth -= 1
      case UInt8(ascii: ","), UInt8(ascii: ":"): index += 1
      case 0: return
      default: try skipScalar()
      }
    } while depth > 0
  }

  /// Passes over a number or a word.
  private mutating func skipScalar() throws {
    while Self.isOfScalar(try peek()) { index += 1 }
  }

  /// The bytes of a number: where they are, or copied to `scratch` where the window cuts them.
  mutating func number<Result>(_ scratch: inout [UInt8], _ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    _ = try peek()
    let first = index
    while index < count && Self.isOfScalar(base[index]) { index += 1 }
    if index < count || text.memory != nil { return try body(UnsafeRawBufferPointer(start: base + first, count: index - first)) }
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: UnsafeBufferPointer(start: base + first, count: index - first))
    while Self.isOfScalar(try peek()) {
      scratch.append(base[index])
      index += 1
    }
    return try scratch.withUnsafeBytes { try body($0) }
  }

  private static func isOfScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "E"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}
