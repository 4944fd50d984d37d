import Files
import Glibc

@testable import DocumentsSource

/// A step of a walk for comparing: its path and what it came to.
struct WalkStep: Hashable, CustomStringConvertible {
  let path: PathBytes
  let what: String

  init(_ path: PathBytes, _ what: String) { (self.path, self.what) = (path, what) }

  init(_ found: FolderWalk.Found, at path: PathBytes) {
    self.path = path
    what =
      switch found {
      case .file(let status): "file \(status.size)"
      case .folder(_, let isEmpty): isEmpty ? "empty folder" : "folder"
      case .link(_, let target): "link to \(target)"
      case .special: "special"
      case .excluded: "excluded"
      case .notIncluded: "not included"
      case .leftOut: "left out"
      case .failed(let failure, _): "failed: \(Self.text(failure))"
      }
  }

  private static func text(_ failure: FolderWalk.Failure) -> String {
    switch failure {
    case .unreadable(let error): error.reason
    case .vanished: "vanished"
    case .swapped: "swapped"
    case .kernelMade: "kernel"
    case .cycle: "cycle"
    }
  }

  var description: String { "\(path): \(what)" }
}

extension FolderWalk {
  /// All steps that are left.
  mutating func steps() -> [WalkStep] { steps { _ in } }

  /// All steps that are left; `each` is called after every one.
  mutating func steps(_ each: (WalkStep) throws -> Void) rethrows -> [WalkStep] {
    var steps: [WalkStep] = []
    while let found = next() {
      steps.append(WalkStep(found, at: currentPath))
      try each(steps[steps.count - 1])
    }
    return steps
  }
}

/// What a file of a step holds, all of it.
func contents(of file: borrowing FileDescriptor) throws -> [UInt8] {
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
    if count == 0 { return bytes }
    bytes += buffer[..<count]
  }
}

/// Runs `body` without root's right to read everything. It binds the thread that it runs on only.
func withoutPrivileges(_ body: () throws -> Void) throws {
  // Glibc's module doesn't have it. The number of the user is kept by the kernel for each thread; giving it up gives up the rights.
  typealias SetUser = @convention(c) (UInt32) -> CInt
  let setUser = unsafeBitCast(dlsym(nil, "setfsuid"), to: SetUser.self)
  let before = UInt32(bitPattern: setUser(65534))
  defer { _ = setUser(before) }
  try body()
}
