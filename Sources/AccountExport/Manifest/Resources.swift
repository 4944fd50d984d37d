internal import Checksums
internal import JSONStreaming

/// The names of files in the bundle that others must know.
enum BundleFile {
  static let metadata = "metadata.json"
  static let documents = "documents.json"
}

extension JSONWriter {
  /// One resource of the manifest (Data Package v2): a file of the bundle that is no document.
  ///
  /// Readers of Data Packages can't all be relied on with JSON: frictionless (5.21) doesn't count the bytes of a table that it reads, so that
  /// any number fails it; and it takes other JSON for a table's schema, a package … by a name's end or a key in it, unless the format is
  /// spelt otherwise. The hash is checked by all.
  mutating func resource(
    path: String, name: String, size: UInt64, digest: SHA256Digest, mediaType: String, title: String? = nil, isTable: Bool = false,
    _ more: (inout JSONWriter) -> Void
  ) {
    beginObject()
    key("name")
    string(name)
    key("path")
    string(path)
    if let title {
      key("title")
      string(title)
    }
    if isTable {
      key("type")
      string("table")
      key("format")
      string("json")
      key("encoding")
      string("utf-8")
    } else if mediaType == "application/json" {
      key("format")
      string("JSON")
    }
    more(&self)
    key("mediatype")
    string(mediaType)
    if !isTable {
      key("bytes")
      integer(size)
    }
    key("hash")
    string("sha256:" + digest.hex)
    endObject()
  }

  /// A collection's schema.
  mutating func table(_ table: TableDraft, foreignKeys: [(key: CollectionDescription.ForeignKey, target: String)]) {
    key("schema")
    beginObject()
    key("fields")
    beginArray()
    for (column, kinds) in zip(table.description.columns, table.kinds) { field(written(column.name), kinds.fieldType) }
    endArray()
    noMissingValues()
    if !table.description.primaryKey.isEmpty && table.rows > 0 {
      key("primaryKey")
      texts(table.description.primaryKey.map(written))
    }
    if !foreignKeys.isEmpty { list("foreignKeys", foreignKeys) { $0.foreignKey($1.key, target: $1.target) } }
    endObject()
  }

  /// The schema of `documents.json`.
  mutating func documentsTable() {
    key("schema")
    beginObject()
    key("fields")
    beginArray()
    for (name, type) in DocumentDescription.fields { field(name.description, type) }
    endArray()
    noMissingValues()
    endObject()
  }

  /// An empty text is a value, not a missing one.
  private mutating func noMissingValues() {
    key("missingValues")
    texts([])
  }

  private mutating func field(_ name: String, _ type: StaticString) {
    beginObject()
    key("name")
    string(name)
    key("type")
    string(type)
    endObject()
  }

  private mutating func foreignKey(_ foreignKey: CollectionDescription.ForeignKey, target: String) {
    beginObject()
    key("fields")
    texts(foreignKey.columns.map(written))
    key("reference")
    beginObject()
    key("resource")
    string(target)
    key("fields")
    texts(foreignKey.referenced.map(written))
    endObject()
    endObject()
  }

  /// A reference that is told, but not to be checked.
  mutating func looseKey(_ resource: String, _ foreignKey: CollectionDescription.ForeignKey, _ target: String?) {
    beginObject()
    key("resource")
    string(resource)
    key("fields")
    texts(foreignKey.columns.map(written))
    key("reference")
    beginObject()
    key("resource")
    string(target ?? foreignKey.collection)
    key("fields")
    texts(foreignKey.referenced.map(written))
    endObject()
    endObject()
  }
}

/// A column's name as the rows' key.
private func written(_ name: String) -> String { name.utf8.first == UInt8(ascii: "$") ? "$" + name : name }

/// A resource's name: its path below `data/` in lower case where that is plain, else `prefix`.
///
/// Names are unique, since paths are where case is ignored, and no source's folder begins as the prefixes do.
func resourceName(_ path: String, prefix: String) -> String {
  var name = path.hasPrefix("data/") ? String(path.dropFirst("data/".count)) : path
  if name.hasSuffix(".json") { name.removeLast(".json".count) }
  let isPlain = name.utf8.allSatisfy {
    switch $0 {
    case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "/"): true
    default: false
    }
  }
  return isPlain ? name.lowercased() : prefix
}
