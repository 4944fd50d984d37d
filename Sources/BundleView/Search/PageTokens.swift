/// The different tokens of one page: runs of letters, digits and marks as they are folded for the search, of 32 code points at most; of a script without
/// spaces each pair of neighbours, and the last letter.
struct PageTokens {
  static let longest = 32

  /// The tokens' bytes, one behind the other, and where each ends.
  private(set) var bytes: [UInt8] = []
  private(set) var ends: [Int] = []
  private var table = [UInt32](repeating: 0, count: 4096)
  private var hashes: [UInt32] = []
  private var letters = Letters()

  // The run that is being read; its bytes stand behind those of the tokens.
  private var length = 0
  private var hash = seed
  /// The letter before, of a script without spaces.
  private var lastUnspaced: [UInt8] = []

  private static let seed: UInt32 = 0x811C_9DC5

  var count: Int { ends.count }

  /// Where a token's bytes stand.
  func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    hashes.removeAll(keepingCapacity: true)
    for index in table.indices { table[index] = 0 }
  }

  /// A letter's lower case for ASCII letters and digits, 0 for what stands between words.
  private static let ascii: [UInt8] = (0..<128).map { byte in
    switch UInt8(byte) {
    case 0x30...0x39, 0x61...0x7A: UInt8(byte)
    case 0x41...0x5A: UInt8(byte) + 32
    default: 0
    }
  }

  /// Adds the tokens of what HTML of ours shows: tags and references to characters stand between words.
  mutating func add(html: UnsafeRawBufferPointer) {
    Self.ascii.withUnsafeBufferPointer { ascii in
      var index = 0
      while index < html.count {
        let byte = html[index]
        if byte >= 0x80 {
          index += addLetter(html, at: index)
          continue
        }
        let lower = ascii[Int(byte)]
        if lower != 0 {
          if length == 0 && lastUnspaced.isEmpty {
            index = addWord(html, at: index, ascii)
            continue
          }
          if !lastUnspaced.isEmpty { endRun() }
          if length < Self.longest { append(lower) }
          length += 1
        } else {
          endRun()
          if byte == UInt8(ascii: "<") { index = Self.skip(html, from: index, to: UInt8(ascii: ">")) }
          if byte == UInt8(ascii: "&") { index = Self.skip(html, from: index, to: UInt8(ascii: ";")) }
        }
        index += 1
      }
      endRun()
    }
  }

  /// Takes a run of ASCII, and gives the place behind it. Most are on the page already, and cost a look at the table only.
  @inline(__always)
  private mutating func addWord(_ html: UnsafeRawBufferPointer, at start: Int, _ ascii: UnsafeBufferPointer<UInt8>) -> Int {
    var (end, hash) = (start, Self.seed)
    while end < html.count, html[end] < 0x80, ascii[Int(html[end])] != 0 {
      if end - start < Self.longest { hash = (hash ^ UInt32(ascii[Int(html[end])])) &* 0x0100_0193 }
      end += 1
    }
    let isWhole = end == html.count || html[end] < 0x80
    let kept = min(end - start, Self.longest)
    if isWhole && isKnown(UnsafeRawBufferPointer(rebasing: html[start..<start + kept]), hash, ascii) { return end }
    for place in start..<start + kept { append(ascii[Int(html[place])]) }
    length = end - start
    return end
  }

  /// Whether a word is among the tokens.
  private func isKnown(_ word: UnsafeRawBufferPointer, _ hash: UInt32, _ ascii: UnsafeBufferPointer<UInt8>) -> Bool {
    var place = Int(hash) & (table.count - 1)
    while table[place] != 0 {
      let index = Int(table[place]) - 1
      if hashes[index] == hash && isEqual(range(index), word, ascii) { return true }
      place = (place + 1) & (table.count - 1)
    }
    return false
  }

  private func isEqual(_ range: Range<Int>, _ word: UnsafeRawBufferPointer, _ ascii: UnsafeBufferPointer<UInt8>) -> Bool {
    if range.count != word.count { return false }
    for offset in 0..<word.count where bytes[range.lowerBound + offset] != ascii[Int(word[offset])] { return false }
    return true
  }

  private static func skip(_ html: UnsafeRawBufferPointer, from start: Int, to end: UInt8) -> Int {
    var index = start
    while index < html.count, html[index] != end { index += 1 }
    return index
  }

  @inline(__always)
  private mutating func append(_ byte: UInt8) {
    bytes.append(byte)
    hash = (hash ^ UInt32(byte)) &* 0x0100_0193
  }

  /// Takes a letter beyond ASCII, and says how many bytes it has.
  private mutating func addLetter(_ text: UnsafeRawBufferPointer, at index: Int) -> Int {
    let lead = text[index]
    let size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
    guard index + size <= text.count, lead >= 0xC2 else { return 1 }
    var value = UInt32(lead) & (0x7F >> UInt32(size))
    for offset in 1..<size { value = value << 6 | UInt32(text[index + offset] & 0x3F) }
    let letter = letters.look(value)
    switch letter.kind {
    case .none: endRun()
    case .dropped: break
    case .letter:
      if !lastUnspaced.isEmpty { endRun() }
      if length < Self.longest { append(letter) }
      length += 1
    case .unspaced:
      if lastUnspaced.isEmpty { endRun() }
      addUnspaced(letter)
    }
    return size
  }

  private mutating func append(_ letter: Letters.Letter) {
    if let long = letter.long { return long.forEach { append($0) } }
    for index in 0..<letter.size { append(UInt8(truncatingIfNeeded: letter.word >> UInt32(8 * index))) }
  }

  /// A letter of a script without spaces makes a token with the one before it.
  private mutating func addUnspaced(_ letter: Letters.Letter) {
    let isPair = !lastUnspaced.isEmpty
    for byte in lastUnspaced { append(byte) }
    let start = bytes.count
    append(letter)
    lastUnspaced.removeAll(keepingCapacity: true)
    lastUnspaced.append(contentsOf: bytes[start...])
    if isPair { take() } else { forget() }
  }

  private mutating func endRun() {
    if !lastUnspaced.isEmpty {
      for byte in lastUnspaced { append(byte) }
      lastUnspaced.removeAll(keepingCapacity: true)
      take()
    } else if length > 0 {
      take()
    }
  }

  private mutating func forget() {
    bytes.removeSubrange((ends.last ?? 0)...)
    (length, hash) = (0, Self.seed)
  }

  /// Makes a token of the bytes behind the last one, unless the page has it already.
  private mutating func take() {
    let start = ends.last ?? 0
    var place = Int(hash) & (table.count - 1)
    while table[place] != 0 {
      let index = Int(table[place]) - 1
      if hashes[index] == hash && isEqual(range(index), start) { return forget() }
      place = (place + 1) & (table.count - 1)
    }
    ends.append(bytes.count)
    hashes.append(hash)
    table[place] = UInt32(ends.count)
    (length, hash) = (0, Self.seed)
    if ends.count * 2 > table.count { grow() }
  }

  private func isEqual(_ range: Range<Int>, _ start: Int) -> Bool {
    if range.count != bytes.count - start { return false }
    for offset in 0..<range.count where bytes[range.lowerBound + offset] != bytes[start + offset] { return false }
    return true
  }

  private mutating func grow() {
    table = [UInt32](repeating: 0, count: table.count * 2)
    for (index, hash) in hashes.enumerated() {
      var place = Int(hash) & (table.count - 1)
      while table[place] != 0 { place = (place + 1) & (table.count - 1) }
      table[place] = UInt32(index + 1)
    }
  }
}
