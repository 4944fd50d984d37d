import CZlib
import Testing
import ZipArchive

@Suite struct RawDeflateTests {
  private func inflated(_ bytes: [UInt8], limit: Int = 1 << 20) throws -> [UInt8] {
    try bytes.withUnsafeBytes { try RawDeflate.inflated($0, limit: limit) }
  }

  /// `hello` in a stored block.
  private let hello: [UInt8] = [1, 5, 0, 0xFA, 0xFF] + Array("hello".utf8)

  @Test("a stream is inflated to its end, and what follows is left alone")
  func whole() throws {
    #expect(try inflated(hello) == Array("hello".utf8))
    #expect(try inflated(hello + [1, 2, 3]) == Array("hello".utf8))
    // Fixed codes: three bytes of text, as zlib makes them.
    #expect(try inflated([0x4B, 0x4C, 0x4A, 0x06, 0x00]) == Array("abc".utf8))
  }

  @Test("what is none, ends early or becomes too much is told by its code")
  func errors() {
    func code(_ bytes: [UInt8], limit: Int = 1 << 20) -> ZipError.Code? {
      do {
        _ = try inflated(bytes, limit: limit)
        return nil
      } catch { return (error as? ZipError)?.code }
    }
    #expect(code([]) == .truncated)
    #expect(code(Array(hello.dropLast())) == .truncated)
    #expect(code([0x07]) == .format)
    #expect(code(hello, limit: 4) == .limit)
    #expect(code(hello, limit: 5) == nil)
  }
}
