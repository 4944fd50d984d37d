/// A key with its escapes, quotes and colon ready, for keys that come again in every row.
public struct PreparedKey: Sendable, Hashable {
  /// `"name":`
  let bytes: [UInt8]

  private init(write: (inout JSONWriter) -> Void) {
    var writer = JSONWriter(capacity: 64)
    write(&writer)
    bytes = writer.withBytes { [UInt8]($0) }
  }

  /// One of the program's own keys, as it is.
  public init(_ name: StaticString) {
    self.init { $0.key(name) }
  }

  /// One of the program's own keys, as it is.
  public init(_ name: String) {
    self.init { $0.key(name) }
  }

  /// One of the program's own keys, as it is. Ill-formed UTF-8 is replaced as in ``JSONWriter/key(utf8:)``.
  public init(utf8: UnsafeBufferPointer<UInt8>) {
    self.init { $0.key(utf8: utf8) }
  }

  /// A key that comes from the account's data: one that begins with `$` gets one more.
  public static func user(_ name: String) -> PreparedKey {
    PreparedKey { $0.userKey(name) }
  }

  /// A key that comes from the account's data: one that begins with `$` gets one more.
  public static func user(utf8: UnsafeBufferPointer<UInt8>) -> PreparedKey {
    PreparedKey { $0.userKey(utf8: utf8) }
  }
}

extension JSONWriter {
  /// Writes one of the program's own keys, as it is.
  public mutating func key(_ name: StaticString) {
    name.withUTF8Buffer { key(utf8: $0) }
  }

  /// Writes one of the program's own keys, as it is.
  public mutating func key(_ name: String) {
    var name = name
    name.withUTF8 { key(utf8: $0) }
  }

  /// Writes one of the program's own keys, as it is.
  ///
  /// Ill-formed UTF-8, for which a JSON key has no form, is replaced by U+FFFD, one for each maximal ill-formed part. Two such keys may then
  /// be the same: whoever hands them over has to look.
  public mutating func key(utf8: UnsafeBufferPointer<UInt8>) {
    appendKey(utf8, doublesDollar: false)
  }

  /// Writes a key that was prepared.
  public mutating func key(_ prepared: PreparedKey) {
    beginKey()
    prepared.bytes.withUnsafeBytes { append($0) }
  }

  /// Writes a key that comes from the account's data: one that begins with `$` gets one more.
  public mutating func userKey(_ name: String) {
    var name = name
    name.withUTF8 { userKey(utf8: $0) }
  }

  /// Writes a key that comes from the account's data: one that begins with `$` gets one more. Ill-formed UTF-8 as in ``key(utf8:)``.
  public mutating func userKey(utf8: UnsafeBufferPointer<UInt8>) {
    appendKey(utf8, doublesDollar: true)
  }

  private mutating func appendKey(_ utf8: UnsafeBufferPointer<UInt8>, doublesDollar: Bool) {
    beginKey()
    append(UInt8(ascii: "\""))
    if doublesDollar && utf8.first == UInt8(ascii: "$") {
      append(UInt8(ascii: "$"))
    }
    appendRepaired(utf8)
    append("\":")
  }

  private mutating func appendRepaired(_ utf8: UnsafeBufferPointer<UInt8>) {
    var rest = utf8
    while true {
      let taken = appendEscaped(rest)
      if taken == rest.count { return }
      append("\u{FFFD}")
      rest = UnsafeBufferPointer(rebasing: rest[taken...])
      guard case .invalid(let size) = UTF8Sequence(at: rest.baseAddress!, count: rest.count) else { return }
      rest = UnsafeBufferPointer(rebasing: rest[size...])
    }
  }
}
