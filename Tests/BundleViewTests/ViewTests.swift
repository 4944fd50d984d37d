import AccountExport
import Files
import Foundation
import TestSupport
import Testing

@testable import BundleView

/// Folders with notes in them, and a note's text that a test gives.
private func notes(_ count: Int, folders: Int = 3, text: String = "text") -> PushingSource {
  PushingSource { writer in
    var folder = CollectionDescription("folders", columns: [.init("id", isKey: true), .init("name")])
    folder.primaryKey = ["id"]
    try await writer.collection(folder) { records in
      for number in 0..<folders {
        try records.row {
          $0.integer(Int64(number))
          $0.text("Folder \(number)")
        }
      }
    }
    var note = CollectionDescription(
      "user_notes", columns: [.init("id", isKey: true), .init("folder_id", isKey: true), .init("body"), .init("createdAt")])
    note.foreignKeys = [.init(columns: ["folder_id"], collection: "folders", referenced: ["id"], isSatisfied: true)]
    try await writer.collection(note) { records in
      for number in 0..<count {
        try records.row {
          $0.integer(Int64(number))
          $0.integer(Int64(number % folders))
          $0.text(text)
          $0.moment(Timestamp(seconds: 1_700_000_000 + Int64(number) * 86_400))
        }
      }
    }
  }
}

@Suite("The pages of a bundle")
struct ViewTests {
  @Test("every page is of our elements alone, and every link leads somewhere")
  func links() async throws {
    let view = try await ViewedBundle([notes(450)])
    let pages = try view.pages
    #expect(pages.count == 7)
    var anchors: [String: Set<String>] = [:]
    var targets: [(page: String, target: String)] = []
    for (path, page) in pages {
      let text = PageText(PageText.withoutAssets(page))
      #expect(text.problems.isEmpty, "\(path): \(text.problems)")
      anchors[path] = Set(text.tags.compactMap { $0.attributes["id"] })
      for tag in text.tags {
        for name in ["href", "src", "data"] { if let target = tag.attributes[name] { targets.append((path, target)) } }
      }
    }
    #expect(targets.count > 700)
    for (page, target) in targets where !target.hasPrefix("mailto:") && !target.hasPrefix("http") {
      let url = try #require(URL(string: target, relativeTo: URL(string: "file:///" + page)))
      let path = String(url.absoluteURL.path.dropFirst())
      if let anchor = url.fragment, !anchor.isEmpty {
        #expect(anchors[path.isEmpty ? page : path]?.contains(anchor) == true, "\(page): \(target)")
      } else {
        #expect(try view.bundle.files().contains(path), "\(page): \(target)")
      }
    }
  }

  @Test("rows refer to each other in both directions, by name")
  func references() async throws {
    let view = try await ViewedBundle([notes(450)])
    let note = try view.page("view/1-2/3.html")
    #expect(
      note.contains(
        #"<tr id="r402"><th scope="row" class="num">402</th><td class="num">401</td><td><a href="../1-1/1.html#r3">Folder 2</a></td>"#))
    let folder = try view.page("view/1-1/1.html")
    #expect(
      folder.contains(
        "<details><summary>150 rows of <bdi>User notes</bdi></summary><a href=\"../1-2/1.html#r1\">1</a> <a href=\"../1-2/1.html#r4\">4</a>"
      ))
    #expect(folder.contains("</a> …</details>"))
    #expect(note.contains(#"<time datetime="2024-12-19T22:13:20Z" title="2024-12-19T22:13:20Z">19 December 2024, 22:13</time>"#))
  }

  @Test("the pages say where the rows are that they don't show", arguments: [0, 1, 200, 201, 449])
  func more(limit: Int) async throws {
    var options = ViewOptions()
    options.rows = limit
    let view = try await ViewedBundle([notes(450)], options: options)
    let pages = try view.pages.keys.filter { $0.hasPrefix("view/1-2/") }.count
    #expect(pages == max(1, (limit + 199) / 200))
    let page = try view.page("view/1-2/1.html")
    #expect(page.contains("These pages show the first \(limit) of 450 rows."))
    #expect(page.contains("<div id=\"pick\" data-js hidden></div>"))
    #expect(page.contains("<code>data/records/Test/user_notes.json</code>"))
    #expect(try view.page("index.html").contains("450 records · November 2023 to February 2025"))
  }

  @Test("all pages keep to their bytes")
  func bytes() async throws {
    var options = ViewOptions()
    options.bytes = 2 << 20
    let view = try await ViewedBundle([notes(9000, text: String(repeating: "<&>", count: 90))], options: options)
    let sum = try view.pages.values.reduce(0) { $0 + $1.utf8.count }
    #expect(sum < 3 << 20)
    #expect(sum > 1 << 20)
    let first = try view.page("view/1-2/1.html")
    let told = try #require(first.firstMatch(of: #/These pages show the first ([0-9,]+) of 9,000 rows/#)?.1)
    let rows = try view.pages.filter { $0.key.hasPrefix("view/1-2/") }.values.reduce(0) { $0 + $1.ranges(of: "<tr id=\"r").count }
    #expect(told.replacing(",", with: "") == "\(rows)")
    #expect(rows > 100)
  }

  @Test("columns come in the order of the configuration, the others behind them")
  func columnOrder() async throws {
    var options = ViewOptions()
    var notesOption = ViewOptions.Collection(place: "records/Test/user_notes")
    notesOption.order = ["body", "nobody", "id", "body"]
    options.collections = [notesOption]
    let view = try await ViewedBundle([notes(3)], options: options)
    let page = try view.page("view/1-2/1.html")
    let asTheyCome = try await ViewedBundle.columns(of: ViewedBundle([notes(3)]).page("view/1-2/1.html"))
    #expect(ViewedBundle.columns(of: page) == ["body", "id"] + asTheyCome.filter { $0 != "body" && $0 != "id" })
    #expect(page.contains(#"<tr id="r1"><th scope="row" class="num">1</th><td"#))
    #expect(try view.bundle.rows("data/records/Test/user_notes.json").count == 3)
  }

  @Test("a page leads to its rows as CSV, where these are inside", arguments: [false, true])
  func spreadsheet(csv: Bool) async throws {
    var request = ExportRequest.fixed
    request.csv = csv
    let page = try await ViewedBundle([notes(3)], request: request).page("view/1-2/1.html")
    #expect(page.contains(#"All rows for a spreadsheet (CSV): <a class="file" href="../../data/records/Test/user_notes.csv">"#) == csv)
  }

  @Test("what the configuration says is shown, and what it hides isn't")
  func configured() async throws {
    var options = ViewOptions()
    var notesOption = ViewOptions.Collection(place: "records/Test/user_notes")
    (notesOption.label, notesOption.about) = ("My notes", "All that you wrote.")
    notesOption.columns = [.init(name: "body", label: "Text"), .init(name: "createdAt", isHidden: true)]
    var folders = ViewOptions.Collection(place: "records/Test/folders")
    folders.isHidden = true
    options.collections = [notesOption, folders]
    let view = try await ViewedBundle([notes(3)], options: options)
    let page = try view.page("view/1-2/1.html")
    #expect(page.contains("<h1><bdi>My notes</bdi></h1><p class=\"lead\"><bdi>All that you wrote.</bdi></p>"))
    #expect(page.contains("<th scope=\"col\" title=\"body\">Text</th></tr>"))
    #expect(!page.contains("<time datetime=\"2023"))
    #expect(try view.pages["view/1-1/1.html"] == nil)
    #expect(!page.contains("../1-1/"))
    #expect(try view.bundle.rows("data/records/Test/folders.json").count == 3)
  }

  @Test("a column that is hidden names no row in a link either")
  func hiddenNames() async throws {
    var options = ViewOptions()
    var folders = ViewOptions.Collection(place: "records/Test/folders")
    folders.columns = [.init(name: "name", isHidden: true)]
    options.collections = [folders]
    let view = try await ViewedBundle([notes(3)], options: options)
    #expect(try view.page("view/1-2/1.html").contains("<a href=\"../1-1/1.html#r2\">Folders 1</a>"))
    for (path, page) in try view.pages { #expect(!page.contains("Folder 1<"), "\(path)") }
  }

  @Test("pages of pictures say how many more there are")
  func morePictures() async throws {
    let source = PushingSource(name: "documents/Pictures") { writer in
      for number in 1...3 {
        var description = DocumentDescription(path: PathBytes("picture \(number).png"), kind: .file)
        description.size = 3
        try await writer.document(description) { content in
          let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 3, alignment: 1)
          defer { bytes.deallocate() }
          bytes.copyBytes(from: "png".utf8)
          try await content.write(UnsafeRawBufferPointer(bytes))
        }
      }
    }
    var options = ViewOptions()
    options.rows = 2
    let page = try await ViewedBundle([source], options: options).page("view/gallery/1.html")
    #expect(page.contains("These pages show the first 2 of 3 pictures. The others are in the data file: <code>data/documents.json</code>."))
    #expect(page.ranges(of: "<figure>").count == 2)
    #expect(try await !ViewedBundle([source]).page("view/gallery/1.html").contains("These pages show"))
  }

  @Test("ids of other entities lead to their rows, alone and in lists")
  func identifiers() async throws {
    let source = PushingSource { writer in
      for (name, other) in [("Note", "Tag"), ("Tag", "Note")] {
        var description = CollectionDescription(name, columns: [.init("id", isKey: true), .init("title"), .init("links", isKey: true)])
        description.primaryKey = ["id"]
        try await writer.collection(description) { records in
          for number in 1...2 {
            try records.row { row in
              row.text("\(name)/\(number)")
              row.text("\(name) no. \(number)")
              try row.nested { value in
                try value.beginArray()
                for target in ["\(other)/2", "\(other)/9"] { try Array(target.utf8).withUnsafeBufferPointer { try value.text($0) } }
                value.endArray()
              }
            }
          }
        }
      }
    }
    let view = try await ViewedBundle([source])
    #expect(try view.page("view/1-1/1.html").contains(#"<td><a href="../1-2/1.html#r2">Tag no. 2</a>, Tag/9</td>"#))
    // Both rows of one name the second of the other, and it leads back to them.
    let back =
      #"<td class="back"><details><summary>2 rows of <bdi>Note</bdi></summary><a href="../1-1/1.html#r1">1</a> <a href="../1-1/1.html#r2">2</a>"#
    #expect(try view.page("view/1-2/1.html").contains(back))
    #expect(try view.page("view/1-2/1.html").contains(#"<td><a href="../1-1/1.html#r2">Note no. 2</a>, Note/9</td>"#))
  }

  @Test("the same input makes the same pages, whatever runs beside")
  func deterministic() async throws {
    var bundles: [[UInt8]] = []
    for workers in [1, 3] {
      var request = ExportRequest.fixed
      request.concurrentSources = workers
      let sink = TestSink()
      let place = try TemporaryFolder()
      let sources = ["records/A", "records/B", "records/C"].map { name in
        var source = notes(1000)
        source.name = name
        return source
      }
      try await AccountExporter(sources: sources, pages: .view()).export(request, into: sink, staging: place.path)
      bundles.append(sink.bytes)
    }
    #expect(bundles[0] == bundles[1])
  }

  @Test("without pages there is one plain page")
  func plain() async throws {
    let place = try TemporaryFolder()
    let path = place.path.appending("data.zip")
    _ = try await AccountExporter(sources: [notes(3)]).export(.fixed, to: path)
    let bundle = try CheckedBundle(path)
    #expect(try bundle.files().filter { $0.hasSuffix(".html") } == ["index.html"])
  }
}
