import AccountExport
import JSONReading

/// How the rows of a collection stand in a JSON text.
enum JSONFraming: Sendable {
  /// One after another, each on a line.
  case lines
  /// One after another, over several lines.
  case sequence
  /// The elements of an array.
  case elements
  /// One value.
  case single
}

/// Where a value of the present row stands.
struct JSONPlace {
  var begin: UInt64 = 0
  var end: UInt64 = 0
  /// The line on which it begins.
  var line = 0
  /// The number of the row that it belongs to.
  var row = -1
  var hasEscape = false
  /// Whether the text ends within it.
  var isCut = false
}

/// Goes through the rows of one collection in a JSON text, and finds each row's values.
struct JSONRows: ~Copyable {
  let file: TextFile
  let framing: JSONFraming
  var cursor: JSONCursor
  var columns: JSONColumns
  /// Whether keys that are not known become columns.
  let isLearning: Bool
  /// Of the columns that are known, those whose values stand among the others.
  private let isOther: [Bool]
  private(set) var places: [JSONPlace]
  /// How many rows were found.
  private(set) var rows = 0
  /// Whether all of them are objects.
  private(set) var areObjects = true
  private(set) var problems = LineProblems()
  /// What ended the rows before their end.
  private(set) var failure: JSONFault?

  // The present row.
  private(set) var rowOffset: UInt64 = 0
  private(set) var rowLine = 0
  private(set) var rowEnd: (offset: UInt64, line: Int) = (0, 0)
  private(set) var isObject = false
  private var isScalar = false
  /// Whether it has values without a column of their own.
  private(set) var hasOthers = false
  private var rowIndent: UInt64?
  private var isFirst = true
  private var isResumed = false
  /// Whether something stands before the present row on its line.
  private var followsRow = false
  /// The last line that was named as one that can't be read.
  private var rejectedLine = 0
  private var repeatedBytes: UInt64 = 0
  /// The number of the present row, those that can't be read counted too.
  private(set) var serial = 0
  private(set) var memberColumn: Int?
  private(set) var memberKey: [UInt8] = []
  private var unescaped = JSONStringText()

  /// Rows from a place on: of an array, the first behind its bracket.
  /// - Parameters:
  ///   - columns: The columns that rows have; nil to learn them.
  ///   - isOther: Of these, the ones without a key of their own in each row.
  init(_ file: TextFile, _ framing: JSONFraming, at offset: UInt64, line: Int, columns: JSONColumns? = nil, isOther: [Bool] = []) {
    (self.file, self.framing, self.isOther) = (file, framing, isOther)
    isLearning = columns == nil
    self.columns = columns ?? JSONColumns()
    places = Array(repeating: JSONPlace(), count: columns?.count ?? 0)
    cursor = JSONCursor(file)
    cursor.seek(to: offset, line: line)
    cursor.endsWithLine = framing == .lines
  }

  /// Finds the next row and its values; false where there is none, or where nothing more can be read (`failure`).
  mutating func nextRow() throws -> Bool {
    if failure != nil { return false }
    do {
      while try beginRow() {
        do {
          try findValues()
          rowEnd = (cursor.offset, cursor.line)
          rows += 1
          areObjects = areObjects && isObject
          if rows & 4095 == 0 { try Task.checkCancellation() }
          return true
        } catch let fault as JSONFault {
          if framing == .single { return endSingle(fault) }
          if isLearning { takeBackColumns() }
          guard try recover() else {
            failure = fault
            return false
          }
          reject(.unreadable, fault.detail(at: rowLine))
        }
      }
    } catch let fault as JSONFault {
      failure = fault
    }
    return false
  }

  /// Names the present row as one that can't be read, whatever was written of it.
  /// A line of several rows that can't be read is one that can't be read.
  mutating func reject(_ reason: Omission.Reason, _ detail: String) {
    if framing == .lines && rejectedLine == rowLine { return }
    rejectedLine = rowLine
    problems.note(rowLine, reason, detail)
  }

  private mutating func takeBackColumns() {
    columns.takeBack()
    places.removeLast(places.count - columns.count)
  }

  /// The one row that can't be read on has the values that were found by then.
  private mutating func endSingle(_ fault: JSONFault) -> Bool {
    failure = fault
    rowEnd = (cursor.offset, cursor.line)
    rows += 1
    return isObject
  }

  // MARK: Where rows begin

  /// Goes to the first byte of the next row; false where there is none.
  private mutating func beginRow() throws -> Bool {
    if framing == .single && !isFirst { return false }
    cursor.release()
    guard var byte = try cursor.skipSpace(inValue: false) else {
      if framing == .elements { throw cursor.fault("the text ends inside an array") }
      return false
    }
    if framing == .elements {
      if byte == UInt8(ascii: "]") {
        cursor.next += 1
        return false
      }
      if !isFirst && !isResumed {
        if byte == UInt8(ascii: ",") {
          cursor.next += 1
          guard let following = try cursor.skipSpace(inValue: false) else { throw cursor.fault("the text ends inside an array") }
          byte = following
        } else if byte == UInt8(ascii: "{") {
          problems.note(cursor.line, .irregular)  // a comma is missing, and nothing else
        } else {
          throw cursor.fault("neither a comma nor the array's end behind an element")
        }
        if byte == UInt8(ascii: "]") {
          cursor.next += 1
          return false
        }
      }
    }
    (isFirst, isResumed) = (false, false)
    (rowOffset, rowLine) = (cursor.offset, cursor.line)
    followsRow = rowLine == rowEnd.line
    // Rows on one line are as deep as the first of them.
    if !followsRow || rowIndent == nil { rowIndent = cursor.lineStart <= rowOffset ? rowOffset - cursor.lineStart : nil }
    cursor.keep()
    isObject = byte == UInt8(ascii: "{")
    isScalar = !isObject && byte != UInt8(ascii: "[")
    hasOthers = false
    serial += 1
    columns.begin()
    return true
  }

  /// Goes behind a row that can't be read; false where nothing tells where the next one begins.
  private mutating func recover() throws -> Bool {
    if framing == .lines {
      _ = try cursor.skipLine()
      return true
    }
    repeatedBytes += cursor.offset - rowOffset
    if repeatedBytes > Self.mostRepeated { return false }
    if framing == .elements {
      // Where its brackets match, they tell the row's end, whatever is between them.
      cursor.seek(to: rowOffset, line: rowLine)
      do {
        try cursor.skipValue()
        return true
      } catch is JSONFault {
        repeatedBytes += cursor.offset - rowOffset
      }
    }
    return try resume()
  }

  /// So many bytes are read again to find where rows begin behind those that can't be read.
  private static let mostRepeated: UInt64 = 256 << 20

  /// Looks for a line that begins with an object no deeper than the row that can't be read does, behind a comma or not. Where other objects were passed over before
  /// the end, rows may be among them: that is no end to go on from.
  private mutating func resume() throws -> Bool {
    guard let indent = rowIndent else { return false }
    cursor.seek(to: rowOffset, line: rowLine)
    var hasPassedRows = false
    while try cursor.skipLine() {
      guard var byte = try cursor.skipSpace(inValue: false) else { return framing == .sequence && !hasPassedRows }
      var column = cursor.offset - cursor.lineStart
      if byte == UInt8(ascii: ",") {
        cursor.next += 1
        guard let following = try cursor.skipSpace(inValue: false) else { return framing == .sequence && !hasPassedRows }
        byte = following
        column = min(column, cursor.offset - cursor.lineStart)
      }
      if byte == UInt8(ascii: "{") {
        isResumed = column <= indent
        hasPassedRows = true
      } else if framing == .elements && byte == UInt8(ascii: "]") && column < max(indent, 1) {
        if hasPassedRows { return false }
        isResumed = true
      } else if !isObject {
        hasPassedRows = true
      }
      if isResumed { return true }
    }
    return framing == .sequence && !hasPassedRows
  }

  // MARK: Values

  /// Finds the values of the row that begins with the next byte.
  mutating func findValues() throws {
    guard isObject else {
      let name: StaticString = "value"
      try takeValue(column(for: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)))
      if isScalar { try checkAlone() }
      return
    }
    cursor.next += 1
    var isFirst = true
    while try nextMember(isFirst) {
      isFirst = false
      try takeValue(memberColumn)
    }
  }

  /// A number, a literal or a string that is a row has its line for itself where rows are lines: else the line is words.
  private mutating func checkAlone() throws {
    guard framing == .lines || framing == .sequence else { return }
    let isAlone = try !followsRow && (cursor.endsLine() || cursor.peek() == UInt8(ascii: ","))
    if !isAlone { throw cursor.fault("a value that has more beside it on its line") }
  }

  /// Makes sure that a number or a literal that was passed over is one.
  private func checkScalar(from begin: UInt64) throws {
    guard cursor.isKept else { return }  // longer than any word
    let text = cursor.bytes(from: begin, to: cursor.offset)
    switch text[0] {
    case UInt8(ascii: "\""), UInt8(ascii: "["), UInt8(ascii: "{"): return
    default: if !text.isJSONScalar { throw cursor.fault("no value where one should stand") }
    }
  }

  /// Passes over the value that comes next, and takes note of its place.
  private mutating func takeValue(_ column: Int?) throws {
    let (begin, line) = (cursor.offset, cursor.line)
    do { try cursor.skipValue() } catch let fault as JSONFault {
      // Of the one row that ends within a value, an array may be read as far as it goes.
      if framing == .single, let column { note(column, begin, line, isCut: true) }
      throw fault
    }
    // Words on a line make no row, and none of their kind a column; elsewhere the writer finds them.
    if framing == .lines || !isObject { try checkScalar(from: begin) }
    if let column { note(column, begin, line, isCut: false) }
    if column.map({ !isLearning && isOther[$0] }) ?? true { hasOthers = true }
  }

  private mutating func note(_ column: Int, _ begin: UInt64, _ line: Int, isCut: Bool) {
    places[column] = JSONPlace(begin: begin, end: cursor.offset, line: line, row: serial, hasEscape: cursor.hasEscape, isCut: isCut)
    if isLearning { columns.use(column) }
  }

  /// Goes through the present row once more, for the values without a key of their own in each row. The places of the others are lost by that.
  /// - Parameter body: Takes a key, where the value stands, and the value itself where it is in memory.
  mutating func eachOther(_ body: ([UInt8], JSONPlace, UnsafeRawBufferPointer?) throws -> Void) throws {
    let isKept = cursor.isKept
    if !isObject {
      let place = JSONPlace(begin: rowOffset, end: rowEnd.offset, row: serial)
      return try body(Array("value".utf8), place, isKept ? cursor.bytes(from: rowOffset, to: rowEnd.offset) : nil)
    }
    cursor.seek(to: rowOffset, line: rowLine)
    // Whatever becomes of the row, the next one begins behind it.
    defer { cursor.seek(to: rowEnd.offset, line: rowEnd.line) }
    if isKept { cursor.keep() }
    serial += 1
    columns.begin()
    try cursor.skipByte()
    var isFirst = true
    do {
      while try nextMember(isFirst) {
        isFirst = false
        let (column, begin) = (memberColumn, cursor.offset)
        try cursor.skipValue()
        if let column {
          places[column].row = serial
          if !isOther[column] { continue }
        }
        let place = JSONPlace(begin: begin, end: cursor.offset, row: serial)
        try body(column.map { columns.key(of: $0) } ?? memberKey, place, isKept ? cursor.bytes(from: begin, to: place.end) : nil)
      }
    } catch let fault as JSONFault {
      // Where a single row's text ends, the first reading has named that.
      if failure == nil { throw fault }
    }
  }

  /// Goes to the value of the next member of an object, of which the begin or the member before was passed over: `memberColumn` is its column then, or `memberKey` its key. False
  /// at the object's end, which is passed over.
  mutating func nextMember(_ isFirst: Bool) throws -> Bool {
    var byte = try cursor.skipSpace(inValue: true)
    if byte == UInt8(ascii: "}") {
      cursor.next += 1
      return false
    }
    if !isFirst {
      guard byte == UInt8(ascii: ",") else { throw cursor.fault("neither a comma nor the object's end behind a value") }
      cursor.next += 1
      byte = try cursor.skipSpace(inValue: true)
    }
    guard byte == UInt8(ascii: "\"") else { throw cursor.fault("no key where one should stand") }
    try takeKey()
    try cursor.expect(UInt8(ascii: ":"), "no colon behind a key")
    if try cursor.skipSpace(inValue: true) == nil { throw cursor.fault("the text ends where a value should begin") }
    return true
  }

  private mutating func takeKey() throws {
    let (begin, isKept) = (cursor.offset, cursor.isKept)
    if !isKept { cursor.keep() }
    try cursor.skipString()
    if !cursor.isKept {
      // The row has just become too long for the window, with the key's begin in what is gone.
      let line = cursor.line
      cursor.seek(to: begin, line: line)
      cursor.keep()
      try cursor.skipString()
      if !cursor.isKept { throw cursor.fault("a key is too long") }
      cursor.release()
    } else if !isKept {
      cursor.release()
    }
    let text = cursor.bytes(from: begin, to: cursor.offset)
    if cursor.hasEscape {
      try unescape(text)
      let key = unescaped.bytes
      key.withUnsafeBytes { memberColumn = column(for: $0) }
      if memberColumn == nil { memberKey = key }
    } else {
      let key = UnsafeRawBufferPointer(rebasing: text[1..<(text.count - 1)])
      memberColumn = column(for: key)
      if memberColumn == nil { memberKey = Array(key) }
    }
  }

  /// Takes the escapes out of a string with its quotes. Half a surrogate pair is an error where it stands in a key.
  private mutating func unescape(_ text: UnsafeRawBufferPointer) throws {
    do throws(JSONError) { try unescaped.read(text) } catch { throw cursor.fault("a key that is no JSON string") }
  }

  private mutating func column(for key: UnsafeRawBufferPointer) -> Int? {
    guard var column = columns.find(key) else { return isLearning ? added(columns.add(key, after: nil)) : nil }
    var times = 1
    while places[column].row == serial {
      times += 1
      if let next = columns.next(after: column) {
        column = next
      } else {
        return isLearning ? added(columns.add(key, after: column, isAllowed: times <= Self.mostTimes)) : nil
      }
    }
    return column
  }

  /// So many times a key may come in a row and have a column for each.
  private static let mostTimes = 16

  private mutating func added(_ column: Int?) -> Int? {
    if let column, column == places.count { places.append(JSONPlace()) }
    return column
  }
}
