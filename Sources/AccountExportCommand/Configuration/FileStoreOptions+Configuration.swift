internal import JSONReading
internal import RecordsSource
internal import TextDecoding

extension FileStoreOptions {
  /// What the configuration says of a store's file. It has the right shape already.
  init(_ store: JSONValue) {
    self.init()
    format = store.text("format").flatMap(FileStoreFormat.init)
    encoding = store.text("encoding").flatMap(TextEncoding.init)
    delimiter = store.text("delimiter")?.utf8.first
    escape = store.text("escape")?.utf8.first
    if let mark = store.text("quote")?.utf8.first { quote = mark }
    if store["quote"]?.boolean == false { quote = nil }
    hasHeader = store["header"]?.boolean ?? true
  }
}
