/// Frames lines of JSON as one array: `[`, a line each with a comma, `]`; `[]` where there is none.
struct RowFramer {
  private let out: Spool
  private var hasRows = false

  init(out: Spool) { self.out = out }

  /// Adds the lines of a spool, each of which ends with a newline.
  mutating func add(_ lines: Spool) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    var framed: [UInt8] = []
    var done = 0
    let length = lines.length
    while done < length {
      let count = try lines.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, length - done)]), at: done)
      if count == 0 { throw ExportError(.output, "the staging folder lost part of a spool") }
      if done == 0 { framed.append(contentsOf: hasRows ? ",\n".utf8 : "[\n".utf8) }
      hasRows = true
      for (index, byte) in buffer[..<count].enumerated() {
        let isLast = done + index == length - 1
        if byte == UInt8(ascii: "\n") {
          if !isLast { framed.append(contentsOf: ",\n".utf8) }
        } else {
          framed.append(byte)
        }
      }
      try framed.withUnsafeBytes { try out.append($0) }
      framed.removeAll(keepingCapacity: true)
      done += count
    }
  }

  /// Closes the array.
  func end() throws {
    try Array((hasRows ? "\n]\n" : "[]\n").utf8).withUnsafeBytes { try out.append($0) }
  }
}
