import AccountExport

/// Verifies bytes that may be a bundle, in pieces; one in four also whole: both must find the same.
func checkBundle(_ bytes: UnsafeRawBufferPointer) {
  let cut = report { verifier in forEachPiece(of: bytes) { verifier.feed($0) } }
  if bytes.reduce(0, { $0 &+ $1 }) & 3 != 0 { return }
  let whole = report { verifier in verifier.feed(bytes) }
  require(whole.problems == cut.problems, "other problems in pieces: \(cut.problems) instead of \(whole.problems)")
  require(whole.unlistedProblems == cut.unlistedProblems && whole.entries == cut.entries, "another number of problems or entries in pieces")
  require(whole.digest == cut.digest && whole.bytes == cut.bytes, "another digest or size in pieces")
  require(whole.items == cut.items && whole.outcome == cut.outcome, "another outcome in pieces")
}

private func report(_ feed: (inout BundleVerifier) -> Void) -> VerificationReport {
  do {
    var verifier = try BundleVerifier()
    feed(&verifier)
    return try verifier.finish()
  } catch {
    preconditionFailure("a check that can't even be made: \(error)")
  }
}

/// Verifies a bundle made of files that the fuzzer decides on: a ZIP whose structure and checksums are right, so that what is wrong with the files
/// themselves is all that there is to find.
///
/// The input is files one after another: a path, a line feed, the content, `0x1E`. In a content, `0x1F` and a letter stand for the SHA-256 of an earlier
/// file, `a` for the first.
func checkContents(_ bytes: UnsafeRawBufferPointer) {
  var zip = StoredZip()
  var digests: [String] = []
  for file in bytes.split(separator: 0x1E) {
    let end = file.firstIndex(of: 0x0A) ?? file.endIndex
    var content: [UInt8] = []
    var rest = file[end...].dropFirst()
    while let mark = rest.firstIndex(of: 0x1F) {
      content.append(contentsOf: rest[..<mark])
      let place = rest[mark...].dropFirst().first.map { Int($0) - 0x61 } ?? -1
      if digests.indices.contains(place) { content.append(contentsOf: digests[place].utf8) }
      rest = rest[mark...].dropFirst(2)
    }
    content.append(contentsOf: rest)
    digests.append(sha256(of: content))
    zip.add(path: Array(file[..<end].prefix(1 << 16 - 1)), content)
  }
  zip.finish().withUnsafeBytes { checkBundle($0) }
}
