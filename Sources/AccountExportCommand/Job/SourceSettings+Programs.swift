internal import CommandSource
internal import Files

extension SourceSettings {
  /// A program that writes records or documents.
  struct Program: Sendable, Equatable {
    var name: String
    /// The program and its arguments.
    var run: [PathBytes]
    var output = CommandSource.Output.records
    /// Seconds.
    var timeLimit: Int64?
    /// Bytes.
    var outputLimit: UInt64?
    var environment: [String: String] = [:]
    var inherited: [String] = []
    /// Where it starts; nil is where we are.
    var folder: PathBytes?

    /// The program's file, where it is given by a path.
    var file: PathBytes? {
      guard let program = run.first, program.bytes.contains(UInt8(ascii: "/")) else { return nil }
      return program.isAbsolute ? program : folder?.appending(program) ?? program
    }

    /// The program as a source.
    var source: CommandSource {
      var source = CommandSource(run, named: name, writing: output)
      if let timeLimit { source.timeLimit = .seconds(timeLimit) }
      if let outputLimit { source.outputLimit = outputLimit }
      (source.environment, source.inherited, source.folder) = (environment, inherited, folder)
      return source
    }

    /// What `NAME=PROGRAM` says.
    init(parsing text: PathBytes) throws(CommandError) {
      let parts = text.bytes.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[1].isEmpty, let name = PathBytes(parts[0]).text, !name.isEmpty, !name.contains("/") else {
        throw .usage("--command \(text.display): give it as NAME=PROGRAM", hint: "NAME is what its records are called in the bundle")
      }
      self.init(name: name, run: [PathBytes(parts[1])])
    }

    init(name: String, run: [PathBytes]) { (self.name, self.run) = (name, run) }
  }
}
