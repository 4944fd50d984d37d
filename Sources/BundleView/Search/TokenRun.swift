internal import AccountExport

/// Tokens of some pages, in the order of their bytes, each with its pages.
protocol TokenRun {
  /// The present token, and its pages in ascending order.
  var token: [UInt8] { get }
  var pages: [UInt32] { get }
  /// Goes to the next token; false where there is none.
  mutating func advance() throws -> Bool
}

/// Tokens with the page that each is on, while they are in memory.
struct TokenTable {
  private struct Entry {
    /// The first eight bytes, so that most comparisons are of numbers.
    let key: UInt64
    let start: UInt32, length: UInt32
    let page: UInt32
  }

  private var entries: [Entry] = []
  private var bytes: [UInt8] = []

  /// Whether it has grown so large that it should go to the disk.
  var isFull: Bool { entries.count >= 120_000 || bytes.count >= 2 << 20 }
  var isEmpty: Bool { entries.isEmpty }
  /// No more than so many bytes are written of it in the index.
  var longestWritten: Int { bytes.count + entries.count * 14 }

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Adds the tokens of a page, which comes after all pages so far.
  mutating func add(_ tokens: PageTokens, page: Int) {
    let base = bytes.count
    bytes.append(contentsOf: tokens.bytes[..<(tokens.ends.last ?? 0)])
    bytes.withUnsafeBufferPointer { bytes in
      for index in 0..<tokens.count {
        let range = tokens.range(index)
        var key: UInt64 = 0
        for offset in 0..<min(8, range.count) { key |= UInt64(bytes[base + range.lowerBound + offset]) << UInt64(56 - 8 * offset) }
        entries.append(Entry(key: key, start: UInt32(base + range.lowerBound), length: UInt32(range.count), page: UInt32(page)))
      }
    }
  }

  mutating func sort() {
    bytes.withUnsafeBufferPointer { bytes in
      entries.sort { left, right in
        if left.key != right.key { return left.key < right.key }
        if left.length > 8 || right.length > 8 {
          let order = Self.compare(left, right, bytes)
          if order != 0 { return order < 0 }
        }
        return left.page < right.page
      }
    }
  }

  private static func compare(_ left: Entry, _ right: Entry, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let common = Int(min(left.length, right.length))
    for offset in min(8, common)..<common {
      let difference = Int(bytes[Int(left.start) + offset]) - Int(bytes[Int(right.start) + offset])
      if difference != 0 { return difference }
    }
    return Int(left.length) - Int(right.length)
  }

  /// A table that is sorted, to be read from its begin.
  struct Reader: TokenRun {
    private let table: TokenTable
    private var next = 0
    private(set) var token: [UInt8] = []
    private(set) var pages: [UInt32] = []

    init(_ table: TokenTable) { self.table = table }

    mutating func advance() -> Bool {
      guard next < table.entries.count else { return false }
      let first = table.entries[next]
      token.removeAll(keepingCapacity: true)
      token.append(contentsOf: table.bytes[Int(first.start)..<Int(first.start + first.length)])
      pages.removeAll(keepingCapacity: true)
      while next < table.entries.count {
        let entry = table.entries[next]
        guard entry.key == first.key, entry.length == first.length else { break }
        if entry.length > 8, table.bytes.withUnsafeBufferPointer({ TokenTable.compare(first, entry, $0) }) != 0 { break }
        pages.append(entry.page)
        next += 1
      }
      return true
    }
  }
}

/// Tokens that wait in a spool: a length, the bytes, how many pages, and those.
struct SpooledTokens: TokenRun {
  private let scratch: PageScratch
  private var offset: Int
  private let end: Int
  private var buffer = [UInt8](repeating: 0, count: 16 << 10)
  private var place = 0, filled = 0
  private(set) var token: [UInt8] = []
  private(set) var pages: [UInt32] = []

  private init(scratch: PageScratch, offset: Int, end: Int) { (self.scratch, self.offset, self.end) = (scratch, offset, end) }

  /// Writes a sorted table behind what the spool has.
  static func write(_ table: TokenTable, to scratch: PageScratch) throws -> SpooledTokens {
    let start = scratch.count
    var reader = TokenTable.Reader(table)
    var out: [UInt8] = []
    while reader.advance() {
      append(UInt32(reader.token.count), to: &out)
      out.append(contentsOf: reader.token)
      append(UInt32(reader.pages.count), to: &out)
      for page in reader.pages { append(page, to: &out) }
      if out.count >= 32 << 10 {
        try out.withUnsafeBytes { try scratch.append($0) }
        out.removeAll(keepingCapacity: true)
      }
    }
    try out.withUnsafeBytes { try scratch.append($0) }
    return SpooledTokens(scratch: scratch, offset: start, end: scratch.count)
  }

  private static func append(_ number: UInt32, to out: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { out.append(contentsOf: $0) }
  }

  mutating func advance() throws -> Bool {
    if offset >= end && place == filled { return false }
    let length = try number()
    token.removeAll(keepingCapacity: true)
    for _ in 0..<length { token.append(try byte()) }
    let count = try number()
    pages.removeAll(keepingCapacity: true)
    for _ in 0..<count { pages.append(try number()) }
    return true
  }

  private mutating func number() throws -> UInt32 {
    var number: UInt32 = 0
    for shift in stride(from: UInt32(0), to: 32, by: 8) { number |= UInt32(try byte()) << shift }
    return number
  }

  private mutating func byte() throws -> UInt8 {
    if place == filled {
      let (scratch, offset, wanted) = (scratch, offset, min(buffer.count, end - offset))
      filled = try buffer.withUnsafeMutableBytes {
        try scratch.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[..<wanted]), at: offset)
      }
      if filled == 0 { throw ExportError(.output, "the staging folder lost part of a spool") }
      (self.offset, place) = (offset + filled, 0)
    }
    place += 1
    return buffer[place - 1]
  }
}
