/// Completions for fish.
enum FishCompletion {
  static var text: String {
    let grouped = Command.groups.flatMap(\.commands).map { quoted($0.name) }.joined(separator: " ")
    var lines = [
      "# fish completion for account-export, made from its table of options", "",
      "function __account_export_command",
      "  set -l words (commandline -opc)",
      "  if set -q words[3]; and contains -- \"$words[2] $words[3]\" \(grouped)",
      "    echo \"$words[2] $words[3]\"",
      "  else if set -q words[2]; and contains -- $words[2] \(Command.firstWords.map(\.word).joined(separator: " "))",
      "    echo $words[2]",
      "  else",
      "    echo export",
      "  end",
      "end", "",
      "complete -c account-export -f",
    ]
    for (word, summary) in Command.firstWords {
      lines.append("complete -c account-export -n 'test (count (commandline -opc)) -eq 1' -a \(word) -d \(quoted(summary))")
    }
    for (word, commands) in Command.groups {
      for command in commands {
        let isSecond = "-n 'test (count (commandline -opc)) -eq 2; and test (__account_export_command) = \(word)'"
        lines.append("complete -c account-export \(isSecond) -a \(command.words[1]) -d \(quoted(command.summary))")
      }
    }
    for command in Command.all {
      lines.append("")
      let condition = "-n 'test (__account_export_command) = \(command.words.count == 1 ? command.name : "\"\(command.name)\"")'"
      for option in command.distinctOptions {
        let letter = option.letter.map { " -s \($0.dropFirst())" } ?? ""
        let value = option.value == nil ? "" : " " + action(option.completion)
        lines.append("complete -c account-export \(condition)\(letter) -l \(option.name.dropFirst(2))\(value) -d \(quoted(option.summary))")
      }
      if command.operand != nil { lines.append("complete -c account-export \(condition) -F") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .nothing: "-x"
    case .files: "-r -F"
    case .folders: "-x -a '(__fish_complete_directories)'"
    case .words(let words): "-x -a '\(words.joined(separator: " "))'"
    }
  }

  private static func quoted(_ text: String) -> String {
    "'" + text.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
