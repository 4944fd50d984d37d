/// A walk over the object graph of a keyed archive, from `$top` on. It ends on any graph, for each object with parts is written out once.
struct ArchiveWalk {
  let layout: ArchiveLayout
  var walk: ListWalk
  /// Objects with parts that were begun: later occurrences, inside or after, are references.
  private var begun: [Bool]

  init(_ layout: ArchiveLayout, _ limits: PropertyListLimits, _ budget: Budget, archives: ArchiveAllowance?, depth: Int) {
    self.layout = layout
    walk = ListWalk(layout.table, limits: limits, budget: budget, archives: archives, outerDepth: depth)
    begun = Array(repeating: false, count: layout.objects.count)
  }

  private var table: ObjectTable { layout.table }

  /// Passes `$top.root`, or a dictionary with the keys of `$top` where there are others.
  mutating func root<Visitor: PropertyListVisitor & ~Copyable>(into visitor: inout Visitor) throws {
    if layout.top.count == 1, let root = try layout.field(layout.top, "root") {
      try value(root, into: &visitor)
    } else {
      try dictionary(layout.top, table.top, into: &visitor)
    }
  }

  private mutating func value<Visitor: PropertyListVisitor & ~Copyable>(_ reference: Int, into visitor: inout Visitor) throws {
    let object = try table.object(reference)
    if let index = try layout.target(object) { return try target(index, reference, into: &visitor) }
    switch object {
    case .array(let kind, let list): try array(kind, .list(list), reference, into: &visitor)
    case .dictionary(let list): try dictionary(list, reference, into: &visitor)
    default: try walk.scalar(object, reference, into: &visitor)
    }
  }

  /// Passes what a reference leads to.
  private mutating func target<Visitor: PropertyListVisitor & ~Copyable>(
    _ index: UInt64, _ source: Int, into visitor: inout Visitor
  ) throws {
    guard index < layout.objects.count else { return try walk.scalar(.uid(index), source, into: &visitor) }
    let reference = try table.reference(layout.objects, Int(index))
    let object = try table.object(reference)
    if index == 0, table.isText(object, "$null") { return try walk.scalar(.null, reference, into: &visitor) }
    switch object {
    case .dictionary(let list): try described(list, Int(index), reference, into: &visitor)
    case .array, .uid:
      if try isFirst(Int(index), reference, into: &visitor) { try direct(object, reference, into: &visitor) }
    default: try walk.scalar(object, reference, into: &visitor)
    }
  }

  /// Passes an object of `$objects` that is a dictionary: an object with a class, or only a dictionary.
  private mutating func described<Visitor: PropertyListVisitor & ~Copyable>(
    _ list: ReferenceList, _ index: Int, _ reference: Int, into visitor: inout Visitor
  ) throws {
    let name = try layout.className(list)
    let form = try name.map { name in try layout.form(list, ofClass: name.object) } ?? nil
    switch form {
    case .scalar(let object, let place): return try walk.scalar(object, place, into: &visitor)
    case .uuid(let range):
      try walk.take(reference)
      return try visitor.uuid(table.slice(range).span)
    default: break
    }
    guard try isFirst(index, reference, into: &visitor) else { return }
    switch form {
    case .array(let kind, let elements): try array(kind, elements, reference, into: &visitor)
    case .dictionary(let keys, let values): try dictionary(keys, values, reference, into: &visitor)
    default:
      if let name, try walk.haveDistinctText(list) {
        try object(list, name, reference, into: &visitor)
      } else {
        try direct(.dictionary(list), reference, into: &visitor)
      }
    }
  }

  /// Passes an object of `$objects` that has no class. It may be a reference itself: a chain of them leads deep without being a collection.
  private mutating func direct<Visitor: PropertyListVisitor & ~Copyable>(
    _ object: ListObject, _ reference: Int, into visitor: inout Visitor
  ) throws {
    let isReference = try layout.target(object) != nil
    if isReference { try walk.deepen(reference) }
    try value(reference, into: &visitor)
    if isReference { walk.leave() }
  }

  /// Notes that an object is begun; passes a reference, and returns false, where it was before.
  private mutating func isFirst<Visitor: PropertyListVisitor & ~Copyable>(
    _ index: Int, _ reference: Int, into visitor: inout Visitor
  ) throws -> Bool {
    if begun[index] {
      try walk.take(reference)
      try visitor.reference(index)
      return false
    }
    begun[index] = true
    return true
  }

  private mutating func array<Visitor: PropertyListVisitor & ~Copyable>(
    _ kind: PropertyListArrayKind, _ elements: ArchivedList, _ reference: Int, into visitor: inout Visitor
  ) throws {
    try walk.take(reference)
    try walk.deepen(reference)
    try visitor.beginArray(kind, count: elements.count)
    for index in 0..<elements.count { try value(elements.reference(index, in: table), into: &visitor) }
    try visitor.endArray()
    walk.leave()
  }

  /// Passes a dictionary that stands in the list as such.
  private mutating func dictionary<Visitor: PropertyListVisitor & ~Copyable>(
    _ list: ReferenceList, _ reference: Int, into visitor: inout Visitor
  ) throws {
    try walk.take(reference)
    try walk.deepen(reference)
    if try walk.haveDistinctText(list) {
      try visitor.beginDictionary(count: list.count)
      try fields(list, into: &visitor)
      try visitor.endDictionary()
    } else {
      try pairs(.list(list), .list(table.values(list)), into: &visitor)
    }
    walk.leave()
  }

  private mutating func fields<Visitor: PropertyListVisitor & ~Copyable>(
    _ list: ReferenceList, without skipped: StaticString? = nil, into visitor: inout Visitor
  ) throws {
    let values = table.values(list)
    for index in 0..<list.count {
      let key = try table.reference(list, index)
      let text = try table.object(key)
      if let skipped, table.isText(text, skipped) { continue }
      try walk.key(text, key, into: &visitor)
      try value(table.reference(values, index), into: &visitor)
    }
  }

  private mutating func object<Visitor: PropertyListVisitor & ~Copyable>(
    _ list: ReferenceList, _ name: (object: ListObject, reference: Int), _ reference: Int, into visitor: inout Visitor
  ) throws {
    try walk.take(reference)
    try walk.deepen(reference)
    try walk.beginObject(class: name.object, name.reference, count: list.count - 1, into: &visitor)
    try fields(list, without: "$class", into: &visitor)
    try visitor.endObject()
    walk.leave()
  }

  /// Passes an archived `NSDictionary`, whose keys are objects too.
  private mutating func dictionary<Visitor: PropertyListVisitor & ~Copyable>(
    _ keys: ArchivedList, _ values: ArchivedList, _ reference: Int, into visitor: inout Visitor
  ) throws {
    try walk.take(reference)
    try walk.deepen(reference)
    if let texts = try texts(keys), try walk.areDistinctText(texts) {
      try visitor.beginDictionary(count: keys.count)
      for index in 0..<keys.count {
        try walk.key(texts[index], keys.reference(index, in: table), into: &visitor)
        try value(values.reference(index, in: table), into: &visitor)
      }
      try visitor.endDictionary()
    } else {
      try pairs(keys, values, into: &visitor)
    }
    walk.leave()
  }

  /// The keys of an archived dictionary as text objects; nil where one is none.
  private func texts(_ keys: ArchivedList) throws -> [ListObject]? {
    var texts: [ListObject] = []
    texts.reserveCapacity(keys.count)
    for index in 0..<keys.count {
      let reference = try keys.reference(index, in: table)
      if try layout.isNull(reference) { return nil }
      guard let text = try text(layout.resolve(reference).object) else { return nil }
      texts.append(text)
    }
    return texts
  }

  private func text(_ object: ListObject) throws -> ListObject? {
    switch object {
    case .text, .utf16: return object
    case .dictionary(let list):
      guard let name = try layout.className(list), case .scalar(let text, _)? = try layout.form(list, ofClass: name.object),
        table.isText(name.object, "NSString") || table.isText(name.object, "NSMutableString")
      else { return nil }
      return text
    default: return nil
    }
  }

  private mutating func pairs<Visitor: PropertyListVisitor & ~Copyable>(
    _ keys: ArchivedList, _ values: ArchivedList, into visitor: inout Visitor
  ) throws {
    try visitor.beginPairs(count: keys.count)
    for index in 0..<keys.count {
      try visitor.beginPair()
      let key = try keys.reference(index, in: table)
      try value(key, into: &visitor)
      let name = try layout.isNull(key) ? nil : text(layout.resolve(key).object)
      try walk.beginPairValue(named: name, key, into: &visitor)
      try value(values.reference(index, in: table), into: &visitor)
      try visitor.endPair()
    }
    try visitor.endPairs()
  }
}
