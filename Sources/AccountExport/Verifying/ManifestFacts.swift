internal import JSONReading

/// Reads `datapackage.json` member by member, so that a manifest of a million resources costs no tree of them: each element of an array is
/// handed over, and forgotten.
struct ManifestFacts: JSONEventHandler, ~Copyable {
  /// A member or an element that is whole: its keys from the top (`resources`, `accountExport.omissions` …), its value, and about how many
  /// bytes that takes.
  typealias Element = (place: String, value: JSONValue, bytes: Int)

  /// Elements that wait to be taken.
  var elements: [Element] = []
  /// Bytes that the element takes which is being read.
  private(set) var heldBytes = 0

  /// Where elements are taken one by one.
  private static let arrays: Set<String> = [
    "resources", "accountExport.sources", "accountExport.omissions", "accountExport.redactions", "accountExport.foreignKeys",
  ]
  /// The place of elements that name a key which stands twice in one object: readers disagree which of the two counts.
  static let doubled = ".doubled"
  private var path: [String] = []
  private var open: [Container] = []
  private var text: [UInt8] = []
  /// Members that were met of the objects that are walked.
  private var walked: Set<String> = []

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
    case .object(let members, _):
      if members.count > 1 && Set(members.map(\.key)).count < members.count { tellDoubled("a key in \(place)") }
      take(.object(members))
    case .array(let elements): take(.array(elements))
    }
  }

  mutating func key(_ utf8: UnsafeRawBufferPointer) {
    let name = String(decoding: utf8, as: UTF8.self)
    heldBytes += Self.nodeBytes + utf8.count
    if case .object(let members, _) = open.last {
      open[open.count - 1] = .object(members, key: name)
    } else {
      // A point in a key leads nowhere else.
      path.append(name.contains(".") ? "“\(name)”" : name)
      if !walked.insert(place).inserted { tellDoubled(place) }
    }
  }

  /// In its turn among the elements, however the text is cut.
  private mutating func tellDoubled(_ what: String) { elements.append((Self.doubled, .string(what), 0)) }

  /// About what a value costs beside its text.
  private static let nodeBytes = 64

  private mutating func hand(over value: JSONValue, at place: String) {
    elements.append((place, value, heldBytes))
    heldBytes = 0
  }

  private mutating func take(_ value: JSONValue) {
    heldBytes += Self.nodeBytes
    switch open.last {
    case .object(var members, let key):
      open[open.count - 1] = .walkedArray  // so that the members are not copied
      members.append(JSONValue.Member(key: key, value: value))
      open[open.count - 1] = .object(members, key: "")
    case .array(var elements):
      open[open.count - 1] = .walkedArray
      elements.append(value)
      open[open.count - 1] = .array(elements)
    case .walkedArray: hand(over: value, at: place)
    case .walkedObject:
      hand(over: value, at: place)
      if !path.isEmpty { path.removeLast() }
    case nil: hand(over: value, at: "")
    }
  }

  mutating func beginString() { text.removeAll(keepingCapacity: true) }
  mutating func stringPart(_ utf8: UnsafeRawBufferPointer) {
    text.append(contentsOf: utf8)
    heldBytes += utf8.count
  }
  mutating func endString() { take(.string(String(decoding: text, as: UTF8.self))) }
  mutating func number(_ text: UnsafeRawBufferPointer) {
    heldBytes += text.count
    take(.number(String(decoding: text, as: UTF8.self)))
  }
  mutating func bool(_ value: Bool) { take(.bool(value)) }
  mutating func null() { take(.null) }
}
