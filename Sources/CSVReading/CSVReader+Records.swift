extension CSVReader {
  /// How a field ended.
  enum Ending { case delimiter, line, text }

  /// Reads one record, also an empty line; false at the end of the text.
  mutating func record() throws -> Bool {
    beginRecord()
    if next == filled, try !fill() { return false }
    while true {
      switch try field() {
      case .delimiter: continue
      case .line, .text: return true
      case nil:
        // A quote without an end: the same record once more, knowing that.
        repeats += 1
        repeatedBytes += min(relative, Int(brokenQuote - recordOffset) + limits.quotedBytes)
        seek(to: recordOffset, line: recordLine)
        beginRecord()
        if repeats > 8 && repeatedBytes > limits.repeatedBytes {
          (quotesAreText, problem) = (true, .quotesGivenUp)
        } else {
          problem = .unterminatedQuote
        }
      }
    }
  }

  /// Reads a field, and what ends it; nil where a quote has no end.
  private mutating func field() throws -> Ending? {
    if next == filled, try !fill() {
      append(Field(start: relative, end: relative, rawEnd: relative, isQuoted: false))
      return .text
    }
    guard let quote = dialect.quote, base[next] == quote, !quotesAreText else {
      return try plain(Field(start: relative, end: relative, rawEnd: 0, isQuoted: false))
    }
    let place = offset
    next &+= 1
    var field = Field(start: relative, end: relative, rawEnd: 0, isQuoted: true)
    if place == brokenQuote { return try restOfLine(field) }
    if try quoted(quote, &field) { return try plain(field) }
    brokenQuote = place
    return nil
  }

  /// Reads what is not in quotes: a whole field, or what follows behind its quotes.
  private mutating func plain(_ begun: Field) throws -> Ending {
    var field = begun
    let (delimiter, escape) = (dialect.delimiter, dialect.escape ?? dialect.delimiter)
    while true {
      take(to: find(delimiter, 0x0A, 0x0D, escape), &field)
      if next == filled {
        if try fill() { continue }
        return end(field, .text)
      }
      let byte = base[next]
      if byte == delimiter {
        let ending = end(field, .delimiter)
        next &+= 1
        return ending
      }
      if byte == escape {
        try takeEscaped(&field)
        continue
      }
      let ending = end(field, .line)
      try takeLineEnd(byte)
      return ending
    }
  }

  /// Reads to the quote that ends the field, and an escape right behind it, which is text there; false where there is no such quote.
  private mutating func quoted(_ quote: UInt8, _ field: inout Field) throws -> Bool {
    let escape = dialect.escape ?? quote
    let firstLine = line
    while true {
      take(to: find(quote, 0x0A, 0x0D, escape), &field)
      if relative - field.start > limits.quotedBytes { return false }
      if next == filled {
        if try !fill() { return false }
        continue
      }
      let byte = base[next]
      if byte == quote {
        next &+= 1
        guard dialect.doublesQuotes else { return true }
        if next == filled, try !fill() { return true }
        let following = base[next]
        if following != quote {
          if following == dialect.delimiter || following == 0x0A || following == 0x0D { return true }
          // A quote in the middle of a text some lines further is no end of this field: its own end is missing, and that one begins another.
          if line > firstLine { return false }
          if following == dialect.escape { takeByte(following, &field) }
          return true
        }
        takeByte(quote, &field)
      } else if byte == escape {
        try takeEscaped(&field)
      } else {
        countLine(byte)
        takeByte(byte, &field)
      }
    }
  }

  /// Reads a field that begins with a quote without an end: it goes to the end of the line.
  private mutating func restOfLine(_ begun: Field) throws -> Ending {
    var field = begun
    while true {
      take(to: find(0x0A, 0x0D, 0x0A, 0x0D), &field)
      if next == filled {
        if try fill() { continue }
        return end(field, .text)
      }
      let byte = base[next]
      let ending = end(field, .line)
      try takeLineEnd(byte)
      return ending
    }
  }

  // MARK: Bytes

  /// Makes the bytes from `next` up to a place of the buffer part of a field's content. They move up where something before them was none.
  @inline(__always)
  private mutating func take(to place: Int, _ field: inout Field) {
    let count = place &- next
    if !isLong && count > 0 && field.end != relative {
      (base + (recordStart &+ field.end)).update(from: base + next, count: count)
    }
    field.end &+= count
    next = place
  }

  @inline(__always)
  private mutating func takeByte(_ byte: UInt8, _ field: inout Field) {
    if !isLong { base[recordStart &+ field.end] = byte }
    field.end &+= 1
    next &+= 1
  }

  /// Passes over the escape, and takes what stands behind it as it is; at the end of the text, the escape itself.
  private mutating func takeEscaped(_ field: inout Field) throws {
    let escape = base[next]
    next &+= 1
    if next == filled, try !fill() {
      if !isLong { base[recordStart + field.end] = escape }
      field.end += 1
      return
    }
    countLine(base[next])
    takeByte(base[next], &field)
  }

  private mutating func end(_ begun: Field, _ ending: Ending) -> Ending {
    var field = begun
    field.rawEnd = relative
    append(field)
    return ending
  }

  /// Passes over the end of a line.
  private mutating func takeLineEnd(_ byte: UInt8) throws {
    countLine(byte)
    next &+= 1
    if byte == 0x0A { return }
    if next == filled, try !fill() { return }
    if base[next] == 0x0A {
      countLine(0x0A)
      next &+= 1
    }
  }

  /// Counts a line at the next byte, where it ends one; CR LF end one line.
  @inline(__always)
  private mutating func countLine(_ byte: UInt8) {
    if byte == 0x0D {
      offsetAfterReturn = offset &+ 1
    } else if byte != 0x0A || offset == offsetAfterReturn {
      return
    }
    line += 1
  }

  /// The place of the next byte in the window that is one of four; `filled` where there is none. Eight bytes at a time.
  @inline(__always)
  private func find(_ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let (a8, b8, c8, d8) = (UInt64(a) &* ones, UInt64(b) &* ones, UInt64(c) &* ones, UInt64(d) &* ones)
    var place = next
    while filled &- place >= 8 {
      let word = UInt64(littleEndian: UnsafeRawPointer(base + place).loadUnaligned(as: UInt64.self))
      let (x, y, z, w) = (word ^ a8, word ^ b8, word ^ c8, word ^ d8)
      // A byte's high bit is set where it is one of the four. A borrow may set it wrongly in a byte above such a one: only the lowest counts.
      let found = ((x &- ones) & ~x | (y &- ones) & ~y | (z &- ones) & ~z | (w &- ones) & ~w) & (ones &* 0x80)
      if found != 0 { return place &+ found.trailingZeroBitCount &>> 3 }
      place &+= 8
    }
    while place < filled {
      let byte = base[place]
      if byte == a || byte == b || byte == c || byte == d { break }
      place &+= 1
    }
    return place
  }
}
