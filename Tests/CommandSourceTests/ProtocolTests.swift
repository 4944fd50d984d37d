import AccountExport
import CommandSource
import Files
import Foundation
import TestSupport
import Testing

/// Output that ends the source: what is wrong is told with its line, and what came before stays.
@Suite struct ProtocolTests {
  @Test(arguments: [
    ([], "it wrote nothing"),
    (["{\"protocol\": 2}"], "line 1: it speaks version 2 of the protocol"),
    (["{\"collection\": \"c\"}"], "line 1: the output does not begin with {\"protocol\": 1}"),
    (["<html>"], "line 1: the output does not begin with"),
    (["{\"protocol\": 1}"], "its output ended in the middle of line 1, without {\"end\": true}"),
    (["{\"protocol\": 1}", "{\"collection\": \"c\"", ""], "line 2: it is no message"),
    (["{\"protocol\": 1}", "{\"collection\": \"c\", \"colums\": []}"], "line 2: it has the key 'colums'"),
    (["{\"protocol\": 1}", "{\"collection\": \"c\", \"columns\": []}"], "line 2: columns is no list, or an empty one"),
    (["{\"protocol\": 1}", "{\"collection\": \"c\", \"columns\": [\"a\", \"a\"]}"], "line 2: a column comes twice"),
    (["{\"protocol\": 1}", "{\"collection\": \"c\", \"columns\": [{\"name\": \"a\", \"type\": \"int\"}]}"], "line 2: a column's type"),
    (["{\"protocol\": 1}", "{\"collection\": \"c\", \"columns\": [\"a\"], \"primaryKey\": [\"b\"]}"], "line 2: a key has a column"),
    (["{\"protocol\": 1}", "{\"collection\": \"\"}"], "line 2: collection is no text"),
    (["{\"protocol\": 1}", "{\"record\": {}}"], "line 2: a record comes before any collection"),
    (["{\"protocol\": 1}", "{\"hello\": 1}"], "line 2: its first key is none of"),
    (["{\"protocol\": 1}", "{\"protocol\": 1}"], "line 2: the protocol's version comes twice"),
    (["{\"protocol\": 1}", "{\"end\": true, \"records\": 1}"], "line 2: it says that it wrote 1 records, and 0 came"),
    (["{\"protocol\": 1}", "{\"end\": 1}"], "line 2: end is not true"),
    (["{\"protocol\": 1}", "{\"end\": true}", "{\"collection\": \"c\"}"], "line 3: something follows the end"),
    (["{\"protocol\": 1}", "{\"omission\": \"x\", \"reason\": \"lazy\"}"], "line 2: the reason is none of"),
    (["{\"protocol\": 1}", "{\"snapshot\": \"noon\"}"], "line 2: snapshot is no time"),
    (["{\"protocol\": 1}", "{\"r\\u0065cord\": {}}"], "line 2: a record's line begins"),
  ])
  func whatEndsTheSource(lines: [String], problem: String) async throws {
    let export = try await ExportedCommand(lines: lines)
    #expect(export.outcome == .failed)
    #expect(export.report.contains { $0.contains(problem) }, "\(export.report)")
    #expect(export.omissions.contains("records/Test: unreadable ×0"))
  }

  @Test func whatCameBeforeStays() async throws {
    let export = try await ExportedCommand(
      lines: [
        "{\"protocol\": 1}", "{\"collection\": \"a\"}", "{\"record\": {\"x\": 1}}", "{\"collection\": \"b\", \"columns\": [\"y\"]}",
        "{\"record\": {\"y\": 1}}", "{\"record\": {\"y\": 2}}", "{\"record\": {\"y\"",
      ])
    #expect(export.rows("a") == ["{\"x\":1}"])
    #expect(export.rows("b") == ["{\"y\":1}", "{\"y\":2}"])
    #expect(export.outcome == .failed)
    #expect(export.omissions == ["b: failed ×2", "b: unreadable ×1", "records/Test: failed ×3"])
    #expect(export.report.contains { $0.contains("its output ended in the middle of line 7, without {\"end\": true}") })
  }

  @Test func aCollectionsRecordsStandTogether() async throws {
    let export = try await ExportedCommand(
      lines: lines(
        "{\"collection\": \"a\"}", "{\"record\": {\"x\": 1}}", "{\"collection\": \"b\"}", "{\"collection\": \"a\"}",
        "{\"record\": {\"x\": 2}}"))
    #expect(export.rows("a") == ["{\"x\":1}"])
    #expect(export.outcome == .failed)
    #expect(export.report.contains { $0.contains("line 5: a collection comes a second time") })
  }

  @Test func endWithoutRecordsIsAnEmptyAccount() async throws {
    let export = try await ExportedCommand(lines: ["{\"protocol\": 1}", "{\"end\": true}"])
    #expect(export.outcome == .complete)
    #expect(export.omissions == [])
  }

  @Test func theEnvironmentTellsTheSubjectAndTheLimits() async throws {
    let script = #"""
      printf '{"protocol":%s}\n{"collection":"c"}\n' "$ACCOUNT_EXPORT_PROTOCOL"
      env | grep -v -e '^PWD=' -e '^_=' -e '^SHLVL=' -e '^PATH=' -e '^HOME=' -e '^LC_' -e '^LANG=' -e '^TMPDIR=' -e '^OLDPWD=' | sort | while read -r line
      do printf '{"record":{"v":"%s"}}\n' "$line"; done
      echo '{"end":true}'
      """#
    var source = ExportedCommand.source(script)
    source.environment = ["OWN": "a=b", "ACCOUNT_EXPORT_SUBJECT_ID": "never"]
    source.timeLimit = .seconds(90)
    source.outputLimit = 123_456
    source.requestID = "DSR-1"
    var request = ExportRequest.fixed
    request.subject = DataSubject(id: "42; rm -rf /", name: "Mira 'O' Okafor")
    let export = try await ExportedCommand(source, request)
    #expect(
      export.rows("c") == [
        #"{"v":"ACCOUNT_EXPORT_FORMAT=records"}"#, #"{"v":"ACCOUNT_EXPORT_OUTPUT_LIMIT=123456"}"#, #"{"v":"ACCOUNT_EXPORT_PROTOCOL=1"}"#,
        #"{"v":"ACCOUNT_EXPORT_REQUEST_ID=DSR-1"}"#, #"{"v":"ACCOUNT_EXPORT_SUBJECT_ID=42; rm -rf /"}"#,
        #"{"v":"ACCOUNT_EXPORT_SUBJECT_NAME=Mira 'O' Okafor"}"#, #"{"v":"ACCOUNT_EXPORT_TIME_LIMIT=90"}"#, #"{"v":"OWN=a=b"}"#,
      ])
  }

  /// What is passed on needs to be no text.
  @Test func variablesOfBytes() async throws {
    let value: [CChar] = [0x61, -1, 0x62, 0]
    setenv("ACCOUNT_EXPORT_TEST_BYTES", value, 1)
    var source = ExportedCommand.source("printf %s \"$ACCOUNT_EXPORT_TEST_BYTES\" | od -An -tx1 >&2; exit 1")
    source.inherited = ["ACCOUNT_EXPORT_TEST_BYTES"]
    let export = try await ExportedCommand(source)
    #expect(export.report.contains { $0.hasSuffix("it said last:  61 ff 62") }, "\(export.report)")
  }

  /// A variable that no environment can hold is refused, not cut.
  @Test(arguments: [("A", "b\u{0}c"), ("A=B", "c"), ("", "c")])
  func variablesThatCannotBe(name: String, value: String) async throws {
    var source = ExportedCommand.source("exit 0")
    source.environment = [name: value]
    let export = try await ExportedCommand(source)
    #expect(export.outcome == .failed)
    #expect(export.report == ["records/Test: the variable \(name) can't be in an environment"])
  }

  @Test func aPlanRunsNothing() async throws {
    let source = ExportedCommand.source("touch /tmp/account-export-must-not-exist; exit 1")
    let plan = try await source.plan(for: DataSubject(), depth: .counts)
    #expect(plan.items == nil && plan.bytes == nil)
    #expect(plan.parts.map(\.name) == ["/bin/sh (a program, which is not run for a plan)"])
    await #expect(throws: ExportError.self) {
      try await CommandSource(["/no/such/program"], named: "x").plan(for: DataSubject(), depth: .sizes)
    }
  }
}
