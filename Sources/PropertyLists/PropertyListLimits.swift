/// What a property list may cost. Lists are small by nature; what goes beyond is an error, never a crash or an endless run.
public struct PropertyListLimits: Hashable, Sendable {
  /// Bytes of the file.
  public var bytes: Int
  /// Objects in the file, each counted once.
  public var objects: Int
  /// Collections in one another.
  public var depth: Int
  /// Values once an object that is referred to several times is written out at each place: ten lines of a file can mean a billion values.
  public var expandedValues: Int
  /// Bytes of text and data once an object that is referred to several times is written out at each place.
  public var expandedBytes: Int

  /// Limits of one's own.
  public init(
    bytes: Int = 256 << 20, objects: Int = 16 << 20, depth: Int = 512, expandedValues: Int = 32 << 20, expandedBytes: Int = 1 << 30
  ) {
    self.bytes = bytes
    self.objects = objects
    self.depth = depth
    self.expandedValues = expandedValues
    self.expandedBytes = expandedBytes
  }

  /// 256 MiB, 16 Mi objects, 512 deep, 32 Mi values and 1 GiB of text and data when written out.
  public static let standard = PropertyListLimits()
}

/// What is left of the limits during one walk.
struct Budget {
  var values: Int
  var bytes: Int

  init(_ limits: PropertyListLimits) {
    (values, bytes) = (limits.expandedValues, limits.expandedBytes)
  }

  init(values: Int, bytes: Int) {
    (self.values, self.bytes) = (values, bytes)
  }

  mutating func takeValue(at offset: Int) throws(PropertyListError) {
    if values <= 0 { throw PropertyListError(.tooManyValues, at: offset) }
    values -= 1
  }

  mutating func take(bytes count: Int, at offset: Int) throws(PropertyListError) {
    if count > bytes { throw PropertyListError(.tooManyBytes, at: offset) }
    bytes -= count
  }
}
