/// What an archived object of one of Foundation's classes stands for.
enum ArchivedForm {
  /// A value without parts; the reference is for messages and counting.
  case scalar(ListObject, Int)
  case uuid(Range<Int>)
  case array(PropertyListArrayKind, ArchivedList)
  case dictionary(keys: ArchivedList, values: ArchivedList)
}

/// The elements of an archived collection: `NS.objects`, or `NS.object.0`, `NS.object.1` … as some classes and older archives spell it.
enum ArchivedList {
  case list(ReferenceList)
  case numbered([Int])

  var count: Int {
    switch self {
    case .list(let list): list.count
    case .numbered(let references): references.count
    }
  }

  func reference(_ index: Int, in table: ObjectTable) throws(PropertyListError) -> Int {
    switch self {
    case .list(let list): try table.reference(list, index)
    case .numbered(let references): references[index]
    }
  }
}

extension ArchiveLayout {
  /// What an object of a class stands for; nil where the class has no plain form, or the object has fields that the plain form would lose.
  func form(_ list: ReferenceList, ofClass name: ListObject) throws(PropertyListError) -> ArchivedForm? {
    func named(_ one: StaticString, _ mutable: StaticString) -> Bool { table.isText(name, one) || table.isText(name, mutable) }
    if named("NSString", "NSMutableString") { return try text(list) }
    if named("NSDictionary", "NSMutableDictionary") { return try dictionary(list) }
    if named("NSArray", "NSMutableArray") { return try array(.array, list) }
    if named("NSSet", "NSMutableSet") { return try array(.set, list) }
    if named("NSOrderedSet", "NSMutableOrderedSet") { return try array(.orderedSet, list) }
    if named("NSData", "NSMutableData") { return try data(list) }
    if table.isText(name, "NSDate") { return try date(list) }
    if table.isText(name, "NSUUID") { return try uuid(list) }
    if table.isText(name, "NSURL") { return try url(list) }
    if table.isText(name, "NSNumber") { return try number(list) }
    if table.isText(name, "NSNull"), list.count == 1 { return .scalar(.null, table.top) }
    return nil
  }

  /// The value of the only field beside `$class`, if it has one of these names.
  private func only(_ list: ReferenceList, _ names: [StaticString]) throws(PropertyListError) -> (object: ListObject, reference: Int)? {
    guard list.count == 2 else { return nil }
    for name in names {
      if let reference = try field(list, name) { return try resolve(reference) }
    }
    return nil
  }

  private func text(_ list: ReferenceList) throws(PropertyListError) -> ArchivedForm? {
    guard let (object, reference) = try only(list, ["NS.string", "NS.bytes"]) else { return nil }
    switch object {
    case .text, .utf16: return .scalar(object, reference)
    case .data(let range): return .scalar(.text(range), reference)
    default: return nil
    }
  }

  private func data(_ list: ReferenceList) throws(PropertyListError) -> ArchivedForm? {
    guard let (object, reference) = try only(list, ["NS.data", "NS.bytes"]), case .data = object else { return nil }
    return .scalar(object, reference)
  }

  private func date(_ list: ReferenceList) throws(PropertyListError) -> ArchivedForm? {
    guard let (object, reference) = try only(list, ["NS.time"]) else { return nil }
    switch object {
    case .real(let seconds): return .scalar(.date(seconds), reference)
    case .single(let seconds): return .scalar(.date(Double(seconds)), reference)
    case .integer(let seconds):
      guard let exact = Double(exactly: seconds) else { return nil }
      return .scalar(.date(exact), reference)
    default: return nil
    }
  }

  private func uuid(_ list: ReferenceList) throws(PropertyListError) -> ArchivedForm? {
    guard let (object, _) = try only(list, ["NS.uuidbytes"]), case .data(let range) = object, range.count == 16 else { return nil }
    return .uuid(range)
  }

  private func number(_ list: ReferenceList) throws(PropertyListError) -> ArchivedForm? {
    guard let (object, reference) = try only(list, ["NS.number", "NS.intval", "NS.dblval", "NS.boolval"]) else { return nil }
    switch object {
    case .boolean, .integer, .unsigned, .real, .single: return .scalar(object, reference)
    default: return nil
    }
  }

  /// A URL without a base is its text. One with a base stays an object: resolving would lose which part is whose.
  private func url(_ list: ReferenceList) throws(PropertyListError) -> ArchivedForm? {
    guard let relative = try field(list, "NS.relative") else { return nil }
    if let base = try field(list, "NS.base") {
      guard list.count == 3, try isNull(base) else { return nil }
    } else if list.count != 2 {
      return nil
    }
    let (object, reference) = try resolve(relative)
    switch object {
    case .text, .utf16: return .scalar(object, reference)
    default: return nil
    }
  }

  private func array(_ kind: PropertyListArrayKind, _ list: ReferenceList) throws(PropertyListError) -> ArchivedForm? {
    if let reference = try field(list, "NS.objects") {
      guard list.count == 2, case .array(_, let elements) = try table.object(reference) else { return nil }
      return .array(kind, .list(elements))
    }
    guard let elements = try numbered(list, "NS.object.", count: list.count - 1) else { return nil }
    return .array(kind, .numbered(elements))
  }

  private func dictionary(_ list: ReferenceList) throws(PropertyListError) -> ArchivedForm? {
    if let keys = try field(list, "NS.keys"), let values = try field(list, "NS.objects") {
      guard list.count == 3, case .array(_, let keyList) = try table.object(keys), case .array(_, let valueList) = try table.object(values),
        keyList.count == valueList.count
      else { return nil }
      return .dictionary(keys: .list(keyList), values: .list(valueList))
    }
    let count = (list.count - 1) / 2
    guard list.count == 2 * count + 1, let keys = try numbered(list, "NS.key.", count: count),
      let values = try numbered(list, "NS.object.", count: count)
    else { return nil }
    return .dictionary(keys: .numbered(keys), values: .numbered(values))
  }

  /// The values of `<prefix>0` … `<prefix>count-1`; nil where one of them is missing.
  private func numbered(_ list: ReferenceList, _ prefix: StaticString, count: Int) throws(PropertyListError) -> [Int]? {
    var found = [Int](repeating: -1, count: count)
    var missing = count
    var key: [UInt8] = []
    for index in 0..<list.count {
      let object = try table.object(table.reference(list, index))
      guard case .text(let range) = object, range.count <= 32 else { continue }
      key.removeAll(keepingCapacity: true)
      key.append(contentsOf: table.slice(range))
      guard prefix.withUTF8Buffer({ key.starts(with: $0) }), let number = Self.plainNumber(key[prefix.utf8CodeUnitCount...]),
        number < count, found[number] < 0
      else { continue }
      found[number] = try table.reference(table.values(list), index)
      missing -= 1
    }
    return missing == 0 ? found : nil
  }

  /// Digits without leading zeros.
  private static func plainNumber(_ digits: ArraySlice<UInt8>) -> Int? {
    guard let first = digits.first, digits.count <= 9, digits.count == 1 || first != UInt8(ascii: "0"),
      digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}
