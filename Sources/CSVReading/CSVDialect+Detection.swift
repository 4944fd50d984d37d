extension CSVDialect {
  /// What a look at the first bytes of a text tells.
  public struct Guess: Hashable, Sendable {
    /// The dialect, with what was given and what was found.
    public var dialect: CSVDialect
    /// Where the records begin: behind Excel's line `sep=;`, where there is one.
    public var offset: Int
    /// The number of the line there, counted from 1.
    public var line: Int
    /// How many records the look saw, up to 200.
    public var records: Int
    /// How many fields the first record has.
    public var fields: Int
    /// How many of the records have as many fields as the first.
    public var alike: Int
  }

  /// Delimiters that are looked for, the likeliest first.
  public static let delimiters: [UInt8] = Array(",;\t|".utf8)

  /// Tells the delimiter of a text by its first bytes: the one named by a first line `sep=;`, else the one by which most records have as many fields as
  /// the first, between equals the one that makes more fields.
  /// - Parameters:
  ///   - head: The text's first bytes, some ten thousand of them.
  ///   - isWhole: Whether they are the whole text. Else the last record may be cut, and is not looked at.
  ///   - delimiter: The delimiter where it is known; nil to look for it.
  ///   - preferred: The delimiter that the text's name promises: it is the one where every record has as many fields by it as the first, more than one, and where
  ///     none makes two fields. A comma is the last resort where nil.
  public func guess(
    from head: UnsafeRawBufferPointer, isWhole: Bool, delimiter: UInt8? = nil, preferred: UInt8? = nil
  ) -> Guess {
    let mark = Self.separatorLine(head)
    let text = UnsafeRawBufferPointer(rebasing: head[(mark?.length ?? 0)...])
    var best: Guess?
    for candidate in [delimiter ?? mark?.delimiter].compactMap({ $0 }).nonEmpty ?? [preferred].compactMap({ $0 }) + Self.delimiters {
      var dialect = self
      dialect.delimiter = candidate
      let guess = dialect.count(in: text, isWhole: isWhole)
      if candidate == preferred && guess.fields > 1 && guess.alike == guess.records {
        best = guess
        break
      }
      if best.map({ guess.isBetter(than: $0) }) ?? true { best = guess }
    }
    var found = best ?? Guess(dialect: self, offset: 0, line: 1, records: 0, fields: 0, alike: 0)
    (found.offset, found.line) = (mark?.length ?? 0, mark == nil ? 1 : 2)
    return found
  }

  /// Excel's first line that names the delimiter, with or without quotes around it.
  private static func separatorLine(_ head: UnsafeRawBufferPointer) -> (delimiter: UInt8, length: Int)? {
    let end = head.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? head.endIndex
    var line = head[..<end]
    if line.count == 7, line.first == UInt8(ascii: "\""), line.last == UInt8(ascii: "\"") { line = line.dropFirst().dropLast() }
    guard line.count == 5, line.prefix(4).elementsEqual("sep=".utf8), let delimiter = line.last, delimiter < 0x80 else { return nil }
    let isPair = end + 1 < head.count && head[end] == 0x0D && head[end + 1] == 0x0A
    return (delimiter, min(head.count, end + (isPair ? 2 : 1)))
  }

  private func count(in head: UnsafeRawBufferPointer, isWhole: Bool) -> Guess {
    var counts: [Int] = []
    let bytes = Array(head)
    let limits = CSVLimits(recordBytes: max(64, bytes.count + 1), repeatedBytes: 4 * bytes.count)
    var reader = CSVReader(dialect: self, limits: limits) { buffer, offset in
      let rest = bytes[min(bytes.count, Int(offset))...].prefix(buffer.count)
      buffer.copyBytes(from: rest)
      return rest.count
    }
    do {
      while counts.count < 200, try reader.nextRecord() {
        // The last record of a part may be cut, and with it a quote.
        if !isWhole && reader.offset == UInt64(bytes.count) || reader.problem == .unterminatedQuote {
          // A first record without an end is all there is to tell the delimiter by: as far as it goes.
          if counts.isEmpty { counts = [reader.fieldCount] }
          break
        }
        counts.append(reader.fieldCount)
      }
    } catch {
      preconditionFailure("bytes in memory can't be read: \(error)")
    }
    let fields = counts.first ?? 0
    return Guess(dialect: self, offset: 0, line: 1, records: counts.count, fields: fields, alike: counts.count { $0 == fields })
  }
}

extension CSVDialect.Guess {
  fileprivate func isBetter(than other: Self) -> Bool {
    if (fields > 1) != (other.fields > 1) { return fields > 1 }
    if fields <= 1 { return false }
    let (own, others) = (alike * other.records, other.alike * records)
    return own != others ? own > others : fields > other.fields
  }
}

extension Array {
  fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
