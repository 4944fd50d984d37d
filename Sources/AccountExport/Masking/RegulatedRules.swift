internal import JSONReading

/// What a law forbids to send, by the names of columns and keys. The words are data, `regulated-rules.json`.
enum RegulatedRules {
  private static let laws: [String: NameTerms] = {
    do { return try read(PackageResources.regulated_rules_json) } catch {
      preconditionFailure("the built-in rules can't be read: \(error)")  // a fault of the build, found by any test
    }
  }()

  private static func read(_ data: [UInt8]) throws -> [String: NameTerms] {
    let root = try JSONParser.parse(data, dialect: .json5)
    var laws: [String: NameTerms] = [:]
    for law in root["laws"]?.elements ?? [] { laws[law["law"]?.text ?? ""] = try NameTerms(law) }
    return laws
  }

  /// The names that a law forbids to answer; nil where it forbids none, or is not known.
  static func terms(for law: String?) -> NameTerms? { law.flatMap { laws[$0] } }
}
