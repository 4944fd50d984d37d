internal import AccountExport
internal import Ownership

/// How a store's subject is known: a column of its holds what a column of another store holds for the same person.
struct SubjectLink: Sendable, Equatable {
  /// `customers.email` of this store.
  var place: String
  /// The other store's name.
  var store: String
  /// `users.email` of that one.
  var otherPlace: String
}

/// A store whose subject another store tells. It is asked when the export comes to this store, so that a fault of the one is no fault of the others.
struct LinkedRecords: PlannableSource, SubjectWalking {
  typealias Records = any PlannableSource & SubjectWalking

  /// What to ask: `place` of this store has the one value of `otherPlace`.
  struct Question: Sendable {
    var link: SubjectLink
    var other: Records
  }

  let questions: [Question]
  let starts: [StartingRow]
  /// The store with its first starting rows, for its name and kind; it is never read.
  let store: Records
  let make: @Sendable ([StartingRow]) throws -> Records

  var name: String { store.name }
  var kind: String { store.kind }

  func export(for subject: DataSubject, into writer: inout EntryWriter) async throws {
    let found = try await resolved()
    try await found.export(for: subject, into: &writer)
  }

  func plan(for subject: DataSubject, depth: PlanDepth) async throws -> SourcePlan {
    try await resolved().plan(for: subject, depth: depth)
  }

  func walk() async throws -> Walk? { try await resolved().walk() }

  func values(of place: String) async throws -> [String] { try await resolved().values(of: place) }

  private func resolved() async throws -> Records {
    var all = starts
    for question in questions {
      let (link, values) = (question.link, try await question.other.values(of: question.link.otherPlace))
      guard values.count == 1 else {
        throw ExportError(
          .badInput, "\(link.otherPlace) of \(link.store) names \(values.isEmpty ? "nobody" : "\(values.count) people") in \(link.place)")
      }
      all.append(StartingRow(place: link.place, value: values[0]))
    }
    return try make(all)
  }
}
