internal import AccountExport
internal import Files

/// Why the file that a row names is not inside, or not as it is.
struct FileObstacle: Error, Hashable {
  let reason: Omission.Reason
  /// For the report. It holds no name.
  let detail: String

  /// There is no file of this name.
  static let missing = FileObstacle(reason: .missingFile, detail: "there is no such file")
  /// The name leads out of the folder: by `..`, or from the root of the file system.
  static let outside = FileObstacle(reason: .unreadable, detail: "the name leads out of the folder of files")
  /// A link stands on the way, or in the file's place; none is followed.
  static let link = FileObstacle(reason: .unreadable, detail: "a link, which is not followed")
  /// A device, a pipe or a socket.
  static let special = FileObstacle(reason: .special, detail: "neither a file nor a folder")
  /// A folder.
  static let folder = FileObstacle(reason: .unreadable, detail: "a folder, not a file")
  /// It changed each time that it was read.
  static let changed = FileObstacle(reason: .changed, detail: "it changed while it was read")
  /// The value is no text that could be a name.
  static let noName = FileObstacle(reason: .unreadable, detail: "a value that can't be a file's name")
  /// It is larger than a program may write.
  static let limit = FileObstacle(reason: .limit, detail: "the program wrote more than it may")

  /// It can't be read.
  static func unreadable(_ detail: String) -> FileObstacle { FileObstacle(reason: .unreadable, detail: detail) }

  /// What the system says of a name.
  init(_ error: FileError) {
    self = error.isMissing ? .missing : error.isOtherKind ? .link : .unreadable("\(error.operation): \(error.reason)")
  }

  private init(reason: Omission.Reason, detail: String) { (self.reason, self.detail) = (reason, detail) }
}
