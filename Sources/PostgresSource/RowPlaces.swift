import AccountExport
import Ownership
import PostgresReading

/// Where rows lie, packed into handles: which relation of the table (a partition, an inheriting table) in the upper 16 bits, then block and tuple. A
/// handle's order is the order on the disk.
final class RowPlaces {
  /// The relations of each table in which rows were met, by their place here.
  private var relations: [Int: [Int]] = [:]

  /// The handle of a row, from what the server prints as its `tableoid` and `ctid`, `(12,3)`.
  func handle(_ table: Int, relation: Printed?, place: Printed?) throws -> RowHandle {
    guard let relation = relation.flatMap({ Self.number($0[...]) }), let place, place.count >= 5, place.first == UInt8(ascii: "("),
      place.last == UInt8(ascii: ")"), let comma = place.firstIndex(of: UInt8(ascii: ",")), let block = Self.number(place[1..<comma]),
      let tuple = Self.number(place[(comma + 1)..<(place.count - 1)]), block >> 32 == 0, tuple >> 16 == 0
    else { throw ExportError(.badInput, "the server gave a row's place that can't be read") }
    return UInt64(try index(of: relation, in: table)) << 48 | UInt64(block) << 16 | UInt64(tuple)
  }

  private func index(of relation: Int, in table: Int) throws -> Int {
    if let index = relations[table, default: []].firstIndex(of: relation) { return index }
    let index = relations[table, default: []].count
    guard index < 1 << 16 else { throw ExportError(.badInput, "a table has more than 65536 parts that hold rows") }
    relations[table, default: []].append(relation)
    return index
  }

  private static func number(_ digits: Slice<Printed>) -> Int? {
    guard !digits.isEmpty, digits.count < 12 else { return nil }
    var value = 0
    for byte in digits {
      guard case let digit = byte &- 0x30, digit < 10 else { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }

  /// Calls with the rows of each relation: its oid, and an array of the places for a bound parameter.
  func forEachRelation(of rows: [RowHandle], in table: Int, _ body: (_ relation: Int, _ places: String, _ count: Int) throws -> Void) throws
  {
    var start = 0
    while start < rows.count {
      let relation = rows[start] >> 48
      var end = start
      var places = "{"
      while end < rows.count, rows[end] >> 48 == relation {
        if end > start { places += "," }
        places += "\"\(Self.place(rows[end]))\""
        end += 1
      }
      guard let oid = relations[table].flatMap({ Int(relation) < $0.count ? $0[Int(relation)] : nil }) else {
        throw ExportError(.badInput, "a row is asked for that was never met")
      }
      try body(oid, places + "}", end - start)
      start = end
    }
  }

  /// Whether rows, in their order, lie in one relation.
  func areOfOneRelation(_ rows: [RowHandle]) -> Bool { rows.first.map { $0 >> 48 } == rows.last.map { $0 >> 48 } }

  /// A row's place as SQL writes it.
  static func place(_ row: RowHandle) -> String { "(\(row >> 16 & 0xFFFF_FFFF),\(row & 0xFFFF))" }

  /// A row's relation, by its oid.
  func relation(of row: RowHandle, in table: Int) -> Int? {
    relations[table].flatMap { Int(row >> 48) < $0.count ? $0[Int(row >> 48)] : nil }
  }
}
