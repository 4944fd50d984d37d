internal import AccountExport
internal import Files

/// The command `account-export`.
public enum AccountExportCommand {
  /// Runs this process's command line, and ends the process with its exit status.
  ///
  /// The main thread does nothing but wait for signals; nothing of the command needs it (the main actor) for its work.
  public static func main() -> Never {
    ProcessSettings.apply()
    let interruption = Interruption()
    let arguments = ProcessSettings.arguments
    let task = Task.detached { ProcessSettings.exit(await run(arguments, interruption: interruption)) }
    interruption.wait { task.cancel() }
  }

  /// Runs a command line, without the program's name, and says how it ended.
  static func run(_ arguments: [PathBytes], interruption: Interruption) async -> ExitStatus {
    let console = Console()
    var command = Command.export
    do {
      let rest: ArraySlice<PathBytes>
      (command, rest) = try Command.find(in: arguments)
      let options = try OptionParser.parse(rest, options: command.options, operand: command.operand)
      if options.has(.help) {
        try StandardOutput.write(HelpPage.text(of: command))
        return .complete
      }
      if options.has(.version) {
        try StandardOutput.write("account-export \(AccountExporter.version)\n")
        return .complete
      }
      interruption.endsAtOnce = command.endsAtOnce
      return try await command.run(options, console)
    } catch {
      return end(command, with: error, interruption, console)
    }
  }

  private static func end(_ command: Command, with error: any Error, _ interruption: Interruption, _ console: Console) -> ExitStatus {
    if let signal = interruption.signal {
      let status = ExitStatus.interrupted(by: signal)
      console.fail(CommandError(status, "interrupted; \(command.interrupted)"))
      return status
    }
    let error = CommandError(error)
    console.fail(error)
    return error.status
  }
}
