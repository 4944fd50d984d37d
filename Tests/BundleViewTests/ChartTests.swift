import AccountExport
import Testing

@testable import BundleView

@Suite("Pictures of the account")
struct ChartTests {
  private func page(_ dates: [String]) async throws -> String {
    let source = PushingSource { writer in
      try await writer.collection(CollectionDescription("notes", columns: [.init("created_at")])) { records in
        for date in dates { try records.row { $0.text(date) } }
      }
    }
    return try await ViewedBundle([source]).page("index.html")
  }

  @Test("months are bars, each with its words, and a table says the same")
  func months() async throws {
    let page = try await page(["2024-01-05", "2024-01-06", "2024-03-01", "no date"])
    #expect(
      page.contains(
        #"<svg viewBox="0 0 30 40" preserveAspectRatio="none" role="img" aria-label="Notes, by the dates in “Created at”: 3 records from January 2024 to March 2024, most in January 2024 (2).">"#
      ))
    #expect(
      page.contains(
        #"<rect x="1" y="2" width="8" height="38"><title>January 2024: 2</title></rect><rect x="21" y="21" width="8" height="19">"#))
    #expect(page.contains(#"<b><bdi>Notes</bdi><small class="soft">by the dates in “<bdi>Created at</bdi>”</small></b>"#))
    #expect(page.contains(#"<tr><th scope="row">March 2024</th><td class="num">1</td></tr>"#))
  }

  @Test("many years are years, and the last of them alone")
  func years() async throws {
    let page = try await page(["1901-01-01", "1960-01-01", "2024-05-05", "2098-01-01"])
    #expect(page.contains("When: records by year"))
    let bars = page.matches(of: #/<title>([0-9]{4}): /#).compactMap { Int($0.1) }
    #expect(bars == [1960, 2024])
    #expect(page.contains("<span>1956</span><span>2027</span>"))
  }

  @Test("without dates there is no picture of time")
  func none() async throws {
    let page = try await page(["soon"])
    #expect(!page.contains("When: records"))
    #expect(page.contains("How much: size by kind"))
  }
}
