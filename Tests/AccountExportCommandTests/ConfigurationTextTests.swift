import Testing

@testable import AccountExportCommand

@Suite("Writing a configuration")
struct ConfigurationTextTests {
  @Test(
    "no password of a URL is written down",
    arguments: [
      ("postgres://mira:secret@db.example/app", "postgres://mira@db.example/app"),
      ("postgres://mira:p%40ss@db.example:5433/app?sslmode=require", "postgres://mira@db.example:5433/app?sslmode=require"),
      ("postgresql://mira:se:cr@et@db/app", "postgresql://mira@db/app"),
      ("postgres:///app?host=/run&password=secret&user=mira", "postgres:///app?host=/run&user=mira"),
      ("postgres://db/app?password=secret", "postgres://db/app"), ("postgres://db/app", "postgres://db/app"),
      ("postgres://:secret@db", "postgres://@db"), ("postgres://db/a?sslpassword=s&sslkey=k", "postgres://db/a?sslkey=k"),
      ("postgres://db/a?pass%77ord=s&application_name=b", "postgres://db/a?application_name=b"),
    ])
  func passwords(url: String, expected: String) {
    #expect(ConfigurationText.withoutPassword(url) == expected)
  }

  @Test("the manual page is made of lines that begin with no point of their own")
  func manual() {
    #expect(ManualPage.escaped(".gitignore and \\ - '") == "\\&.gitignore and \\e \\- \\(aq")
    #expect(ManualPage.escaped("…") == "\\[u2026]")
  }

  @Test("every option of every command is in each shell's completions", arguments: Generated.allCases)
  func completions(kind: Generated) {
    for command in Command.all {
      for option in command.options {
        let written = kind == .fish ? "-l \(option.name.dropFirst(2))" : kind == .man ? ManualPage.escaped(option.name) : option.name
        #expect(kind.text.contains(written), "\(command.name) \(option.name)")
      }
    }
  }
}
