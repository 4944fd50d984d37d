/// Where the parts of a keyed archive lie in its property list.
struct ArchiveLayout {
  let table: ObjectTable
  /// `$objects`.
  let objects: ReferenceList
  /// `$top`: the keys, with as many values after them.
  let top: ReferenceList
  /// In XML a reference is a dictionary `{CF$UID: n}`; in binary lists such a dictionary is only a dictionary.
  let isText: Bool

  /// Finds the parts; nil where the list isn't a keyed archive.
  init?(_ table: ObjectTable, isText: Bool) throws(PropertyListError) {
    guard case .dictionary(let root) = try table.object(table.top) else { return nil }
    guard try Self.field(table, root, "$archiver") != nil, let objects = try Self.field(table, root, "$objects"),
      let top = try Self.field(table, root, "$top"), case .array(_, let objectList) = try table.object(objects),
      case .dictionary(let topList) = try table.object(top)
    else { return nil }
    (self.table, self.isText, self.objects, self.top) = (table, isText, objectList, topList)
  }

  private static func field(_ table: ObjectTable, _ list: ReferenceList, _ name: StaticString) throws(PropertyListError) -> Int? {
    for index in 0..<list.count where table.isText(try table.object(table.reference(list, index)), name) {
      return try table.reference(table.values(list), index)
    }
    return nil
  }

  /// The value of a dictionary's key.
  func field(_ list: ReferenceList, _ name: StaticString) throws(PropertyListError) -> Int? {
    try Self.field(table, list, name)
  }

  /// The index in `$objects` that a value refers to; nil where it is no reference.
  func target(_ object: ListObject) throws(PropertyListError) -> UInt64? {
    switch object {
    case .uid(let index): return index
    case .dictionary(let list) where isText && list.count == 1:
      guard let reference = try field(list, "CF$UID") else { return nil }
      switch try table.object(reference) {
      case .integer(let index): return index >= 0 ? UInt64(index) : nil
      case .unsigned(let index): return index
      default: return nil
      }
    default: return nil
    }
  }

  /// A value, or the object that it refers to where it is a reference to one that is there. Takes one step only: references don't lead to references.
  func resolve(_ reference: Int) throws(PropertyListError) -> (object: ListObject, reference: Int) {
    let object = try table.object(reference)
    guard let index = try target(object), index < objects.count else { return (object, reference) }
    let resolved = try table.reference(objects, Int(index))
    return (try table.object(resolved), resolved)
  }

  /// Whether a value is absent: it refers to object 0, `$null`.
  func isNull(_ reference: Int) throws(PropertyListError) -> Bool {
    guard try target(table.object(reference)) == 0 else { return false }
    return table.isText(try resolve(reference).object, "$null")
  }

  /// The class of an archived object, as a text; nil where it names none.
  func className(_ list: ReferenceList) throws(PropertyListError) -> (object: ListObject, reference: Int)? {
    guard let described = try field(list, "$class"), try target(table.object(described)) != nil,
      case .dictionary(let description) = try resolve(described).object, let name = try field(description, "$classname")
    else { return nil }
    let object = try table.object(name)
    switch object {
    case .text(let range): return isWellFormedUTF8(table.slice(range).span) ? (object, name) : nil
    case .utf16: return (object, name)
    default: return nil
    }
  }
}
