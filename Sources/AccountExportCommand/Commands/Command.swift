internal import Files

/// One command: all that finding it, parsing its options and telling of it needs, and what it does.
struct Command: Sendable {
  /// The word on the command line; the default command goes without.
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
  static let all: [Command] = [.export, .plan, .verify, .open, .`init`]

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
    let nearest = first.text.flatMap { Spelling.nearest(to: $0, among: all.map(\.name)) }
    let names = all.filter { !$0.isDefault }.map(\.name).joined(separator: ", ")
    throw .usage("unknown command \(first.display)", hint: nearest.map { "did you mean \($0)?" } ?? "there are \(names), and --help")
  }
}
