internal import Checksums

/// The lines of a BagIt manifest: a hash, two spaces, a path (RFC 8493, section 2.1.3), cut out of chunks of any size.
struct BagLines: Sendable {
  private var line: [UInt8] = []
  /// A line longer than this is no line of a manifest.
  private static let longest = 4096

  /// Calls `body` with each whole line's hash and path; a hash that is none, or a line that isn't one, comes as nil.
  mutating func feed(_ bytes: UnsafeRawBufferPointer, _ body: (SHA256Digest?, UnsafeRawBufferPointer) -> Void) {
    var rest = bytes
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let piece = UnsafeRawBufferPointer(rebasing: rest[..<end])
      rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
      if line.isEmpty {
        Self.take(piece, body)
      } else {
        keep(piece)
        line.withBytes { Self.take($0, body) }
        line.removeAll(keepingCapacity: true)
      }
    }
    keep(rest)
  }

  /// Keeps the beginning of a line whose end has not come; of one that is too long, enough to tell.
  private mutating func keep(_ piece: UnsafeRawBufferPointer) {
    line.append(contentsOf: piece.prefix(Self.longest + 1 - min(line.count, Self.longest + 1)))
  }

  /// Ends the file; its last line may lack its end.
  mutating func finish(_ body: (SHA256Digest?, UnsafeRawBufferPointer) -> Void) {
    if line.isEmpty { return }
    line.withBytes { Self.take($0, body) }
    line.removeAll(keepingCapacity: true)
  }

  private static func take(_ line: UnsafeRawBufferPointer, _ body: (SHA256Digest?, UnsafeRawBufferPointer) -> Void) {
    let bytes = line.last == UInt8(ascii: "\r") ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
    let isLine = bytes.count > 66 && bytes.count <= longest && bytes[64] == UInt8(ascii: " ") && bytes[65] == UInt8(ascii: " ")
    if !isLine { return body(nil, UnsafeRawBufferPointer(rebasing: bytes.prefix(longest + 1))) }
    body(SHA256Digest(hexBytes: UnsafeRawBufferPointer(rebasing: bytes[..<64])), UnsafeRawBufferPointer(rebasing: bytes[66...]))
  }
}
