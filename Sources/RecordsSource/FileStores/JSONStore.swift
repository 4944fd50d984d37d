import AccountExport
internal import CSVReading

/// A file of JSON or NDJSON as collections.
struct JSONStore {
  private let file: TextFile
  private let name: String
  private let isLines: Bool

  /// - Parameter isLines: Whether the file holds rows one after another (NDJSON), not one JSON text.
  init(_ file: TextFile, _ name: String, isLines: Bool) {
    (self.file, self.name, self.isLines) = (file, name, isLines)
  }

  /// Reads the file once for the columns of its collections, then for their rows.
  func export(into writer: inout EntryWriter) async throws {
    let survey = try JSONSurvey(file, isLines: isLines)
    // Two collections of one name would have one name in the manifest: the rest of an object is named as the store, and a key may come twice.
    var titles = CSVHeader()
    for part in survey.parts { titles.add(part.name ?? name) }
    for (part, title) in zip(survey.parts, titles.names) {
      try Task.checkCancellation()
      try await export(part, title, into: &writer)
    }
    if let line = survey.rest {
      writer.omit("\(name): line \(line)", .unreadable, detail: "more behind the end of the JSON text")
    }
    if let failure = survey.failure { writer.omit(name, .failed, detail: "\(failure)") }
  }

  private func export(_ part: JSONPart, _ title: String, into writer: inout EntryWriter) async throws {
    let layout = part.columns.layout(rows: part.rows, leftOut: part.leftOut)
    let description = CollectionDescription(title, columns: layout.header.names.map { CollectionDescription.Column($0) })
    let rows = JSONRows(file, part.framing, at: part.offset, line: part.line, columns: part.columns, isOther: layout.isOther)
    var values = JSONRowValues(rows, layout, writer.limits)
    _ = try await writer.collection(description) { records in try values.write(to: &records) }
    for change in layout.header.changes {
      writer.omit(
        "\(title): column \(change.column)" + (change.original.isEmpty ? "" : " (\(change.original))"), .irregular,
        detail: "its key was empty, not unique or no UTF-8; it is called \(layout.header.names[change.column - 1])")
    }
    if part.isRenamed { writer.omit(title, .irregular, detail: "its key is no UTF-8; what is none there became U+FFFD") }
    values.rows.problems.tell(of: title, &writer)
  }

  /// Reads the file once, and counts.
  func plan() throws -> [SourcePlan.Part] {
    try JSONSurvey(file, isLines: isLines).parts.map { SourcePlan.Part(name: $0.name ?? name, items: $0.rows) }
  }
}

/// One collection in a JSON text.
struct JSONPart {
  /// Its name; nil where it is the store's.
  var name: String?
  /// Whether its name has other bytes in the text.
  var isRenamed = false
  let framing: JSONFraming
  /// Where its first row is looked for.
  let offset: UInt64
  let line: Int
  var columns: JSONColumns
  /// Columns that are collections of their own.
  var leftOut: Set<Int> = []
  var rows: Int
  var areObjects: Bool
}

/// What a first reading of a JSON text tells: its collections and their columns.
struct JSONSurvey {
  private(set) var parts: [JSONPart] = []
  /// The line of what stands behind the end of the text's one value, where something does.
  private(set) var rest: Int?
  /// What ends the text before its end, where no collection tells it.
  private(set) var failure: JSONFault?
  private let file: TextFile

  /// So many members of an object may be collections.
  private static let mostParts = 256

  init(_ file: TextFile, isLines: Bool) throws {
    self.file = file
    var cursor = JSONCursor(file)
    guard let first = try cursor.skipSpace(inValue: false) else {
      if !isLines { throw ExportError(.badInput, "the file is empty: no JSON text") }
      parts = [try survey(.lines, at: 0, line: 1).part]
      return
    }
    if isLines {
      parts = [try survey(Self.framing(&cursor), at: 0, line: 1).part]
    } else if first == UInt8(ascii: "[") {
      let (part, end) = try survey(.elements, at: cursor.offset + 1, line: cursor.line)
      parts = [part]
      if let end { rest = try Self.next(end, &cursor) }
    } else {
      try surveyValue(&cursor)
    }
  }

  /// Whether the first value, where one can be found, stands on a line alone, or goes over several.
  private static func framing(_ cursor: inout JSONCursor) throws -> JSONFraming {
    let (offset, line) = (cursor.offset, cursor.line)
    defer { cursor.seek(to: offset, line: line) }
    do {
      try cursor.skipValue()
      return cursor.line > line ? .sequence : .lines
    } catch is JSONFault {
      return .lines
    }
  }

  /// The line on which something stands from a place on; nil where nothing does.
  private static func next(_ end: (offset: UInt64, line: Int), _ cursor: inout JSONCursor) throws -> Int? {
    cursor.seek(to: end.offset, line: end.line)
    return try cursor.skipSpace(inValue: false) == nil ? nil : cursor.line
  }

  /// Learns the columns of rows, and where they end; nil where they can't be read to their end.
  private func survey(
    _ framing: JSONFraming, at offset: UInt64, line: Int
  ) throws -> (part: JSONPart, end: (offset: UInt64, line: Int)?) {
    var rows = JSONRows(file, framing, at: offset, line: line)
    while try rows.nextRow() {}
    let part = JSONPart(framing: framing, offset: offset, line: line, columns: rows.columns, rows: rows.rows, areObjects: rows.areObjects)
    return (part, rows.failure == nil ? (rows.cursor.offset, rows.cursor.line) : nil)
  }

  // MARK: One object

  /// Looks at a text that begins with no array: an object of collections, one row, or the first of several values.
  private mutating func surveyValue(_ cursor: inout JSONCursor) throws {
    let (offset, line) = (cursor.offset, cursor.line)
    var root = JSONRows(file, .single, at: offset, line: line)
    let isRead = try root.nextRow()
    if isRead, root.failure == nil {
      let end = root.rowEnd
      if try Self.next(end, &cursor) != nil {
        if !root.isObject { throw ExportError(.badInput, "this is no JSON text") }
        parts = [try survey(end.line > line ? .sequence : .lines, at: offset, line: line).part]
        return
      }
    } else if !isRead {
      throw ExportError(.badInput, "this is no JSON text", cause: root.failure)
    }
    var whole = JSONPart(
      framing: .single, offset: offset, line: line, columns: root.columns, rows: root.rows, areObjects: root.isObject)
    var arrays: [(column: Int, part: JSONPart)] = []
    if root.isObject { arrays = try surveyArrays(root) }
    let isAll = arrays.count == root.columns.count && !root.columns.hasOthers
    if !isAll && !arrays.contains(where: { $0.part.rows > 0 && $0.part.areObjects }) { arrays = [] }
    arrays.removeAll { !isAll && !$0.part.areObjects }
    whole.leftOut = Set(arrays.map(\.column))
    parts = arrays.map(\.part)
    if whole.leftOut.count < root.columns.count || root.columns.hasOthers || parts.isEmpty {
      parts.append(whole)
    } else {
      failure = root.failure
    }
  }

  /// The members of an object that are arrays.
  private func surveyArrays(_ root: borrowing JSONRows) throws -> [(column: Int, part: JSONPart)] {
    var cursor = JSONCursor(file)
    var found: [(column: Int, part: JSONPart)] = []
    for column in 0..<root.columns.count where found.count < Self.mostParts {
      let place = root.places[column]
      if place.row != root.serial { continue }
      cursor.seek(to: place.begin, line: place.line)
      guard try cursor.peek() == UInt8(ascii: "[") else { continue }
      var part = try survey(.elements, at: place.begin + 1, line: place.line).part
      let key = root.columns.key(of: column)
      let name = String(decoding: key, as: UTF8.self)
      (part.name, part.isRenamed) = (name, !name.utf8.elementsEqual(key))
      found.append((column, part))
    }
    return found
  }
}
