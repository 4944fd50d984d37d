internal import Files
internal import PropertyLists

/// Which app a container belongs to, as far as what lies in it tells.
public struct AppIdentity: Sendable, Equatable {
  /// What the app is called.
  public var name: String?
  /// Its version, as people know it.
  public var version: String?
  /// Its bundle identifier: `com.example.notes`.
  public var bundleIdentifier: String?

  /// An app; nil is what isn't known.
  public init(name: String? = nil, version: String? = nil, bundleIdentifier: String? = nil) {
    (self.name, self.version, self.bundleIdentifier) = (name, version, bundleIdentifier)
  }

  /// This app, with what isn't known of it from another.
  func completed(by other: AppIdentity) -> AppIdentity {
    AppIdentity(
      name: name ?? other.name, version: version ?? other.version, bundleIdentifier: bundleIdentifier ?? other.bundleIdentifier)
  }

  /// The property lists that tell of a container, the surest first: the system's own notes, then what a copied app brings.
  private static let files: [PathBytes] = notes + ["AppDataInfo.plist", "Info.plist", "iTunesMetadata.plist"]

  /// The system's own notes, which the app can't write.
  private static let notes: [PathBytes] = [
    ".com.apple.mobile_container_manager.metadata.plist", ".com.apple.containermanagerd.metadata.plist",
  ]

  /// What the lists in a container's folder tell. A list that is missing, broken or no list tells nothing; it is exported all the same.
  init(in folder: borrowing FileDescriptor) { self.init(Self.files, folder) }

  /// What the system's own notes in a container's folder tell.
  init(notedIn folder: borrowing FileDescriptor) { self.init(Self.notes, folder) }

  private init(_ files: [PathBytes], _ folder: borrowing FileDescriptor) {
    var found = AppIdentity()
    for file in files {
      if let texts = Self.texts(of: file, in: folder) { found = found.completed(by: AppIdentity(texts)) }
    }
    self = found
  }

  /// What the list of a copied app (`Notes.app`) tells: it lies right in it, on macOS in its folder `Contents`.
  init(program: borrowing FileDescriptor) {
    let texts = Self.texts(of: "Info.plist", in: program) ?? Self.contents(of: program)
    self = texts.map { AppIdentity($0) } ?? AppIdentity()
  }

  private static func contents(of program: borrowing FileDescriptor) -> [String: String]? {
    do throws(FileError) { return texts(of: "Info.plist", in: try program.folder("Contents")) } catch { return nil }
  }

  private init(_ texts: [String: String]) {
    name = texts["CFBundleDisplayName"] ?? texts["CFBundleName"] ?? texts["itemName"]
    version = texts["CFBundleShortVersionString"] ?? texts["bundleShortVersionString"] ?? texts["CFBundleVersion"]
    bundleIdentifier = texts["MCMMetadataIdentifier"] ?? texts["CFBundleIdentifier"] ?? texts["softwareVersionBundleId"]
  }

  /// Such lists are small; a large one is something else.
  private static let largest = 4 << 20

  private static func texts(of name: PathBytes, in folder: borrowing FileDescriptor) -> [String: String]? {
    do {
      let file = try folder.reading(name)
      let status = try file.status()
      guard status.kind == .file, status.size <= UInt64(largest) else { return nil }
      let bytes = try FileHead.read(file, upTo: Int(status.size))
      var texts = TopLevelTexts()
      try PropertyList(bytes).visit(&texts, decodingArchives: false)
      return texts.found
    } catch {
      return nil
    }
  }
}

/// Collects the texts that stand right in a list's dictionary.
private struct TopLevelTexts: PropertyListVisitor {
  private(set) var found: [String: String] = [:]
  private var depth = 0
  private var key: String?

  mutating func key(_ utf8: Span<UInt8>) {
    key = depth == 1 ? utf8.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } : nil
  }

  mutating func text(_ utf8: Span<UInt8>) {
    guard depth == 1, let key, utf8.count > 0, utf8.count <= 1024 else { return }
    found[key] = utf8.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  mutating func beginDictionary(count: Int) { depth += 1 }
  mutating func endDictionary() { depth -= 1 }
  mutating func beginArray(_ kind: PropertyListArrayKind, count: Int) { depth += 1 }
  mutating func endArray() { depth -= 1 }
  // A dictionary whose keys aren't all text is none of those that are looked for: nothing in it is at depth 1.
  mutating func beginPairs(count: Int) { depth += 2 }
  mutating func endPairs() { depth -= 2 }
  mutating func beginObject(class name: Span<UInt8>, count: Int) { depth += 1 }
  mutating func endObject() { depth -= 1 }

  func null() {}
  func boolean(_ value: Bool) {}
  func integer(_ value: Int64) {}
  func unsigned(_ value: UInt64) {}
  func real(_ value: Double) {}
  func date(secondsSince2001 seconds: Double) {}
  func data(_ bytes: Span<UInt8>) {}
  func uuid(_ bytes: Span<UInt8>) {}
  func malformedText(_ bytes: Span<UInt8>) {}
  func uid(_ value: UInt64) {}
  func beginPair() {}
  func beginPairValue(named name: Span<UInt8>?) {}
  func endPair() {}
  func archive(_ bytes: Span<UInt8>, decode: (inout TopLevelTexts) throws -> Void) {}
  func reference(_ index: Int) {}
}
