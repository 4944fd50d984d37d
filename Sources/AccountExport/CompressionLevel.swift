internal import ZipArchive

/// How hard an export is deflated.
public struct CompressionLevel: Sendable, Hashable, CustomStringConvertible {
  /// zlib's level, 1 (fastest) to 9 (smallest), or 0: deflate's stored blocks, which make nothing smaller. Nil for `fast`.
  public let number: Int?

  private init(known number: Int?) { self.number = number }

  /// A level of zlib, or 0; nil outside 0 ... 9.
  public init?(_ number: Int) {
    guard (0...9).contains(number) else { return nil }
    self.number = number
  }

  /// A level as people write it: `fast`, or a digit; nil for any other text.
  public init?(_ text: String) {
    guard text == "fast" || text.utf8.count == 1, let level = text == "fast" ? .fast : Int(text).flatMap(Self.init) else { return nil }
    self = level
  }

  /// Some fifteen times as fast as zlib's level 6, for about a fifth more bytes of text: ISA-L's level 2; zlib's level 1 where the package was
  /// built without ISA-L.
  public static let fast = CompressionLevel(known: nil)
  /// Nothing is made smaller.
  public static let stored = CompressionLevel(known: 0)

  /// The level as people write it.
  public var description: String { number.map(String.init) ?? "fast" }

  /// What deflates, and its level, as the manifest tells it.
  var engine: String {
    switch number {
    case nil: ZipOptions.Level.isFastBuilt ? "isa-l 2" : "zlib 1"
    case 0: "stored"
    case let level?: "zlib \(level)"
    }
  }

  /// How documents and records are deflated that aren't stored.
  var zip: ZipOptions.Level { number.map { .zlib(max(1, $0)) } ?? .fast }
}
