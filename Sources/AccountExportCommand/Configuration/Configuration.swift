internal import AccountExport
internal import BundleView
internal import CommandSource
internal import Files
internal import JSONReading
internal import NamedFiles
internal import Ownership
internal import PostgresSource
internal import RecordsSource

/// A configuration file that was read and found to have the right shape.
struct Configuration {
  /// Where it was read.
  let path: PathBytes
  private let root: JSONValue

  /// The configuration of a folder that is exported from without options.
  static let usualPath: PathBytes = "account-export.json"
  /// A configuration is written by hand; what is larger is something else.
  private static let longest = 16 << 20

  /// Reads and checks a file.
  init(readingFrom path: PathBytes) throws(CommandError) {
    let bytes = try InputFile.read(path, limit: Self.longest)
    do throws(JSONError) { root = try JSONParser.parse(bytes, dialect: .json5) } catch {
      throw CommandError(.badInput, "\(path.display):\(error.position): \(error.message)")
    }
    self.path = path
    try ConfigurationShape(file: path).check(root)
  }

  // MARK: Reading what has its shape

  /// Where the bundle goes.
  var out: PathBytes? { root.text("out").map { $0 == "-" ? "-" : absolute($0) } }
  /// Where technical detail goes.
  var report: PathBytes? { root.text("report").map(absolute) }
  /// Where a signed receipt goes, and the folder of the key that signs it.
  var receipt: PathBytes? { root.text("receipt").map(absolute) }
  var state: PathBytes? { root.text("state").map(absolute) }

  /// How the pages are to be; nil where there shall be none but the plain one.
  var view: ViewOptions? {
    guard let view = root["view"] else { return ViewOptions() }
    return view.boolean == false ? nil : ViewOptions(view)
  }

  /// A path of the configuration: a relative one counts from the file's folder.
  private func absolute(_ text: String) -> PathBytes {
    let written = PathBytes(text)
    let folder = path.parent
    return written.isAbsolute || folder == "." ? written : folder.appending(written)
  }

  /// The sources, in the order of the bundle.
  var sources: SourceSettings {
    var settings = SourceSettings()
    let sources = root["sources"]
    settings.containers = list(sources?["container"]).map(absolute)
    settings.apps = list(sources?["app"])
    settings.preferences = (sources?["preferences"]?.elements ?? []).map(place)
    settings.records = (sources?["records"]?.elements ?? []).map {
      let place = place($0)
      var store = SourceSettings.Store(
        path: place.path, name: place.name, subject: SubjectSelection(ofStore: $0), links: SubjectLink.all(ofStore: $0),
        thirdParty: thirdParty($0))
      store.files = FileColumn.all(ofStore: $0, in: folder, absolute)
      (store.file, store.isSQLite) = (FileStoreOptions($0), $0.text("format") == "sqlite")
      return store
    }
    settings.documents = (sources?["documents"]?.elements ?? []).map { element in
      SourceSettings.Documents(
        place: place(element), include: (element.texts("include") ?? []).map { PathBytes($0) },
        exclude: (element.texts("exclude") ?? []).map { PathBytes($0) },
        manifestOnly: element["manifestOnly"]?.boolean ?? false)
    }
    settings.commands = (sources?["commands"]?.elements ?? []).map(program)
    return settings
  }

  /// One text, or a list of them.
  private func list(_ value: JSONValue?) -> [String] { value?.text.map { [$0] } ?? (value?.elements ?? []).compactMap(\.text) }

  /// A program starts in the configuration's folder, so that its relative paths count from there, too.
  private func program(_ element: JSONValue) -> SourceSettings.Program {
    var program = SourceSettings.Program(name: element.text("name") ?? "", run: (element.texts("run") ?? []).map { PathBytes($0) })
    program.output = element.text("format").flatMap(CommandSource.Output.init) ?? .records
    program.timeLimit = element["timeLimit"]?.integer
    program.outputLimit = element["outputLimit"]?.unsigned
    for variable in element["environment"]?.members ?? [] { program.environment[variable.key] = variable.value.text }
    program.inherited = element.texts("inherit") ?? []
    program.folder = folder
    return program
  }

  private func thirdParty(_ store: JSONValue) -> [ThirdPartyColumn] {
    (store["thirdParty"]?.elements ?? []).compactMap {
      ThirdPartyColumn($0.text ?? $0.text("column") ?? "", style: $0.text("as") == "pseudonym" ? .pseudonym : .removed)
    }
  }

  /// The configuration's folder, where programs start; nil where that is ours.
  private var folder: PathBytes? { path.parent == "." ? nil : path.parent }

  private func place(_ element: JSONValue) -> SourceSettings.Place {
    let path = element.text ?? element.text("path") ?? ""
    return SourceSettings.Place(path: PostgresSource.isURL(path) ? PathBytes(path) : absolute(path), name: element.text("name"))
  }

  /// Puts into a request what the configuration says of it.
  func apply(to request: inout ExportRequest) throws(CommandError) {
    if let level = root["level"]?.integer.flatMap({ CompressionLevel(Int($0)) }) ?? root["level"]?.text.flatMap({ CompressionLevel($0) }) {
      request.level = level
    }
    if let language = root.text("language") { request.language = language }
    request.csv = root["csv"]?.boolean ?? false
    request.temporaryFolder = root.text("temp").map(absolute)
    request.app = AppInformation(
      name: root["app"]?.text("name"), version: root["app"]?.text("version"), bundleIdentifier: root["app"]?.text("bundleIdentifier"))
    request.environment = root.text("environment")
    if let subject = root["subject"] {
      request.subject = DataSubject(
        id: subject.text("id"), name: subject.text("name"), email: subject.text("email"), phone: subject.text("phone"),
        username: subject.text("username"))
    }
    if let told = root["request"] {
      request.requestID = told.text("id")
      request.law = told.text("law")
      (request.received, request.due) = (told.text("received"), told.text("due"))
      request.extended = told["extended"].map { .init(until: $0.text("until") ?? "", reason: $0.text("reason") ?? "") }
    }
    if let masking = root["masking"] {
      request.secrets = try secrets(masking)
      request.pseudonymKey = try masking.text("pseudonymKey").map { (path) throws(CommandError) in try pseudonymKey(absolute(path)) }
    }
    if let information = root["information"] { request.information = ProcessingInformation(information) }
  }

  /// A key as long as makes it no use to try all.
  private func pseudonymKey(_ path: PathBytes) throws(CommandError) -> [UInt8] {
    let key = try InputFile.read(path, limit: 1 << 20)
    if key.count < 16 {
      throw CommandError(
        .badInput, "the key of the pseudonyms in \(path.display) has \(key.count) bytes, and must have 16 or more",
        hint: "head -c 32 /dev/urandom > FILE makes one")
    }
    return key
  }

  private func secrets(_ masking: JSONValue) throws(CommandError) -> SecretRules {
    var rules = SecretRules.standard
    if let path = masking.text("rules").map(absolute) {
      let bytes = try InputFile.read(path, limit: Self.longest)
      do { rules = try SecretRules(data: bytes) } catch { throw CommandError(.badInput, "\(path.display): \(error)") }
    }
    rules.isEnabled = masking["secrets"]?.boolean ?? true
    for term in masking.texts("add") ?? [] { rules.add(term: term) }
    for name in masking.texts("allow") ?? [] { rules.allow(name: name) }
    return rules
  }
}

extension JSONValue {
  /// The text under a key; nil where there is none.
  func text(_ key: String) -> String? { self[key]?.text }

  /// The texts of the array under a key; nil where there is none.
  func texts(_ key: String) -> [String]? { self[key]?.elements?.compactMap(\.text) }
}
