internal import JSONReading
internal import Ownership

extension SubjectSelection {
  /// What the configuration of a store says of whose its rows are; nil where it says nothing, so that all of the store is the subject's. Its shape has been
  /// checked.
  init?(ofStore store: JSONValue) {
    let said = ["subject", "references", "roles", "people", "exclude"].filter { store[$0] != nil }
    if said.isEmpty { return nil }
    self.init(starts: (store["subject"]?.elements ?? []).compactMap(\.text).map(StartingRow.init(configured:)))
    references = (store["references"]?.elements ?? []).map(ConfiguredReference.init(configured:))
    roles = (store["roles"]?.members ?? []).map { member in
      let (role, parent) = (member.value.text ?? member.value.text("role"), member.value.text("to"))
      return KeyRole(columns: Self.columns(member.key), parent: parent, role: role.flatMap(Role.init) ?? .undecided)
    }
    for member in store["people"]?.members ?? [] { people[member.key] = member.value.boolean }
    for member in store["exclude"]?.members ?? [] { exclusions[member.key] = member.value.text }
  }

  /// The columns of a key that has several stand in one name, with commas between them.
  private static func columns(_ names: String) -> [String] {
    names.split(separator: ",").map { String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()) }
  }
}

extension StartingRow {
  /// The first `=` divides; the schema has one in every such text.
  fileprivate init(configured text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(place: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : "")
  }
}

extension ConfiguredReference {
  fileprivate init(configured reference: JSONValue) {
    let names = { (key: String) in reference.texts(key) ?? [reference.text(key)].compactMap { $0 } }
    let condition = reference["when"]?.members?.first.map { ForeignKey.Condition(column: $0.key, value: $0.value.text ?? "") }
    let access: ForeignKey.Access =
      reference.text("path").map { .jsonPath($0) } ?? (reference["elements"]?.boolean == true ? .arrayElements : .value)
    self.init(
      from: names("from"), to: names("to"), condition: condition, access: access, role: reference.text("role").flatMap(Role.init))
  }
}

extension SubjectLink {
  /// The ways in which a store's subject is the same person as another store's.
  static func all(ofStore store: JSONValue) -> [SubjectLink] {
    (store["subject"]?.elements ?? []).compactMap { element in
      guard let place = element.text("place"), let other = element["sameAs"] else { return nil }
      return SubjectLink(place: place, store: other.text("store") ?? "", otherPlace: other.text("place") ?? "")
    }
  }
}
