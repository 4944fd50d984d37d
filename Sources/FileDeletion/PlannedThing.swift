internal import Files

/// A thing that is to be removed, as it was when the plan was made: what is there later is only this thing if nothing of it has changed.
///
/// The device is no part of it: its number may be another after the system was started again, and all things lie on the root's.
struct PlannedThing: Hashable {
  let path: PathBytes
  let kind: FileStatus.Kind
  let inode: UInt64, links: UInt64, size: UInt64
  let modified: FileTime, changed: FileTime
  let created: FileTime?

  init(_ path: PathBytes, _ status: FileStatus) {
    self.path = path
    kind = status.kind
    (inode, links, size) = (status.inode, status.links, status.size)
    (modified, changed, created) = (status.modified, status.changed, status.created)
  }

  /// Whether this is the thing, whatever became of its contents.
  func isSame(as status: FileStatus) -> Bool { isSame(as: PlannedThing(path, status)) }

  /// Whether this is the thing, with the contents that it had.
  ///
  /// The time of the last change of any kind counts, which no program can set back; only a file that has lost a name since has another for
  /// that alone. A folder's times change with what is taken from it: it is the same folder.
  func isUnchanged(in status: FileStatus) -> Bool { PlannedThing(path, status).isStill(self) }

  /// Whether this is the thing, with the contents that it had as far as size and time tell: renaming it has changed the rest.
  func hasSameContents(as status: FileStatus) -> Bool { hasSameContents(as: PlannedThing(path, status)) }
}

extension PlannedThing {
  /// Whether this, found later, is what was planned.
  func isStill(_ planned: PlannedThing) -> Bool {
    if kind == .folder { return planned.isSame(as: self) }
    return planned.hasSameContents(as: self) && (changed == planned.changed || links < planned.links)
  }

  private func isSame(as other: PlannedThing) -> Bool {
    (kind, inode, created) == (other.kind, other.inode, other.created)
  }

  private func hasSameContents(as other: PlannedThing) -> Bool { isSame(as: other) && size == other.size && modified == other.modified }
}

/// The list of what is to be removed, with the folder that it lies in: what a plan keeps as its detail.
struct ThingList: Hashable {
  let root: PlannedThing
  /// Folders before what lies in them.
  var things: [PlannedThing] = []

  /// One line each: the root, then the things.
  var text: String {
    var lines = ["\(root.line)"]
    lines.reserveCapacity(things.count + 1)
    for thing in things { lines.append(thing.line) }
    return lines.joined(separator: "\n")
  }

  /// Nil where the text is no such list.
  init?(_ text: String) {
    var read: [PlannedThing] = []
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      guard let thing = PlannedThing(line: line) else { return nil }
      read.append(thing)
    }
    guard let root = read.first, root.kind == .folder, root.path.bytes.isEmpty else { return nil }
    (self.root, things) = (root, Array(read.dropFirst()))
  }

  init(root: PlannedThing) { self.root = root }
}

extension PlannedThing {
  private static let kinds: [FileStatus.Kind: String] = [.file: "f", .folder: "d", .link: "l", .special: "s"]

  fileprivate var line: String {
    let made = created.map { "\($0.seconds) \($0.nanoseconds)" } ?? "- -"
    return "\(Self.kinds[kind] ?? "s") \(inode) \(links) \(size) \(modified.seconds) \(modified.nanoseconds) "
      + "\(changed.seconds) \(changed.nanoseconds) \(made) /\(path.escaped)"
  }

  fileprivate init?(line: Substring.UTF8View.SubSequence) {
    let fields = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    guard fields.count == 11, let kind = Self.kinds.first(where: { $0.value == fields[0] })?.key, let inode = UInt64(fields[1]),
      let links = UInt64(fields[2]), let size = UInt64(fields[3]), let modified = FileTime(fields[4], fields[5]),
      let changed = FileTime(fields[6], fields[7]), fields[8] == "-" || FileTime(fields[8], fields[9]) != nil, fields[10].hasPrefix("/"),
      let path = PathBytes(escaped: fields[10].utf8.dropFirst()), path.leadsDown
    else { return nil }
    (self.path, self.kind, self.inode, self.links, self.size) = (path, kind, inode, links, size)
    (self.modified, self.changed, created) = (modified, changed, FileTime(fields[8], fields[9]))
  }
}

extension FileTime {
  fileprivate init?(_ seconds: String, _ nanoseconds: String) {
    guard let seconds = Int64(seconds), let nanoseconds = UInt32(nanoseconds) else { return nil }
    self.init(seconds: seconds, nanoseconds: nanoseconds)
  }
}

extension PathBytes {
  /// Whether it is empty, or names things in a folder and in those below, and none else.
  fileprivate var leadsDown: Bool {
    let names = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { PathBytes($0) }
    return bytes.isEmpty || names.allSatisfy { !["", ".", ".."].contains($0) }
  }

  private static let digits = Array("0123456789abcdef".utf8)

  /// In ASCII without spaces: any other byte is `%` and two digits.
  fileprivate var escaped: String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for byte in bytes {
      if byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "%") {
        text.append(byte)
      } else {
        text += [UInt8(ascii: "%"), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  fileprivate init?(escaped text: some Sequence<UInt8>) {
    var bytes: [UInt8] = []
    var reading = text.makeIterator()
    while let byte = reading.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = reading.next(), let low = reading.next(), let first = Self.digits.firstIndex(of: high),
        let second = Self.digits.firstIndex(of: low)
      else { return nil }
      bytes.append(UInt8(first << 4 | second))
    }
    self.init(bytes)
  }
}
