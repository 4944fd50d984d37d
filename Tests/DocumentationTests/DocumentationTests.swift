import AccountExport
import AsyncRecordsSource
import Foundation
import TestSupport
import Testing

/// The documentation's code is what is compiled here, and it does what the articles say.
@Suite struct DocumentationTests {
  @Test func theCodeInTheArticlesIsWhatIsCompiled() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Articles.snippets.path).filter { $0.hasSuffix(".swift") }
    let marks = Set(try Articles.blocks().compactMap(\.mark).filter { $0.hasPrefix("compiled: ") })
    #expect(marks == Set(files.map { "compiled: " + $0 }))
    for file in files {
      let compiled = try String(contentsOf: Articles.snippets.appending(path: file), encoding: .utf8)
      #expect(try Articles.code("compiled: " + file) == compiled, "\(file) is not what the articles show")
    }
  }

  @Test func codeThatIsNotCompiledIsSaidToBe() throws {
    for block in try Articles.blocks() where block.language == "swift" && block.mark == nil {
      let text = try Articles.text(block.article)
      #expect(text.contains("not compiled here") || text.contains("isn't compiled here"), "\(block.article) has code that nobody compiles")
    }
  }

  @Test func articlesAreLinked() throws {
    let readme = try String(contentsOf: Articles.root.appending(path: "README.md"), encoding: .utf8)
    let landing = try Articles.text("AccountExport.md")
    for name in try Articles.names() where name != "AccountExport.md" {
      #expect(readme.contains("Sources/AccountExport/AccountExport.docc/\(name)"), "the README doesn't link to \(name)")
      #expect(landing.contains("<doc:\(name.dropLast(3))>"), "the documentation's first page doesn't link to \(name)")
    }
  }

  // MARK: What the code does

  private static let shop = Shop([
    Purchase(id: 1, customer: "person-1", item: "Tea", price: "12.50", made: Timestamp(seconds: 1_700_000_000)),
    Purchase(
      id: 2, customer: "person-1", item: "Cup", price: "3", made: Timestamp(seconds: 1_700_000_001),
      invoice: [UInt8](repeating: 1, count: 5000)),
    Purchase(id: 3, customer: "person-2", item: "Pot", price: "40", made: Timestamp(seconds: 1_700_000_002)),
  ])

  /// Row by row or by `Encodable`, the rows are the same.
  @Test func bothWaysToWriteRows() async throws {
    let folder = try TemporaryFolder()
    var texts: [String] = []
    for source in [PurchasesSource(shop: Self.shop), purchases(in: Self.shop)] as [any ExportSource] {
      let path = folder.path("\(texts.count).zip")
      let receipt = try await AccountExporter(sources: [source]).export(.fixed, to: path)
      #expect(receipt.outcome == .complete)
      texts.append(try CheckedBundle(path).text("data/records/Shop/purchases.json"))
    }
    #expect(texts[0].hasPrefix(#"[\#n{"id":1,"item":"Tea","price":12.50,"made":"2023-11-14T22:13:20Z","invoice":null},"#))
    #expect(texts[0].contains(#""invoice":{"$file":"records/Shop/files/purchases/1.bin","bytes":5000,"#))
    #expect(texts[0] == texts[1])
  }

  @Test func theSourceCanBePlanned() async throws {
    let plan = try await PurchasesSource(shop: Self.shop).plan(for: DataSubject(id: "person-1"), depth: .counts)
    #expect(plan.items == 2)
    await #expect(throws: ExportError.self) { try await PurchasesSource(shop: Self.shop).plan(for: DataSubject(), depth: .sizes) }
  }

  @Test func anAppIsExported() async throws {
    // Its folders are relative: where the tests run, there is no such app, and the export says so.
    let folder = try TemporaryFolder()
    await #expect(throws: ExportError.self) { try await exportApp(to: folder.path("data.zip")) }
  }

  @Test func theEndpointStreamsABundleThatIsIntact() async throws {
    let folder = try TemporaryFolder()
    try await endpointBundle(in: folder)
    let report = try verifyBundle(at: folder.url.appending(path: "data.zip").path)
    #expect(report.problems == [])
    #expect(report.isIntact)
    #expect(report.outcome == "complete")
    #expect(throws: ExportError.self) { try verifyBundle(at: folder.url.appending(path: "none.zip").path) }
  }

  @Test func pythonReadsABundle() async throws {
    let folder = try TemporaryFolder()
    try await endpointBundle(in: folder)
    try folder.write(Articles.code("run: read_bundle.py").utf8, to: "read_bundle.py")
    let result = try runProgram("python3", ["read_bundle.py", "data.zip"].map { folder.url.appending(path: $0).path })
    #expect(result.status == 0)
    #expect(result.output == "complete\nrecords/shop/purchases 2 ['id', 'item', 'price', 'made', 'invoice']\n")
  }

  private func endpointBundle(in folder: TemporaryFolder) async throws {
    let endpoint = ExportEndpoint { _ in [purchases(in: Self.shop)] }
    var body = Body()
    try await send(endpoint.bundle(for: DataSubject(id: "person-1"), requestID: "DSR-1"), to: &body)
    #expect(!body.bytes.isEmpty)
    try folder.write(body.bytes, to: "data.zip")
  }

  private struct Body: ResponseWriter {
    var bytes: [UInt8] = []

    mutating func write(_ chunk: [UInt8]) async throws { bytes += chunk }
  }
}
