import CFuzzer

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What is fuzzed, by the name that is the first argument; the rest is libFuzzer's.
let targets: [String: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt] = [
  "bundle": { start, count in
    checkBundle(UnsafeRawBufferPointer(start: start, count: count))
    return 0
  },
  "contents": { start, count in
    checkContents(UnsafeRawBufferPointer(start: start, count: count))
    return 0
  },
  "lists": { start, count in
    checkList(UnsafeRawBufferPointer(start: start, count: count))
    return 0
  },
  "json": { start, count in
    checkJSON(UnsafeRawBufferPointer(start: start, count: count))
    return 0
  },
  "csv": { start, count in
    checkCSV(UnsafeRawBufferPointer(start: start, count: count))
    return 0
  },
]

@main
struct Fuzz {
  static func main() {
    guard CommandLine.arguments.count > 1, let target = targets[CommandLine.arguments[1]] else {
      preconditionFailure("usage: fuzz \(targets.keys.sorted().joined(separator: "|")) [options of libFuzzer] [corpus…]")
    }
    // libFuzzer takes the first argument for the program's name.
    var count = CommandLine.argc - 1
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv + 1
    exit(LLVMFuzzerRunDriver(&count, &arguments, target))
  }
}
