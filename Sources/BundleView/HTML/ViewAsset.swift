/// The style or the script of a page: bytes of the program's own, which the build embeds.
struct ViewAsset {
  let bytes: [UInt8]
  /// What the page's Content-Security-Policy lets run: `'sha256-…'`.
  let hash: String

  static let style = ViewAsset(PackageResources.view_css)
  /// The script of all pages; and with what only the search's page, or a page that opens a data file, does.
  static let script = ViewAsset(PackageResources.view_js)
  static let searchScript = ViewAsset(PackageResources.view_js, PackageResources.search_js)
  static let pickScript = ViewAsset(PackageResources.view_js, PackageResources.pick_js)

  private init(_ parts: [UInt8]...) {
    bytes = parts.flatMap(Self.shortened)
    hash = ContentHash.source(of: bytes)
  }

  /// What each page has of a file: its lines without the spaces before them and without those that are comments. No text in them has several lines.
  private static func shortened(_ file: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    for line in file.split(separator: UInt8(ascii: "\n")) {
      let text = line.drop { $0 == UInt8(ascii: " ") }
      if text.isEmpty || text.starts(with: "//".utf8) || text.starts(with: "/*".utf8) { continue }
      kept += text
      kept.append(UInt8(ascii: "\n"))
    }
    return kept
  }
}
