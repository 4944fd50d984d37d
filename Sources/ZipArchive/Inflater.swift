internal import CZlib

/// Inflates raw deflate data, one stream after another, into one buffer. Owns zlib's state.
///
/// `@unchecked` because the compiler knows nothing of what the pointers lead to; they are owned by this value alone and
/// reached through `mutating` methods only.
struct Inflater: ~Copyable, @unchecked Sendable {
  /// What one step of inflating came to.
  enum Outcome {
    /// Everything that the input allowed is put out.
    case more
    /// The stream has ended.
    case end
    /// The input is no deflate data.
    case invalid
  }

  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutableRawBufferPointer

  /// The size of the buffer: large enough that what is done per piece counts for nothing, small enough to stay in the cache.
  private static var outputBytes: Int { 128 << 10 }

  private init(stream: UnsafeMutablePointer<z_stream>) {
    self.stream = stream
    output = .allocate(byteCount: Self.outputBytes, alignment: 16)
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    output.deallocate()
  }

  static func make() throws(ZipError) -> Inflater {
    // On the heap: zlib keeps the address and insists on it.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = inflateInit2_(stream, -15, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
    guard status == Z_OK else {
      stream.deallocate()
      throw ZipError(status == Z_MEM_ERROR ? .outOfMemory : .library, detail: "inflateInit2: status \(status)")
    }
    return Inflater(stream: stream)
  }

  /// Begins the next stream.
  mutating func reset() throws(ZipError) {
    let status = inflateReset(stream)
    guard status == Z_OK else { throw ZipError(.library, detail: "inflateReset: status \(status)") }
  }

  /// Takes as much input as fills the buffer or is there.
  ///
  /// - Returns: how it stands, how much input was used, and the bytes put out, which are good until the next call.
  mutating func step(
    _ input: UnsafeRawBufferPointer
  ) throws(ZipError) -> (outcome: Outcome, used: Int, output: UnsafeRawBufferPointer) {
    let offered = min(input.count, 1 << 30)
    // zlib reads the input only; its field lacks the const.
    stream.pointee.next_in = input.baseAddress.map { UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: Bytef.self)) }
    stream.pointee.avail_in = uInt(offered)
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_out = uInt(output.count)
    let status = inflate(stream, Z_NO_FLUSH)
    let used = offered - Int(stream.pointee.avail_in)
    let made = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<(output.count - Int(stream.pointee.avail_out))])
    switch status {
    case Z_OK, Z_BUF_ERROR: return (.more, used, made)
    case Z_STREAM_END: return (.end, used, made)
    case Z_DATA_ERROR, Z_NEED_DICT: return (.invalid, used, made)
    case Z_MEM_ERROR: throw ZipError(.outOfMemory, detail: "inflate: no memory")
    default: throw ZipError(.library, detail: "inflate: status \(status)")
    }
  }
}
