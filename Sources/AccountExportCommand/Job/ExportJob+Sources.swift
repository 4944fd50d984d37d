internal import AccountExport
internal import DocumentsSource
internal import Files
internal import PreferencesSource

extension ExportJob {
  /// The sources that the settings name, in the order of the bundle: preferences, documents, records.
  func makeSources() throws(CommandError) -> [any ExportSource] { preferences + documents + (try records()) }

  /// One source for all that go by their own names, and one for each that has been given another.
  private var preferences: [any ExportSource] {
    let unnamed = sources.preferences.filter { $0.name == nil }
    var made: [any ExportSource] = unnamed.isEmpty ? [] : [PreferencesSource(files: unnamed.map(\.path))]
    for place in sources.preferences {
      if let name = place.name { made.append(PreferencesSource(files: [place.path], named: "preferences/" + name)) }
    }
    return made
  }

  private var documents: [any ExportSource] {
    let leftOut = notDocuments
    return sources.documents.map { folder in
      var source = DocumentsSource(folder.place.path, named: folder.place.name)
      source.manifestOnly = folder.manifestOnly
      source.include = IgnorePatterns(lines: folder.include)
      source.exclude = IgnorePatterns(lines: folder.exclude)
      source.leftOut = leftOut
      return source
    }
  }

  /// What is never a document: what is exported as something else, and what this run writes.
  private var notDocuments: LeftOut {
    var leftOut = LeftOut()
    for store in sources.records where store.url == nil { leftOut.insert(store: store.path) }
    for place in sources.preferences { leftOut.insert(place.path) }
    if let out, out != "-" { leftOut.insert(out) }
    if let report { leftOut.insert(report) }
    return leftOut
  }
}
