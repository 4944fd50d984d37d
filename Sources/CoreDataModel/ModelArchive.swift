internal import PropertyLists

/// The objects of a keyed archive, by their index. Nothing is made of them but what is asked for.
struct ModelArchive {
  private let objects: [ArchivedValue]
  /// The archive's `$top`.
  let top: [String: ArchivedValue]

  /// A model is small: what goes beyond is none.
  private static let limits = PropertyListLimits(
    bytes: 64 << 20, objects: 1 << 20, depth: 64, expandedValues: 4 << 20, expandedBytes: 64 << 20)

  /// Reads the objects of an archive, a binary or XML property list.
  init(_ bytes: [UInt8]) throws(ModelError) {
    var builder = ArchivedValueBuilder()
    do { try PropertyList(bytes, limits: Self.limits).visit(&builder, decodingArchives: false) } catch { throw ModelError(.notAnArchive) }
    guard let root = builder.root?.dictionary, root["$archiver"] != nil, let objects = root["$objects"]?.list,
      let top = root["$top"]?.dictionary
    else { throw ModelError(.notAnArchive) }
    (self.objects, self.top) = (objects, top)
  }

  /// A value, followed where it is a reference; nil where it is absent or the archive's `$null`.
  func value(_ value: ArchivedValue?) throws(ModelError) -> ArchivedValue? {
    guard let value else { return nil }
    guard case .reference(let index) = value else { return value }
    guard index < objects.count else { throw ModelError(.broken) }
    if index == 0, objects[0].text == "$null" { return nil }
    return objects[Int(index)]
  }

  /// An archived object's fields; nil where it is absent.
  func object(_ value: ArchivedValue?) throws(ModelError) -> [String: ArchivedValue]? { try self.value(value)?.dictionary }

  /// A text; nil where it is absent. An archived mutable string is one too.
  func text(_ value: ArchivedValue?) throws(ModelError) -> String? {
    guard let found = try self.value(value) else { return nil }
    if let text = found.text { return text }
    guard let object = found.dictionary else { return nil }
    return try self.value(object["NS.string"])?.text
  }

  /// The elements of an archived array; none where it is absent.
  func elements(_ value: ArchivedValue?) throws(ModelError) -> [ArchivedValue] {
    guard let found = try self.value(value) else { return [] }
    if let list = found.list { return list }
    guard let list = try self.value(found.dictionary?["NS.objects"])?.list else { throw ModelError(.broken) }
    return list
  }

  /// The members of an archived dictionary: Foundation's, or Core Data's own with known keys.
  func members(_ value: ArchivedValue?) throws(ModelError) -> [(key: String, value: ArchivedValue)] {
    guard let dictionary = try object(value) else { return [] }
    let keys: [ArchivedValue]
    let values: [ArchivedValue]
    if let mapping = try object(dictionary["searchMapping"]) {
      (keys, values) = (try elements(mapping["keys"]), try elements(dictionary["values"]))
    } else {
      (keys, values) = (try elements(dictionary["NS.keys"]), try elements(dictionary["NS.objects"]))
    }
    guard keys.count == values.count else { throw ModelError(.broken) }
    var members: [(key: String, value: ArchivedValue)] = []
    for (key, value) in zip(keys, values) {
      guard let name = try text(key) else { throw ModelError(.broken) }
      members.append((name, value))
    }
    return members
  }

  /// The names of an object's class and of those above it.
  func classes(of object: [String: ArchivedValue]) throws(ModelError) -> [String] {
    guard let described = try self.object(object["$class"]) else { return [] }
    var names: [String] = []
    if let name = try text(described["$classname"]) { names.append(name) }
    for name in try elements(described["$classes"]) {
      if let text = try text(name) { names.append(text) }
    }
    return names
  }
}
