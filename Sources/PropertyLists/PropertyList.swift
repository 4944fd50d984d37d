/// A property list of any kind, read without loss and wholly checked: binary (`bplist00`), XML, or OpenStep (also strings files and GNUstep's).
///
/// Which kind it is, the bytes decide. A binary list is walked where it lies; a text list is read once into the binary form. What is none of
/// them, or broken, or beyond the limits, is a `PropertyListError` here, so that `visit` only fails where its visitor does.
public struct PropertyList: Sendable {
  /// The kinds of property lists.
  public enum Format: Hashable, Sendable {
    case binary, xml, openStep
  }

  /// Which kind this is.
  public let format: Format
  /// The file.
  public let bytes: [UInt8]
  private let binary: [UInt8]
  private let limits: PropertyListLimits

  /// Reads a list and checks it to its last value.
  public init(_ bytes: [UInt8], limits: PropertyListLimits = .standard) throws(PropertyListError) {
    if bytes.count > limits.bytes { throw PropertyListError(.tooLarge, at: limits.bytes) }
    self.bytes = bytes
    self.limits = limits
    format = Format(guessing: bytes)
    switch format {
    case .binary: binary = bytes
    case .xml: binary = try XMLReader.read(bytes, limits)
    case .openStep: binary = try OpenStepReader.read(bytes, limits)
    }
    do throws(PropertyListError) {
      try silently { try visitPlain(&$0) }
    } catch {
      // Offsets in the binary form of a text list say nothing of the file. All that can be wrong by now is its size as a whole.
      throw format == .binary ? error : PropertyListError(error.code, at: bytes.count)
    }
  }

  /// Whether this is a keyed archive: a dictionary with `$archiver`, `$top` and `$objects`.
  public var isArchive: Bool {
    binary.withUnsafeBufferPointer { pointer in
      do {
        return try ArchiveLayout(table(pointer), isText: format != .binary) != nil
      } catch {
        return false
      }
    }
  }

  /// Passes the list to a visitor, value by value.
  ///
  /// A list that is a keyed archive, and data that is one, come by `archive`, decoded, unless
  /// `decodingArchives` is false. One that can't be decoded (too deep, for example) comes as the plain list or data that it is: nothing of it is lost.
  public func visit<Visitor: PropertyListVisitor & ~Copyable>(_ visitor: inout Visitor, decodingArchives: Bool = true) throws {
    guard decodingArchives else { return try visitPlain(&visitor) }
    var allowance = ArchiveAllowance(limits)
    let isDone = try bytes.withUnsafeBufferPointer { source in
      try binary.withUnsafeBufferPointer { pointer in
        let list = KeyedArchive.Source(bytes: source, table: try table(pointer), isText: format != .binary)
        return try KeyedArchive.decode(list, limits, &allowance, depth: 0, into: &visitor)
      }
    }
    if !isDone { try visitPlain(&visitor, allowance) }
  }

  private func visitPlain<Visitor: PropertyListVisitor & ~Copyable>(_ visitor: inout Visitor, _ archives: ArchiveAllowance? = nil) throws {
    try binary.withUnsafeBufferPointer { pointer in
      var walk = ListWalk(try table(pointer), limits: limits, budget: Budget(limits), archives: archives)
      try walk.value(walk.table.top, into: &visitor)
    }
  }

  /// The compiled form of a text list may be larger than the file was.
  private func table(_ pointer: UnsafeBufferPointer<UInt8>) throws(PropertyListError) -> ObjectTable {
    try ObjectTable(pointer, limits: .unlimitedSize(limits))
  }
}

/// Runs a walk whose visitor does nothing, so that all it can throw is a list's own error.
func silently(_ walk: (inout SilentVisitor) throws -> Void) throws(PropertyListError) {
  var visitor = SilentVisitor()
  do {
    try walk(&visitor)
  } catch let error as PropertyListError {
    throw error
  } catch {
    throw PropertyListError(.notAPropertyList, at: 0)
  }
}

extension PropertyList.Format {
  /// The kind that a file's first bytes speak of, `openStep` where they speak of none; whether it is one shows when it is read.
  public init(guessing bytes: [UInt8]) {
    if bytes.starts(with: "bplist".utf8) {
      self = .binary
      return
    }
    // Whatever the encoding, the characters that tell are ASCII: zeros and byte order marks step aside.
    let marks: Set<UInt8> = [0, 0xEF, 0xBB, 0xBF, 0xFE, 0xFF]
    let head = bytes.prefix(4096).filter { !marks.contains($0) }.drop(while: isSpace)
    self = Self.isMarkup(head) ? .xml : .openStep
  }

  /// `<?xml`, `<!DOCTYPE`, `<!--`, `<plist>` and the other elements; `<` is also where OpenStep's data begins.
  private static func isMarkup(_ head: ArraySlice<UInt8>) -> Bool {
    guard head.first == UInt8(ascii: "<") else { return false }
    let rest = head.dropFirst()
    if let first = rest.first, "?!/".utf8.contains(first) { return true }
    return XMLMarkup.Element.allCases.contains { element in
      guard rest.starts(with: element.rawValue.utf8) else { return false }
      guard let next = rest.dropFirst(element.rawValue.utf8.count).first else { return false }
      return isSpace(next) || next == UInt8(ascii: ">") || next == UInt8(ascii: "/")
    }
  }
}
