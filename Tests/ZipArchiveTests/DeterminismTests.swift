import Glibc
import Testing
import ZipArchive

/// Every sample at every border of daylight-saving time in New York and at some other times.
private let timedSamples: [Sample] = [
  1_700_000_000, 1_710_054_000, 1_710_053_999, 1_730_613_600, 1_730_610_000, 1_730_606_400, 315_532_799, 315_532_800, 4_354_819_199, 0,
].enumerated().map { Sample("\($0).txt", [1], modified: $1) }

@Test func bytesAreTheSameInAnyTimeZone() async {
  await #expect(processExitsWith: .success) {
    var seen: Set<[UInt8]> = []
    for zone in ["UTC", "Pacific/Chatham", "America/New_York", "Europe/Berlin", "Asia/Kathmandu", "<+25>-25", ""] {
      setenv("TZ", zone, 1)
      tzset()
      seen.insert(try makeZip(timedSamples + variedSamples))
    }
    #expect(seen.count == 1)
  }
}

@Test func bytesAreTheSameInAnyLocale() async {
  await #expect(processExitsWith: .success) {
    var seen: Set<[UInt8]> = []
    for locale in ["C", "C.UTF-8"] {
      _ = try #require(setlocale(LC_ALL, locale))
      seen.insert(try makeZip(variedSamples))
    }
    #expect(seen.count == 1)
  }
}

@Test func theLibraryLeavesTheTimeZoneAlone() throws {
  let before = getenv("TZ").map { String(cString: $0) }
  _ = try makeZip(variedSamples)
  #expect(getenv("TZ").map { String(cString: $0) } == before)
}

/// The DOS field shows UTC; the extended timestamp is there where its 32 bits are beyond doubt.
@Test(arguments: [
  // 2023-11-14T22:13:20Z
  (modified: Int64(1_700_000_000), dosDate: 43 << 9 | 11 << 5 | 14, dosTime: 22 << 11 | 13 << 5 | 10, hasTimestamp: true),
  // An odd second is cut in the DOS field only.
  (1_700_000_001, 43 << 9 | 11 << 5 | 14, 22 << 11 | 13 << 5 | 10, true),
  (315_532_800, 0 << 9 | 1 << 5 | 1, 0, true),
  (0, 0 << 9 | 1 << 5 | 1, 0, true),
  (-1, 0 << 9 | 1 << 5 | 1, 0, false),
  (.min, 0 << 9 | 1 << 5 | 1, 0, false),
  // 2038-01-19T03:14:07Z and a second later
  (2_147_483_647, 58 << 9 | 1 << 5 | 19, 3 << 11 | 14 << 5 | 3, true),
  (2_147_483_648, 58 << 9 | 1 << 5 | 19, 3 << 11 | 14 << 5 | 4, false),
  // 2107-12-31T23:59:59Z, the last that a DOS date can say
  (4_354_819_199, 127 << 9 | 12 << 5 | 31, 23 << 11 | 59 << 5 | 29, false),
  (.max, 127 << 9 | 12 << 5 | 31, 23 << 11 | 59 << 5 | 29, false),
])
func times(modified: Int64, dosDate: Int, dosTime: Int, hasTimestamp: Bool) throws {
  let bytes = try makeZip([Sample("a", [1], modified: modified)])
  func number(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
  #expect(number(12) == dosDate)
  #expect(number(10) == dosTime)
  let extra = bytes[31..<31 + number(28)]
  #expect(extra.starts(with: hasTimestamp ? [0x55, 0x54, 5, 0, 1] : [0x55, 0x54, 1, 0, 0]))
  // The owner is nobody in particular: "ux", version 1, user 0, group 0.
  #expect(extra.suffix(15) == [0x75, 0x78, 11, 0, 1, 4, 0, 0, 0, 0, 4, 0, 0, 0, 0])
  let entry = try #require(read(bytes).entries.first)
  if hasTimestamp { #expect(entry.modified == modified) }
}
