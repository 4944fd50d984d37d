internal import AccountExport
internal import AppContainers
internal import CommandSource
internal import DocumentsSource
internal import Files
internal import PreferencesSource
internal import RecordsSource

extension ExportJob {
  /// The sources that the settings name, in the order of the bundle: preferences, documents, records, programs; and what is left out of folders that were
  /// found.
  func makeSources() throws(CommandError) -> [any ExportSource] {
    let leftOut = sources.found.leftOut
    let places = leftOut.isEmpty ? [] : [FoundPlaces(name: sources.containers.isEmpty ? "app" : "container", leftOut: leftOut)]
    return preferences + documents + (try records()) + foundStores + commands + places
  }

  /// One source for all that go by their own names, and one for each that has been given another.
  private var preferences: [any ExportSource] {
    let unnamed = sources.preferences.filter { $0.name == nil }
    var main = PreferencesSource(files: unnamed.map(\.path))
    main.selections = sources.found.preferences.map { PreferencesSource.Selection(folder: $0.folder, files: $0.files, label: $0.label) }
    var made: [any ExportSource] = unnamed.isEmpty && main.selections.isEmpty ? [] : [main]
    for place in sources.preferences {
      if let name = place.name { made.append(PreferencesSource(files: [place.path], named: "preferences/" + name)) }
    }
    return made
  }

  private var documents: [any ExportSource] {
    let found = sources.found.documents.map { root in
      var folder = sources.foundDocuments
      folder.place = SourceSettings.Place(path: root.path, name: root.name)
      return folder
    }
    return (sources.documents + found).map { folder in
      var source = DocumentsSource(folder.place.path, named: folder.place.name)
      source.manifestOnly = folder.manifestOnly
      source.include = IgnorePatterns(lines: folder.include)
      source.exclude = IgnorePatterns(lines: folder.exclude)
      source.leftOut = notDocuments(in: folder.place.path)
      return source
    }
  }

  /// Stores that were found: each belongs to the app, and is exported whole.
  private var foundStores: [any ExportSource] {
    sources.found.stores.map { store in
      var source = RecordsSource(store.path, named: store.name)
      if let folder = request.temporaryFolder { source.planFolder = folder }
      return source
    }
  }

  private var commands: [any ExportSource] {
    sources.commands.map { program in
      var source = program.source
      source.requestID = request.requestID
      return source
    }
  }

  /// What is never a document of a root: what is exported as something else, another root among it, and what this run writes.
  private func notDocuments(in root: PathBytes) -> LeftOut {
    var leftOut = LeftOut()
    for store in sources.records where store.url == nil { leftOut.insert(store: store.path) }
    for place in sources.preferences { leftOut.insert(place.path) }
    for path in sources.found.elsewhere + sources.belongingsOfNamed where path != root { leftOut.insert(elsewhere: path) }
    if let out, out != "-" { leftOut.insert(out) }
    for path in [report, receipt].compactMap({ $0 }) + ReceiptFile.folders(state) { leftOut.insert(path) }
    return leftOut
  }
}
