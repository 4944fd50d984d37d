internal import Files

extension Command {
  /// `account-export generate`, which the installation runs. It is not among the commands that the help tells.
  static let generate = Command(
    name: "generate", summary: "prints the manual page, or a shell's completions",
    about: ["Prints the manual page, or the completions of a shell, made from the same", "table as the options themselves."],
    usages: ["account-export generate man|bash|zsh|fish"],
    operand: "WHAT",
    sections: [general],
    statuses: [.complete, .usage, .inputOutput], endsAtOnce: true,
    run: { options, _ in
      guard let what = options.operands.first?.text, let text = Generated(rawValue: what)?.text else {
        throw CommandError.usage("generate prints man, bash, zsh or fish")
      }
      try StandardOutput.write(text)
      return .complete
    })
}

/// What is made from the table of commands and options.
enum Generated: String, CaseIterable {
  case man, bash, zsh, fish

  var text: String {
    switch self {
    case .man: ManualPage.text
    case .bash: BashCompletion.text
    case .zsh: ZshCompletion.text
    case .fish: FishCompletion.text
    }
  }
}

/// What a shell offers in the place of an option's value, or of an operand.
enum Completion: Equatable {
  case nothing, files, folders
  case words([String])

  /// By what the value is called in the help.
  init(placeholder: String?, choices: [String] = []) {
    switch placeholder {
    case nil: self = .nothing
    case _ where !choices.isEmpty: self = .words(choices)
    case "FILE", "PATH", "STORE", "BUNDLE", "RECEIPT": self = .files
    case "DIR": self = .folders
    default: self = .nothing
    }
  }
}

extension Option {
  /// What a shell offers as its value.
  var completion: Completion { Completion(placeholder: value, choices: choices) }
  /// All that it may be written as.
  var names: [String] { [name] + (letter.map { [$0] } ?? []) }
}

extension Command {
  /// The commands that have a name on the command line.
  static var named: [Command] { all.filter { !$0.isDefault } }
  /// Every option that is taken, once.
  var distinctOptions: [Option] {
    var seen: Set<Option> = []
    return options.filter { seen.insert($0).inserted }
  }
}
