public import AccountExport
internal import Files

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the clocks show: the one that people set, and the one that only runs. Together they tell a day that has passed from one that was set.
public struct ClockReading: Hashable, Sendable {
  /// The time of day and year.
  public var now: Timestamp
  /// Seconds since the system was started, sleep included.
  public var sinceBoot: Int64
  /// What this start of the system is called; readings of different ones have nothing to compare but their times.
  public var boot: String

  /// A reading.
  public init(now: Timestamp, sinceBoot: Int64, boot: String) {
    (self.now, self.sinceBoot, self.boot) = (now, sinceBoot, boot)
  }

  /// The clocks as they are.
  public static func current() throws(DeletionError) -> ClockReading {
    var time = timespec()
    #if canImport(Darwin)
      clock_gettime(CLOCK_MONOTONIC_RAW, &time)
    #else
      clock_gettime(CLOCK_BOOTTIME, &time)
    #endif
    return ClockReading(now: .now(), sinceBoot: Int64(time.tv_sec), boot: try bootName())
  }

  /// How far the clock was set since an earlier reading, in seconds, as far as it can be told: after another start of the system, only that it
  /// went back.
  func jump(since earlier: ClockReading) -> Int64 {
    let passed = now.seconds - earlier.now.seconds
    return boot == earlier.boot ? passed - (sinceBoot - earlier.sinceBoot) : min(passed, 0)
  }

  #if canImport(Darwin)
    private static func bootName() throws(DeletionError) -> String {
      var name = [CChar](repeating: 0, count: 64)
      var size = name.count
      guard sysctlbyname("kern.bootsessionuuid", &name, &size, nil, 0) == 0 else {
        throw DeletionError(.clock, "this start of the system has no name")
      }
      return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  #else
    private static func bootName() throws(DeletionError) -> String {
      var bytes = [UInt8](repeating: 0, count: 64)
      do throws(FileError) {
        let file = try FileDescriptor.reading("/proc/sys/kernel/random/boot_id")
        let read = bytes.withUnsafeMutableBytes { buffer in Result { () throws(FileError) in try file.read(into: buffer) } }
        return String(decoding: bytes.prefix(try read.get()).prefix { $0 > 32 }, as: UTF8.self)
      } catch {
        throw DeletionError(.clock, "this start of the system can't be told from others: \(error)")
      }
    }
  #endif
}
