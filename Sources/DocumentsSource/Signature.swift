/// The first bytes of a well-known format.
struct Signature: Sendable {
  private let offset: Int
  private let bytes: [UInt8]
  /// More bytes, at a place of their own: a container's kind.
  private let second: (offset: Int, bytes: [UInt8])?
  let name: String
  /// The flag of the formats that are built on this one.
  let container: Unicode.Scalar?
  private var resolvedType: MediaType?

  init(
    _ offset: Int, _ bytes: [UInt8], _ name: String, container: Unicode.Scalar? = nil, second: (offset: Int, bytes: [UInt8])? = nil
  ) {
    (self.offset, self.bytes, self.name, self.container, self.second) = (offset, bytes, name, container, second)
  }

  private init(_ text: String, _ name: String, at offset: Int = 0, container: Unicode.Scalar? = nil) {
    self.init(offset, Array(text.utf8), name, container: container)
  }

  /// An ISO base media file of a brand.
  private init(brand: String, _ name: String, container: Unicode.Scalar? = nil) {
    self.init(4, Array("ftyp".utf8), name, container: container, second: (8, Array(brand.utf8)))
  }

  /// A RIFF or IFF file of a form.
  private init(_ text: String, form: String, _ name: String) {
    self.init(0, Array(text.utf8), name, second: (8, Array(form.utf8)))
  }

  var type: MediaType {
    guard let resolvedType else { preconditionFailure("the signature of \(name) has no type yet") }
    return resolvedType
  }

  func resolved(_ type: MediaType) -> Signature {
    var copy = self
    copy.resolvedType = type
    return copy
  }

  /// Whether a file of this type begins with this signature too.
  func isBase(of type: MediaType) -> Bool {
    type == self.type || container.map(type.has) == true
  }

  func matches(_ head: Span<UInt8>) -> Bool {
    Self.holds(head, bytes, at: offset) && second.map { Self.holds(head, $0.bytes, at: $0.offset) } != false
  }

  static func holds(_ head: Span<UInt8>, _ text: String, at offset: Int) -> Bool {
    holds(head, Array(text.utf8), at: offset)
  }

  private static func holds(_ head: Span<UInt8>, _ bytes: [UInt8], at offset: Int) -> Bool {
    if head.count < offset + bytes.count { return false }
    for index in bytes.indices where head[unchecked: offset + index] != bytes[index] { return false }
    return true
  }

  /// Whether a file of this format can look like plain text at its beginning; one of any other format can't.
  var mayBeText: Bool { container == "b" || name == "application/rtf" }

  /// Long enough that no other file that isn't text begins so; the first that matches counts.
  static let strong: [Signature] = pictures + sound + isoMedia + packed + programs + documents

  private static let pictures = [
    Signature(0, [0xFF, 0xD8, 0xFF], "image/jpeg"), Signature(0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
    Signature("GIF87a", "image/gif"), Signature("GIF89a", "image/gif"), Signature("RIFF", form: "WEBP", "image/webp"),
    Signature(0, [0x49, 0x49, 0x2A, 0], "image/tiff", container: "i"), Signature(0, [0x4D, 0x4D, 0, 0x2A], "image/tiff", container: "i"),
    Signature(0, [0x49, 0x49, 0x55, 0], "image/x-panasonic-rw2", container: "i"), Signature("IIRO", "image/x-olympus-orf", container: "i"),
    Signature(0, [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20], "image/jp2", container: "j"),
    Signature(0, [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20], "image/jxl"), Signature("8BPS\0", "image/vnd.adobe.photoshop"),
    Signature(0, [0x76, 0x2F, 0x31, 0x01], "image/x-exr"), Signature("AT&TFORM", "image/vnd.djvu"),
  ]

  private static let sound = [
    Signature("ID3", "audio/mpeg", container: "u"), Signature("fLaC", "audio/flac", container: "g"),
    Signature("OggS\0", "audio/ogg", container: "g"), Signature("RIFF", form: "WAVE", "audio/vnd.wave"),
    Signature("FORM", form: "AIFF", "audio/x-aiff"), Signature("FORM", form: "AIFC", "audio/x-aiff"), Signature("MThd\0\0\0", "audio/midi"),
    Signature("#!AMR-WB\n", "audio/amr-wb"), Signature("#!AMR\n", "audio/amr"), Signature("caff\0", "audio/x-caf"),
    Signature("RIFF", form: "AVI ", "video/x-msvideo"), Signature("FLV\u{1}", "video/x-flv"),
    Signature(0, [0x1A, 0x45, 0xDF, 0xA3], "video/webm", container: "m", second: (31, Array("webm".utf8))),
    Signature(0, [0x1A, 0x45, 0xDF, 0xA3], "video/webm", container: "m", second: (24, Array("webm".utf8))),
    Signature(0, [0x1A, 0x45, 0xDF, 0xA3], "video/matroska", container: "m"),
    Signature(0, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], "video/x-ms-asf", container: "a"),
    Signature(0, [0, 0, 1, 0xBA], "video/mpeg", container: "e"),
    Signature(0, [0x47], "video/mp2t", container: "e", second: (188, [0x47])),
    Signature(4, [0x47], "video/mp2t", container: "e", second: (196, [0x47])),
  ]

  private static let isoMedia = [
    Signature(brand: "heic", "image/heic", container: "h"), Signature(brand: "heix", "image/heic", container: "h"),
    Signature(brand: "hevc", "image/heic-sequence", container: "h"), Signature(brand: "mif1", "image/heif", container: "h"),
    Signature(brand: "msf1", "image/heif-sequence", container: "h"), Signature(brand: "avif", "image/avif", container: "h"),
    Signature(brand: "avis", "image/avif", container: "h"), Signature(brand: "crx ", "image/x-canon-cr3"),
    Signature(brand: "mjp2", "video/mj2"), Signature(brand: "qt  ", "video/quicktime", container: "f"),
    Signature(brand: "M4A ", "audio/mp4", container: "f"), Signature(brand: "M4B ", "audio/mp4", container: "f"),
    Signature(brand: "3gp", "video/3gpp", container: "f"), Signature(brand: "3g2", "video/3gpp2", container: "f"),
    Signature("ftyp", "video/mp4", at: 4, container: "f"), Signature("moov", "video/quicktime", at: 4, container: "f"),
  ]

  private static let packed = [
    Signature("PK\u{3}\u{4}", "application/zip", container: "z"), Signature("PK\u{5}\u{6}", "application/zip", container: "z"),
    Signature(0, [0x1F, 0x8B, 8], "application/gzip", container: "y"),
    Signature("BZh", "application/x-bzip2", container: "x"),
    Signature(0, [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "application/x-xz", container: "v"),
    Signature(0, [0x28, 0xB5, 0x2F, 0xFD], "application/zstd", container: "w"),
    Signature(0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "application/x-7z-compressed"), Signature("Rar!\u{1A}\u{7}", "application/vnd.rar"),
    Signature(0, [0x04, 0x22, 0x4D, 0x18], "application/x-lz4"), Signature("MSCF\0\0\0\0", "application/vnd.ms-cab-compressed"),
    Signature("ustar", "application/x-tar", at: 257), Signature("xar!", "application/x-xar"),
    Signature(0, [0xED, 0xAB, 0xEE, 0xDB], "application/x-rpm"), Signature("!<arch>\ndebian", "application/vnd.debian.binary-package"),
  ]

  private static let programs = [
    Signature(0, [0x7F, 0x45, 0x4C, 0x46], "application/x-executable", container: "l"),
    Signature(0, [0xCF, 0xFA, 0xED, 0xFE], "application/x-mach-binary", container: "l"),
    Signature(0, [0xCE, 0xFA, 0xED, 0xFE], "application/x-mach-binary", container: "l"), Signature("\0asm\u{1}\0\0\0", "application/wasm"),
  ]

  private static let documents = [
    Signature("%PDF-", "application/pdf", container: "b"), Signature("{\\rtf", "application/rtf"),
    Signature("SQLite format 3\0", "application/vnd.sqlite3", container: "k"), Signature("bplist00", "application/x-plist", container: "p"),
    Signature(0, [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "application/x-ole-storage", container: "o"),
    Signature("wOFF\0", "font/woff"), Signature("wOF2\0", "font/woff2"), Signature("OTTO\0", "font/otf"),
    Signature("ttcf\0", "font/collection"), Signature("%!PS-Adobe", "application/postscript", container: "b"),
    Signature("DICM", "application/dicom", at: 128), Signature("PAR1\u{15}", "application/vnd.apache.parquet"),
  ]

  /// So short that they count only where nothing else is known.
  static let weak = [
    Signature("BM", "image/bmp"), Signature("MZ", "application/x-msdownload"), Signature(0, [0, 1, 0, 0, 0], "font/ttf"),
    Signature(0, [0, 0, 1, 0], "image/vnd.microsoft.icon"), Signature(0, [0xFF, 0xFB], "audio/mpeg"),
    Signature(0, [0xFF, 0xF3], "audio/mpeg"), Signature(0, [0xFF, 0xF1], "audio/aac"), Signature(0, [0xFF, 0x0A], "image/jxl"),
    Signature(0, [0xCA, 0xFE, 0xBA, 0xBE], "application/java-vm"),
    Signature(0, [0xD4, 0xC3, 0xB2, 0xA1], "application/vnd.tcpdump.pcap"),
  ]
}
