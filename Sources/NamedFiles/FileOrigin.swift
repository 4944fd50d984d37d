internal import AccountExport

/// Where the files of a column are read.
protocol FileOrigin: AnyObject {
  /// Reads the file of a name.
  /// - Parameter take: Called with what fills a buffer and says how many bytes it put there, 0 at the end. It may be called again, from the beginning, where
  ///   what it did with the first bytes was taken back.
  /// - Returns: what is to be told of a file that was read; nil where all is well.
  /// - Throws: `FileObstacle` where there is no such file, or it can't be read.
  func read(_ name: UnsafeBufferPointer<UInt8>, _ take: ((UnsafeMutableRawBufferPointer) throws -> Int) throws -> Void) throws
    -> FileObstacle?
}

/// What takes the file that a text names: a row's column, or a place inside a value.
package protocol FileSink: ~Copyable {
  /// Whether this text would be masked.
  func hides(_ text: UnsafeBufferPointer<UInt8>) -> Bool
  /// Writes a file.
  mutating func file(named name: UnsafeBufferPointer<UInt8>, _ read: (UnsafeMutableRawBufferPointer) throws -> Int) throws
  /// Writes that a file is gone.
  mutating func missing(_ name: String)
}

extension RowWriter: FileSink {}
extension NestedWriter: FileSink {}
