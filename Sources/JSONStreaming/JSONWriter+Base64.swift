extension JSONWriter {
  /// Writes bytes as `{"$base64":"…"}` (RFC 4648, section 4: with padding).
  public mutating func bytes(_ bytes: UnsafeRawBufferPointer) {
    beginValue()
    appendBase64Object(bytes)
  }

  /// Appends `{"$base64":"…"}`, in a place where a value was begun.
  mutating func appendBase64Object(_ bytes: UnsafeRawBufferPointer) {
    append("{\"$base64\":")
    appendQuoted(base64: bytes)
    append("}")
  }

  /// Writes bytes as a string of base64 alone: for an object that has more to say of them.
  public mutating func base64(_ bytes: UnsafeRawBufferPointer) {
    beginValue()
    appendQuoted(base64: bytes)
  }

  private mutating func appendQuoted(base64 bytes: UnsafeRawBufferPointer) {
    append("\"")
    let whole = bytes.count - bytes.count % 3
    appendGroups(UnsafeRawBufferPointer(rebasing: bytes[..<whole]))
    var group: UInt32 = 0
    for byte in bytes[whole...] {
      group = group << 8 | UInt32(byte)
    }
    appendLastGroup(group, count: bytes.count - whole)
    append("\"")
  }

  /// Appends whole groups of three bytes, four characters each.
  mutating func appendGroups(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    let groups = bytes.count / 3
    let out = reserve(groups * 4)
    base64Alphabet.withUTF8Buffer { alphabet in
      let alphabet = alphabet.baseAddress!
      var from = source.assumingMemoryBound(to: UInt8.self)
      var to = out
      for _ in 0..<groups {
        let group = UInt(from[0]) &<< 16 | UInt(from[1]) &<< 8 | UInt(from[2])
        to[0] = alphabet[Int(group &>> 18)]
        to[1] = alphabet[Int(group &>> 12 & 63)]
        to[2] = alphabet[Int(group &>> 6 & 63)]
        to[3] = alphabet[Int(group & 63)]
        from += 3
        to += 4
      }
    }
    count &+= groups * 4
  }

  /// Appends what doesn't fill a group: none, one or two bytes, padded.
  mutating func appendLastGroup(_ group: UInt32, count rest: Int) {
    if rest == 0 { return }
    let bits = rest == 1 ? group << 16 : group << 8
    withUnsafeBytes(of: (bits << 8).bigEndian) { appendGroups(UnsafeRawBufferPointer(rebasing: $0[..<3])) }
    storage[count - 1] = UInt8(ascii: "=")
    if rest == 1 {
      storage[count - 2] = UInt8(ascii: "=")
    }
  }

  /// Writes 16 bytes as an upper-case UUID string (RFC 9562, section 4).
  public mutating func uuid(_ bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count == 16, "a UUID has 16 bytes")
    beginValue()
    append(UInt8(ascii: "\""))
    for (index, byte) in bytes.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 {
        append(UInt8(ascii: "-"))
      }
      append(upperHex(byte >> 4))
      append(upperHex(byte & 15))
    }
    append(UInt8(ascii: "\""))
  }

  private func upperHex(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10
  }
}

private let base64Alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
