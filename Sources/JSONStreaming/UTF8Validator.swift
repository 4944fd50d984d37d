/// Checks UTF-8 that comes in chunks, which may cut a code point; with no memory but three bytes.
///
/// For a caller that has to know whether a large value is text before it writes any of it.
public struct UTF8Validator: Sendable {
  /// Whether everything so far was valid. Once false, it stays so.
  public private(set) var isValid = true
  private var carry = UTF8Carry()

  /// A validator that has seen nothing.
  public init() {}

  /// Whether everything so far was valid, and no code point is left unfinished.
  public var isComplete: Bool { isValid && carry.count == 0 }

  /// Checks the next chunk and says whether everything so far was valid.
  @discardableResult
  public mutating func append(_ chunk: UnsafeBufferPointer<UInt8>) -> Bool {
    guard isValid, var bytes = chunk.baseAddress else { return isValid }
    var left = chunk.count
    if carry.count > 0 {
      switch carry.finish(with: &bytes, count: &left) {
      case .valid: carry.clear()
      case .cut: return true
      case .invalid:
        isValid = false
        return false
      }
    }
    check(bytes, left)
    return isValid
  }

  private mutating func check(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    var index = 0
    while index < count {
      while count &- index >= 8 && loadWord(bytes + index) & everyHighBit == 0 {
        index &+= 8
      }
      if index == count { return }
      switch UTF8Sequence(at: bytes + index, count: count &- index) {
      case .valid(let length): index &+= length
      case .cut:
        carry.keep(bytes + index, count: count &- index)
        return
      case .invalid:
        isValid = false
        return
      }
    }
  }
}

/// The begin of a code point that a chunk ended in: at most three bytes, and a fourth while it is finished.
struct UTF8Carry: Sendable {
  private(set) var count = 0
  /// Little-endian: the first byte is the lowest.
  private var word: UInt32 = 0

  mutating func keep(_ bytes: UnsafePointer<UInt8>, count length: Int) {
    word = 0
    count = length
    for index in 0..<length {
      word |= UInt32(bytes[index]) << UInt32(index * 8)
    }
  }

  mutating func clear() {
    count = 0
    word = 0
  }

  /// Takes bytes from the front of the next chunk until the code point is whole, or wrong, or the chunk is used up.
  mutating func finish(with bytes: inout UnsafePointer<UInt8>, count left: inout Int) -> UTF8Sequence {
    while left > 0 {
      word |= UInt32(bytes[0]) << UInt32(count * 8)
      count += 1
      bytes += 1
      left -= 1
      let found = withBytes { UTF8Sequence(at: $0, count: count) }
      if found != .cut {
        return found
      }
    }
    return .cut
  }

  func withBytes<R>(_ body: (UnsafePointer<UInt8>) -> R) -> R {
    withUnsafeBytes(of: word.littleEndian) { body($0.baseAddress!.assumingMemoryBound(to: UInt8.self)) }
  }
}
