/// Completions for zsh.
enum ZshCompletion {
  static var text: String {
    """
    #compdef account-export
    # zsh completion for account-export, made from its table of options

    _account-export() {
      local -a commands=(
    \(Command.firstWords.map { "    \(quoted("\($0.word):\($0.summary)"))" }.joined(separator: "\n"))
      )
      if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then
        _describe -t commands command commands
        return
      fi
    \(Command.groups.map(groupLines).joined(separator: "\n"))
      case $words[2] in
    \(Command.named.map { commandCase($0, name: quoted($0.name), shift: true) }.joined(separator: "\n"))
    \(commandCase(.export, name: "*", shift: false))
      esac
    }

    if [[ $funcstack[1] == _account-export ]]; then _account-export "$@"; else compdef _account-export account-export; fi

    """
  }

  /// A group's second word; the two words are one from there on.
  private static func groupLines(_ group: (word: String, commands: [Command])) -> String {
    let seconds = group.commands.map { quoted("\($0.words[1]):\($0.summary)") }
    return """
        if [[ $words[2] == \(group.word) ]] && (( CURRENT == 3 )); then
          commands=(\(seconds.joined(separator: " ")))
          _describe -t commands command commands
          return
        elif [[ $words[2] == \(group.word) ]]; then
          words[2,3]=("$words[2] $words[3]"); (( CURRENT-- ))
        fi
      """
  }

  private static func commandCase(_ command: Command, name: String, shift: Bool) -> String {
    var lines = ["    \(name))"]
    if shift { lines.append("      shift words; (( CURRENT-- ))") }
    lines.append("      _arguments -S : \\")
    for option in command.distinctOptions { lines += specifications(of: option).map { "        \($0) \\" } }
    if let operand = command.operand { lines.append("        \(quoted(":\(operand):" + action(Completion(placeholder: operand)))) \\") }
    lines[lines.count - 1] = String(lines[lines.count - 1].dropLast(2))
    return (lines + ["      ;;"]).joined(separator: "\n")
  }

  private static func specifications(of option: Option) -> [String] {
    let names = option.names
    // One that may be given once is not offered again, nor is its other name.
    let once = option.repeats ? "*" : "(\(names.joined(separator: " ")))"
    return names.map { name in
      let value = option.value.map {
        "\(name.hasPrefix("--") ? "=" : "")[\(escaped(option.summary))]:\(escaped($0)):\(action(option.completion))"
      }
      return quoted(once + name + (value ?? "[\(escaped(option.summary))]"))
    }
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .nothing: " "
    case .files: "_files"
    case .folders: "_files -/"
    case .words(let words): "(\(words.joined(separator: " ")))"
    }
  }

  /// What brackets and colons would mean in a specification.
  private static func escaped(_ text: String) -> String {
    text.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }

  private static func quoted(_ text: String) -> String { "'" + text.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'" }
}
