import AccountExport
import Files
import Testing

@testable import AccountExportCommand

@Suite("What a run is to do")
struct ExportJobTests {
  private func options(_ arguments: [PathBytes]) throws -> ParsedOptions {
    try OptionParser.parse(arguments[...], options: Command.export.options, operand: nil)
  }

  private func account() throws -> Scratch {
    let folder = try Scratch()
    for name: PathBytes in ["a.db", "b.db", "p.json"] { _ = try folder.write(name, "{}") }
    _ = try folder.write(
      "c.json", "{ out: 'c.zip', level: 1, app: { name: 'A', version: '1' }, request: { id: 'c' }, sources: { records: ['a.db'] } }")
    return folder
  }

  @Test("the command line goes before the configuration, and adds to its sources")
  func precedence() throws {
    let folder = try account()
    let job = try ExportJob(
      options([
        "--config", folder.path.appending("c.json"), "--records", folder.path.appending("b.db"), "--level", "9", "--app-name", "B",
        "--request-id", "o", "--include-secrets",
      ]))
    #expect(job.out == folder.path.appending("c.zip"))
    #expect(job.request.level.number == 9)
    #expect(job.request.app.name == "B")
    #expect(job.request.app.version == "1")
    #expect(job.request.requestID == "o")
    #expect(!job.request.secrets.isEnabled)
    #expect(job.sources.records.map(\.path) == [folder.path.appending("a.db"), folder.path.appending("b.db")])
    #expect(try job.makeSources().map(\.name) == ["records/a", "records/b"])
  }

  @Test("columns of third parties are the request's, by their source")
  func thirdParties() throws {
    let folder = try account()
    _ = try folder.write(
      "t.json",
      """
      { sources: { records: ["b.db", { path: "a.db", name: "Chat", thirdParty: ["messages.sender", { column: "app.users.name", as: "pseudonym" }] }] } }
      """)
    let job = try ExportJob(options(["--config", folder.path.appending("t.json")]))
    #expect(
      job.request.thirdParty == [
        "records/b": [],
        "records/Chat": [
          .init(collection: "messages", column: "sender"), .init(collection: "app.users", column: "name", style: .pseudonym),
        ],
      ])
  }

  @Test(
    "secrets of a store that others share stay masked",
    arguments: [
      (["--include-secrets", "--subject", "users.id=1"], "{}", 64),
      (["--subject", "users.id=1"], "{ masking: { secrets: false } }", 65),
      (["--include-secrets", "--records", "postgres://host/db", "--subject", "users.id=1"], "{}", 64),
    ])
  func sharedSecrets(_ given: (options: [String], configuration: String, status: Int32)) throws {
    let folder = try account()
    let path = try folder.write("m.json", given.configuration)
    let all = ["--config", path, "--records", folder.path.appending("a.db")] + given.options.map { PathBytes($0) }
    let error = try #require(throws: CommandError.self) { _ = try ExportJob(options(all)) }
    #expect(error.status.code == given.status)
    #expect(error.message.contains("shared"))
  }

  @Test("what is named twice is exported once")
  func twice() throws {
    let folder = try account()
    let job = try ExportJob(options(["--config", folder.path.appending("c.json"), "--records", folder.path.appending("a.db")]))
    #expect(job.sources.records.count == 1)
  }

  @Test("preferences, documents and records come in this order; preferences with a name of their own stand apart")
  func order() throws {
    let folder = try account()
    _ = try folder.write(
      "d.json", "{ sources: { records: ['a.db'], documents: ['.'], preferences: ['p.json', { path: 'p.json', name: 'P' }] } }")
    let sources = try ExportJob(options(["--config", folder.path.appending("d.json")])).makeSources()
    #expect(
      sources.map(\.name).map { $0.hasPrefix("documents/") ? "documents" : $0 } == [
        "preferences", "preferences/P", "documents", "records/a",
      ])
  }

  @Test("what can't be is refused before anything is written")
  func refusals() throws {
    let folder = try account()
    _ = try folder.write("empty.json", "{ app: { name: 'A' } }")
    let faults: [([PathBytes], Int32, String)] = [
      (["--records", folder.path], 65, "\(folder.path.display) is a folder, not a store"),
      (["--documents", "/dev/null"], 65, "/dev/null is neither a folder nor a file"),
      (["--preferences", folder.path.appending("none")], 65, "\(folder.path.appending("none").display): No such file or directory"),
      (
        ["--config", folder.path.appending("empty.json")], 65,
        "\(folder.path.appending("empty.json").display) names nothing to export"
      ),
      (
        ["--records", folder.path.appending("a.db"), "--exclude", "*.tmp"], 64,
        "--include and --exclude are for --documents, and none is given"
      ),
    ]
    for (arguments, status, message) in faults {
      let error = try #require(throws: CommandError.self) { try ExportJob(options(arguments)) }
      #expect(error.status.code == status)
      #expect(error.message == message)
    }
  }
}
