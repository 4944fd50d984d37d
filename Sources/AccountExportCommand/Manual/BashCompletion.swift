/// Completions for bash.
enum BashCompletion {
  static var text: String {
    """
    # bash completion for account-export, made from its table of options

    _account_export_files() {
      local path
      compopt -o filenames 2>/dev/null
      while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen "$1" -- "$2")
    }

    _account_export_words() {
      local word
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$2")
    }

    _account_export() {
      local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=export
      COMPREPLY=()
      # bash takes the = of --option=value for a word.
      if [[ $cur == = ]]; then cur=
      elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi
      if ((COMP_CWORD > 1)); then
        case ${COMP_WORDS[1]} in \(Command.firstWords.map(\.word).joined(separator: "|"))) command=${COMP_WORDS[1]} ;; esac
      fi
    \(Command.groups.map(groupLine).joined(separator: "\n"))
      case "$command" in
    \(Command.all.map(commandCase).joined(separator: "\n"))
      esac
    }

    complete -F _account_export account-export

    """
  }

  /// A group's second word, and the name that the two are together.
  private static func groupLine(_ group: (word: String, commands: [Command])) -> String {
    let seconds = group.commands.map { $0.words[1] }
    return """
        if [[ $command == \(group.word) ]]; then
          if ((COMP_CWORD == 2)); then _account_export_words '\(seconds.joined(separator: " "))' "$cur"; return; fi
          command="\(group.word) ${COMP_WORDS[2]}"
        fi
      """
  }

  private static func commandCase(_ command: Command) -> String {
    var lines = ["    \(command.words.count == 1 ? command.name : "'\(command.name)'"))", "      case $prev in"]
    for option in command.distinctOptions where option.value != nil {
      lines.append("        \(option.names.joined(separator: "|"))) \(action(option.completion)) return ;;")
    }
    lines.append("      esac")
    let words = command.distinctOptions.flatMap(\.names)
    lines.append("      if [[ $cur == -* ]]; then _account_export_words '\(words.joined(separator: " "))' \"$cur\"; return; fi")
    if command.isDefault {
      lines.append(
        "      if ((COMP_CWORD == 1)); then _account_export_words '\(Command.firstWords.map(\.word).joined(separator: " "))' \"$cur\"; fi")
    }
    let operand = action(Completion(placeholder: command.operand))
    if !operand.isEmpty { lines.append("      \(operand.dropLast())") }
    return (lines + ["      ;;"]).joined(separator: "\n")
  }

  private static func action(_ completion: Completion) -> String {
    switch completion {
    case .nothing: ""
    case .files: "_account_export_files -f \"$cur\";"
    case .folders: "_account_export_files -d \"$cur\";"
    case .words(let words): "_account_export_words '\(words.joined(separator: " "))' \"$cur\";"
    }
  }
}
