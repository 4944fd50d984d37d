/// A binary property list (bplist00), read in place: the object table with each object where it lies.
///
/// The format is CoreFoundation's (CFBinaryPList.c): a header, objects, a table of their offsets, and a trailer of 32 bytes. Every number in it may be
/// hostile. All bytes are reached through `number(at:size:)` and `slice`, after a check against `end`.
/// The pointer is only ever held inside the scope of the `withUnsafeBufferPointer` that gave it.
struct ObjectTable {
  let bytes: UnsafeBufferPointer<UInt8>
  /// Where objects end: the trailer's offset.
  let end: Int
  /// The number of objects.
  let count: Int
  /// The root object.
  let top: Int
  private let table: Int, offsetSize: Int, referenceSize: Int

  static let headerSize = 8, trailerSize = 32

  init(_ bytes: UnsafeBufferPointer<UInt8>, limits: PropertyListLimits) throws(PropertyListError) {
    if bytes.count > limits.bytes { throw PropertyListError(.tooLarge, at: limits.bytes) }
    guard bytes.starts(with: "bplist".utf8) else { throw PropertyListError(.notAPropertyList, at: 0) }
    guard bytes.count >= Self.headerSize + Self.trailerSize else { throw PropertyListError(.truncated, at: bytes.count) }
    // bplist00 and, as CoreFoundation, bplist01 … bplist09; bplist15, 16 and 17 are other formats.
    guard bytes[6] == UInt8(ascii: "0") else { throw PropertyListError(.unsupportedVersion, at: 6) }
    self.bytes = bytes
    end = bytes.count - Self.trailerSize
    offsetSize = Int(bytes[end + 6])
    referenceSize = Int(bytes[end + 7])
    guard 1...8 ~= offsetSize else { throw PropertyListError(.badTrailer, at: end + 6) }
    guard 1...8 ~= referenceSize else { throw PropertyListError(.badTrailer, at: end + 7) }
    let numbers = (Self.number(bytes, end + 8, 8), Self.number(bytes, end + 16, 8), Self.number(bytes, end + 24, 8))
    guard let count = Int(exactly: numbers.0), count > 0 else { throw PropertyListError(.badTrailer, at: end + 8) }
    if count > limits.objects { throw PropertyListError(.tooManyObjects, at: end + 8) }
    guard let top = Int(exactly: numbers.1), top < count else { throw PropertyListError(.badTrailer, at: end + 16) }
    guard let table = Int(exactly: numbers.2), table >= Self.headerSize, table < end, count <= (end - table) / offsetSize else {
      throw PropertyListError(.badTrailer, at: end + 24)
    }
    (self.count, self.top, self.table) = (count, top, table)
  }

  /// A number of 1 to 8 bytes, most significant first. The caller has checked that they are there.
  private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int, _ size: Int) -> UInt64 {
    var value: UInt64 = 0
    for index in offset..<offset + size { value = value << 8 | UInt64(bytes[index]) }
    return value
  }

  /// A number of 1 to 8 bytes, most significant first.
  func number(at offset: Int, size: Int) throws(PropertyListError) -> UInt64 {
    guard offset >= 0, size <= end - offset else { throw PropertyListError(.truncated, at: offset) }
    return Self.number(bytes, offset, size)
  }

  /// Where an object begins.
  func offset(of object: Int) throws(PropertyListError) -> Int {
    let place = table + object * offsetSize
    let offset = try number(at: place, size: offsetSize)
    guard offset >= Self.headerSize, offset < end else { throw PropertyListError(.badReference, at: place) }
    return Int(offset)
  }

  /// The reference at a place in a collection.
  func reference(_ list: ReferenceList, _ index: Int) throws(PropertyListError) -> Int {
    let place = list.offset + index * referenceSize
    let object = try number(at: place, size: referenceSize)
    guard object < count else { throw PropertyListError(.badReference, at: place) }
    return Int(object)
  }

  /// The references to a dictionary's values, which follow those to its keys.
  func values(_ keys: ReferenceList) -> ReferenceList {
    ReferenceList(offset: keys.offset + keys.count * referenceSize, count: keys.count)
  }

  /// What stands for an object.
  func object(_ reference: Int) throws(PropertyListError) -> ListObject {
    let offset = try offset(of: reference)
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0: return try singleton(marker, offset)
    case 0x1: return try integer(offset, log2: low)
    case 0x2: return try real(offset, log2: low)
    case 0x3 where low == 3: return .date(Double(bitPattern: try number(at: offset + 1, size: 8)))
    case 0x4: return .data(try extent(offset, low, unit: 1))
    case 0x5, 0x7: return .text(try extent(offset, low, unit: 1))
    case 0x6: return .utf16(try extent(offset, low, unit: 2))
    case 0x8: return .uid(try uid(offset, size: low + 1))
    case 0xA: return .array(.array, try references(offset, low, each: 1))
    case 0xB: return .array(.orderedSet, try references(offset, low, each: 1))
    case 0xC: return .array(.set, try references(offset, low, each: 1))
    case 0xD: return .dictionary(try references(offset, low, each: 2))
    default: throw PropertyListError(.badMarker, at: offset)
    }
  }

  private func singleton(_ marker: UInt8, _ offset: Int) throws(PropertyListError) -> ListObject {
    switch marker {
    case 0x00, 0x0F: .null  // 0x0F is a fill byte: room, and no value
    case 0x08: .boolean(false)
    case 0x09: .boolean(true)
    default: throw PropertyListError(.badMarker, at: offset)
    }
  }

  /// Integers of 1, 2 and 4 bytes are unsigned, of 8 signed; UInt64 beyond Int64.max takes 16.
  private func integer(_ offset: Int, log2: Int) throws(PropertyListError) -> ListObject {
    switch log2 {
    case 0...2: return .integer(Int64(try number(at: offset + 1, size: 1 << log2)))
    case 3: return .integer(Int64(bitPattern: try number(at: offset + 1, size: 8)))
    case 4:
      let high = try number(at: offset + 1, size: 8)
      let low = try number(at: offset + 9, size: 8)
      if high == 0 { return low > UInt64(Int64.max) ? .unsigned(low) : .integer(Int64(low)) }
      if high == .max, low > UInt64(Int64.max) { return .integer(Int64(bitPattern: low)) }
      throw PropertyListError(.integerTooLarge, at: offset)
    default: throw PropertyListError(.integerTooLarge, at: offset)
    }
  }

  private func real(_ offset: Int, log2: Int) throws(PropertyListError) -> ListObject {
    switch log2 {
    case 2: .single(Float(bitPattern: UInt32(try number(at: offset + 1, size: 4))))
    case 3: .real(Double(bitPattern: try number(at: offset + 1, size: 8)))
    default: throw PropertyListError(.badMarker, at: offset)
    }
  }

  private func uid(_ offset: Int, size: Int) throws(PropertyListError) -> UInt64 {
    if size <= 8 { return try number(at: offset + 1, size: size) }
    var rest = size
    while rest > 8 {
      if try number(at: offset + 1 + size - rest, size: 1) != 0 { throw PropertyListError(.integerTooLarge, at: offset) }
      rest -= 1
    }
    return try number(at: offset + 1 + size - 8, size: 8)
  }

  /// Where a data's or a text's bytes lie.
  private func extent(_ offset: Int, _ low: Int, unit: Int) throws(PropertyListError) -> Range<Int> {
    let (count, start) = try length(offset, low)
    guard count <= (end - start) / unit else { throw PropertyListError(.truncated, at: offset) }
    return start..<start + count * unit
  }

  private func references(_ offset: Int, _ low: Int, each: Int) throws(PropertyListError) -> ReferenceList {
    let (count, start) = try length(offset, low)
    guard count <= (end - start) / (referenceSize * each) else { throw PropertyListError(.truncated, at: offset) }
    return ReferenceList(offset: start, count: count)
  }

  /// A length, in the marker itself or, from 15 on, in an integer after it; and where the contents begin.
  private func length(_ offset: Int, _ low: Int) throws(PropertyListError) -> (count: Int, start: Int) {
    if low < 15 { return (low, offset + 1) }
    let marker = Int(try number(at: offset + 1, size: 1))
    guard 0x10...0x13 ~= marker else { throw PropertyListError(.badMarker, at: offset + 1) }
    let size = 1 << (marker & 0x0F)
    guard let count = Int(exactly: try number(at: offset + 2, size: size)) else { throw PropertyListError(.truncated, at: offset) }
    return (count, offset + 2 + size)
  }
}

/// References in a row: a collection's elements, or a dictionary's keys with as many values after them.
struct ReferenceList {
  let offset: Int
  let count: Int
}

/// One object of a binary list, where it lies.
enum ListObject {
  case null
  case boolean(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case real(Double)
  case single(Float)
  /// Seconds since 2001.
  case date(Double)
  case data(Range<Int>)
  /// ASCII or UTF-8.
  case text(Range<Int>)
  /// UTF-16, most significant byte first.
  case utf16(Range<Int>)
  case uid(UInt64)
  case array(PropertyListArrayKind, ReferenceList)
  case dictionary(ReferenceList)
}
