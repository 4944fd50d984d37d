internal import AccountExport
internal import JSONReading
internal import PropertyListWriting
internal import PropertyLists

/// What a preferences file holds.
enum PreferenceContent {
  case list(PropertyList)
  case json(JSONValue)

  /// Tells by the bytes which kind it is, and reads it to its end. JSON comes before OpenStep lists: where a text is both, it means the same.
  init(_ bytes: [UInt8]) throws {
    var limits = PropertyListLimits.standard
    limits.bytes = .max  // the file's size is checked before it is read
    if PropertyList.Format(guessing: bytes) != .openStep {
      self = .list(try PropertyList(bytes, limits: limits))
      return
    }
    let noJSON: JSONError
    do throws(JSONError) {
      self = .json(try JSONParser.parse(bytes, limits: JSONParser.Limits(bytes: bytes.count)))
      return
    } catch {
      noJSON = error
    }
    do throws(PropertyListError) {
      self = .list(try PropertyList(bytes, limits: limits))
    } catch {
      throw NoPreferences(asJSON: noJSON, asList: error)
    }
  }

  /// Writes the root value.
  func write(to writer: inout ValueWriter) throws {
    switch self {
    case .list(let list): try ListValues.lend(&writer) { try list.visit(&$0) }
    case .json(let value): try writer.write(value)
    }
  }
}

/// A file that is neither: what each reader says of it.
struct NoPreferences: Error, CustomStringConvertible {
  let asJSON: JSONError
  let asList: PropertyListError

  var description: String { "read as a property list: \(asList); read as JSON: \(Self.place(asJSON))" }

  /// The place alone: a message may name a key, and with it what is in the file.
  private static func place(_ error: JSONError) -> String {
    error.code == .duplicateKey ? "at \(error.position): a key comes twice" : "at \(error.position): \(error.message)"
  }
}
