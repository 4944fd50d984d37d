internal import AccountExport
internal import AppContainers
internal import Files
internal import NamedFiles
internal import Ownership
internal import PostgresSource
internal import RecordsSource

/// Where an account's data lies, as the command line and the configuration say.
struct SourceSettings: Sendable, Equatable {
  /// A file or folder, and the name that it gets in the bundle, where one is asked for.
  struct Place: Sendable, Equatable {
    var path: PathBytes
    var name: String?
  }

  /// A folder of documents.
  struct Documents: Sendable, Equatable {
    var place: Place
    /// Patterns of gitignore.
    var include: [PathBytes] = []
    var exclude: [PathBytes] = []
    var manifestOnly = false
  }

  /// A store of records.
  struct Store: Sendable, Equatable {
    var path: PathBytes
    var name: String?
    /// Whose rows are exported, where others share the store.
    var subject: SubjectSelection?
    /// Other stores that know the same person.
    var links: [SubjectLink] = []
    /// Columns that hold what is another person's.
    var thirdParty: [ThirdPartyColumn] = []
    /// Columns whose texts name files.
    var files: [FileColumn] = []
    /// How it is read where it is a file of records.
    var file = FileStoreOptions()
    /// Whether it is said to be a SQLite store, whatever it looks like.
    var isSQLite = false

    /// The file as a source where it is one of records: JSON, NDJSON or CSV; nil where it is for SQLite.
    func fileStore() throws(CommandError) -> FileRecordsSource? {
      if url != nil || isSQLite { return nil }
      let found: FileRecordsSource?
      do throws(FileError) { found = try FileRecordsSource(recognising: path, named: name, options: file) } catch {
        // What can't be opened is the source's to tell, when it is run.
        return nil
      }
      if let found, subject != nil || !links.isEmpty {
        throw CommandError(
          .usage, "\(path.display) is a \(found.kind) file, which has no keys to find a subject's rows by",
          hint: "give a file that is all of one person's without --subject")
      }
      if let found, let first = files.first {
        throw CommandError(
          .badInput, "\(path.display) is a \(found.kind) file, of which no column can name files: \(first.column)",
          hint: "export the folder of files with --documents")
      }
      return found
    }

    /// The database that the path is the URL of, where it is one.
    var url: String? { path.text.flatMap { PostgresSource.isURL($0) ? $0 : nil } }

    /// That database as a source.
    func database(at url: String) throws(CommandError) -> PostgresSource {
      do throws(ExportError) {
        var source = try PostgresSource(url, subject: subject, named: name)
        source.files = files
        return source
      } catch {
        throw CommandError(error)
      }
    }
  }

  var preferences: [Place] = []
  var documents: [Documents] = []
  var records: [Store] = []
  var commands: [Program] = []
  /// App containers that are looked through.
  var containers: [PathBytes] = []
  /// Apps whose folders are looked through, by their ids.
  var apps: [String] = []
  /// What was found there.
  var found = FoundData()
  /// What belongs to found stores that are named by themselves: their logs, and the files of their values.
  var belongingsOfNamed: [PathBytes] = []
  /// What holds for documents that were found.
  var foundDocuments = Documents(place: Place(path: ""))

  /// Whether there is nothing to export.
  var isEmpty: Bool {
    preferences.isEmpty && documents.isEmpty && records.isEmpty && commands.isEmpty && containers.isEmpty && apps.isEmpty
  }

  /// Adds those of a command line. What is there already isn't added again.
  mutating func add(_ options: ParsedOptions) throws(CommandError) {
    for path in options.all(.container) { Self.add(path, to: &containers) }
    for id in try options.texts(.app) { Self.add(id, to: &apps) }
    for path in options.all(.preferences) { Self.add(Place(path: path), to: &preferences) }
    try addRecords(options)
    for text in options.all(.command) { Self.add(try Program(parsing: text), to: &commands) }
    let (include, exclude) = (options.all(.include), options.all(.exclude))
    for path in options.all(.documents) {
      Self.add(Documents(place: Place(path: path), include: include, exclude: exclude), to: &documents)
    }
    (foundDocuments.include, foundDocuments.exclude) = (include, exclude)
    if options.has(.manifestOnly) {
      for index in documents.indices { documents[index].manifestOnly = true }
      foundDocuments.manifestOnly = true
    }
    if options.all(.documents).isEmpty, containers.isEmpty, apps.isEmpty, !include.isEmpty || !exclude.isEmpty {
      throw .usage("--include and --exclude are for --documents, and none is given", hint: "a configuration has patterns of its own")
    }
  }

  /// A subject is that of the stores given with it, and of those that the configuration shares.
  private mutating func addRecords(_ options: ParsedOptions) throws(CommandError) {
    var starts: [StartingRow] = []
    for text in try options.texts(.subject) {
      do { starts.append(try StartingRow(parsing: text)) } catch { throw .usage("--subject \(text): \(error.message)", hint: error.hint) }
    }
    let given = options.all(.records)
    for path in given where !records.contains(where: { $0.path == path }) { records.append(Store(path: path)) }
    if !starts.isEmpty {
      let shared = records.indices.filter { records[$0].subject != nil || records[$0].url != nil || given.contains(records[$0].path) }
      // Of a store whose subject another store tells, the configuration has said all.
      let named = shared.filter { records[$0].links.isEmpty }
      if named.isEmpty { throw .usage("--subject is for --records, and none is given") }
      for index in named { records[index].subject = (records[index].subject ?? SubjectSelection(starts: [])).starting(from: starts) }
    }
  }

  private static func add<Element: Equatable>(_ element: Element, to list: inout [Element]) {
    if !list.contains(element) { list.append(element) }
  }

  /// Whether a command line names any source.
  static func are(in options: ParsedOptions) -> Bool {
    [Option.preferences, .documents, .records, .command, .container, .app].contains { options.has($0) }
  }

  /// Refuses what isn't there, or can't be what it was given as, before anything is written. What may not be looked at is the source's to
  /// tell.
  func check() throws(CommandError) {
    for place in preferences { _ = try InputFile.kind(place.path) }
    for folder in documents where try InputFile.kind(folder.place.path) == .special {
      throw CommandError(.badInput, "\(folder.place.path.display) is neither a folder nor a file")
    }
    for program in commands {
      if let file = program.file, try InputFile.kind(file) != .file {
        throw CommandError(.badInput, "\(file.display) is no program")
      }
    }
    for store in records {
      if let subject = store.subject, subject.starts.isEmpty, store.links.isEmpty {
        throw CommandError(
          .badInput, "\(store.url == nil ? store.path.display : "the database") is shared by many, and nobody of them is named",
          hint: "name the subject's row: --subject users.id=42")
      }
      if let url = store.url {
        // One whose subject another store tells is looked at when that has been asked.
        if store.links.isEmpty { _ = try store.database(at: url) }
      } else {
        try Self.check(file: store.path)
      }
    }
  }

  /// A text for libpq that is no URL of its kind would stand in the message that there is no such file, and a password in it.
  private static func check(file path: PathBytes) throws(CommandError) {
    do throws(CommandError) {
      if try InputFile.kind(path) == .folder { throw CommandError(.badInput, "\(path.display) is a folder, not a store") }
    } catch {
      let text = path.text?.lowercased() ?? ""
      if !(text.contains("password") && text.contains("=")) && !text.contains("://") { throw error }
      throw CommandError(
        .badInput, "there is no store of the name that --records gives, which is not shown, since it may hold a password",
        hint: "a database is given by its URL: postgres://user@host/database")
    }
  }
}
