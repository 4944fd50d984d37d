/// Why a value could not be encoded. It says where, never what stands there: keys may be content too.
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
  /// The column that the place lies in, where it was known before this row.
  public var column: String? { place.column }
  /// How many keys lead to the place: 0 is the row itself.
  public var depth: Int { place.depth }

  private let place: FaultPlace

  init(_ code: Code, _ place: FaultPlace = FaultPlace()) { (self.code, self.place) = (code, place) }

  /// One sentence, with the place.
  public var description: String { code.sentence + place.description }
}

/// Where a value failed, as far as it can be told without anything of the record in it.
struct FaultPlace: Sendable, CustomStringConvertible {
  var column: String?
  var depth = 0

  /// What is put behind a sentence.
  var description: String {
    if depth == 0 { return "" }
    return if let column { " (column \(column), depth \(depth))" } else { " (depth \(depth))" }
  }
}
