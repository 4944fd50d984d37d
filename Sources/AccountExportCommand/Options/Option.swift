/// One option of the command line: all that parsing it and telling of it needs.
struct Option: Hashable, Sendable {
  /// How it is written: `--out`.
  let name: String
  /// A second name of one letter, where it has one.
  var letter: String?
  /// What its value is called; nil where it takes none.
  var value: String?
  /// The values that it takes, where they are few.
  var choices: [String] = []
  /// Whether it may be given several times.
  var repeats = false
  /// What it does, in a few words.
  let summary: String

  /// Two options are the same if they are written the same.
  static func == (a: Option, b: Option) -> Bool { a.name == b.name }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// How the option is shown: `--out FILE`.
  var synopsis: String {
    let names = letter.map { "\($0), \(name)" } ?? name
    return value.map { "\(names) \($0)" } ?? names
  }
}

/// Options that belong together, under one heading of the help.
struct OptionSection: Sendable {
  /// The heading.
  let title: String
  /// The options, in the order in which they are told.
  let options: [Option]
}

extension Option {
  // MARK: What is exported

  static let config = Option(
    name: "--config", value: "FILE", summary: "read a configuration (JSON, comments allowed); by default ./account-export.json")
  static let container = Option(
    name: "--container", value: "DIR", repeats: true,
    summary: "an iOS or macOS app container, whose preferences, stores and documents are found")
  static let app = Option(name: "--app", value: "ID", repeats: true, summary: "this user's folders of an app: com.example.notes")
  static let preferences = Option(
    name: "--preferences", value: "PATH", repeats: true,
    summary: "a property list (binary, XML, OpenStep), a JSON file, or a folder of them")
  static let documents = Option(name: "--documents", value: "DIR", repeats: true, summary: "a folder of documents, or a single one")
  static let records = Option(
    name: "--records", value: "STORE", repeats: true, summary: "a SQLite store, a JSON, NDJSON or CSV file, or postgres://… with --subject")
  static let command = Option(
    name: "--command", value: "NAME=PROGRAM", repeats: true,
    summary: "a program that writes records to its standard output; a configuration can give it arguments and limits")
  static let subject = Option(
    name: "--subject", value: "TABLE.COLUMN=VALUE", repeats: true,
    summary: "whose rows to export of stores that others share: the one row with this value")
  static let manifestOnly = Option(name: "--manifest-only", summary: "list documents, and leave their contents out")
  static let include = Option(
    name: "--include", value: "PATTERN", repeats: true, summary: "only documents that match, as in .gitignore; for --documents")
  static let exclude = Option(
    name: "--exclude", value: "PATTERN", repeats: true, summary: "no documents that match, as in .gitignore; for --documents")
  static let includeSecrets = Option(
    name: "--include-secrets",
    summary: "mask no passwords, tokens and keys: for the owner of a local store, never for one that others share")

  // MARK: What is told of it

  static let requestID = Option(name: "--request-id", value: "ID", summary: "the number or name of the request that is answered")
  static let appName = Option(name: "--app-name", value: "NAME", summary: "the app whose account this is")
  static let appVersion = Option(name: "--app-version", value: "VERSION", summary: "its version")
  static let bundleIdentifier = Option(name: "--bundle-identifier", value: "ID", summary: "its bundle identifier or package name")
  static let environment = Option(name: "--environment", value: "NAME", summary: "which installation: production, staging …")

  // MARK: The pages for people

  static let language = Option(
    name: "--language", value: "LANG", summary: "the language of the pages that people open: en, de, fr …; English where there is none")
  static let noView = Option(name: "--no-view", summary: "one plain page in place of tables, pictures and a search")

  // MARK: Where it goes

  static let out = Option(name: "--out", value: "FILE", summary: "the bundle to write; - is standard output")
  static let force = Option(name: "--force", summary: "replace an output that exists, once the new one is complete")
  static let configurationOut = Option(
    name: "--out", value: "FILE", summary: "the configuration to write, ./account-export.json by default; - is standard output")
  static let forceConfiguration = Option(name: "--force", summary: "replace a configuration that exists")
  static let level = Option(
    name: "--level", value: "N", choices: ["fast"] + (0...9).map(String.init),
    summary: "how hard to compress: fast, or as zlib from 1 to 9, the smallest; 0 stores (fast)")
  static let jobs = Option(
    name: "--jobs", value: "N", summary: "how many threads compress at once, 1 to 64 (one a processor); the bundle is the same")
  static let temp = Option(
    name: "--temp", value: "DIR", summary: "where to stage what is large, on a real disk; by default the output's folder")

  static let csv = Option(name: "--csv", summary: "write each collection of records as CSV for spreadsheets, too, beside its JSON")

  static let receipt = Option(
    name: "--receipt", value: "FILE", summary: "keep a signed proof of what was exported, which verify checks a bundle with")
  static let state = Option(
    name: "--state", value: "DIR", summary: "where the key lies that receipts are signed with; by default ~/.local/state/account-export")

  // MARK: What is checked

  static let receiptToCheck = Option(
    name: "--receipt", value: "FILE", summary: "check that the bundle is the one of this receipt, and who signed it")
  static let key = Option(
    name: "--key", value: "FILE", summary: "the public key of who signed the receipt, in PEM; by default that of the state folder")

  // MARK: What is opened

  static let printPath = Option(name: "--print-path", summary: "print the path of the first page, and open nothing: for scripts")
  static let clean = Option(name: "--clean", summary: "remove what was unpacked earlier, and open nothing")

  // MARK: What is shown

  static let report = Option(
    name: "--report", value: "FILE", summary: "technical detail for the operator, as JSON that only its owner can read")
  static let progress = Option(
    name: "--progress", value: "HOW", choices: ["bar", "json", "none"],
    summary: "on standard error: bar (on a terminal), json (a line for each event) or none")
  static let quiet = Option(name: "--quiet", summary: "say nothing but errors")
  static let json = Option(name: "--json", summary: "answer in JSON, for programs")
  static let graph = Option(name: "--graph", summary: "answer with the walks to the subject's rows, as Mermaid graphs")
  static let help = Option(name: "--help", letter: "-h", summary: "show this help")
  static let version = Option(name: "--version", summary: "show the version")
}
