internal import AccountExport

/// The manual page, in the macros of man(7).
enum ManualPage {
  static var text: String {
    let main = Command.export
    var lines = [
      ".TH ACCOUNT\\-EXPORT 1 \"\" \"account\\-export \(escaped(AccountExporter.version))\" \"User Commands\"",
      ".SH NAME", "account\\-export \\- \(escaped(sentence(main.about).lowercasedFirst))",
      ".SH SYNOPSIS",
    ]
    lines += synopsis()
    lines += [".SH DESCRIPTION"] + paragraph(sentence(main.about)) + remarks(main)
    for section in main.sections { lines += [".SS \(heading(section.title))"] + options(section.options) }
    lines += [".SH COMMANDS"]
    for command in Command.named { lines += describe(command) }
    lines += [".SH EXIT STATUS"] + statuses()
    lines += [".SH ENVIRONMENT"]
    for (name, meaning) in Environment.variables { lines += entry("\\fB\(escaped(name))\\fR", meaning) }
    lines += [".SH FILES"]
    for (name, meaning) in Environment.files { lines += entry("\\fI\(escaped(name))\\fR", meaning) }
    lines += [".SH SEE ALSO", ".BR unzip (1),", ".BR sha256sum (1)"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func synopsis() -> [String] {
    let forms = Command.all.flatMap(\.usages).map { usage in usage.prefixBeforeGap }
    return forms.enumerated().flatMap { index, form in (index == 0 ? [] : [".br"]) + [words(form)] }
  }

  /// A form of the command line: what is written as it stands is bold, what stands for something is in italics.
  private static func words(_ form: String) -> String {
    form.split(separator: " ").map { word in
      let isPlaceholder = word.allSatisfy { $0.isUppercase || $0 == "…" }
      return isPlaceholder ? "\\fI\(escaped(String(word)))\\fR" : "\\fB\(escaped(String(word)))\\fR"
    }.joined(separator: " ")
  }

  private static func describe(_ command: Command) -> [String] {
    var lines = [".SS \(escaped(command.name))"] + paragraph(sentence(command.about)) + remarks(command)
    for section in command.sections where section.title != Command.general.title {
      // What an export takes, too, is told there.
      let own = section.options.filter { option in
        !Command.export.sections.flatMap(\.options).contains { $0 == option && $0.summary == option.summary }
      }
      lines += options(own)
      let shared = section.options.filter { !own.contains($0) }.map { "\\fB\(escaped($0.name))\\fR" }
      if !shared.isEmpty { lines += [".PP", "It takes \(shared.joined(separator: ", ")) as an export does."] }
    }
    return lines
  }

  private static func options(_ options: [Option]) -> [String] {
    options.flatMap { option in
      let names = option.names.reversed().map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ")
      let value = option.value.map { " \\fI\(escaped($0))\\fR" } ?? ""
      let more = (option.repeats ? "; may be given several times" : "")
      return entry(names + value, option.summary + more)
    }
  }

  private static func statuses() -> [String] {
    ExitStatus.all.sorted { $0.status.code < $1.status.code }.flatMap { entry("\\fB\($0.status.code)\\fR", $0.meaning) }
  }

  private static func entry(_ term: String, _ meaning: String) -> [String] { [".TP", term, escaped(meaning)] }

  private static func paragraph(_ text: String) -> [String] { [".PP", escaped(text)] }

  private static func remarks(_ command: Command) -> [String] {
    command.remarks.isEmpty ? [] : paragraph(sentence(command.remarks))
  }

  private static func sentence(_ lines: [String]) -> String { lines.joined(separator: " ") }

  private static func heading(_ title: String) -> String { escaped(title.uppercasedFirst) }

  /// Text as roff takes it: no backslash, hyphen or point of its own at the beginning of a line means anything to it.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "\"": result += "\\(dq"
      case "~": result += "\\(ti"
      case "^": result += "\\(ha"
      case "`": result += "\\(ga"
      case _ where !scalar.isASCII: result += "\\[u\(hexadecimal(scalar.value))]"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

/// What of its surroundings the command looks at.
enum Environment {
  static let variables: [(name: String, meaning: String)] = [
    ("SOURCE_DATE_EPOCH", "seconds since 1970, which stand for the time of the export: the same input gives the same bytes"),
    (
      "HOME, XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME, XDG_CACHE_HOME",
      "where the folders of --app lie, the key of receipts (account-export in XDG_STATE_HOME), and what open unpacks (XDG_DATA_HOME)"
    ),
    ("PGHOST, PGPORT, PGUSER, PGPASSWORD, PGPASSFILE, PGSERVICE, PGSSLMODE …", "how PostgreSQL is reached, as libpq knows them"),
  ]

  static let files: [(name: String, meaning: String)] = [
    ("./account-export.json", "the configuration that is read where none is named: JSON5, as init writes it"),
    (
      "~/.local/state/account-export/signing-key.pem",
      "the key that signs receipts, made with the first; signing-key.pub.pem is for those who check them"
    ),
    ("~/.local/share/account-export/open", "where open unpacks a bundle, for you alone, until the next one"),
  ]
}

extension String {
  var uppercasedFirst: String { prefix(1).uppercased() + dropFirst() }
  var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }

  /// What stands before two spaces: a form of the command line, without what it is for.
  fileprivate var prefixBeforeGap: String {
    var end = startIndex
    while end != endIndex {
      let next = index(after: end)
      if self[end] == " ", next != endIndex, self[next] == " " { return String(self[..<end]) }
      end = next
    }
    return self
  }
}
