import Testing

@testable import Ownership

@Suite("Columns that look as if they named files")
struct FileColumnTests {
  @Test(arguments: [
    "path", "file", "fileName", "file_path", "attachment", "Attachments", "avatar", "avatar_url", "photo1", "profile_image", "images",
    "storage_key",
    "storageKey", "S3Key", "s3_key", "blob-key", "object_key", "uploads",
  ])
  func names(column: String) { #expect(FileColumnRules.standard.mayNameFiles(column: column)) }

  @Test(arguments: [
    "profile", "imagery", "pathology", "key", "api_key", "photo_id", "file_size", "image_type", "path_hash", "photo_caption", "name",
    "photographer",
    "filed_at", "file_count", "storage", "",
  ])
  func otherNames(column: String) { #expect(!FileColumnRules.standard.mayNameFiles(column: column)) }

  @Test(arguments: [
    "cat.jpg", "2026/cat.JPG", "a/b", "/srv/uploads/7", "s3://bucket/key", "9f/8e/abc", "my cat.jpeg", "x.7z", "été.pdf", "u/7/me@home.png",
    "file:///a", "C:\\pictures\\cat.jpg",
  ])
  func values(text: String) { #expect(Self.looks(text)) }

  @Test(arguments: [
    "", "cat", "https://example.org/cat.jpg", "HTTP://example.org/a", "//cdn.example.org/a.js", "data:image/png;base64,AAAA",
    "a@example.org", "n/a", "N/A",
    "12/05/2026", "1/2/3", "with and/or without", "1.5", "Hello. World", ".", "..", ".png", "a.", "x.abcdef", "{\"a\":\"b/c\"}",
    "[\"a/b\"]",
    "<svg src=\"a/b\">", "a/b\nc/d", "The end.",
  ])
  func otherValues(text: String) { #expect(!Self.looks(text)) }

  @Test("a long text names nothing")
  func long() {
    #expect(Self.looks(String(repeating: "a", count: 1020) + ".png"))
    #expect(!Self.looks(String(repeating: "a", count: 1021) + ".png"))
  }

  private static func looks(_ text: String) -> Bool {
    var copy = text
    return copy.withUTF8 { FileColumnRules.looksLikeFile($0) }
  }

  @Test("rules are data", arguments: ["{}", "{names: [1], others: []}", "{names: [\"file\"]}"])
  func rules(text: String) throws {
    let error = #expect(throws: OwnershipError.self) { try FileColumnRules(data: Array(text.utf8)) }
    #expect(error?.code == .rules)
  }
}
