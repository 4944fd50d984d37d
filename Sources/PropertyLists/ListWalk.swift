/// A walk over a binary list in the file's order, from offset to offset.
struct ListWalk {
  let table: ObjectTable
  let limits: PropertyListLimits
  var budget: Budget
  /// Archives inside data are decoded where this is not nil: what the attempts may still cost.
  var archives: ArchiveAllowance?
  /// Collections that the walk is inside of, outermost first.
  private var path: [Int] = []
  private var scratch: [UInt8] = []
  private var keys = DictionaryKeys()
  /// How deep inside other lists this one lies.
  let outerDepth: Int

  init(_ table: ObjectTable, limits: PropertyListLimits, budget: Budget, archives: ArchiveAllowance?, outerDepth: Int = 0) {
    (self.table, self.limits, self.budget, self.archives, self.outerDepth) = (table, limits, budget, archives, outerDepth)
  }

  /// Collections around the place where the walk is.
  var depth: Int { outerDepth + path.count }

  /// Passes an object and what it holds.
  mutating func value<Visitor: PropertyListVisitor & ~Copyable>(_ reference: Int, into visitor: inout Visitor) throws {
    let object = try table.object(reference)
    switch object {
    case .array(let kind, let list):
      try take(reference)
      try enter(reference)
      try visitor.beginArray(kind, count: list.count)
      for index in 0..<list.count { try value(table.reference(list, index), into: &visitor) }
      try visitor.endArray()
      leave()
    case .dictionary(let list):
      try take(reference)
      try enter(reference)
      if try haveDistinctText(list) { try members(list, into: &visitor) } else { try pairs(list, into: &visitor) }
      leave()
    default:
      try scalar(object, reference, into: &visitor)
    }
  }

  private mutating func members<Visitor: PropertyListVisitor & ~Copyable>(_ list: ReferenceList, into visitor: inout Visitor) throws {
    let values = table.values(list)
    try visitor.beginDictionary(count: list.count)
    for index in 0..<list.count {
      try key(table.reference(list, index), into: &visitor)
      try value(table.reference(values, index), into: &visitor)
    }
    try visitor.endDictionary()
  }

  private mutating func pairs<Visitor: PropertyListVisitor & ~Copyable>(_ list: ReferenceList, into visitor: inout Visitor) throws {
    let values = table.values(list)
    try visitor.beginPairs(count: list.count)
    for index in 0..<list.count {
      try visitor.beginPair()
      let key = try table.reference(list, index)
      try value(key, into: &visitor)
      try beginPairValue(named: table.object(key), key, into: &visitor)
      try value(table.reference(values, index), into: &visitor)
      try visitor.endPair()
    }
    try visitor.endPairs()
  }

  /// Passes the name that a pair's value stands under, where its key is well-formed text.
  mutating func beginPairValue<Visitor: PropertyListVisitor & ~Copyable>(
    named key: ListObject?, _ reference: Int, into visitor: inout Visitor
  ) throws {
    if let key, try text(key, reference) { try visitor.beginPairValue(named: scratch.span) } else { try visitor.beginPairValue(named: nil) }
  }

  /// Whether all keys are well-formed text and different.
  mutating func haveDistinctText(_ list: ReferenceList) throws -> Bool {
    keys.begin()
    for index in 0..<list.count {
      let key = try table.object(table.reference(list, index))
      if try !keys.add(key, of: table, &budget) { return false }
    }
    return keys.areDifferent(in: table)
  }

  /// The same for keys that stand anywhere.
  mutating func areDistinctText(_ objects: [ListObject]) throws -> Bool {
    keys.begin()
    for object in objects where try !keys.add(object, of: table, &budget) { return false }
    return keys.areDifferent(in: table)
  }

  /// Passes a key that `haveDistinctText` or `areDistinctText` has seen.
  mutating func key<Visitor: PropertyListVisitor & ~Copyable>(_ reference: Int, into visitor: inout Visitor) throws {
    try key(table.object(reference), reference, into: &visitor)
  }

  mutating func key<Visitor: PropertyListVisitor & ~Copyable>(_ object: ListObject, _ reference: Int, into visitor: inout Visitor) throws {
    _ = try text(object, reference)
    try visitor.key(scratch.span)
  }

  /// Begins an archived object with the name of its class, a text.
  mutating func beginObject<Visitor: PropertyListVisitor & ~Copyable>(
    class name: ListObject, _ reference: Int, count: Int, into visitor: inout Visitor
  ) throws {
    _ = try text(name, reference)
    try visitor.beginObject(class: scratch.span, count: count)
  }

  /// Puts a text into the scratch buffer, and says whether it is well-formed.
  private mutating func text(_ object: ListObject, _ reference: Int) throws -> Bool {
    scratch.removeAll(keepingCapacity: true)
    let isWellFormed = table.appendText(object, to: &scratch) ?? false
    try budget.take(bytes: scratch.count, at: table.offset(of: reference))
    return isWellFormed
  }

  /// Passes an object that is no collection.
  mutating func scalar<Visitor: PropertyListVisitor & ~Copyable>(
    _ object: ListObject, _ reference: Int, into visitor: inout Visitor
  ) throws {
    try take(reference)
    switch object {
    case .null: try visitor.null()
    case .boolean(let value): try visitor.boolean(value)
    case .integer(let value): try visitor.integer(value)
    case .unsigned(let value): try visitor.unsigned(value)
    case .real(let value): try visitor.real(value)
    case .single(let value): try visitor.single(value)
    case .date(let seconds): try visitor.date(secondsSince2001: seconds)
    case .uid(let value): try visitor.uid(value)
    case .data(let range): try data(range, reference, into: &visitor)
    case .text(let range):
      try budget.take(bytes: range.count, at: range.lowerBound)
      let text = table.slice(range).span
      if isWellFormedUTF8(text) { try visitor.text(text) } else { try visitor.malformedText(text) }
    case .utf16:
      if try text(object, reference) { try visitor.text(scratch.span) } else { try visitor.malformedText(scratch.span) }
    case .array, .dictionary: break  // the callers' own
    }
  }

  private mutating func data<Visitor: PropertyListVisitor & ~Copyable>(
    _ range: Range<Int>, _ reference: Int, into visitor: inout Visitor
  ) throws {
    try budget.take(bytes: range.count, at: range.lowerBound)
    let bytes = table.slice(range)
    if archives != nil, try KeyedArchive.decode(bytes, limits, &archives!, depth: depth, into: &visitor) { return }
    try visitor.data(bytes.span)
  }

  mutating func take(_ reference: Int) throws {
    if budget.values <= 0 { try budget.takeValue(at: table.offset(of: reference)) }
    budget.values -= 1
  }

  /// Notes that the walk goes into a collection.
  mutating func enter(_ reference: Int) throws {
    if path.contains(reference) { throw PropertyListError(.cycle, at: try table.offset(of: reference)) }
    try deepen(reference)
  }

  /// The same where the caller has its own way to find cycles.
  mutating func deepen(_ reference: Int) throws {
    if depth >= limits.depth { throw PropertyListError(.tooDeep, at: try table.offset(of: reference)) }
    path.append(reference)
  }

  /// Notes that the walk has left the collection it went into last.
  mutating func leave() { path.removeLast() }
}
