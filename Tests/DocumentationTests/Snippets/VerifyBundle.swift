import AccountExport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Checks a bundle in a file, in one pass and in little memory.
func verifyBundle(at path: String) throws -> VerificationReport {
  guard let file = fopen(path, "r") else { throw ExportError(.badInput, "\(path) can't be opened") }
  defer { fclose(file) }
  var verifier = try BundleVerifier()
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = fread(&buffer, 1, buffer.count, file)
    if count == 0 { break }
    buffer.withUnsafeBytes { verifier.feed(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }
  if ferror(file) != 0 { throw ExportError(.badInput, "\(path) can't be read") }
  return try verifier.finish()
}
