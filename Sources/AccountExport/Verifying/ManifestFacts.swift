internal import JSONReading

/// Reads `datapackage.json` member by member, so that a manifest of a million resources costs no tree of them: each element of an array is
/// handed over, and forgotten.
struct ManifestFacts: JSONEventHandler, ~Copyable {
  /// A member or an element that is whole: its keys from the top (`resources`, `accountExport.omissions` …) and its value.
  typealias Element = (place: String, value: JSONValue)

  /// Elements that wait to be taken.
  var elements: [Element] = []

  /// Where elements are taken one by one.
  private static let arrays: Set<String> = [
    "resources", "accountExport.sources", "accountExport.omissions", "accountExport.redactions", "accountExport.foreignKeys",
  ]
  private var path: [String] = []
  private var open: [Container] = []
  private var text: [UInt8] = []

  private enum Container {
    /// An object or an array that is walked, not kept.
    case walkedObject, walkedArray
    case object([JSONValue.Member], key: String)
    case array([JSONValue])
  }

  private var place: String { path.joined(separator: ".") }

  private var isBuilding: Bool {
    switch open.last {
    case .object, .array: true
    default: false
    }
  }

  mutating func beginObject() {
    let isWalked = open.isEmpty || (!isBuilding && place == "accountExport" && open.count == 1)
    open.append(isWalked ? .walkedObject : .object([], key: ""))
  }

  mutating func beginArray() {
    open.append(!isBuilding && Self.arrays.contains(place) ? .walkedArray : .array([]))
  }

  mutating func endObject() { end() }
  mutating func endArray() { end() }

  private mutating func end() {
    switch open.removeLast() {
    case .walkedObject, .walkedArray: if !path.isEmpty { path.removeLast() }
    case .object(let members, _): take(.object(members))
    case .array(let elements): take(.array(elements))
    }
  }

  mutating func key(_ utf8: UnsafeRawBufferPointer) {
    let name = String(decoding: utf8, as: UTF8.self)
    if case .object(let members, _) = open.last {
      open[open.count - 1] = .object(members, key: name)
    } else {
      path.append(name)
    }
  }

  private mutating func take(_ value: JSONValue) {
    switch open.last {
    case .object(var members, let key):
      open[open.count - 1] = .walkedArray  // so that the members are not copied
      members.append(JSONValue.Member(key: key, value: value))
      open[open.count - 1] = .object(members, key: "")
    case .array(var elements):
      open[open.count - 1] = .walkedArray
      elements.append(value)
      open[open.count - 1] = .array(elements)
    case .walkedArray: elements.append((place, value))
    case .walkedObject:
      elements.append((place, value))
      if !path.isEmpty { path.removeLast() }
    case nil: elements.append(("", value))
    }
  }

  mutating func beginString() { text.removeAll(keepingCapacity: true) }
  mutating func stringPart(_ utf8: UnsafeRawBufferPointer) { text.append(contentsOf: utf8) }
  mutating func endString() { take(.string(String(decoding: text, as: UTF8.self))) }
  mutating func number(_ text: UnsafeRawBufferPointer) { take(.number(String(decoding: text, as: UTF8.self))) }
  mutating func bool(_ value: Bool) { take(.bool(value)) }
  mutating func null() { take(.null) }
}
