internal import AccountExport

/// Writes values of a line, in the protocol's forms, into a row.
struct ValueCopy: ~Copyable {
  var cursor = LineCursor()
  private var text: [UInt8] = []
  private var digits: [UInt8] = []
  private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
  private let second = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
  /// Whether each open level of the value is an object.
  private var levels: [Bool] = []
  private(set) var missingFiles = 0

  deinit {
    piece.deallocate()
    second.deallocate()
  }

  mutating func begin(_ line: LineText) {
    cursor.open(line)
    missingFiles = 0
  }

  /// A key of the account's own: `$$name` stands for `$name`, and `$name` is for this protocol's forms.
  static func name(_ key: UnsafeBufferPointer<UInt8>) throws -> UnsafeBufferPointer<UInt8> {
    guard key.first == UInt8(ascii: "$") else { return key }
    guard key.count > 1, key[1] == UInt8(ascii: "$") else {
      throw RecordProblem("a key begins with one $, which is for this protocol's forms; write $$ for a $ of its own")
    }
    return UnsafeBufferPointer(rebasing: key[1...])
  }

  // MARK: A column's value

  /// Writes the value here, which is a column's.
  mutating func write(
    _ column: Int, isMoment: Bool, isLong: Bool, to row: inout RowWriter, _ keys: inout PrimaryKeyCheck
  ) throws {
    switch try cursor.token() {
    case UInt8(ascii: "n"):
      row.null()
      keys.add(column, nil)
    case let letter where letter == UInt8(ascii: "t") || letter == UInt8(ascii: "f"):
      keys.giveUp(column)
      row.boolean(letter == UInt8(ascii: "t"))
    case UInt8(ascii: "\""): try writeText(column, isMoment: isMoment, isLong: isLong, to: &row, &keys)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      keys.giveUp(column)
      if isMoment, let moment = try momentForm() { return row.moment(moment) }
      try row.nested(isLarge: isLong) { (nested) throws in try write(nested: &nested) }
    default:
      try cursor.number(&digits) { number in
        keys.add(column, number: number)
        switch WholeNumber(number) {
        case .signed(let value): row.integer(value)
        case .unsigned(let value): row.unsigned(value)
        case nil: try row.number(digits: number)
        }
      }
    }
  }

  private mutating func writeText(
    _ column: Int, isMoment: Bool, isLong: Bool, to row: inout RowWriter, _ keys: inout PrimaryKeyCheck
  ) throws {
    try cursor.skipToken()
    if isLong {
      keys.giveUp(column)
      // The line was checked to be UTF-8.
      _ = try row.largeText { (buffer) throws in try cursor.text(into: buffer) }
      return
    }
    if let plain = try cursor.plainText() { return Self.write(plain, column, isMoment, to: &row, &keys) }
    try cursor.whole(into: &text)
    text.withUnsafeBufferPointer { Self.write($0, column, isMoment, to: &row, &keys) }
  }

  private static func write(
    _ text: UnsafeBufferPointer<UInt8>, _ column: Int, _ isMoment: Bool, to row: inout RowWriter, _ keys: inout PrimaryKeyCheck
  ) {
    keys.add(column, text)
    if isMoment, let moment = WrittenMoment(text)?.exactTimestamp { row.moment(moment) } else { row.text(text) }
  }

  /// The moment of a `{"$date": "…"}`, if this is one that a timestamp holds; the cursor stays where it is if not.
  private mutating func momentForm() throws -> Timestamp? {
    let start = cursor.offset
    if try cursor.next() == UInt8(ascii: "{"), try cursor.token() == UInt8(ascii: "\"") {
      try cursor.skipToken()
      if let key = try cursor.plainText(), key.elementsEqual("$date".utf8) {
        try cursor.skipToken()
        if try cursor.token() == UInt8(ascii: "\"") {
          try cursor.skipToken()
          if let written = try cursor.plainText(), let moment = WrittenMoment(written)?.exactTimestamp,
            try cursor.token() == UInt8(ascii: "}")
          {
            return moment
          }
        }
      }
    }
    cursor.seek(to: start)
    return nil
  }

  // MARK: Values in one another

  private mutating func write(nested: inout NestedWriter) throws {
    levels.removeAll(keepingCapacity: true)
    repeat {
      switch try cursor.token() {
      case UInt8(ascii: "{"): try beginObject(&nested)
      case UInt8(ascii: "["):
        try cursor.skipToken()
        try nested.beginArray()
        levels.append(false)
      case UInt8(ascii: "}"):
        try cursor.skipToken()
        nested.endObject()
        levels.removeLast()
      case UInt8(ascii: "]"):
        try cursor.skipToken()
        nested.endArray()
        levels.removeLast()
      case UInt8(ascii: ","):
        try cursor.skipToken()
        if levels.last == true { try writeKey(&nested) }
      default: try writeScalar(&nested)
      }
    } while !levels.isEmpty
  }

  /// Begins an object with its first key, or writes the form that it is.
  private mutating func beginObject(_ nested: inout NestedWriter) throws {
    try cursor.skipToken()
    let start = cursor.offset
    if try cursor.token() == UInt8(ascii: "}") {
      try nested.beginObject()
      levels.append(true)
      return
    }
    try cursor.skipToken()
    try cursor.whole(into: &text)
    if text.first == UInt8(ascii: "$") && (text.count < 2 || text[1] != UInt8(ascii: "$")) {
      try cursor.skipToken()
      try writeForm(&nested)
      guard try cursor.token() == UInt8(ascii: "}") else { throw RecordProblem("something stands beside a form's one key") }
      return try cursor.skipToken()
    }
    cursor.seek(to: start)
    try nested.beginObject()
    levels.append(true)
    try writeKey(&nested)
  }

  /// Writes the key that comes next, and passes over its colon.
  private mutating func writeKey(_ nested: inout NestedWriter) throws {
    _ = try cursor.token()
    try cursor.skipToken()
    if let plain = try cursor.plainText() {
      nested.key(try Self.name(plain))
    } else {
      try cursor.whole(into: &text)
      try text.withUnsafeBufferPointer { nested.key(try Self.name($0)) }
    }
    try cursor.skipToken()
  }

  private mutating func writeScalar(_ nested: inout NestedWriter) throws {
    switch try cursor.token() {
    case UInt8(ascii: "n"):
      nested.null()
      try cursor.skipValue()
    case let letter where letter == UInt8(ascii: "t") || letter == UInt8(ascii: "f"):
      nested.boolean(letter == UInt8(ascii: "t"))
      try cursor.skipValue()
    case UInt8(ascii: "\""):
      try cursor.skipToken()
      try writeText(&nested)
    default: try cursor.number(&digits) { try nested.number(digits: $0) }
    }
  }

  private mutating func writeText(_ nested: inout NestedWriter) throws {
    if let plain = try cursor.plainText() { return try nested.text(plain) }
    let start = cursor.offset
    if try cursor.whole(into: &text, atMost: RecordCopy.long) { return try text.withUnsafeBufferPointer { try nested.text($0) } }
    cursor.seek(to: start)
    nested.beginText()
    while true {
      let count = try cursor.text(into: piece)
      if count == 0 { break }
      try nested.appendText(UnsafeBufferPointer(rebasing: piece.bindMemory(to: UInt8.self)[..<count]))
    }
    try nested.endText()
  }

  // MARK: Forms

  /// Writes the form whose key was read into `text`; the cursor stands before its value.
  private mutating func writeForm(_ nested: inout NestedWriter) throws {
    let name = text
    let isText = try cursor.token() == UInt8(ascii: "\"")
    if name == Array("$base64".utf8) && isText { return try writeBytes(&nested) }
    if name == Array("$date".utf8) && !isText { return try writeDistantDate(&nested) }
    guard isText else { throw RecordProblem("a form has no value that it can have") }
    try cursor.skipToken()
    guard try cursor.whole(into: &text, atMost: 4096) else { throw RecordProblem("a form's text is too long") }
    switch name {
    case Array("$date".utf8):
      guard text.withUnsafeBufferPointer({ WrittenMoment($0) }) != nil else {
        throw RecordProblem("its $date is no time of RFC 3339 in UTC")
      }
      text.withUnsafeBufferPointer { nested.taggedDate($0) }
    case Array("$number".utf8):
      guard let value = Self.special(text) else { throw RecordProblem("its $number is none of NaN, Infinity, -Infinity") }
      nested.real(value)
    case Array("$missing".utf8):
      text.withUnsafeBufferPointer { nested.missing($0) }
      missingFiles += 1
    case Array("$redacted".utf8):
      guard let reason = Self.reason(text) else { throw RecordProblem("its $redacted is none of secret, third-party, regulated") }
      nested.redacted(reason)
    default: throw RecordProblem("a key begins with one $ and is no form; write $$ for a $ of its own")
    }
  }

  private static func special(_ text: [UInt8]) -> Double? {
    switch String(decoding: text, as: UTF8.self) {
    case "NaN": .nan
    case "Infinity": .infinity
    case "-Infinity": -.infinity
    default: nil
    }
  }

  private static func reason(_ text: [UInt8]) -> Redaction.Reason? {
    [Redaction.Reason.secret, .thirdParty, .regulated].first { Array($0.name.utf8) == text }
  }

  /// A moment outside the years 0001 to 9999: seconds since 1970.
  private mutating func writeDistantDate(_ nested: inout NestedWriter) throws {
    let first = try cursor.peek()
    guard first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      throw RecordProblem("its $date is neither a text nor a number")
    }
    try cursor.number(&digits) { try nested.taggedDate(digits: $0) }
  }

  /// Bytes are measured and checked first: what is large goes to a file whose length is told before.
  private mutating func writeBytes(_ nested: inout NestedWriter) throws {
    try cursor.skipToken()
    let start = cursor.offset
    var count = 0
    var measuring = Base64Decoding()
    while true {
      let got = try measuring.read(into: second, from: &cursor, piece)
      if got == 0 { break }
      count += got
    }
    let end = cursor.offset
    cursor.seek(to: start)
    var decoding = Base64Decoding()
    try nested.largeBytes(count: count) { (buffer) throws in try decoding.read(into: buffer, from: &cursor, piece) }
    cursor.seek(to: end)
  }
}

extension LineCursor {
  /// Reads a string behind its opening quote.
  mutating func whole(into text: inout [UInt8]) throws { _ = try whole(into: &text, atMost: .max) }

  /// Reads a string behind its opening quote, if it has no more than so many bytes.
  mutating func whole(into text: inout [UInt8], atMost most: Int) throws -> Bool {
    text.removeAll(keepingCapacity: true)
    if let plain = try plainText() {
      text.append(contentsOf: plain)
      return plain.count <= most
    }
    while true {
      let room = text.count
      var count = 0
      try withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
        count = try self.text(into: buffer)
        text.append(contentsOf: buffer[..<count])
      }
      if count == 0 { return true }
      if room + count > most { return false }
    }
  }
}
