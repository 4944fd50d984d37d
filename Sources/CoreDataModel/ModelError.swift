/// Why bytes are no managed object model. It never holds what is in them.
public struct ModelError: Error, Hashable, Sendable {
  /// What is wrong. New codes may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's number.
    public let rawValue: Int
    /// A code of a number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The bytes are no deflate data, end too early, or inflate to more than a model can have.
    public static let notDeflated = Code(rawValue: 1)
    /// What was deflated is no property list, or no keyed archive.
    public static let notAnArchive = Code(rawValue: 2)
    /// The archive holds no managed object model.
    public static let notAModel = Code(rawValue: 3)
    /// A reference in the archive leads to nothing, or to something else than belongs there.
    public static let broken = Code(rawValue: 4)
    /// An entity inherits from itself.
    public static let inheritanceCycle = Code(rawValue: 5)
    /// A relationship or an inheritance names an entity that the model doesn't have.
    public static let unknownEntity = Code(rawValue: 6)
    /// An entity has two properties of one name, or the model two entities.
    public static let duplicateName = Code(rawValue: 7)
  }

  /// What is wrong.
  public let code: Code

  /// An error of a code.
  public init(_ code: Code) { self.code = code }
}

extension ModelError: CustomStringConvertible {
  /// `the model: an entity inherits from itself`
  public var description: String {
    let text =
      switch code {
      case .notDeflated: "it can't be inflated"
      case .notAnArchive: "it is no keyed archive"
      case .notAModel: "the archive holds no model"
      case .broken: "a reference in it leads to nothing that belongs there"
      case .inheritanceCycle: "an entity inherits from itself"
      case .unknownEntity: "it names an entity that it doesn't have"
      case .duplicateName: "a name comes twice"
      default: "error \(code.rawValue)"
      }
    return "the model: " + text
  }
}
