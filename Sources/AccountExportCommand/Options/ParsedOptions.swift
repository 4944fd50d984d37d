internal import Files

/// What a command line says, by the option table.
struct ParsedOptions: Sendable {
  private var given: [Option: [PathBytes]] = [:]
  /// What isn't an option, nor the value of one.
  private(set) var operands: [PathBytes] = []

  /// Whether the option is given.
  func has(_ option: Option) -> Bool { given[option] != nil }

  /// The option's value, as bytes: right for paths.
  subscript(_ option: Option) -> PathBytes? { given[option]?.first }

  /// The values of an option that repeats, in their order.
  func all(_ option: Option) -> [PathBytes] { given[option] ?? [] }

  /// The option's value, as text.
  func text(_ option: Option) throws(CommandError) -> String? {
    guard let value = self[option] else { return nil }
    guard let text = value.text else { throw .usage("the value of \(option.name) is no UTF-8: \(value.display)") }
    return text
  }

  /// The values of an option that repeats, as texts.
  func texts(_ option: Option) throws(CommandError) -> [String] {
    var texts: [String] = []
    for value in all(option) {
      guard let text = value.text else { throw .usage("the value of \(option.name) is no UTF-8: \(value.display)") }
      texts.append(text)
    }
    return texts
  }

  mutating func add(_ option: Option, _ value: PathBytes?) { given[option, default: []].append(contentsOf: value.map { [$0] } ?? []) }

  mutating func add(operand: PathBytes) { operands.append(operand) }
}
