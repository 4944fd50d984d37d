package import JSONStreaming

/// Plans and outcomes as JSON in one form: no spaces, members in this order, so that the same plan has the same bytes.
extension JSONWriter {
  mutating func array<Element>(_ name: StaticString, _ elements: [Element], _ body: (inout JSONWriter, Element) -> Void) {
    key(name)
    beginArray()
    for element in elements { body(&self, element) }
    endArray()
  }

  mutating func text(_ name: StaticString, _ value: String?) {
    key(name)
    if let value { string(value) } else { null() }
  }

  mutating func counts(_ counts: [StepCount]) {
    array("removed", counts) { json, count in
      json.beginObject()
      json.text("kind", count.kind)
      json.key("count")
      json.integer(count.count)
      json.key("bytes")
      if let bytes = count.bytes { json.integer(bytes) } else { json.null() }
      json.endObject()
    }
  }

  mutating func remainders(_ name: StaticString, _ remainders: [Remainder]) {
    array(name, remainders) { json, remainder in
      json.beginObject()
      json.text("kind", remainder.kind)
      json.key("count")
      json.integer(remainder.count)
      json.text("reason", remainder.reason)
      json.text("until", remainder.until)
      json.endObject()
    }
  }

  mutating func strings(_ name: StaticString, _ strings: [String]) { array(name, strings) { $0.string($1) } }
}

extension StepOutcome {
  /// What the receipt says of the step: everything but what may name a file.
  package func write(to json: inout JSONWriter) {
    json.counts(removed)
    json.remainders("retained", retained)
    json.remainders("unreachable", unreachable)
    json.strings("byHand", byHand)
  }

  /// As the journal keeps it for the receipt.
  func json() -> String {
    var json = JSONWriter(capacity: 1024)
    json.beginObject()
    write(to: &json)
    json.endObject()
    return json.withBytes { String(decoding: $0, as: UTF8.self) }
  }
}
