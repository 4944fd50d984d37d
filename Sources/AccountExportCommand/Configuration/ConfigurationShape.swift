internal import BundleSchemas
internal import Files
internal import JSONReading

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Holds a configuration against its JSON Schema, the one description of its shape. Of JSON Schema it knows the keywords that the
/// configuration's schema uses. The first thing that is wrong is an error that names the place and the key.
struct ConfigurationShape {
  private let file: PathBytes
  private let schema: JSONValue

  /// The shape for a file, which messages name.
  init(file: PathBytes) {
    self.file = file
    schema = Self.schema
  }

  private static let schema: JSONValue = {
    do { return try JSONParser.parse(BundleSchemas.configuration) } catch {
      preconditionFailure("the built-in schema can't be read: \(error)")  // a fault of the build, found by any test
    }
  }()

  /// The keywords that are understood; the rest is for readers and editors.
  static let keywords: Set<String> = [
    "$ref", "type", "properties", "additionalProperties", "required", "minProperties", "maxProperties", "items", "minItems", "anyOf",
    "enum", "pattern",
    "minLength", "minimum", "maximum",
  ]
  static let annotations: Set<String> = ["$schema", "$id", "$defs", "title", "description", "default", "examples"]

  /// Where a value stands: its keys, and the nearest place that is known.
  private struct Place {
    var path: String
    var position: JSONPosition

    func member(_ member: JSONValue.Member) -> Place {
      Place(path: path.isEmpty ? member.key : "\(path).\(member.key)", position: member.valuePosition)
    }

    func element(_ index: Int) -> Place { Place(path: "\(path)[\(index)]", position: position) }
  }

  /// Checks the whole of a configuration.
  func check(_ root: JSONValue) throws(CommandError) {
    try check(root, schema, Place(path: "", position: JSONPosition(line: 1, column: 1)))
  }

  private func check(_ value: JSONValue, _ schema: JSONValue, _ place: Place) throws(CommandError) {
    if let name = schema["$ref"]?.text?.split(separator: "/").last {
      guard let target = self.schema["$defs"]?[String(name)] else { preconditionFailure("the schema has no definition \(name)") }
      // What stands beside a reference describes it.
      return try check(value, target, place)
    }
    if let alternatives = schema["anyOf"]?.elements { return try check(value, anyOf: alternatives, place) }
    if let type = schema["type"]?.text, !Self.matches(value, type) {
      throw wrong(place, "must be \(Self.name(of: type)), not \(value.kind)")
    }
    if let choices = schema["enum"]?.elements, !choices.contains(value) {
      throw wrong(place, "must be \(choices.compactMap { $0.text ?? $0.integer.map { "\($0)" } }.joined(separator: " or "))")
    }
    switch value {
    case .object(let members): try check(members, schema, place)
    case .array(let elements): try check(elements, schema, place)
    case .string(let text): try check(text, schema, place)
    case .invalidString: throw wrong(place, "holds half a surrogate pair")
    case .number: try check(number: value, schema, place)
    case .null, .bool: break
    }
  }

  private func check(_ value: JSONValue, anyOf alternatives: [JSONValue], _ place: Place) throws(CommandError) {
    let types = alternatives.map { resolved($0)["type"]?.text ?? "" }
    guard let index = types.firstIndex(where: { Self.matches(value, $0) }) else {
      throw wrong(place, "must be \(types.map(Self.name(of:)).joined(separator: " or ")), not \(value.kind)")
    }
    try check(value, alternatives[index], place)
  }

  private func resolved(_ schema: JSONValue) -> JSONValue {
    guard let name = schema["$ref"]?.text?.split(separator: "/").last else { return schema }
    return self.schema["$defs"]?[String(name)] ?? schema
  }

  // MARK: Objects and arrays

  private func check(_ members: [JSONValue.Member], _ schema: JSONValue, _ place: Place) throws(CommandError) {
    let known = schema["properties"]?.members ?? []
    let others = schema["additionalProperties"]
    for member in members {
      if let property = known.first(where: { member.isNamed($0.key) }) {
        try check(member.value, property.value, place.member(member))
      } else if let others, others.boolean == nil {
        try check(member.value, others, place.member(member))
      } else if others?.boolean == false {
        throw unknown(member, known.map(\.key).filter { !$0.hasPrefix("$") }, place)
      }
    }
    for name in schema["required"]?.elements?.compactMap(\.text) ?? [] where !members.contains(where: { $0.isNamed(name) }) {
      throw wrong(place, "lacks \(name)")
    }
    if let least = schema["minProperties"]?.integer, Int64(members.count) < least {
      throw wrong(place, least == 1 ? "must not be empty" : "must have \(least) keys")
    }
    if let most = schema["maxProperties"]?.integer, Int64(members.count) > most { throw wrong(place, "must not have more than \(most)") }
  }

  private func check(_ elements: [JSONValue], _ schema: JSONValue, _ place: Place) throws(CommandError) {
    if Int64(elements.count) < schema["minItems"]?.integer ?? 0 { throw wrong(place, "must not be empty") }
    guard let items = schema["items"] else { return }
    for (index, element) in elements.enumerated() { try check(element, items, place.element(index)) }
  }

  private func unknown(_ member: JSONValue.Member, _ known: [String], _ place: Place) -> CommandError {
    let nearest = Spelling.nearest(to: member.key, among: known)
    return CommandError(
      .badInput, "\(file.display):\(member.position): unknown key \(member.key)\(place.path.isEmpty ? "" : " in \(place.path)")",
      hint: nearest.map { "did you mean \($0)?" } ?? "known here: \(known.joined(separator: ", "))")
  }

  // MARK: Texts and numbers

  private func check(_ text: String, _ schema: JSONValue, _ place: Place) throws(CommandError) {
    // No path can hold a NUL, and no text needs one.
    if text.utf8.contains(0) { throw wrong(place, "must not hold a NUL") }
    if Int64(text.unicodeScalars.count) < schema["minLength"]?.integer ?? 0 { throw wrong(place, "must not be empty") }
    guard let pattern = schema["pattern"]?.text, !Self.matches(text, pattern: pattern) else { return }
    let meaning = schema["description"]?.text ?? "it must match \(pattern)"
    let example = schema["examples"]?.elements?.first?.text.map { " Example: \($0)" } ?? ""
    throw wrong(place, "is not as it should be", hint: meaning + example)
  }

  private func check(number value: JSONValue, _ schema: JSONValue, _ place: Place) throws(CommandError) {
    guard let number = value.integer else { return }
    if let minimum = schema["minimum"]?.integer, number < minimum { throw wrong(place, "must be \(minimum) or more") }
    if let maximum = schema["maximum"]?.integer, number > maximum { throw wrong(place, "must be \(maximum) or less") }
  }

  /// The schema's patterns are kept to what POSIX's extended expressions know.
  private static func matches(_ text: String, pattern: String) -> Bool {
    var expression = regex_t()
    precondition(regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB) == 0, "the schema's pattern \(pattern) can't be used")
    defer { regfree(&expression) }
    return regexec(&expression, text, 0, nil, 0) == 0
  }

  private static func matches(_ value: JSONValue, _ type: String) -> Bool {
    switch type {
    case "object": value.members != nil
    case "array": value.elements != nil
    case "string": value.kind == JSONValue.string("").kind
    case "boolean": value.boolean != nil
    case "integer": value.integer != nil
    default: preconditionFailure("the schema names a type that isn't known: \(type)")
    }
  }

  private static func name(of type: String) -> String {
    switch type {
    case "object": "an object"
    case "array": "an array"
    case "string": "a string"
    case "boolean": "true or false"
    default: "a whole number"
    }
  }

  private func wrong(_ place: Place, _ problem: String, hint: String? = nil) -> CommandError {
    let subject = place.path.isEmpty ? "the configuration" : place.path
    return CommandError(.badInput, "\(file.display):\(place.position): \(subject) \(problem)", hint: hint)
  }
}
