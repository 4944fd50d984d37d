internal import AccountExport
internal import Processes

/// Why a program is a failed source. It names lines and limits, never what the program wrote.
struct ProgramFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// Something wrong in a line.
  init(line: Int, _ problem: String) { description = "line \(line): \(problem)" }
}

/// A program whose output is read, and counted against its limit.
struct RunningProgram: ~Copyable {
  private var child: ChildProcess
  private let outputLimit: UInt64
  private var total: UInt64 = 0
  private var outputHasEnded = false

  init(_ child: consuming ChildProcess, outputLimit: UInt64) {
    self.child = child
    self.outputLimit = outputLimit
  }

  /// Reads what the program has written, waiting for it; 0 is the end.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    try Task.checkCancellation()
    let count: Int
    do throws(ProcessError) { count = try child.read(into: buffer) } catch {
      if error.code == .cancelled { throw CancellationError() }
      throw error
    }
    total += UInt64(count)
    outputHasEnded = count == 0
    if total > outputLimit { throw ProgramFailure("it wrote more than the \(outputLimit) bytes that it may") }
    return count
  }

  /// Waits for the end of a program that has said all. Only a status of 0 is a success.
  mutating func finish() throws {
    let ending: ChildProcess.Ending
    do throws(ProcessError) { ending = try child.finish() } catch {
      if error.code == .cancelled { throw CancellationError() }
      throw error
    }
    if ending != .exited(0) { throw ProgramFailure(Self.text(of: ending)) }
  }

  /// Ends the program because of an error, and gives the error that the source fails with: what is the program's own trouble, with how it
  /// ended and what it said last, for the report.
  mutating func ended(by error: any Error) -> any Error {
    // Who has closed its output is about to end, and how tells the most; at its time limit it has had its time.
    let isAboutToEnd = outputHasEnded && !(error is ProcessError)
    var text = "\(error)"
    do throws(ProcessError) {
      let ending = try child.end(waitingFirst: isAboutToEnd)
      let told = Self.text(of: ending)
      if isAboutToEnd && !child.wasAsked && ending != .exited(0) && told != text { text += "; \(told)" }
    } catch {
      text += "; \(error)"
    }
    guard Self.isTheProgramsOwn(error) else { return error }
    let lines = child.errorTail.lines
    if !lines.isEmpty { text += "; it said last: " + lines.joined(separator: " / ") }
    return ProgramFailure(text)
  }

  private static func isTheProgramsOwn(_ error: any Error) -> Bool {
    error is ProgramFailure || error is ProcessError || error is any StreamDamage
  }

  private static func text(of ending: ChildProcess.Ending) -> String {
    switch ending {
    case .exited(let status): "the program ended with status \(status)"
    case .signalled(let signal): "the program was ended by signal \(signal)"
    case .unknown: "how the program ended is not known"
    }
  }
}

/// An error that says that the program's output is broken.
protocol StreamDamage: Error {}
