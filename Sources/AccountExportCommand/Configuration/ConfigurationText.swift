internal import AccountExport
internal import AppContainers
internal import Files
internal import JSONStreaming
internal import Ownership
internal import PostgresSource

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Writes a configuration for what was found, with comments: what each source holds, what is left out, and what is to be filled in.
///
/// A line that begins with `//` and a space is for reading; one without the space is a key to take out of its comment.
struct ConfigurationText {
  let job: ExportJob
  let options: ParsedOptions
  let plans: [(source: any ExportSource, plan: Result<SourcePlan?, any Error>)]
  /// The plan of the walk to the subject's rows for each store, in the order of the settings; nil where there is none.
  let walks: [OwnershipPlan?]
  /// The folder that the configuration will lie in.
  let folder: PathBytes

  /// All of it.
  func text() throws(CommandError) -> String {
    var lines = [
      "// A configuration of account-export: JSON, with comments. Paths count from this file's folder.",
      "// Take the // away from what you fill in. `account-export plan` tells what an export would hold.",
      "{",
    ]
    lines += try about().map { $0.isEmpty ? "" : "  " + $0 }
    lines += ["", "  sources: {"]
    lines += try sources().map { $0.isEmpty ? "" : "    " + $0 }
    lines += ["  },"]
    let shown = contents()
    if !shown.isEmpty { lines += ["", "  // What this holds, as it was found:"] + shown.map { $0.isEmpty ? "  //" : "  //   " + $0 } }
    if options.has(.includeSecrets) {
      lines += ["", "  // Passwords, tokens and keys are exported as they are.", "  masking: { secrets: false },"]
    } else {
      lines += [
        "", "  // Passwords, tokens and keys are masked by their names; these are corrections to that.",
        "  //masking: { add: [\"…\"], allow: [\"…\"] },",
      ]
    }
    lines += [
      "",
      "  // What the law has the data subject told beside the data (GDPR Art. 15). What is not given, the bundle names as not provided.",
    ]
    lines += InformationText.lines(collections: plans.map(\.source.name)).map { line in
      // The slashes stand right before the key, whatever its depth.
      let depth = line.prefix { $0 == " " }
      return "  \(depth)//\(line.dropFirst(depth.count))"
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  // MARK: The head

  private func about() throws(CommandError) -> [String] {
    let app = job.request.app
    let known = [("name", app.name), ("version", app.version), ("bundleIdentifier", app.bundleIdentifier)]
    let members = known.compactMap { key, value in value.map { "\(key): \(Self.quoted($0))" } }
    var lines = [members.isEmpty ? "//app: { name: \"…\", version: \"…\" }," : "app: { \(members.joined(separator: ", ")) },"]
    lines.append(job.request.environment.map { "environment: \(Self.quoted($0))," } ?? "//environment: \"production\",")
    lines += ["", "// Whose account this is, as the app knows it.", "//subject: { id: \"…\", name: \"…\", email: \"…\" },", ""]
    let id = job.request.requestID.map { "request: { id: \(Self.quoted($0)) }," }
    lines += [
      "// What was asked, and until when it must be answered.",
      id ?? "//request: { id: \"…\", law: \"GDPR\", received: \"2026-01-31\", due: \"2026-02-28\" },",
    ]
    return lines
  }

  // MARK: Sources

  private func sources() throws(CommandError) -> [String] {
    let settings = job.sources
    var lines: [String] = []
    if !settings.containers.isEmpty {
      lines.append("// An app's container: its preferences, stores and documents are found anew each time.")
      lines.append("container: \(try Self.list(settings.containers.map(written))),")
    }
    if !settings.apps.isEmpty {
      lines.append("// This user's folders of an app: what is in them is found anew each time.")
      lines.append("app: \(Self.list(settings.apps.map(Self.quoted))),")
    }
    if !settings.preferences.isEmpty {
      lines.append("// Property lists and JSON files, or folders of them.")
      lines += try Self.block("preferences", settings.preferences.map { place throws(CommandError) in try written(place.path) })
    }
    if !settings.documents.isEmpty {
      lines.append("// Folders of documents; include and exclude take patterns as in .gitignore.")
      lines += try Self.block("documents", settings.documents.map(document))
    }
    if !settings.records.isEmpty {
      lines.append("// Stores of records, each exported whole; of one that others share, subject names whose rows.")
      lines.append("records: [")
      for (store, walk) in zip(settings.records, walks) { lines += try record(store, walk).map { "  " + $0 } }
      lines.append("],")
    }
    return lines
  }

  private func document(_ folder: SourceSettings.Documents) throws(CommandError) -> String {
    let path = try written(folder.place.path)
    var members = ["path: \(path)"]
    for (key, patterns) in [("include", folder.include), ("exclude", folder.exclude)] where !patterns.isEmpty {
      var texts: [String] = []
      for pattern in patterns { texts.append(Self.quoted(try Self.text(of: pattern))) }
      members.append("\(key): [\(texts.joined(separator: ", "))]")
    }
    if folder.manifestOnly { members.append("manifestOnly: true") }
    return members.count == 1 ? path : "{ \(members.joined(separator: ", ")) }"
  }

  /// A store's lines, with what its owner has to decide.
  private func record(_ store: SourceSettings.Store, _ walk: OwnershipPlan?) throws(CommandError) -> [String] {
    let path: String
    if let url = store.url { path = Self.quoted(Self.withoutPassword(url)) } else { path = try written(store.path) }
    let starts = (store.subject?.starts ?? []).map { Self.quoted("\($0.place)=\($0.value)") }
    if starts.isEmpty { return ["\(path),"] }
    let proposals: [String] = if let walk { try Self.proposals(walk) } else { [] }
    if proposals.isEmpty { return ["{ path: \(path), subject: [\(starts.joined(separator: ", "))] },"] }
    return ["{", "  path: \(path), subject: [\(starts.joined(separator: ", "))],"] + proposals.map { "  " + $0 } + ["},"]
  }

  /// A URL without the password in it, which belongs in PGPASSWORD or a password file.
  static func withoutPassword(_ url: String) -> String {
    guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else { return url }
    let start = url.index(colon, offsetBy: 3)
    let end = url[start...].firstIndex { "/?#".contains($0) } ?? url.endIndex
    var rest = String(url[end...])
    var host = String(url[start..<end])
    if let at = host.lastIndex(of: "@") {
      let user = host[..<at].prefix { $0 != ":" }
      host = String(user + host[at...])
    }
    if let question = rest.firstIndex(of: "?") {
      let kept = rest[rest.index(after: question)...].split(separator: "&").filter { !isSecret($0) }
      rest = String(rest[..<question]) + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }
    return url[..<start] + host + rest
  }

  /// Whether a parameter of a URL is one that libpq takes a secret from. Its name may be written with escapes.
  private static func isSecret(_ parameter: Substring) -> Bool {
    var name: [UInt8] = []
    var rest = Array(parameter.prefix { $0 != "=" }.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        name.append(value)
        rest = rest.dropFirst(2)
      } else {
        name.append(byte)
      }
    }
    let text = String(decoding: name, as: UTF8.self).lowercased()
    return text.hasSuffix("password") || text.contains("secret")
  }

  private static func list(_ values: [String]) -> String { values.count == 1 ? values[0] : "[\(values.joined(separator: ", "))]" }

  private static func block(_ key: String, _ values: [String]) -> [String] { ["\(key): ["] + values.map { "  \($0)," } + ["],"] }

  /// A path as it stands in the configuration: one that counts from here counts from there, too.
  private func written(_ path: PathBytes) throws(CommandError) -> String {
    if path.isAbsolute || folder == "." { return Self.quoted(try Self.text(of: path)) }
    guard let here = getcwd(nil, 0) else { throw CommandError(FileError("getcwd", ".", code: errno)) }
    defer { free(here) }
    return Self.quoted(try Self.text(of: PathBytes(String(cString: here)).appending(path)))
  }

  private static func text(of path: PathBytes) throws(CommandError) -> String {
    guard let text = path.text else {
      throw CommandError(
        .badInput, "\(path.display) is no UTF-8 and can't stand in a configuration", hint: "name the folder that it lies in")
    }
    return text
  }

  /// A JSON string.
  static func quoted(_ text: String) -> String {
    var json = JSONWriter(capacity: 256)
    json.string(text)
    return json.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  // MARK: What was found

  private func contents() -> [String] {
    var rows: [(String, String)] = []
    for (source, plan) in plans {
      let name = PathBytes(source.name).display
      switch plan {
      case .failure(let error): rows.append((name, "can't be read: " + PathBytes(CommandError(error).message).display))
      case .success(nil): rows.append((name, "not known beforehand"))
      case .success(let plan?):
        if source is FoundPlaces { continue }
        let sums = [plan.items.map { Quantity.counted($0, "item") }, plan.bytes.map { Quantity.bytes($0) }].compactMap { $0 }
        rows.append((name, sums.joined(separator: ", ")))
        if name.hasPrefix("records/") {
          rows += plan.parts.filter { $0.leftOut == nil }.map {
            ("  " + PathBytes($0.name).display, $0.items.map { Quantity.counted($0, "row") } ?? "")
          }
        }
      }
    }
    let width = rows.map { $0.0.count }.max() ?? 0
    var lines = rows.map { name, sums in name + String(repeating: " ", count: width - name.count + 2) + sums }
    let leftOut = job.sources.found.leftOut
    if !leftOut.isEmpty { lines += ["", "Not exported:"] }
    lines += leftOut.map {
      "  \(PathBytes($0.shown).display): \(Quantity.counted($0.items, "thing")), \(Quantity.bytes($0.bytes)): \($0.reason.explanation)"
    }
    return lines
  }
}

extension FoundData.Reason {
  /// Why it isn't exported, in a few words.
  var explanation: String {
    switch self {
    case .cache: "a cache"
    case .temporary: "temporary files"
    case .cookies: "cookies, which sign in whoever has them"
    case .screenshots: "pictures of its screens that the system takes"
    case .program: "the program itself"
    case .olderCopy: "an older copy"
    case .unclaimed: "may be this app's; name it if it is"
    case .link: "a link, which is not followed; name what it leads to"
    }
  }
}
