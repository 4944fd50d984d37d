/// The help of a command, written from its table. No line is wider than 80 columns, as far as no single word is.
enum HelpPage {
  private static let width = 80
  private static let indent = 26

  /// The page of a command.
  static func text(of command: Command) -> String {
    var lines = command.about + ["", "usage:"]
    lines += command.usages.map { "  " + $0 }
    if command.isDefault {
      lines += ["", "commands:"]
      for other in Command.all where !other.isDefault { lines += entry(other.name, other.summary) }
    }
    for section in command.sections {
      lines += ["", section.title + ":"]
      for option in section.options { lines += entry(option.synopsis, option.summary) }
    }
    lines += command.remarks.isEmpty ? [] : [""] + command.remarks
    lines += ["", "exit status:"]
    for (status, meaning) in ExitStatus.all where command.statuses.contains(status) {
      lines += entry(String(status.code), meaning, indent: 8)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A term, and beside it what it means, wrapped; a long term stands alone on its line.
  private static func entry(_ term: String, _ meaning: String, indent: Int = indent) -> [String] {
    var lines = wrapped(meaning, width: width - indent).map { String(repeating: " ", count: indent) + $0 }
    let head = "  " + term
    if head.count + 2 > indent { return [head] + lines }
    lines[0] = head + lines[0].dropFirst(head.count)
    return lines
  }

  private static func wrapped(_ text: String, width: Int) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      if lines[lines.count - 1].isEmpty {
        lines[lines.count - 1] = String(word)
      } else if lines[lines.count - 1].count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
