import Testing

@testable import AccountExport

/// What can't stand in a name of a bundle, by the rules for Windows, macOS and the BagIt manifests. Written apart from what is tested.
func nameProblem(_ name: String, longest: Int = 120) -> String? {
  if name.isEmpty || name == "." || name == ".." { return "is no name" }
  if name.utf16.count > longest { return "has \(name.utf16.count) UTF-16 units" }
  for scalar in name.unicodeScalars {
    if "<>:\"/\\|?*%".unicodeScalars.contains(scalar) { return "has \(scalar)" }
    if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) { return "has a control" }
    if scalar.properties.isWhitespace && scalar != " " { return "has an odd space" }
    if [0x61C, 0x200E, 0x200F, 0x2028, 0x2029].contains(scalar.value) || (0x202A...0x202E).contains(scalar.value)
      || (0x2066...0x2069).contains(scalar.value)
    {
      return "has a control of direction"
    }
  }
  if let last = name.unicodeScalars.last, last == "." || last == " " { return "ends with a dot or space" }
  if ("/" + name).first != "/" { return "begins with what joins the slash before it" }
  var scalars = Array(name.unicodeScalars.prefix { $0 != "." })
  while scalars.last == " " { scalars.removeLast() }
  let stem = String(String.UnicodeScalarView(scalars))
  let devices = ["con", "prn", "aux", "nul", "conin$", "conout$"] + ["com", "lpt"].flatMap { d in "123456789¹²³".map { d + String($0) } }
  return devices.contains(stem.lowercased()) ? "is a device's" : nil
}

/// Names that are hostile in every way, put together by chance.
func hostileName(_ random: inout SeededGenerator, longest: Int) -> [UInt8] {
  let parts: [[UInt8]] = [
    Array("a".utf8), Array("CON".utf8), Array("nul".utf8), Array("com¹".utf8), Array(".".utf8), Array(" ".utf8), Array("..".utf8),
    Array(".txt".utf8), Array(".tar.gz".utf8), Array("é".utf8), Array("e\u{301}".utf8), Array("ÅA\u{30A}\u{212B}".utf8), [0xFF], [0xC3],
    [0xED, 0xA0, 0x80], Array("\u{202E}".utf8), Array("\u{200D}".utf8), Array("👩🏾‍🍳".utf8), Array("日本".utf8), Array("%".utf8), Array("?".utf8),
    Array("\\".utf8), Array("\n".utf8), Array("\u{0}".utf8), Array("\u{2028}".utf8), Array("\u{A0}".utf8), Array("\u{3000}".utf8),
    Array("-2".utf8), Array("ß".utf8), Array("İ".utf8), Array("K".utf8), Array("ſ".utf8), Array("\u{FEFF}".utf8), Array("\u{1FFFE}".utf8),
    Array("a\u{301}\u{302}\u{303}\u{304}\u{305}".utf8), Array("ﬁ".utf8), Array("\u{85}".utf8), Array("각".utf8), Array("가\u{11A8}".utf8),
  ]
  var name: [UInt8] = []
  for _ in 0..<Int.random(in: 0...longest, using: &random) { name += parts.randomElement(using: &random) ?? [] }
  return name
}

@Suite struct BundleNameTests {
  @Test(arguments: [
    ("note.txt", "note.txt"), ("What? \"now\": a|b.txt", "What_ _now__ a_b.txt"), ("a<b>c*d\\e", "a_b_c_d_e"),
    ("100% done.txt", "100_ done.txt"),
    ("CON", "CON_"), ("con.txt", "con_.txt"), ("Aux .txt", "Aux_.txt"), ("COM1.tar.gz", "COM1_.tar.gz"), ("com¹", "com¹_"),
    ("lpt0", "lpt0"),
    ("CONIN$", "CONIN$_"), ("console", "console"), ("nul", "nul_"), ("COM10", "COM10"), ("a.", "a_"), ("a . ", "a___"),
    ("...", "___"), (".", "_"), ("..", "__"), ("", "_"), (" ", "_"), (" a", " a"), (".hidden", ".hidden"), ("cafe\u{301}", "caf\u{E9}"),
    ("\u{212B}", "\u{C5}"), ("invoice \u{202E}fdp.exe", "invoice _fdp.exe"), ("a\u{200F}b", "a_b"), ("a\u{2067}b", "a_b"), ("👩🏾‍🍳", "👩🏾‍🍳"),
    ("a\u{200D}b", "a\u{200D}b"), ("a\u{A0}b", "a_b"), ("a\u{3000}", "a_"), ("a\u{0}b\nc\u{7F}", "a_b_c_"), ("a/b", "a_b"), ("日本語", "日本語"),
    ("\u{301}x", "_\u{301}x"), ("\u{200D}", "_\u{200D}"), ("con.\u{301}x", "con_.\u{301}x"), ("a \u{301}", "a \u{301}"),
  ])
  func safe(_ name: (given: String, safe: String)) {
    let safe = BundleName.safe(name.given.utf8)
    #expect(Array(safe.unicodeScalars) == Array(name.safe.unicodeScalars))
    #expect(nameProblem(safe) == nil)
  }

  @Test func bytesThatAreNoUTF8() {
    #expect(BundleName.safe([0x66, 0xFF, 0x67]) == "f\u{FFFD}g")
  }

  @Test(arguments: [
    (String(repeating: "a", count: 200) + ".txt", 120, ".txt"), (String(repeating: "é", count: 200), 60, "é"),
    (String(repeating: "👍", count: 200) + ".png", 61, ".png"), ("x." + String(repeating: "b", count: 200), 120, "b"),
    ("con" + String(repeating: " ", count: 80) + "x.txt", 60, ".txt"),
  ])
  func long(_ name: (given: String, longest: Int, suffix: String)) {
    let safe = BundleName.safe(name.given.utf8, longest: name.longest)
    #expect(nameProblem(safe, longest: name.longest) == nil)
    #expect(safe.hasSuffix(name.suffix))
    #expect(safe.utf16.count > name.longest - 8 || safe.hasPrefix("con_"))
  }

  @Test func thousandsOfHostileNames() {
    var random = SeededGenerator(seed: 7)
    for round in 0..<5000 {
      let name = hostileName(&random, longest: round % 100)
      for longest in [60, 120] {
        let safe = BundleName.safe(name, longest: longest)
        if let problem = nameProblem(safe, longest: longest) {
          Issue.record("\(name) became \(Array(safe.unicodeScalars)), which \(problem)")
        }
        let isStable = BundleName.safe(safe.utf8, longest: longest).utf8.elementsEqual(safe.utf8)
        let isComposed = BundleName.composed(safe).utf8.elementsEqual(safe.utf8)
        if !isStable || !isComposed { Issue.record("\(Array(safe.unicodeScalars)) is not stable, or not NFC") }
      }
    }
  }

  @Test(arguments: [
    ("A", "a"), ("É", "é"), ("\u{212A}", "k"), ("ſ", "s"), ("ß", "ß"), ("İ", "İ"), ("ı", "i"), ("Σ", "σ"), ("ς", "σ"), ("ǅ", "ǆ"),
    ("E\u{301}", "é"),
  ])
  func sameWhereCaseIsIgnored(_ names: (a: String, b: String)) {
    #expect(BundleName.folded(names.a).unicodeScalars.elementsEqual(BundleName.folded(names.b).unicodeScalars))
  }

  @Test(arguments: [("ß", "ss"), ("İ", "i"), ("a", "á"), ("ﬁ", "fi")])
  func othersWhereCaseIsIgnored(_ names: (a: String, b: String)) {
    #expect(BundleName.folded(names.a) != BundleName.folded(names.b))
  }
}
