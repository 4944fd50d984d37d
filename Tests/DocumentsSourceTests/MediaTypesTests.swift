import Testing

@testable import DocumentsSource

@Suite("Media types by suffix and signature")
struct MediaTypesTests {
  private func type(_ name: String, _ head: [UInt8], isWhole: Bool = true) -> String {
    MediaTypes.type(ofName: Array(name.utf8).span, head: head.span, isWhole: isWhole).name
  }

  @Test func hasEverySuffixOnce() {
    let index = MediaTypeIndex.shared
    #expect(index.count > 550)
    for line in "\(mediaTypeTable)".split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      #expect(words[0].contains("/") && words.count > 2, "\(line)")
      for suffix in words[2...] { #expect(index.type(forSuffixOf: Array("a.\(suffix)".utf8).span)?.name == words[0]) }
    }
  }

  @Test(arguments: [
    ("a.JPG", "image/jpeg"), ("a.tar.gz", "application/gzip"), (".json", "application/octet-stream"), ("json", "application/octet-stream"),
    ("a.", "application/octet-stream"), ("", "application/octet-stream"), ("a.averylongsuffixindeed", "application/octet-stream"),
    (".x.md", "text/markdown"),
    ("a.jp\u{E9}g", "application/octet-stream"), ("a.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
  ])
  func goesByTheSuffixWhereThereIsNothingElse(name: String, expected: String) {
    #expect(type(name, []) == expected)
  }

  static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
  static let zip: [UInt8] = [0x50, 0x4B, 3, 4, 20, 0, 0, 0]
  static let odt: [UInt8] =
    [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 39, 0, 0, 0, 39, 0, 0, 0, 8, 0, 0, 0]
    + Array("mimetypeapplication/vnd.oasis.opendocument.text".utf8)

  private static func ftyp(_ brand: String) -> [UInt8] { [0, 0, 0, 24] + Array("ftyp\(brand)\0\0\0\0".utf8) }

  @Test(
    arguments: [
      ("a.jpg", png, "image/png"), ("a", png, "image/png"), ("a.txt", png, "image/png"), ("a.docx", zip, "a ZIP's suffix"),
      ("a.png", zip, "application/zip"),
      ("a", odt, "application/vnd.oasis.opendocument.text"), ("a.jpg", ftyp("heic"), "image/heic"), ("a.m4a", ftyp("isom"), "audio/mp4"),
      ("a", ftyp("isom"), "video/mp4"), ("a.heic", ftyp("mif1"), "image/heic"), ("a.mp4", ftyp("avif"), "image/avif"),
      ("a", ftyp("qt  "), "video/quicktime"),
      ("a.wav", Array("RIFF\0\0\0\0WEBPVP8 ".utf8), "image/webp"), ("a", Array("RIFF\0\0\0\0WAVEfmt ".utf8), "audio/vnd.wave"),
      ("a.bin", [0x1F, 0x8B, 8, 0], "application/gzip"), ("a.svgz", [0x1F, 0x8B, 8, 0], "image/svg+xml-compressed"),
      ("a", Array("%PDF-1.7\n".utf8), "application/pdf"),
      ("a.pages", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "application/x-ole-storage"),
      ("a", Array("SQLite format 3\0".utf8), "application/vnd.sqlite3"),
      ("a.doc", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "application/msword"),
      ("a.db", Array("SQLite format 3\0".utf8), "application/x-sqlite3"),
      ("a.mka", [0x1A, 0x45, 0xDF, 0xA3, 0], "audio/x-matroska"), ("a", [0x1A, 0x45, 0xDF, 0xA3, 0], "video/matroska"),
      ("a", Array("OggS\0".utf8), "audio/ogg"),
      ("a", Array("fLaC\0".utf8), "audio/flac"), ("a.dng", [0x49, 0x49, 0x2A, 0, 8], "image/x-adobe-dng"),
      ("a", [0x7F, 0x45, 0x4C, 0x46, 2], "application/x-executable"),
      ("a.so", [0x7F, 0x45, 0x4C, 0x46, 2], "application/x-sharedlib"),
      ("a", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "application/x-7z-compressed"),
      ("a", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "application/x-xz"), ("a", [0x28, 0xB5, 0x2F, 0xFD], "application/zstd"),
      ("a", Array("BZh91AY&SY\0".utf8), "application/x-bzip2"),
      ("a", Array("Rar!\u{1A}\u{7}\0".utf8), "application/vnd.rar"), ("a", Array("ID3\u{4}\0".utf8), "audio/mpeg"),
      ("a", Array("GIF89a\u{1}\0".utf8), "image/gif"),
      ("a", [0x42, 0x4D, 0xFF, 0], "image/bmp"), ("a.dat", [0, 1, 2, 3], "application/octet-stream"),
      ("a.mp3", [0, 1, 2, 3], "audio/mpeg"),
      ("a.ts", [0x47] + [UInt8](repeating: 0, count: 187) + [0x47, 0], "video/mp2t"),
    ] as [(String, [UInt8], String)])
  func lookAtTheContents(name: String, head: [UInt8], expected: String) {
    #expect(type(name, head) == expected.replacing("a ZIP's suffix", with: type("a.docx", [])))
  }

  @Test(arguments: [
    ("notes", "plain text\n", "text/plain"), ("a.jpg", "<html>404</html>", "text/plain"), ("a.md", "# hi", "text/markdown"),
    ("page", "\n<!DOCTYPE html><p>", "text/html"),
    ("feed", "\u{FEFF}<?xml version='1.0'?>", "application/xml"), ("a.ts", "GG" + String(repeating: "G", count: 400), "text/x-typescript"),
    ("a", "nul\0byte", "application/octet-stream"), ("a", "\u{1B}[1mbold", "text/plain"), ("a", "caf\u{E9}", "text/plain"),
    ("a.key", "-----BEGIN", "text/plain"),
    ("id3", "ID3 is a tag", "text/plain"),
  ])
  func knowsText(name: String, head: String, expected: String) {
    #expect(type(name, Array(head.utf8)) == expected)
  }

  @Test func knowsOtherEncodings() {
    #expect(type("a", [0xFF, 0xFE, 0x61, 0]) == "text/plain")
    #expect(type("a.csv", [0xFE, 0xFF, 0, 0x61]) == "text/csv")
    #expect(type("a", [0x63, 0xE9]) == "application/octet-stream")
    #expect(type("a.txt", [0x63, 0xE9]) == "text/plain", "Latin-1")
    #expect(type("a", [0x63, 0xC3]) == "application/octet-stream")
    #expect(type("a", [0x63, 0xC3], isWhole: false) == "text/plain", "a character that the end of the head cuts")
  }

  @Test func checksUTF8AsSwiftDoes() {
    var random = SeededGenerator(seed: 7)
    let bytes: [UInt8] = [0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF]
    var valid = 0
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 1...5, using: &random)).map { _ in bytes.randomElement(using: &random)! }
      var check = UTF8Check()
      let isValid = text.allSatisfy { check.accepts($0) } && check.isBetweenCharacters
      #expect(isValid == (String(validating: text, as: UTF8.self) != nil), "\(text)")
      if isValid { valid += 1 }
    }
    #expect(valid > 500)
  }

  @Test(arguments: [
    ("a.jpg", true), ("a.mp4", true), ("a.zip", true), ("a.odt", true), ("a.wav", false), ("a.txt", false), ("a.bmp", false),
    ("a.sqlite", false),
  ])
  func knowsWhatIsPackedAlready(name: String, isCompressed: Bool) {
    let type = MediaTypes.type(ofName: Array(name.utf8).span, head: Span(), isWhole: true)
    #expect(type.isCompressed == isCompressed)
    #expect(type.withName { $0.count } == type.name.utf8.count)
  }
}
