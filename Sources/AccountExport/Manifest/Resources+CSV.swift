internal import Checksums
internal import JSONStreaming

extension JSONWriter {
  /// The resource of a collection's CSV: a table with a schema of its own, since CSV has less to say of its values than JSON.
  mutating func csvResource(_ csv: CSVDraft, path: String, name: String, size: UInt64, digest: SHA256Digest) {
    beginObject()
    member("name", name)
    member("path", path)
    // By bytes: to Swift, a name and its normal form are equal.
    if !path.utf8.reversed().starts(with: ("/" + csv.collection + ".csv").utf8.reversed()) { member("title", csv.collection) }
    member("description", Self.csvDescription)
    member("type", "table")
    member("format", "csv")
    member("encoding", "utf-8")
    member("mediatype", "text/csv")
    dialect()
    key("schema")
    beginObject()
    list("fields", Array(zip(csv.labels, csv.types))) { $0.csvField($1.0, $1.1) }
    key("missingValues")
    texts([""])
    endObject()
    member("bytes", size)
    member("hash", "sha256:" + digest.hex)
    endObject()
  }

  private static let csvDescription =
    "The collection of the same name as CSV, for spreadsheets. Texts are in quotes; null is an empty field. A text or a column's name that begins "
    + "with =, +, -, @, a tab or a carriage return has an apostrophe before it here, so that no program takes it for a formula. Arrays and objects "
    + "are JSON texts; a masked value is its reason in brackets: [secret]. The JSON beside it has every value as it is."

  /// How the CSV is written (Table Dialect v2), though all of it is what readers assume.
  private mutating func dialect() {
    key("dialect")
    beginObject()
    member("$schema", "https://datapackage.org/profiles/2.0/tabledialect.json")
    key("header")
    bool(true)
    member("delimiter", ",")
    member("lineTerminator", "\r\n")
    member("quoteChar", "\"")
    key("doubleQuote")
    bool(true)
    endObject()
  }

  private mutating func csvField(_ name: String, _ type: StaticString) {
    beginObject()
    member("name", name)
    key("type")
    string(type)
    endObject()
  }

  private mutating func member(_ name: StaticString, _ value: String) {
    key(name)
    string(value)
  }

  private mutating func member(_ name: StaticString, _ value: UInt64) {
    key(name)
    integer(value)
  }
}
