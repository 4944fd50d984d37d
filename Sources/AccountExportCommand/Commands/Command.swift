internal import Files

/// One command: all that finding it, parsing its options and telling of it needs, and what it does.
struct Command: Sendable {
  /// The word on the command line, or the two words of one that belongs to a group; the default command goes without.
  let name: String
  /// What it does, in a few words, for the list of commands.
  let summary: String
  /// What it does, for the head of its own help.
  let about: [String]
  /// Its forms.
  let usages: [String]
  /// What its one operand is called; nil where it takes none.
  var operand: String?
  /// Its options, as the help tells them.
  let sections: [OptionSection]
  /// Options that are taken, and change nothing.
  var alsoAccepted: [Option] = []
  /// What the help says below the options.
  var remarks: [String] = []
  /// How it can end.
  let statuses: [ExitStatus]
  /// Whether a signal may end it at once, since there is nothing to clean up.
  var endsAtOnce = false
  /// What an interrupt leaves, for the message.
  var interrupted = "no bundle was written"
  /// Does it.
  let run: @Sendable (ParsedOptions, Console) async throws -> ExitStatus

  /// Every command.
  static let all: [Command] = [.export, .plan, .verify, .open, .`init`, .deleteVerifyReceipt]

  /// Commands that the help doesn't tell: they are for the installation.
  static let unlisted: [Command] = [.generate]

  /// Whether this is what a command line without a command does.
  var isDefault: Bool { name == Command.export.name }

  /// Every option that the command takes.
  var options: [Option] { sections.flatMap(\.options) + alsoAccepted }

  /// The options that every command has.
  static let general = OptionSection(title: "general", options: [.help, .version])

  /// The command that the first argument names, and what is left for it.
  static func find(in arguments: [PathBytes]) throws(CommandError) -> (command: Command, rest: ArraySlice<PathBytes>) {
    guard let first = arguments.first, first.bytes.first != UInt8(ascii: "-") else { return (.export, arguments[...]) }
    if let command = (all + unlisted).first(where: { PathBytes($0.name) == first }) { return (command, arguments.dropFirst()) }
    let group = all.filter { $0.words.count == 2 && PathBytes($0.words[0]) == first }
    if !group.isEmpty { return try find(in: group, named: first, arguments.dropFirst()) }
    let nearest = first.text.flatMap { Spelling.nearest(to: $0, among: firstWords.map(\.word)) }
    let names = firstWords.map(\.word).joined(separator: ", ")
    throw .usage("unknown command \(first.display)", hint: nearest.map { "did you mean \($0)?" } ?? "there are \(names), and --help")
  }

  private static func find(
    in group: [Command], named name: PathBytes, _ arguments: ArraySlice<PathBytes>
  ) throws(CommandError) -> (command: Command, rest: ArraySlice<PathBytes>) {
    if let command = group.first(where: { PathBytes($0.words[1]) == arguments.first }) { return (command, arguments.dropFirst()) }
    let forms = group.map { "account-export \($0.name)" }.joined(separator: ", ")
    throw .usage("\(name.display) needs a command of its own", hint: "there is \(forms)")
  }

  /// The words of its name.
  var words: [String] { name.split(separator: " ").map(String.init) }

  /// The words that can come first, with what they do: a group's is that of its first command.
  static var firstWords: [(word: String, summary: String)] {
    var seen: Set<String> = []
    return named.map { ($0.words[0], $0.summary) }.filter { seen.insert($0.0).inserted }
  }

  /// The words that can come second, for each group.
  static var groups: [(word: String, commands: [Command])] {
    firstWords.map(\.word).map { word in (word, named.filter { $0.words.count == 2 && $0.words[0] == word }) }.filter { !$0.1.isEmpty }
  }
}
