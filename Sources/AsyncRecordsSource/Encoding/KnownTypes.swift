/// How values of a type are written.
enum TypeRole {
  /// As `encode(to:)` says.
  case plain
  /// A dictionary, a set: as `encode(to:)` says, then sorted.
  case dictionary, set
  /// A ``RecordValue``.
  case ready
  /// One of Foundation's whose `encode(to:)` doesn't say what it means.
  case foreign(ForeignType)
}

/// Types of Foundation with a form of their own in the bundle.
///
/// They are known by name, and read through what their own `encode(to:)` says of them, which can't change without breaking what apps have
/// stored: so dates are dates without anybody linking Foundation who doesn't already. A `UUID` writes itself as it should.
enum ForeignType {
  case date, data, decimal, url
}

/// What is known of the types that were met: asked for with each value, so found without a search.
struct KnownTypes {
  private var slots = [(type: ObjectIdentifier, role: TypeRole)?](repeating: nil, count: 64)

  mutating func role(of type: any Any.Type) -> TypeRole {
    let identifier = ObjectIdentifier(type)
    let place = UInt(bitPattern: identifier)
    let slot = Int((place >> 4 ^ place >> 10) & 63)
    if let known = slots[slot], known.type == identifier { return known.role }
    let role = Self.find(type)
    slots[slot] = (identifier, role)
    return role
  }

  private static func find(_ type: any Any.Type) -> TypeRole {
    if type == RecordValue.self { return .ready }
    let name = String(reflecting: type)
    if name.hasPrefix("Swift.Dictionary<") { return .dictionary }
    if name.hasPrefix("Swift.Set<") { return .set }
    switch name {
    case "Foundation.Date", "FoundationEssentials.Date": return .foreign(.date)
    case "Foundation.Data", "FoundationEssentials.Data": return .foreign(.data)
    case "Foundation.Decimal", "FoundationEssentials.Decimal", "__C.NSDecimal": return .foreign(.decimal)
    case "Foundation.URL", "FoundationEssentials.URL": return .foreign(.url)
    default: return .plain
    }
  }
}
