/// Something wrong with a ZIP that doesn't keep its reader from going on.
public struct ZipProblem: Hashable, Sendable {
  /// The kind of a problem. The set is open: later versions may add kinds.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The kind's stable name.
    public let name: String
    /// A kind with a name.
    public init(_ name: String) { self.name = name }
    /// The name.
    public var description: String { name }

    /// An entry's data isn't valid deflate, or ends elsewhere than its header says.
    public static let data = Code("data")
    /// An entry's data has another CRC-32 than is said somewhere.
    public static let checksum = Code("checksum")
    /// An entry's data has another size than is said somewhere.
    public static let size = Code("size")
    /// A path that is used twice.
    public static let duplicate = Code("duplicate")
    /// A path that isn't valid UTF-8, isn't flagged as UTF-8, or leads out of the folder that it is unpacked in.
    public static let path = Code("path")
    /// The central directory says something else than the entry's local header.
    public static let directory = Code("directory")
    /// The end records say something else than is there.
    public static let end = Code("end")
    /// Bytes that belong to nothing: a comment, or something after the end.
    public static let extraneous = Code("extraneous")
    /// A field whose meaning is not defined, or not supported.
    public static let field = Code("field")
  }

  /// The kind of problem.
  public let code: Code
  /// The path of the entry, as far as it is text; nil when it is about the ZIP itself.
  public let entry: String?
  /// Where the record that shows the problem begins, in bytes from the start.
  public let offset: UInt64
  /// What is wrong, in words.
  public let detail: String
}

extension ZipProblem: CustomStringConvertible {
  /// `data/a.txt: size: 3 bytes said, 2 found (at byte 1024)`
  public var description: String {
    let text = "\(code): \(detail) (at byte \(offset))"
    return if let entry { "\(entry): \(text)" } else { text }
  }
}
