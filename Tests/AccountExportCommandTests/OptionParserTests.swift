import Files
import Testing

@testable import AccountExportCommand

@Suite("Reading a command line")
struct OptionParserTests {
  private func parse(_ arguments: PathBytes..., as command: Command = .export) throws(CommandError) -> ParsedOptions {
    try OptionParser.parse(arguments[...], options: command.options, operand: command.operand)
  }

  private func failure(_ arguments: PathBytes..., as command: Command = .export) throws -> CommandError {
    try #require(throws: CommandError.self) {
      try OptionParser.parse(arguments[...], options: command.options, operand: command.operand)
    }
  }

  @Test("a value stands behind its option, or behind an equals sign")
  func values() throws {
    let parsed = try parse("--out", "a.zip", "--records=b=c", "--records", "-", "--force")
    #expect(parsed[.out] == "a.zip")
    #expect(parsed.all(.records) == ["b=c", "-"])
    #expect(parsed.has(.force))
    #expect(!parsed.has(.quiet))
    #expect(parsed[.config] == nil)
  }

  @Test("paths stay bytes, texts must be UTF-8")
  func bytes() throws {
    let parsed = try parse("--documents", PathBytes([0xFF, 0x2F]), "--request-id", PathBytes([0xFE]))
    #expect(parsed.all(.documents) == [PathBytes([0xFF, 0x2F])])
    let error = try #require(throws: CommandError.self) { try parsed.text(.requestID) }
    #expect(error.status == .usage)
    #expect(error.message == "the value of --request-id is no UTF-8: \\xfe")
  }

  @Test("what follows -- is an operand, and so is a lone -")
  func operands() throws {
    #expect(try parse("--", "--json", as: .verify).operands == ["--json"])
    #expect(try parse("-", as: .verify).operands == ["-"])
  }

  @Test(
    "what makes no sense is named, with what was probably meant",
    arguments: [
      (["--levl", "3"], "unknown option --levl", "did you mean --level?"),
      (["--doc", "d"], "unknown option --doc", "did you mean --documents?"),
      (["-x"], "unknown option -x", "--help tells the options"),
      (["--out"], "--out needs a value: --out FILE", nil),
      (["--out", "--force"], "--out needs a value: --out FILE", "--out=--force takes it for the value"),
      (["--out="], "the value of --out is empty", nil),
      (["--out", "a", "--out", "b"], "--out is given twice", nil),
      (["--force=yes"], "--force takes no value", nil),
      (["--level", "12"], "--level can't be 12", "it is one of fast, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9"),
      (["--progress", "xml"], "--progress can't be xml", "it is one of bar, json, none"),
      (["notes"], "unexpected argument notes", "a path needs its option: --documents notes"),
      (["--force", "plan"], "unexpected argument plan", "a command comes first: account-export plan …"),
    ] as [([String], String, String?)])
  func faults(arguments: [String], message: String, hint: String?) throws {
    let error = try #require(throws: CommandError.self) {
      try OptionParser.parse(arguments.map { PathBytes($0) }[...], options: Command.export.options, operand: nil)
    }
    #expect(error.status == .usage)
    #expect(error.message == message)
    #expect(error.hint == hint)
  }

  @Test("a second operand is one too many")
  func operandTwice() throws {
    #expect(try failure("a.zip", "b.zip", as: .verify).message == "unexpected argument b.zip: a.zip is given already")
    #expect(try failure("", as: .verify).message == "the BUNDLE is empty")
  }

  @Test("who asks for help gets it, whatever stands behind")
  func help() throws {
    #expect(try parse("--help", "--nonsense").has(.help))
    #expect(try parse("-h").has(.help))
    #expect(try parse("--version", "x").has(.version))
  }

  @Test("the first word is the command, or there is none")
  func commands() throws {
    #expect(try Command.find(in: ["--out", "a"]).command.name == "export")
    #expect(try Command.find(in: []).command.name == "export")
    let (command, rest) = try Command.find(in: ["verify", "a"])
    #expect(command.name == "verify")
    #expect(Array(rest) == ["a"])
    let near = try #require(throws: CommandError.self) { try Command.find(in: ["verfy"]) }
    #expect(near.hint == "did you mean verify?")
    let far = try #require(throws: CommandError.self) { try Command.find(in: ["explode"]) }
    #expect(far.message == "unknown command explode")
    #expect(far.hint == "there are plan, verify, open, init, delete, and --help")
  }
}

@Suite("Finding the word that was meant")
struct SpellingTests {
  @Test(arguments: [
    ("documnts", "documents"), ("Documents", "documents"), ("docments", "documents"), ("rceords", "records"), ("rec", "records"),
  ])
  func near(word: String, meant: String) {
    #expect(Spelling.nearest(to: word, among: ["preferences", "documents", "records"]) == meant)
  }

  @Test(arguments: ["", "x", "do", "files", "wholly different"])
  func far(word: String) {
    #expect(Spelling.nearest(to: word, among: ["preferences", "documents", "records"]) == nil)
  }

  @Test(
    "an insertion, a loss, a change and a swap are one slip each",
    arguments: [("ab", "abc"), ("abc", "ac"), ("abc", "axc"), ("abc", "acb")])
  func slips(a: String, b: String) {
    #expect(Spelling.slips(Array(a.utf8), Array(b.utf8)) == 1)
    #expect(Spelling.slips(Array(b.utf8), Array(a.utf8)) == 1)
  }
}

@Suite("Help")
struct HelpTests {
  @Test("tells every option and status of the command, and fits 80 columns", arguments: Command.all.map(\.name))
  func complete(name: String) throws {
    let command = try #require(Command.all.first { $0.name == name })
    let page = HelpPage.text(of: command)
    for option in command.sections.flatMap(\.options) { #expect(page.contains(option.name), "\(option.name)") }
    for status in command.statuses { #expect(page.contains("\n  \(status.code) "), "\(status.code)") }
    for line in page.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
  }

  @Test("no two options of a command have one name")
  func unique() {
    for command in Command.all {
      let names = command.options.flatMap { [$0.name] + ($0.letter.map { [$0] } ?? []) }
      #expect(Set(names).count == names.count, "\(command.name)")
    }
  }
}
