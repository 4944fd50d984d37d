internal import CArchive
internal import CZlib

/// Inflates raw deflate data, one stream after another, into one buffer. Owns the state of zlib, or of ISA-L.
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

  private enum Engine {
    case zlib(UnsafeMutablePointer<z_stream>)
    case isal(OpaquePointer)
  }

  private let engine: Engine
  private let output: UnsafeMutableRawBufferPointer

  /// The size of the buffer: large enough that what is done per piece counts for nothing, small enough to stay in the cache.
  private static var outputBytes: Int { 128 << 10 }

  private init(_ engine: Engine) {
    self.engine = engine
    output = .allocate(byteCount: Self.outputBytes, alignment: 16)
  }

  deinit {
    switch engine {
    case .zlib(let stream):
      inflateEnd(stream)
      stream.deallocate()
    case .isal(let inflater): fast_inflater_free(inflater)
    }
    output.deallocate()
  }

  /// - Parameter isOwn: Whether the data was written by this package in the same process: then ISA-L inflates, where it is there, in half
  ///   the time. Whether others can read a ZIP is told by zlib, which takes no code tables that a writer should not make.
  static func make(isOwn: Bool = false) throws(ZipError) -> Inflater {
    if isOwn, let inflater = fast_inflater_new() { return Inflater(.isal(inflater)) }
    // On the heap: zlib keeps the address and insists on it.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let status = inflateInit2_(stream, -15, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
    guard status == Z_OK else {
      stream.deallocate()
      throw ZipError(status == Z_MEM_ERROR ? .outOfMemory : .library, detail: "inflateInit2: status \(status)")
    }
    return Inflater(.zlib(stream))
  }

  /// Begins the next stream.
  mutating func reset() throws(ZipError) {
    switch engine {
    case .zlib(let stream):
      let status = inflateReset(stream)
      guard status == Z_OK else { throw ZipError(.library, detail: "inflateReset: status \(status)") }
    case .isal(let inflater): fast_inflater_reset(inflater)
    }
  }

  /// What a step came to, how much input was used, and the bytes put out, which are good until the next call.
  typealias Step = (outcome: Outcome, used: Int, output: UnsafeRawBufferPointer)

  /// Takes as much input as fills the buffer or is there.
  mutating func step(_ input: UnsafeRawBufferPointer) throws(ZipError) -> Step {
    let offered = UnsafeRawBufferPointer(rebasing: input.prefix(1 << 30))
    switch engine {
    case .zlib(let stream): return try step(offered, by: stream)
    case .isal(let inflater): return step(offered, by: inflater)
    }
  }

  private func step(_ input: UnsafeRawBufferPointer, by inflater: OpaquePointer) -> Step {
    var (used, made) = (0, 0)
    let outcome = fast_inflater_step(inflater, input.baseAddress, input.count, output.baseAddress, output.count, &used, &made)
    let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output)[..<made])
    switch outcome {
    case fast_inflated_more: return (.more, used, bytes)
    case fast_inflated_end: return (.end, used, bytes)
    default: return (.invalid, used, bytes)
    }
  }

  private func step(_ input: UnsafeRawBufferPointer, by stream: UnsafeMutablePointer<z_stream>) throws(ZipError) -> Step {
    // zlib reads the input only; its field lacks the const.
    stream.pointee.next_in = input.baseAddress.map { UnsafeMutablePointer(mutating: $0.assumingMemoryBound(to: Bytef.self)) }
    stream.pointee.avail_in = uInt(input.count)
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: Bytef.self)
    stream.pointee.avail_out = uInt(output.count)
    let status = inflate(stream, Z_NO_FLUSH)
    let used = input.count - Int(stream.pointee.avail_in)
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
