internal import JSONStreaming

extension JSONWriter {
  /// An array of objects under a key.
  mutating func list<Element>(_ key: StaticString, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void) {
    self.key(key)
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }

  /// Text, or null.
  mutating func optional(_ text: String?) {
    if let text { string(text) } else { null() }
  }

  /// The subject, or null where nothing is known of them.
  mutating func subject(_ subject: DataSubject) {
    guard let id = subject.id else { return null() }
    beginObject()
    key("id")
    string(id)
    for (name, value) in [("name", subject.name), ("email", subject.email), ("phone", subject.phone), ("username", subject.username)] {
      guard let value else { continue }
      key(name)
      string(value)
    }
    endObject()
  }

  mutating func source(_ source: ExportManifest.Source) {
    beginObject()
    key("name")
    string(source.name)
    key("kind")
    string(source.kind)
    key("outcome")
    string(source.outcome.rawValue)
    key("items")
    integer(source.items)
    key("bytes")
    integer(source.bytes)
    key("snapshotTime")
    moment(source.snapshotTime)
    if let schema = source.schema {
      key("schema")
      string(schema.rawValue)
    }
    endObject()
  }

  mutating func omission(_ omission: Omission) {
    beginObject()
    key("source")
    string(omission.source)
    key("path")
    string(omission.path)
    key("reason")
    string(omission.reason.name)
    key("detail")
    string(omission.reason.sentence)
    if let count = omission.count {
      key("count")
      integer(count)
    }
    if let bytes = omission.bytes {
      key("bytes")
      integer(bytes)
    }
    endObject()
  }

  mutating func redaction(_ redaction: Redaction) {
    beginObject()
    key("source")
    string(redaction.source)
    key("path")
    string(redaction.path)
    key("reason")
    string(redaction.reason.name)
    key("count")
    integer(redaction.count)
    for (name, count) in [("inText", redaction.inText), ("asNumber", redaction.asNumber)] where count > 0 {
      key(name)
      integer(count)
    }
    endObject()
  }
}
