import Files
import TestSupport
import Testing

@testable import Processes

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What came of a program.
struct Run {
  var output: [UInt8] = []
  var ending: ChildProcess.Ending?
  var error: ProcessError.Code?
  var told: [String] = []
  var text: String { String(decoding: output, as: UTF8.self) }

  /// Runs a script of the shell.
  init(
    _ script: String, _ arguments: [String] = [], environment: [String: PathBytes] = ["PATH": "/usr/bin:/bin"], folder: PathBytes? = nil,
    timeLimit: Duration = .seconds(120), atMost: Int = .max, wake: Wake? = nil
  ) throws {
    let call = ProgramCall(
      ["/bin/sh", "-c", PathBytes(script), "sh"] + arguments.map { PathBytes($0) }, environment: environment, folder: folder)
    var child = try ChildProcess(call, timeLimit: timeLimit, wake: try wake ?? Wake())
    do throws(ProcessError) {
      try read(&child, atMost)
      ending = try child.finish()
    } catch {
      self.error = error.code
      ending = try child.end()
    }
    told = child.errorTail.lines
  }

  private mutating func read(_ child: inout ChildProcess, _ most: Int) throws(ProcessError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
    defer { buffer.deallocate() }
    while output.count < most {
      let count = try child.read(into: buffer)
      if count == 0 { return }
      output.append(contentsOf: buffer[..<count])
    }
  }
}

/// Whether a process of this number is there, and no zombie.
func lives(_ process: pid_t) -> Bool { kill(process, 0) == 0 }

/// Whether a process has ended, and its parent has to take note of that yet.
func isZombie(_ process: pid_t) -> Bool {
  let file = fopen("/proc/\(process)/stat", "r")
  guard let file else { return true }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  fgets(&line, 256, file)
  return String(decoding: line.map { UInt8(bitPattern: $0) }, as: UTF8.self).contains(") Z ")
}

@Suite struct ChildProcessTests {
  @Test func outputAndStatus() throws {
    let run = try Run("echo one; echo two >&2; printf three; exit 3")
    #expect(run.text == "one\nthree")
    #expect(run.ending == .exited(3))
    #expect(run.told == ["two"])
  }

  @Test(arguments: [(SIGKILL, "KILL"), (SIGTERM, "TERM"), (SIGSEGV, "SEGV"), (SIGPIPE, "PIPE")])
  func signals(number: CInt, name: String) throws {
    #expect(try Run("kill -\(name) $$").ending == .signalled(number))
  }

  /// What the test's own process ignores or blocks isn't ignored or blocked in a program.
  @Test func signalsAreAsTheyWere() throws {
    signal(SIGPIPE, SIG_IGN)
    var blocked = sigset_t()
    sigemptyset(&blocked)
    sigaddset(&blocked, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &blocked, nil)
    defer { pthread_sigmask(SIG_UNBLOCK, &blocked, nil) }
    #expect(try Run("kill -TERM $$; echo survived").ending == .signalled(SIGTERM))
    #expect(try Run("trap 'echo caught' PIPE; kill -PIPE $$").text == "caught\n")
  }

  @Test func argumentsArriveAsTheyAre() throws {
    let run = try Run("printf '%s|' \"$@\"", ["a b", "$(echo no)", "'\"", "*", "", "é\u{301}"])
    #expect(run.text == "a b|$(echo no)|'\"|*||é\u{301}|")
  }

  @Test func theEnvironmentIsWhole() throws {
    setenv("ACCOUNT_EXPORT_TEST_LEAK", "leaked", 1)
    let run = try Run(
      "env | sort | grep -v '^_=' | grep -v '^PWD=' | grep -v SHLVL | grep -v '^OLDPWD'",
      environment: ["PATH": "/usr/bin:/bin", "B": "2 =", "A": "1"])
    #expect(run.text == "A=1\nB=2 =\nPATH=/usr/bin:/bin\n")
  }

  @Test func standardInputIsEmptyAndNothingElseIsOpen() throws {
    let leak = open("/dev/null", O_RDONLY)
    #expect(fcntl(leak, F_SETFD, 0) == 0)
    defer { close(leak) }
    #expect(try Run("cat; ls /proc/self/fd | wc -l").text == "4\n")  // 0, 1, 2 and that of ls itself
  }

  @Test func theFolder() throws {
    #expect(try Run("pwd", folder: "/usr").text == "/usr\n")
  }

  @Test(arguments: ["/nowhere/program", "no-such-program-anywhere", "/etc/passwd", "/usr", ""])
  func whatCannotBeStarted(path: String) throws {
    let call = ProgramCall([PathBytes(path)], environment: ["PATH": "/usr/bin:/bin"])
    let wake = try Wake()
    #expect {
      _ = try ChildProcess(call, timeLimit: .seconds(10), wake: wake)
    } throws: { ($0 as? ProcessError)?.code == .notStarted }
  }

  @Test func programsAreFoundInTheirOwnPath() throws {
    #expect(try ProgramCall(["sh"], environment: ["PATH": "/nowhere:/bin"]).program() == "/bin/sh")
    #expect(throws: ProcessError.self) { try ProgramCall(["sh"], environment: ["PATH": "/nowhere"]).program() }
  }

  /// A relative folder of `PATH` counts from where the program starts, as its own path does.
  @Test func relativeFoldersOfPath() throws {
    let folder = try TemporaryFolder()
    let made = try runProgram(
      "sh",
      [
        "-c", "cd \"$1\" && mkdir bin && printf '#!/bin/sh\\necho here' > bin/own-tool && chmod +x bin/own-tool", "sh",
        folder.path.text ?? "",
      ])
    try #require(made.status == 0, "\(made.output)")
    let call = ProgramCall(["own-tool"], environment: ["PATH": "bin:/usr/bin:/bin"], folder: folder.path)
    #expect(try call.program() == "bin/own-tool")
    var child = try ChildProcess(call, timeLimit: .seconds(120), wake: try Wake())
    var output = [UInt8](repeating: 0, count: 64)
    let count = try output.withUnsafeMutableBytes { try child.read(into: $0) }
    #expect(String(decoding: output[..<count], as: UTF8.self) == "here\n")
    #expect(try child.finish() == .exited(0))
    #expect(throws: ProcessError.self) { try ProgramCall(["own-tool"], environment: ["PATH": "bin"], folder: "/usr").program() }
  }

  @Test func valuesOfTheEnvironmentAreBytes() throws {
    let run = try Run("printf %s \"$V\"", environment: ["PATH": "/usr/bin:/bin", "V": PathBytes([0x61, 0xFF, 0xC3, 0x28])])
    #expect(run.output == [0x61, 0xFF, 0xC3, 0x28])
  }

  // MARK: Programs that others reap

  /// Where the host wants to know nothing of its programs' ends, the system reaps them: how they ended isn't known, what they wrote is.
  @Test func aHostThatIgnoresTheEndOfPrograms() async {
    await #expect(processExitsWith: .success) {
      signal(SIGCHLD, SIG_IGN)
      let run = try Run("echo one; exit 3")
      #expect(run.text == "one\n")
      #expect(run.error == nil)
      #expect(run.ending == .unknown)
      let silent = try Run("exec sleep 1000", timeLimit: .milliseconds(300))
      #expect(silent.error == .timeLimit)
      #expect(silent.ending == .unknown)
    }
  }

  /// The number of a program that is reaped may be another's, and its group's too: nobody who has it gets a signal.
  @Test(arguments: [true, false]) func aHostThatReapsEverything(isEnded: Bool) async {
    await #expect(processExitsWith: .success) { [isEnded] in
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
      defer { buffer.deallocate() }
      var other: pid_t = 0
      do {
        let call = ProgramCall(["/bin/sh", "-c", "sleep 1000 & echo $!; echo $$; wait"], environment: ["PATH": "/usr/bin:/bin"])
        var child = try ChildProcess(call, timeLimit: .seconds(120), wake: try Wake())
        var text = ""
        while text.split(separator: "\n").count < 2 || text.last != "\n" {
          let count = try child.read(into: buffer)
          try #require(count > 0)
          text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        let numbers = text.split(separator: "\n").compactMap { pid_t($0) }
        try #require(numbers.count == 2)
        other = numbers[0]
        kill(numbers[1], SIGKILL)
        #expect(waitpid(-1, nil, 0) == numbers[1])
        if isEnded { #expect(try child.end() == .unknown) }
      }
      // It is in the group that had the program's number, as another's would be. A signal would have come by now.
      usleep(100_000)
      #expect(!isZombie(other) && lives(other))
      kill(other, SIGKILL)
    }
  }

  // MARK: Programs that don't end by themselves

  /// One that leaves its process group is ended, at the latest when its owner goes.
  @Test(arguments: ["", "trap '' TERM; "]) func whoLeavesItsGroupIsEnded(begin: String) throws {
    let script = "import os, signal, time; os.setpgid(0, os.getpgid(os.getppid())); print(os.getpid(), flush=True); time.sleep(1000)"
    let run = try Run("\(begin)exec python3 -c \"$1\"", [script], timeLimit: .seconds(1))
    #expect(run.error == .timeLimit)
    #expect(run.ending == .signalled(begin.isEmpty ? SIGTERM : SIGKILL))
    #expect(!lives(try #require(pid_t(run.text.dropLast()))))
  }

  @Test func silenceEndsAtTheTimeLimit() throws {
    let run = try Run("echo begun; exec sleep 1000", timeLimit: .milliseconds(300))
    #expect(run.error == .timeLimit)
    #expect(run.text == "begun\n")
    #expect(run.ending == .signalled(SIGTERM))
  }

  @Test func whoClosesItsOutputAndLivesOnEndsAtTheTimeLimit() throws {
    let run = try Run("echo begun; exec >&-; exec sleep 1000", timeLimit: .milliseconds(300))
    #expect(run.error == .timeLimit)
    #expect(run.text == "begun\n")
  }

  @Test func whoOnlyComplainsEndsAtTheTimeLimit() throws {
    let run = try Run("exec yes no >&2", timeLimit: .milliseconds(300))
    #expect(run.error == .timeLimit)
    #expect(run.told.count == 20)
    #expect(run.told.dropLast() == [String](repeating: "no", count: 19)[...])
    // The last line may have been cut by the end of the program.
    #expect("no".hasPrefix(try #require(run.told.last)))
  }

  @Test func whoIgnoresBeingAskedIsEnded() throws {
    let run = try Run("trap '' TERM; echo $$; while :; do sleep 1; done", timeLimit: .milliseconds(300))
    #expect(run.ending == .signalled(SIGKILL))
    #expect(!lives(try #require(pid_t(run.text.dropLast()))))
  }

  @Test func aStoppedProgramIsEnded() throws {
    let run = try Run("kill -STOP $$", timeLimit: .milliseconds(300))
    #expect(run.error == .timeLimit)
    #expect(run.ending == .signalled(SIGTERM))
  }

  /// A grandchild that keeps the output open neither holds up the end nor outlives it.
  @Test func grandchildrenEndWithTheProgram() throws {
    let run = try Run("sleep 1000 & echo $!")
    #expect(run.ending == .exited(0))
    let grandchild = try #require(pid_t(run.text.dropLast()))
    // Its new parent has to take note of its end.
    for _ in 0..<500 where lives(grandchild) && !isZombie(grandchild) { usleep(10_000) }
    #expect(!lives(grandchild) || isZombie(grandchild))
  }

  @Test func grandchildrenOfAnotherGroupDoNotHoldUpTheEnd() throws {
    let run = try Run("setsid sleep 1000 & echo $!; sleep 0.2")
    #expect(run.ending == .exited(0))
    kill(try #require(pid_t(run.text.dropLast())), SIGKILL)
  }

  @Test func whatWasWrittenBeforeTheEndIsRead() throws {
    let run = try Run("head -c 3000000 /dev/zero; sleep 1000 &")
    #expect(run.output.count == 3_000_000)
  }

  @Test func endlessOutputWaitsForItsReader() throws {
    // The reader stopped, and waits for an end that doesn't come: the program waits too, and takes no time.
    let run = try Run("exec yes", timeLimit: .milliseconds(300), atMost: 100_000)
    #expect(run.output.count >= 100_000)
    #expect(run.error == .timeLimit)
    #expect(run.ending == .signalled(SIGTERM))
  }

  @Test func waitingCanBeEndedFromOutside() throws {
    let wake = try Wake()
    wake.signal()
    let run = try Run("echo $$; exec sleep 1000", wake: wake)
    #expect(run.error == .cancelled)
  }

  @Test func ownersThatGoEndTheirProgram() throws {
    var number: pid_t = 0
    do {
      var child = try ChildProcess(
        ProgramCall(["/bin/sh", "-c", "trap '' TERM; echo $$; sleep 1000"], environment: ["PATH": "/usr/bin:/bin"]),
        timeLimit: .seconds(100), wake: try Wake())
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
      defer { buffer.deallocate() }
      let count = try child.read(into: buffer)
      number = try #require(pid_t(String(decoding: buffer[..<(count - 1)], as: UTF8.self)))
      #expect(lives(number))
    }
    #expect(!lives(number))
  }
}

@Suite struct ErrorTailTests {
  private func lines(_ text: [UInt8]) -> [String] {
    var tail = ErrorTail()
    for piece in stride(from: 0, to: text.count, by: 1000) {
      text[piece..<min(text.count, piece + 1000)].withUnsafeBytes { tail.append($0) }
    }
    return tail.lines
  }

  @Test func onlyTheLastLinesAreKept() {
    let many = (1...5000).map { "line \($0)\n" }.joined()
    #expect(lines(Array(many.utf8)) == (4981...5000).map { "line \($0)" })
    #expect(lines([UInt8](repeating: 0x61, count: 1_000_000)).joined().utf8.count == ErrorTail.longest)
  }

  @Test func nothingInThemSteersATerminal() {
    #expect(
      lines(Array("\u{1B}[31mred\u{7}\tx\r\n\u{202E}abc\n\n".utf8) + [0xFF, 0x00]) == [
        "\\x1b[31mred\\x07 x", "\u{FFFD}abc", "\u{FFFD}\\x00",
      ])
  }
}
