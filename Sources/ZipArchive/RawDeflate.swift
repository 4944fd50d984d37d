/// Deflate data (RFC 1951) that stands alone, without the frame of a ZIP, gzip or zlib.
public enum RawDeflate {
  /// Inflates a whole stream. Bytes after its end are left alone.
  ///
  /// - Parameter limit: the most bytes that may come out: a few kilobytes can be made to inflate to any size.
  /// - Throws: `format` where the bytes are no deflate data, `truncated` where they end too early, `limit` beyond the limit.
  public static func inflated(_ bytes: UnsafeRawBufferPointer, limit: Int) throws(ZipError) -> [UInt8] {
    var inflater = try Inflater.make()
    var rest = bytes
    var inflated: [UInt8] = []
    while true {
      let (outcome, used, output) = try inflater.step(rest)
      if output.count > limit - inflated.count { throw ZipError(.limit, detail: "more than \(limit) bytes come out of deflate data") }
      inflated.append(contentsOf: output)
      switch outcome {
      case .end: return inflated
      case .invalid: throw ZipError(.format, detail: "no deflate data")
      case .more where used == 0 && output.isEmpty: throw ZipError(.truncated, detail: "deflate data ends too early")
      case .more: rest = UnsafeRawBufferPointer(rebasing: rest[used...])
      }
    }
  }
}
