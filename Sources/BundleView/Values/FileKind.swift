/// What a browser makes of a file, by the end of its name in the bundle. Only these are opened from the pages: anything else might be taken for a page of its
/// own, and a file without an ending too, since browsers look into it.
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

  /// Whether the pages have a link to it.
  var isOpened: Bool { self != .other }

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
