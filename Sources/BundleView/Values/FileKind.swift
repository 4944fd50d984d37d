/// What a file is, by the end of its name in the bundle.
enum FileKind {
  case picture, sound, video, text, pdf, other

  init(path: UnsafeRawBufferPointer) {
    let ending = Self.ending(of: path)
    self = Self.kinds.first { kind in kind.endings.contains { $0.utf8.elementsEqual(ending) } }?.kind ?? .other
  }

  private static let kinds: [(kind: FileKind, endings: [String])] = [
    (.picture, ["png", "jpg", "jpeg", "gif", "webp", "bmp", "avif"]),
    (.sound, ["mp3", "m4a", "wav", "ogg", "oga", "opus", "flac", "aac"]),
    (.video, ["mp4", "m4v", "webm", "mov", "ogv"]),
    (.text, ["txt", "csv", "md", "log"]),
    (.pdf, ["pdf"]),
  ]

  /// The ending without its point, in lower case; empty where there is none, or only a point at the begin.
  static func ending(of path: UnsafeRawBufferPointer) -> [UInt8] {
    let name = path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
    guard let point = name.lastIndex(of: UInt8(ascii: ".")), point > name.startIndex else { return [] }
    return name[(point + 1)...].map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
  }

  /// Endings of the kinds above that browsers don't all know: what isn't known to them they look into, and run where it looks like a page. So does a file without
  /// an ending.
  private static let unknown = ["m4v", "mov", "md", "log"]

  /// Whether the pages link to a file.
  static func isLinked(_ path: UnsafeRawBufferPointer) -> Bool {
    let ending = ending(of: path)
    return FileKind(path: path) != .other && !unknown.contains { $0.utf8.elementsEqual(ending) }
  }

  /// The name of its kind among the sentences.
  var word: String {
    switch self {
    case .picture: "kind.pictures"
    case .sound: "kind.audio"
    case .video: "kind.video"
    case .text: "kind.text"
    case .pdf: "kind.pdf"
    case .other: "kind.other"
    }
  }
}
