/// Why a value could not be encoded. It names the place, never what stands there.
public struct RecordFault: Error, Sendable, CustomStringConvertible {
  /// The kind of a fault. New ones may come.
  public struct Code: Hashable, Sendable {
    let number: Int
    let sentence: String

    /// Values lie deeper in one another than the export's limit.
    public static let depth = Code(number: 1, sentence: "values lie too deep in one another")
    /// One place got values of two kinds, or two values: an object and an array, a number after a text.
    public static let twoValues = Code(number: 2, sentence: "one place was given two values")
    /// A container was written to after its value had ended, or while a value within it was being written.
    public static let closed = Code(number: 3, sentence: "a container was written to out of its turn")
    /// A number's digits are no JSON number.
    public static let number = Code(number: 4, sentence: "the digits are no JSON number")
    /// A form was asked for a value of another type.
    public static let form = Code(number: 5, sentence: "a form got a value of another type")
  }

  /// What kind of fault.
  public let code: Code
  /// The keys on the way to the place, joined by points.
  public let path: String

  init(_ code: Code, _ path: [any CodingKey] = []) {
    self.code = code
    self.path = path.map(\.stringValue).joined(separator: ".")
  }

  /// One sentence.
  public var description: String { path.isEmpty ? code.sentence : "\(code.sentence), at \(path)" }
}
