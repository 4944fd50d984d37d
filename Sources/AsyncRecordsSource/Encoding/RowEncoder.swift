import AccountExport
import JSONStreaming

/// Encodes one value after another into the bytes of a row. All that it needs for one is used again for the next.
final class RowEncoder {
  let userInfo: [CodingUserInfoKey: Any]
  let depthLimit: Int
  let inlineBytes: Int
  private let rules: SecretRules
  private var keys = SecretKeys()
  private let forms: [ObjectIdentifier: any ValueForm]
  /// Whether a plain value may have a form: where none has, nothing is searched for with each.
  let hasPlainForms: Bool
  private var types = KnownTypes()
  private(set) lazy var captured = CapturedValue()

  /// Bytes that are on their way from one place to another.
  var scratch = JSONWriter(capacity: 512)
  /// The row.
  let fragment = Fragment()
  /// Keys that rows have had so far, as they are written: `"name":`.
  var columns: [[UInt8]] = []
  /// How many of the row's first keys are the first columns, in order.
  var matched = 0

  /// How deep the value lies that is being written: 1 is the row.
  private var depth = 0
  private var failure: (any Error)?
  private var places: [Place] = []
  private var fragments: [Fragment] = []
  private var spent: [Place] = []

  init(limits: ExportLimits, secrets: SecretRules, encoding: RecordEncoding) {
    (depthLimit, inlineBytes, rules) = (limits.depth, limits.inlineBytes, secrets)
    userInfo = encoding.userInfo
    (forms, hasPlainForms) = (encoding.forms, encoding.hasPlainForms)
  }

  /// Encodes a row, and calls a body with its place. One that fails leaves nothing.
  func encode<Value: Encodable>(_ value: Value, _ body: (Place) throws -> Void) throws {
    var root = place(in: fragment, parent: nil, key: nil)
    defer {
      recycle(&root)
      for hole in fragment.holes { spend(hole.content) }
      fragment.reset()
      collect()
      (matched, failure) = (0, nil)
    }
    try write(value, to: root)
    if let failure { throw failure }
    root.close()
    try body(root)
  }

  /// Writes a value to a place: by its own `encode(to:)`, or as its type is written here.
  func write<Value: Encodable>(_ value: Value, to place: Place) throws {
    // What has a form lies no deeper for it.
    if !forms.isEmpty, let form = forms[ObjectIdentifier(Value.self)] { return try place.write(try form.form(of: value)) }
    let outer = (depth, place.depth)
    // Containers opened in one another count as values do, and so do values written by themselves into one that was opened before.
    depth = max(depth + 1, place.depth)
    place.depth = depth
    defer { (depth, place.depth) = outer }
    if depth > depthLimit { throw place.fault(.depth) }
    switch types.role(of: Value.self) {
    case .plain: try value.encode(to: place)
    case .dictionary:
      place.chance = .pairs
      try value.encode(to: place)
    case .set:
      place.chance = .elements
      try value.encode(to: place)
    case .ready: if let ready = value as? RecordValue { try place.write(ready) }
    case .foreign(let type): try write(value, as: type, to: place)
    }
  }

  func hasForm(of type: any Any.Type) -> Bool { forms[ObjectIdentifier(type)] != nil }

  private func write<Value: Encodable>(_ value: Value, as type: ForeignType, to place: Place) throws {
    captured.reset()
    try value.encode(to: captured)
    if try !place.write(captured, as: type) { try value.encode(to: place) }
  }

  /// Whether a row's next key is the column that stands next.
  func isExpected(_ place: Place, _ entry: Place.Entry) -> Bool {
    guard matched == place.entries.count, matched < columns.count else { return false }
    let isNext = fragment.json.withBytes { bytes in
      columns[matched].withUnsafeBytes { $0.isSame(as: UnsafeRawBufferPointer(rebasing: bytes[entry.keyStart..<entry.valueStart])) }
    }
    if isNext { matched += 1 }
    return isNext
  }

  // MARK: Secrets

  func isSecret(key: UnsafeBufferPointer<UInt8>) -> Bool { rules.isEnabled && keys.isSecret(key, rules) }

  func isSecret(form text: UnsafeBufferPointer<UInt8>) -> Bool { rules.isEnabled && SecretForms.matches(text) }

  // MARK: Failures

  /// A key as rows write it, with its quotes and colon.
  static func written(_ name: String) -> [UInt8] {
    var json = JSONWriter(capacity: 64)
    json.beginObject()
    json.userKey(name)
    return json.withBytes { Array($0.dropFirst()) }
  }

  /// What may be told of a place: its depth, and its column where that is known, since then it stands in the schema anyway. Any other key
  /// may be one of a dictionary, which is content.
  func place(of path: [any CodingKey]) -> FaultPlace {
    guard let name = path.first?.stringValue else { return FaultPlace() }
    return FaultPlace(column: columns.contains(Self.written(name)) ? name : nil, depth: path.count)
  }

  /// An error in words, without what it says of itself: a model's error may hold values, and so may the keys on the way.
  func sentence(of error: any Error) -> String {
    switch error {
    case let fault as RecordFault: return fault.description
    case EncodingError.invalidValue(_, let context): return "EncodingError" + place(of: context.codingPath).description
    default: return String(describing: type(of: error))
    }
  }

  /// Lets the row fail at its end: for calls that can't throw.
  func fail(_ error: any Error) {
    if failure == nil { failure = error }
  }

  /// A place that leads nowhere, for a container that can't be.
  func lost(_ error: any Error) -> Place {
    fail(error)
    let place = Place(row: self, fragment: Fragment())
    place.end()
    return place
  }

  // MARK: The pool

  func place(in fragment: Fragment, parent: Place?, key: (any CodingKey)?) -> Place {
    let place = places.popLast() ?? Place(row: self, fragment: fragment)
    place.begin(in: fragment, parent: parent, key: key)
    return place
  }

  func ownFragment() -> Fragment { fragments.popLast() ?? Fragment() }

  /// Takes a place back, unless a value has kept it.
  func recycle(_ place: inout Place) {
    place.end()
    if isKnownUniquelyReferenced(&place) && places.count < Self.pooled { places.append(place) }
  }

  /// Ends what a hole was filled with, or should have been; it is taken back with the row's end, when no hole holds it any more.
  func spend(_ content: Fragment.Content) {
    guard case .place(let place) = content else { return }
    place.end()
    spent.append(place)
  }

  /// Takes back the places that had fragments of their own, and those within: one after another, since they may lie deep.
  private func collect() {
    while var place = spent.popLast() {
      let own = place.fragment
      for hole in own.holes { spend(hole.content) }
      own.reset()
      place.fragment = fragment
      if isKnownUniquelyReferenced(&place) && places.count < Self.pooled {
        places.append(place)
        fragments.append(own)
      }
    }
  }

  /// Places and fragments that are kept for the next row.
  private static let pooled = 256

  /// Lets go of the pool, whose places refer back.
  func close() {
    places = []
    fragments = []
  }
}
