internal import JSONReading

/// The word lists that the default roles of keys go by. They are data, `ownership-rules.json`.
public struct OwnershipRules: Sendable {
  /// The lists of the data file.
  enum List: String, CaseIterable {
    case reference = "referenceWords"
    case mail = "mailWords"
    case phone = "phoneWords"
    case birth = "birthWords"
    case name = "nameWords"
    case qualifier = "qualifierWords"
    case actor = "actorWords"
    case owner = "ownerWords"
    case party = "partyWords"
  }

  private var lists: [List: Set<String>] = [:]

  /// The rules that every walk goes by unless it is told otherwise.
  public static let standard: OwnershipRules = {
    do { return try OwnershipRules(data: PackageResources.ownership_rules_json) } catch {
      preconditionFailure("the built-in rules can't be read: \(error)")  // a fault of the build, found by any test
    }
  }()

  /// Rules from a data file of the shape of `ownership-rules.json` (JSON5).
  public init(data: [UInt8]) throws {
    let root = try JSONParser.parse(data, dialect: .json5)
    for list in List.allCases {
      guard let words = root[list.rawValue]?.elements else {
        throw OwnershipError(.rules, "the ownership rules have no list `\(list.rawValue)`")
      }
      for word in words {
        guard let text = word.text, !text.isEmpty else {
          throw OwnershipError(.rules, "`\(list.rawValue)` of the ownership rules holds something that is no word")
        }
        lists[list, default: []].formUnion([text.lowercased(), NameWords.singular(text.lowercased())])
      }
    }
  }

  /// The words of a list.
  subscript(list: List) -> Set<String> { lists[list] ?? [] }

  /// The words of a name that roles go by, in their order and in the singular: without those that only say that it refers to something.
  func words(of name: String) -> [String] {
    NameWords.all(of: name).filter { !self[.reference].contains($0) }.map(NameWords.singular)
  }
}
