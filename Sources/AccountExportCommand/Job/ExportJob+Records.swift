internal import AccountExport
internal import Ownership
internal import RecordsSource

extension ExportJob {
  /// A source for each store.
  func records() throws(CommandError) -> [any ExportSource] {
    var made: [any ExportSource] = []
    for store in sources.records {
      if var file = try store.fileStore() {
        if let folder = request.temporaryFolder { file.planFolder = folder }
        made.append(file)
      } else {
        made.append(try linked(store, askedBy: []))
      }
    }
    return made
  }

  /// A store as a source; one whose subject other stores tell asks those first.
  private func linked(_ store: SourceSettings.Store, askedBy names: [String]) throws(CommandError) -> LinkedRecords.Records {
    if store.links.isEmpty { return try Self.source(of: store, request) }
    let first = (store.subject?.starts ?? []) + store.links.map { StartingRow(place: $0.place, value: "") }
    let unread = try Self.source(of: store.starting(from: first), request)
    var questions: [LinkedRecords.Question] = []
    for link in store.links {
      let asked = names + [unread.name]
      guard let other = try self.store(named: link.store) else {
        throw CommandError(.badInput, "\(link.place) is the same as in \(link.store), but no store of records has this name")
      }
      if asked.contains("records/" + link.store) {
        throw CommandError(.badInput, "the subject of \(link.store) is told by itself", hint: "name its row: --subject users.id=42")
      }
      questions.append(.init(link: link, other: try linked(other, askedBy: asked)))
    }
    let request = request
    return LinkedRecords(questions: questions, starts: store.subject?.starts ?? [], store: unread) { starts in
      try Self.source(of: store.starting(from: starts), request)
    }
  }

  private func store(named name: String) throws(CommandError) -> SourceSettings.Store? {
    for store in sources.records {
      let first = store.links.map { StartingRow(place: $0.place, value: "") }
      let named = first.isEmpty ? store : store.starting(from: first)
      if try Self.source(of: named, request).name == "records/" + name { return store }
    }
    return nil
  }

  private static func source(of store: SourceSettings.Store, _ request: ExportRequest) throws(CommandError) -> LinkedRecords.Records {
    if let url = store.url { return try store.database(at: url) }
    var source = RecordsSource(store.path, named: store.name)
    (source.subject, source.files) = (store.subject, store.files)
    if let folder = request.temporaryFolder { source.planFolder = folder }
    return source
  }
}

extension SourceSettings.Store {
  /// The same store for a subject with these rows.
  fileprivate func starting(from starts: [StartingRow]) -> Self {
    var store = self
    store.subject = (subject ?? SubjectSelection(starts: [])).starting(from: starts)
    return store
  }
}
