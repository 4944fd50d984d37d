internal import JSONStreaming

/// `data/metadata.json`: when and by what the export was made, whose it is, and what the law has the subject told.
///
/// What isn't given is null, and its JSON Pointer (RFC 6901) is kept for `notProvided`, here and in the manifest.
struct MetadataFile: ~Copyable {
  private var json = JSONWriter(capacity: 8192)
  private var pointer: [String] = []
  private(set) var notProvided: [String] = []

  /// The file's bytes. `collections` are the paths below `data/` of what is inside, without suffix.
  mutating func write(_ request: ExportRequest, exported: Timestamp, collections: [String]) -> [UInt8] {
    json.beginObject()
    json.key("formatVersion")
    json.string("1.0")
    json.key("exportDate")
    json.moment(exported)
    object("tool") {
      $0.text("name", "account-export")
      $0.text("version", AccountExporter.version)
    }
    json.key("language")
    json.string(request.language)
    object("app") {
      $0.text("name", request.app.name)
      $0.text("version", request.app.version)
      $0.text("bundleIdentifier", request.app.bundleIdentifier)
    }
    text("environment", request.environment)
    write(request.subject)
    writeRequest(request)
    object("information") { $0.write(request.information, collections: collections) }
    json.key("notProvided")
    json.texts(notProvided)
    json.endObject()
    json.raw("\n")
    return json.withBytes { Array($0) }
  }

  private mutating func write(_ subject: DataSubject) {
    guard let id = subject.id else { return missing("subject") }
    object("subject") {
      $0.text("id", id)
      $0.optional("name", subject.name)
      $0.optional("email", subject.email)
      $0.optional("phone", subject.phone)
      $0.optional("username", subject.username)
    }
  }

  private mutating func writeRequest(_ request: ExportRequest) {
    object("request") {
      $0.text("id", request.requestID)
      $0.text("law", request.law)
      $0.text("received", request.received)
      $0.text("due", request.due)
      // That nothing was put off is an answer too.
      guard let extended = request.extended else { return $0.null("extended") }
      $0.object("extended") {
        $0.text("until", extended.until)
        $0.text("reason", extended.reason)
      }
    }
  }

  private mutating func write(_ information: ProcessingInformation, collections: [String]) {
    contact("controller", information.controller)
    contact("contact", information.contact)
    contact("dataProtectionOfficer", information.dataProtectionOfficer)
    object("collections") { for collection in collections { $0.write(information.of(collection), as: collection) } }
    list("recipients", information.recipients) {
      $0.text("name", $1.name)
      $0.optional("category", $1.category)
      $0.optional("purpose", $1.purpose)
      $0.optional("country", $1.country)
    }
    list("transfers", information.transfers) {
      $0.text("to", $1.to)
      $0.optional("recipient", $1.recipient)
      $0.text("safeguards", $1.safeguards)
      $0.optional("copy", $1.copy)
    }
    list("automatedDecisions", information.automatedDecisions) {
      $0.text("name", $1.name)
      $0.text("logic", $1.logic)
      $0.optional("significance", $1.significance)
      $0.optional("consequences", $1.consequences)
    }
    list("rights", information.rights) {
      $0.text("name", $1.name)
      $0.optional("how", $1.how)
    }
    contact("supervisoryAuthority", information.supervisoryAuthority)
    write(information.soldOrShared)
  }

  private mutating func write(_ told: ProcessingInformation.CollectionInformation?, as collection: String) {
    guard let told else { return missing(collection) }
    object(collection) {
      $0.texts("purposes", told.purposes)
      $0.text("legalBasis", told.legalBasis)
      $0.texts("categories", told.categories)
      $0.text("source", told.source)
      $0.text("retention", told.retention)
    }
  }

  private mutating func write(_ told: ProcessingInformation.SoldOrShared?) {
    guard let told else { return missing("soldOrShared") }
    object("soldOrShared") {
      $0.json.key("sold")
      $0.json.bool(told.sold)
      $0.json.key("shared")
      $0.json.bool(told.shared)
      if told.categories != nil { $0.texts("categories", told.categories) }
      if told.thirdParties != nil { $0.texts("thirdParties", told.thirdParties) }
    }
  }

  // MARK: Values, each null and noted where it isn't given

  private mutating func contact(_ key: String, _ contact: ProcessingInformation.Contact?) {
    guard let contact else { return missing(key) }
    object(key) {
      $0.optional("name", contact.name)
      $0.optional("address", contact.address)
      $0.optional("email", contact.email)
      $0.optional("phone", contact.phone)
      $0.optional("website", contact.website)
    }
  }

  private mutating func list<Element>(_ key: String, _ elements: [Element]?, _ body: (inout MetadataFile, Element) -> Void) {
    guard let elements else { return missing(key) }
    json.key(key)
    json.beginArray()
    for element in elements {
      json.beginObject()
      body(&self, element)
      json.endObject()
    }
    json.endArray()
  }

  private mutating func object(_ key: String, _ body: (inout MetadataFile) -> Void) {
    json.key(key)
    json.beginObject()
    pointer.append(key)
    body(&self)
    pointer.removeLast()
    json.endObject()
  }

  private mutating func text(_ key: String, _ value: String?) {
    guard let value else { return missing(key) }
    json.key(key)
    json.string(value)
  }

  private mutating func texts(_ key: String, _ values: [String]?) {
    guard let values else { return missing(key) }
    json.key(key)
    json.texts(values)
  }

  private mutating func optional(_ key: String, _ value: String?) {
    guard let value else { return }
    json.key(key)
    json.string(value)
  }

  private mutating func null(_ key: String) {
    json.key(key)
    json.null()
  }

  /// A key as a part of a JSON Pointer (RFC 6901). Scalars, not characters: a tilde with a mark over it is a tilde too.
  private static func escaped(_ key: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in key.unicodeScalars {
      switch scalar {
      case "~": escaped.append(contentsOf: "~0".unicodeScalars)
      case "/": escaped.append(contentsOf: "~1".unicodeScalars)
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  private mutating func missing(_ key: String) {
    null(key)
    notProvided.append((pointer + [key]).map { "/" + Self.escaped($0) }.joined())
  }
}

extension ProcessingInformation {
  /// What is told of a collection: its own fields, then those of the folders that it lies in, nearest first.
  package func of(_ collection: String) -> CollectionInformation? {
    var found: CollectionInformation?
    var place = collection[...]
    while !place.isEmpty {
      if let told = collections.first(where: { $0.collection == place }) { found = found?.filled(from: told) ?? told }
      place = place.lastIndex(of: "/").map { place[..<$0] } ?? ""
    }
    return found
  }
}

extension ProcessingInformation.CollectionInformation {
  fileprivate func filled(from other: Self) -> Self {
    var filled = self
    filled.purposes = purposes ?? other.purposes
    filled.legalBasis = legalBasis ?? other.legalBasis
    filled.categories = categories ?? other.categories
    filled.source = source ?? other.source
    filled.retention = retention ?? other.retention
    return filled
  }
}

extension JSONWriter {
  /// An array of texts.
  mutating func texts(_ texts: [String]) {
    beginArray()
    for text in texts { string(text) }
    endArray()
  }
}
