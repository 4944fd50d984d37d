internal import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Standard output, for what was asked for: help, plans, reports. Messages don't belong here.
enum StandardOutput {
  /// Writes all of a text. That nobody takes it is an error.
  static func write(_ text: String) throws(CommandError) { try write(Array(text.utf8)) }

  /// Writes all bytes. That nobody takes them is an error.
  static func write(_ bytes: [UInt8]) throws(CommandError) {
    let outcome = bytes.withUnsafeBytes { bytes in
      Result { () throws(FileError) in try FileDescriptor.duplicate(STDOUT_FILENO, path: "standard output").write(bytes) }
    }
    do throws(FileError) { try outcome.get() } catch { throw CommandError(.inputOutput, "standard output: \(error.reason)") }
  }

  /// Whether it is a terminal, which binary data would upset.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
}
