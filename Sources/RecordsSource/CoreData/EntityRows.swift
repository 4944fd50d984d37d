import AccountExport
import SQLiteReading

/// The way of an entity's rows into its collection, with their links taken along.
struct EntityRows: ~Copyable {
  private var reader: SQLiteTableReader
  private let layout: EntityLayout
  private let fields: [EntityLayout.Field]
  private let store: OpenStore
  private let values: AttributeValues
  private let toOnes: ToOneLinks
  private let toManys: [ToManyLinks]
  private var identifiers: RecordIdentifiers
  private var members: [ToManyLinks.Member] = []
  /// What was found to be wrong.
  private(set) var problems = RecordProblems()

  /// More links of one record leave it in pieces.
  private static let fewMembers = 4096

  init(
    _ layout: EntityLayout, of table: SQLiteTable, _ identifiers: RecordIdentifiers, _ binaries: BinaryValues, in store: OpenStore,
    inlineBytes: Int
  )
    throws
  {
    let toOnes = try ToOneLinks(layout, in: store)
    var toManys: [ToManyLinks] = []
    for layout in layout.toManys { toManys.append(try ToManyLinks(layout, in: store)) }
    let reader = try SQLiteTableReader(table, of: store.schema, in: store.snapshot, columns: layout.columns, where: layout.filter)
    // A column that SQLite can't compute here would move all others.
    guard reader.columns.count == layout.columns.count else { throw ToOneLinks.OutOfStep() }
    let values = AttributeValues(name: layout.name, binaries: binaries, inlineBytes: inlineBytes, cells: Self.cells(of: layout))
    self.init(reader, layout, store, values, toOnes, toManys, identifiers)
  }

  // Nothing throws here: a value that can't be copied must be whole, or not be at all.
  private init(
    _ reader: consuming SQLiteTableReader, _ layout: EntityLayout, _ store: OpenStore, _ values: AttributeValues, _ toOnes: ToOneLinks,
    _ toManys: [ToManyLinks], _ identifiers: RecordIdentifiers
  ) {
    self.reader = reader
    (self.layout, self.store, self.values, self.toOnes, self.toManys) = (layout, store, values, toOnes, toManys)
    self.identifiers = identifiers
    fields = layout.written
  }

  /// Of each column of the collection, the column of the table that is read for it.
  private static func cells(of layout: EntityLayout) -> [Int?] {
    let identifier: [Int?] = layout.hidesIdentifier ? [] : [nil]
    return identifier
      + layout.written.map { field in
        if case .attribute(_, let cell) = field.content { return cell }
        return nil
      }
  }

  /// Writes all rows.
  mutating func write(to records: inout RecordWriter) throws {
    while try reader.next(in: store.snapshot) {
      guard case .integer(let key) = try reader.cell(at: 0) else { throw ToOneLinks.OutOfStep() }
      try toOnes.move(to: key)
      try records.row { (row) throws in try write(key, to: &row) }
    }
  }

  private mutating func write(_ key: Int64, to row: inout RowWriter) throws {
    if !layout.hidesIdentifier {
      identifiers.fill(layout.number, or: layout.name, key)
      identifiers.buffer.withUnsafeBufferPointer { row.text($0) }
    }
    for field in fields {
      switch field.content {
      case .attribute(let attribute, let cell): try values.write(attribute, at: cell, &reader, to: &row, &problems)
      case .composite(let parts): try values.write(parts, &reader, to: &row, &problems)
      case .toOne(let index): writeToOne(index, to: &row)
      case .toMany(let index): try writeToMany(index, of: key, to: &row)
      }
    }
  }

  private mutating func writeToOne(_ index: Int, to row: inout RowWriter) {
    let link = layout.toOnes[index]
    switch toOnes.link(index) {
    case .none: row.null()
    case .unreadable:
      problems.noteUnreadable("\(layout.name).\(link.name)")
      row.null()
    case .to(let key, let entity, let exists):
      identifiers.fill(entity, or: link.destination, key)
      if !exists { noteDangling(link.name) }
      identifiers.buffer.withUnsafeBufferPointer { row.text($0) }
    }
  }

  private mutating func writeToMany(_ index: Int, of key: Int64, to row: inout RowWriter) throws {
    let links = toManys[index]
    let (name, destination) = (layout.toManys[index].name, layout.toManys[index].destination)
    members.removeAll(keepingCapacity: true)
    while members.count < Self.fewMembers, let member = try links.next(of: key) { members.append(member) }
    let isLarge = members.count == Self.fewMembers
    try row.nested(isLarge: isLarge) { nested in
      try nested.beginArray()
      for member in members { try write(member, name, destination, to: &nested) }
      while isLarge, let member = try links.next(of: key) { try write(member, name, destination, to: &nested) }
      nested.endArray()
    }
  }

  private mutating func write(
    _ member: ToManyLinks.Member, _ name: String, _ destination: String, to nested: inout NestedWriter
  ) throws {
    identifiers.fill(member.entity, or: destination, member.key)
    if !member.exists { noteDangling(name) }
    try identifiers.buffer.withUnsafeBufferPointer { try nested.text($0) }
  }

  private mutating func noteDangling(_ relationship: String) {
    let entity = layout.name
    problems.noteDangling(identifiers.text, in: entity + "." + relationship)
  }
}
