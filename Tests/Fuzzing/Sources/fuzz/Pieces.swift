#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Cuts bytes into pieces of odd sizes, which depend on the bytes alone.
///
/// Each piece lies in a block of memory of its own, so that a sanitizer sees whoever looks behind its end or back at an earlier one.
func forEachPiece(of bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
  var random = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15 | 1
  for byte in bytes.suffix(8) { random = (random ^ UInt64(byte)) &* 0x100_0000_01b3 }
  var start = 0
  while start < bytes.count {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    // Mostly some dozens of bytes, now and then one, or many.
    let wanted = 1 + Int(random >> 33) % [1, 7, 64, 512][Int(random >> 62)]
    let count = min(wanted, bytes.count - start)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    piece.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
    body(UnsafeRawBufferPointer(piece))
    piece.deallocate()
    start += count
  }
}

/// Ends the program with a message where something isn't as it must be: to libFuzzer that is a crash.
func require(_ isSo: Bool, _ message: @autoclosure () -> String) {
  if isSo { return }
  let text = Array("not as it must be: \(message())\n".utf8)
  _ = text.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  abort()
}
