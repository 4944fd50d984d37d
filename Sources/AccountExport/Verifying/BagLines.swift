internal import Checksums

/// The lines of a BagIt manifest: a hash, two spaces, a path (RFC 8493, section 2.1.3), cut out of chunks of any size.
struct BagLines: Sendable {
  private var line: [UInt8] = []
  /// A line longer than this is no line of a manifest.
  private static let longest = 4096

  /// Calls `body` with each whole line's hash and path; a hash that is none, or a line that isn't one, comes as nil.
  mutating func feed(_ bytes: UnsafeRawBufferPointer, _ body: (SHA256Digest?, UnsafeRawBufferPointer) -> Void) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        end(body)
      } else if line.count <= Self.longest {
        line.append(byte)
      }
    }
  }

  /// Ends the file; its last line may lack its end.
  mutating func finish(_ body: (SHA256Digest?, UnsafeRawBufferPointer) -> Void) {
    if !line.isEmpty { end(body) }
  }

  private mutating func end(_ body: (SHA256Digest?, UnsafeRawBufferPointer) -> Void) {
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    line.withBytes { bytes in
      let isLine = bytes.count > 66 && bytes.count <= Self.longest && bytes[64] == UInt8(ascii: " ") && bytes[65] == UInt8(ascii: " ")
      if !isLine { return body(nil, bytes) }
      body(SHA256Digest(hexBytes: UnsafeRawBufferPointer(rebasing: bytes[..<64])), UnsafeRawBufferPointer(rebasing: bytes[66...]))
    }
    line.removeAll(keepingCapacity: true)
  }
}
