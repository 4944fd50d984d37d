/// A path or a name as the system keeps it: bytes, which need not be UTF-8, without a NUL.
///
/// Two paths are equal only if their bytes are: `String` would take `é` composed and decomposed for the same name.
public struct PathBytes: Hashable, Sendable {
  /// The bytes, without the NUL at the end.
  public let bytes: [UInt8]

  /// A path of these bytes, cut at the first NUL, which no path can hold.
  public init(_ bytes: some Sequence<UInt8>) {
    let all = Array(bytes)
    self.bytes = all.firstIndex(of: 0).map { Array(all[..<$0]) } ?? all
  }

  /// A path given as text.
  public init(_ text: String) {
    self.init(text.utf8)
  }

  /// The path as text; nil where it is no UTF-8.
  public var text: String? {
    String(validating: bytes, as: UTF8.self)
  }

  /// The path for a person to read: controls and invalid bytes as `\xNN`, so that no name can steer a terminal.
  public var display: String {
    let printable = text.map { $0.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && !Self.steers($0) } }
    if printable == true, let text { return text }
    var shown = ""
    for byte in bytes {
      if byte >= 0x20 && byte < 0x7F { shown.unicodeScalars.append(Unicode.Scalar(byte)) } else { shown += Self.escape(byte) }
    }
    return shown
  }

  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static func escape(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return byte < 16 ? "\\x0" + digits : "\\x" + digits
  }

  /// This path with a component after it.
  public func appending(_ component: PathBytes) -> PathBytes {
    if bytes.isEmpty { return component }
    return bytes.last == UInt8(ascii: "/") ? PathBytes(bytes + component.bytes) : PathBytes(bytes + [UInt8(ascii: "/")] + component.bytes)
  }

  /// Whether the path begins at the root of the file system.
  public var isAbsolute: Bool { bytes.first == UInt8(ascii: "/") }

  /// The last component, without slashes at the end; empty for `/` and for an empty path.
  public var lastComponent: PathBytes {
    let trimmed = trimmingSlashes
    guard let slash = trimmed.lastIndex(of: UInt8(ascii: "/")) else { return PathBytes(trimmed) }
    return PathBytes(trimmed[(slash + 1)...])
  }

  /// Everything before the last component: `.` where there is nothing.
  public var parent: PathBytes {
    let trimmed = trimmingSlashes
    guard let slash = trimmed.lastIndex(of: UInt8(ascii: "/")) else { return PathBytes(trimmed.isEmpty && isAbsolute ? "/" : ".") }
    return slash == 0 ? PathBytes("/") : PathBytes(trimmed[..<slash])
  }

  private var trimmingSlashes: ArraySlice<UInt8> {
    var end = bytes.count
    while end > 0 && bytes[end - 1] == UInt8(ascii: "/") { end -= 1 }
    return bytes[..<end]
  }

  /// Calls `body` with the path as C takes it. Short paths are put together on the stack.
  public func withCString<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outcome = withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { (copy) -> Swift.Result<Result, Failure> in
      for (index, byte) in bytes.enumerated() { copy[index] = CChar(bitPattern: byte) }
      copy[bytes.count] = 0
      do throws(Failure) { return .success(try body(copy.baseAddress!)) } catch { return .failure(error) }
    }
    return try outcome.get()
  }
}

extension PathBytes: CustomStringConvertible, ExpressibleByStringLiteral {
  /// The path for a person to read.
  public var description: String { display }

  /// A path written in code.
  public init(stringLiteral text: String) {
    self.init(text)
  }
}
