internal import AccountExport
internal import Files
internal import JSONReading

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Cuts a program's output into lines, and tells records from the rest. A record's line is checked here whole: what follows can rely on it.
///
/// Short lines lie in the buffer. A record that is longer goes through it into a file, so that memory stays flat; one that turns out to be
/// broken is passed over from there on.
struct LineFeed: ~Copyable {
  enum Line {
    /// A record, sound JSON: `text` is its line, and the object begins at `value`.
    case record
    /// Anything else.
    case other
    /// A record that isn't sound, and what is wrong with it.
    case damaged(String)
  }

  private let buffer: UnsafeMutableRawBufferPointer
  private var (start, end) = (0, 0)
  private var isAtEnd = false
  private let folder: PathBytes
  private let limits: JSONScanner.Limits
  private var spill: SpillFile?
  private var shape = RecordShape()
  /// The number of the line that was given last, from 1.
  private(set) var number = 0
  /// The line that was given last, until the next.
  private(set) var text = LineText(UnsafeRawBufferPointer(start: nil, count: 0))
  /// Where in it the record's object begins.
  private(set) var value = 0
  /// Whether the output ended within the line that was given last.
  private(set) var isCut = false

  /// Bytes that a line in memory may have; one that is no record may have no more.
  static let inMemory = 256 << 10

  /// A feed at the begin of an output.
  /// - Parameter folder: Where long lines lie meanwhile.
  init(folder: PathBytes, depth: Int) {
    self.folder = folder
    limits = JSONScanner.Limits(depth: depth, tokenBytes: 1 << 20)
    buffer = .allocate(byteCount: Self.inMemory, alignment: 16)
  }

  deinit { buffer.deallocate() }

  /// The next line that isn't blank; nil at the end of the output.
  mutating func next(_ program: inout RunningProgram) throws -> Line? {
    var scanned = start
    while true {
      if let newline = find(from: scanned) {
        let line = UnsafeRawBufferPointer(rebasing: buffer[start..<newline])
        start = newline + 1
        scanned = start
        if let found = take(line) { return found }
        continue
      }
      if isAtEnd {
        if start == end { return nil }
        let line = UnsafeRawBufferPointer(rebasing: buffer[start..<end])
        start = end
        isCut = true
        if let found = take(line) { return found }
        return nil
      }
      scanned = makeRoom()
      if end == buffer.count { return try takeLong(&program) }
      let count = try program.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
      end += count
      isAtEnd = count == 0
    }
  }

  private func find(from place: Int) -> Int? {
    guard place < end, let base = buffer.baseAddress, let found = memchr(base + place, 0x0A, end - place) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }

  /// Moves what is left to the front. Returns up to where it was looked through.
  private mutating func makeRoom() -> Int {
    if start > 0, let base = buffer.baseAddress {
      memmove(base, base + start, end - start)
      end -= start
      start = 0
    }
    return end
  }

  // MARK: Lines in memory

  /// Takes a line; nil where it is blank.
  private mutating func take(_ whole: UnsafeRawBufferPointer) -> Line? {
    number += 1
    var line = whole
    // One byte order mark at the very begin is passed over.
    if number == 1 && line.starts(with: [0xEF, 0xBB, 0xBF]) { line = UnsafeRawBufferPointer(rebasing: line[3...]) }
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return nil }
    text = LineText(line)
    guard let begin = Self.recordBegins(line) else { return .other }
    value = begin
    shape.reset()
    var scanner = JSONScanner(limits: limits)
    do throws(JSONError) {
      try scanner.feed(line, handler: &shape)
      try scanner.finish(handler: &shape)
      return .record
    } catch {
      return .damaged(error.message)
    }
  }

  /// Where the value begins in a line that begins `{"record":`, with white space anywhere; nil in any other.
  static func recordBegins(_ line: UnsafeRawBufferPointer) -> Int? {
    var place = 0
    func skipSpace() {
      while place < line.count && (line[place] == 0x20 || line[place] == 0x09) { place += 1 }
    }
    for token in ["{", "\"record\"", ":"] as [StaticString] {
      skipSpace()
      let length = token.utf8CodeUnitCount
      guard place + length <= line.count, token.withUTF8Buffer({ line[place..<(place + length)].elementsEqual($0) }) else { return nil }
      place += length
    }
    skipSpace()
    return place
  }

  // MARK: Long lines

  /// Takes a line that fills the buffer without having ended.
  private mutating func takeLong(_ program: inout RunningProgram) throws -> Line {
    number += 1
    guard let begin = Self.recordBegins(UnsafeRawBufferPointer(rebasing: buffer[start..<end])) else {
      throw ProgramFailure(line: number, "it has more than \(Self.inMemory) bytes and is no record")
    }
    value = begin
    shape.reset()
    let file = try spill ?? SpillFile(in: folder)
    spill = file
    try file.clear()
    var scanner = JSONScanner(limits: limits)
    var damage: String?
    while true {
      let newline = find(from: start)
      let piece = UnsafeRawBufferPointer(rebasing: buffer[start..<(newline ?? end)])
      if damage == nil {
        do throws(JSONError) { try scanner.feed(piece, handler: &shape) } catch { damage = error.message }
        if damage == nil { try file.append(piece) }
      }
      if let newline {
        start = newline + 1
        break
      }
      end = try program.read(into: buffer)
      start = 0
      isAtEnd = end == 0
      isCut = isAtEnd
      if isAtEnd { break }
    }
    if damage == nil {
      do throws(JSONError) { try scanner.finish(handler: &shape) } catch { damage = error.message }
    }
    try file.flush()
    text = LineText(file, from: 0, length: file.length)
    return damage.map { .damaged($0) } ?? .record
  }
}
