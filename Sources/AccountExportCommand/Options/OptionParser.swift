internal import Files

/// Reads a command line by a command's options.
///
/// `--name value` and `--name=value` are the same; `--` ends the options; `-` is an operand. Arguments stay bytes, since paths are.
struct OptionParser {
  private let options: [Option]
  private let operand: String?
  private var parsed = ParsedOptions()

  private init(options: [Option], operand: String?) {
    self.options = options
    self.operand = operand
  }

  /// What the arguments say.
  /// - Parameter operand: What the command's one operand is called; nil where it takes none.
  static func parse(_ arguments: ArraySlice<PathBytes>, options: [Option], operand: String?) throws(CommandError) -> ParsedOptions {
    var parser = OptionParser(options: options, operand: operand)
    var rest = arguments
    while let argument = rest.popFirst() {
      if argument == "--" {
        while let argument = rest.popFirst() { try parser.take(operand: argument) }
      } else if argument.bytes.first == UInt8(ascii: "-"), argument.bytes.count > 1 {
        try parser.take(option: argument, &rest)
        // Who asks for help gets it, whatever else may be wrong.
        if parser.parsed.has(.help) || parser.parsed.has(.version) { break }
      } else {
        try parser.take(operand: argument)
      }
    }
    return parser.parsed
  }

  private mutating func take(operand: PathBytes) throws(CommandError) {
    if self.operand == nil {
      let isCommand = Command.all.contains { $0.name == operand.text }
      throw .usage(
        "unexpected argument \(operand.display)",
        hint: isCommand
          ? "a command comes first: account-export \(operand.display) …" : "a path needs its option: --documents \(operand.display)")
    }
    if let first = parsed.operands.first {
      throw .usage("unexpected argument \(operand.display): \(first.display) is given already")
    }
    if operand.bytes.isEmpty { throw .usage("the \(self.operand ?? "argument") is empty") }
    parsed.add(operand: operand)
  }

  private mutating func take(option argument: PathBytes, _ rest: inout ArraySlice<PathBytes>) throws(CommandError) {
    let equals = argument.bytes.firstIndex(of: UInt8(ascii: "="))
    let written = PathBytes(argument.bytes[..<(equals ?? argument.bytes.endIndex)])
    guard let name = written.text, let option = options.first(where: { $0.name == name || $0.letter == name }) else {
      throw .usage("unknown option \(written.display)", hint: suggestion(written))
    }
    if parsed.has(option) && !option.repeats && option.value != nil { throw .usage("\(option.name) is given twice") }
    let attached = equals.map { PathBytes(argument.bytes[($0 + 1)...]) }
    guard let placeholder = option.value else {
      if attached != nil { throw .usage("\(option.name) takes no value") }
      return parsed.add(option, nil)
    }
    parsed.add(option, try value(of: option, placeholder, attached, &rest))
  }

  private func value(
    of option: Option, _ placeholder: String, _ attached: PathBytes?, _ rest: inout ArraySlice<PathBytes>
  ) throws(CommandError) -> PathBytes {
    guard let value = attached ?? rest.first else { throw .usage("\(option.name) needs a value: \(option.synopsis)") }
    if attached == nil {
      if let text = value.text, options.contains(where: { $0.name == text }) {
        throw .usage("\(option.name) needs a value: \(option.synopsis)", hint: "\(option.name)=\(text) takes it for the value")
      }
      rest.removeFirst()
    }
    if value.bytes.isEmpty { throw .usage("the value of \(option.name) is empty") }
    if !option.choices.isEmpty && !option.choices.contains(where: { PathBytes($0) == value }) {
      throw .usage("\(option.name) can't be \(value.display)", hint: "it is one of \(option.choices.joined(separator: ", "))")
    }
    return value
  }

  private func suggestion(_ written: PathBytes) -> String {
    let nearest = written.text.flatMap { Spelling.nearest(to: $0, among: options.map(\.name)) }
    return nearest.map { "did you mean \($0)?" } ?? "--help tells the options"
  }
}
