import TestSupport

/// Attribute types by their numbers in `NSAttributeType`.
enum Kind {
  static let int16: Int64 = 100, int64: Int64 = 300, decimal: Int64 = 400, double: Int64 = 500, float: Int64 = 600, string: Int64 = 700
  static let boolean: Int64 = 800, date: Int64 = 900, binary: Int64 = 1000, uuid: Int64 = 1100, uri: Int64 = 1200,
    transformable: Int64 = 1800
  static let composite: Int64 = 2100
}

extension StoreFolder {
  /// Makes a store as Core Data has it: its own tables for a model, then whatever the SQL says.
  /// - Parameter cache: What stands in place of the model; an empty one leaves the table of the model out.
  func makeCoreData(_ name: String, _ model: ModelFixture, cache: [UInt8]? = nil, _ sql: String) throws {
    var script = """
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      INSERT INTO Z_METADATA VALUES (1, 'A0B1', \(hex(ListValue.dictionary([("NSStoreType", .text("SQLite"))]).binary)));

      """
    for (index, entity) in model.entities.enumerated() {
      let parent = entity.parent.flatMap { name in model.entities.firstIndex { $0.name == name } }.map { $0 + 1 } ?? 0
      script += "INSERT INTO Z_PRIMARYKEY VALUES (\(index + 1), '\(entity.name)', \(parent), 0);\n"
    }
    if cache != [] {
      script += "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB); INSERT INTO Z_MODELCACHE VALUES (\(hex(cache ?? model.cache)));\n"
    }
    try run(name, script + sql)
  }
}

/// Bytes as SQL spells them.
func hex(_ bytes: [UInt8]) -> String {
  "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
}

/// A keyed archive of a dictionary of texts and numbers.
func archived(_ members: [(key: String, value: ListValue)]) -> [UInt8] {
  var archive = ArchiveFixture()
  let values = members.map { member in (member.key, archive.add(member.value)) }
  let root = archive.dictionary(values)
  return archive.bytes(root: root)
}
