/// Where a bundle's bytes go, in order.
package protocol BundleSink: AnyObject, Sendable {
  /// Takes the next bytes, which are valid until it returns.
  func write(_ bytes: UnsafeRawBufferPointer) async throws
}
