internal import JSONReading

/// One JSON value of the export's own writing, as a span of bytes: looked into without a tree.
struct JSONItem {
  let bytes: UnsafeRawBufferPointer

  var first: UInt8 { bytes.first ?? UInt8(ascii: "n") }
  var isText: Bool { first == UInt8(ascii: "\"") }
  var isObject: Bool { first == UInt8(ascii: "{") }
  var isArray: Bool { first == UInt8(ascii: "[") }
  var isNull: Bool { first == UInt8(ascii: "n") }
  var isNumber: Bool { first == UInt8(ascii: "-") || 0x30...0x39 ~= first }

  /// What stands between a text's quotes.
  var text: UnsafeRawBufferPointer { JSONText.inside(bytes) }

  /// A text as a string; for what is compared or looked up, not for cells.
  var string: String? {
    guard isText else { return nil }
    do { return try JSONParser.parse(bytes).text } catch { return nil }  // it was written by this export: what can't be read is no name
  }

  var isEmpty: Bool { bytes.count == 2 && (isObject || isArray) }

  /// How many entries an array or object has, but not more than `limit`.
  func count(limit: Int) -> Int {
    var count = 0
    forEach { _, _ in
      count += 1
      return count < limit
    }
    return count
  }

  /// Gives each entry, with its key's text where this is an object, until `body` says false.
  func forEach(_ body: (_ key: UnsafeRawBufferPointer?, _ value: JSONItem) -> Bool) {
    guard let base = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count > 2 else { return }
    let end = base + bytes.count
    var place = base + 1
    while place < end, place.pointee != UInt8(ascii: "}"), place.pointee != UInt8(ascii: "]") {
      var key: UnsafeRawBufferPointer?
      if isObject {
        let behind = JSONSpan.afterText(place, end)
        key = JSONText.inside(UnsafeRawBufferPointer(start: place, count: behind - place))
        place = behind + 1
        if place >= end { return }
      }
      let behind = JSONSpan.afterValue(place, end)
      if !body(key, JSONItem(bytes: UnsafeRawBufferPointer(start: place, count: behind - place))) { return }
      place = behind + 1
    }
  }

  /// The value of a key.
  subscript(_ name: StaticString) -> JSONItem? {
    var found: JSONItem?
    forEach { key, value in
      if let key, name.isSame(as: key) { found = value }
      return found == nil
    }
    return found
  }
}

extension StaticString {
  func isSame(as bytes: UnsafeRawBufferPointer) -> Bool {
    withUTF8Buffer { $0.count == bytes.count && $0.elementsEqual(bytes) }
  }
}
