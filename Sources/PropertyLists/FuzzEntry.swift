/// Runs every reader over bytes that may be anything, whatever kind of list they look like. It must come back, without a trap, for all of them.
///
/// This is the one entry for a fuzzer (`LLVMFuzzerTestOneInput`) and for the tests with damaged files. Returns whether they are a list of some kind.
@discardableResult
package func readByAllMeans(_ bytes: [UInt8], limits: PropertyListLimits = .standard) -> Bool {
  var isList = false
  var visitor = SilentVisitor()
  func attempt(_ body: () throws -> Bool) {
    do {
      isList = try body() || isList
    } catch {
      // An error is an answer here as good as any.
    }
  }
  attempt {
    try PropertyList(bytes, limits: limits).visit(&visitor)
    return true
  }
  attempt { try !XMLReader.read(bytes, limits).isEmpty }
  attempt { try !OpenStepReader.read(bytes, limits).isEmpty }
  attempt {
    let isArchive = KeyedArchive.isArchive(bytes.span, limits: limits)
    return try KeyedArchive.decode(bytes.span, limits: limits, into: &visitor) && isArchive
  }
  return isList
}
