import JSONStreaming

/// The place of one value in a row: the encoder that the value is handed, and what its containers write to.
///
/// Places come from a pool and go back there once nobody else holds them. One that was kept by a value beyond its turn has ended: whoever
/// writes to it gets an error.
final class Place: Encoder {
  /// The order of a dictionary's or a set's elements is another one in each process: they are sorted, so that the same values give the same
  /// bytes.
  enum Chance {
    case none, elements, pairs
  }

  enum State {
    case empty, scalar, object, array, ended
  }

  /// A key, or an element of an array whose elements will be sorted.
  struct Entry {
    var keyStart: Int
    var valueStart: Int
    var valueEnd = 0
    /// The key where it has no column yet.
    var name: String?
    var isMoment = false
    /// Values masked within, as far as they are known.
    var redactions = 0
    /// Whether the same key came again later.
    var isReplaced = false
  }

  let row: RowEncoder
  var fragment: Fragment
  var state = State.empty
  private(set) var parent: Place?
  private(set) var key: (any CodingKey)?
  /// How many places this one lies in: 0 is a row.
  private(set) var level = 0
  /// How deep what stands here lies, as the limit counts it: 1 is a row, and a value written by another's `encode(to:)` in the same place
  /// lies one deeper.
  var depth = 1
  /// The first of its holes in the fragment.
  private(set) var firstHole = 0
  var entries: [Entry] = []
  var index = KeyIndex()
  /// How many elements an array has.
  var count = 0
  /// What chance decides of its order.
  var chance = Chance.none
  /// Whether what was written is a moment.
  var isMoment = false

  init(row: RowEncoder, fragment: Fragment) {
    (self.row, self.fragment) = (row, fragment)
  }

  /// Begins anew.
  func begin(in fragment: Fragment, parent: Place?, key: (any CodingKey)?) {
    (self.fragment, self.parent, self.key) = (fragment, parent, key)
    level = parent.map { $0.level + 1 } ?? 0
    depth = parent.map { $0.depth + 1 } ?? 1
    firstHole = fragment.holes.count
    (state, count, chance, isMoment) = (.empty, 0, .none, false)
    fragment.top = self
  }

  /// Lets go of everything that another place or the value could be held by.
  func end() {
    state = .ended
    (parent, key) = (nil, nil)
    entries.removeAll(keepingCapacity: entries.count < 1024)
    index.removeAll()
  }

  // MARK: Encoder

  var codingPath: [any CodingKey] {
    guard let parent else { return [] }
    return parent.codingPath + (key.map { [$0] } ?? [])
  }

  /// A fault here.
  func fault(_ code: RecordFault.Code) -> RecordFault { RecordFault(code, row.place(of: codingPath)) }

  var userInfo: [CodingUserInfoKey: Any] { row.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    open(.object)
    return KeyedEncodingContainer(KeyedPlace<Key>(place: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    open(.array)
    return UnkeyedPlace(place: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { SinglePlace(place: self) }

  /// Makes an object or an array of the value; the same again is no other. These calls can't throw: what is wrong fails the row at its end.
  func open(_ kind: State) {
    if state == kind { return }
    guard state == .empty, isTurn else {
      return row.fail(fault(state == .object || state == .array || state == .scalar ? .twoValues : .closed))
    }
    state = kind
    if kind == .object { fragment.json.beginObject() } else { fragment.json.beginArray() }
  }

  /// Whether no value within is being written, and this one hasn't ended.
  var isTurn: Bool { state != .ended && fragment.top === self }

  func check(_ expected: State) throws {
    if state == expected && fragment.top === self { return }
    throw fault(state == expected || state == .ended ? .closed : .twoValues)
  }

  // MARK: The end

  /// Closes the value and fills the holes in it. A value that wrote nothing is an empty object.
  func close() {
    switch state {
    case .empty:
      fragment.json.beginObject()
      fragment.json.endObject()
      state = .object
    case .object: fragment.json.endObject()
    case .array: fragment.json.endArray()
    case .scalar, .ended: break
    }
    fillHoles()
    if chance != .none { sortEntries() }
  }

  /// Takes back what was written of a value that failed.
  func restart(at mark: Fragment.Mark) {
    fragment.rewind(to: mark, row)
    (state, count, chance, isMoment) = (.empty, 0, .none, false)
    if level == 0 { row.matched = 0 }
    entries.removeAll(keepingCapacity: true)
    index.removeAll()
    fragment.top = self
  }
}
