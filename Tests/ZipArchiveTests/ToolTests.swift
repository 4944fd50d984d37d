import Foundation
import TestSupport
import Testing
import ZipArchive

/// Each program that people unpack a bundle with: what it is told to check a ZIP.
enum Reader: String, CaseIterable, Sendable {
  case unzip, sevenZip, bsdtar, python, javaStream, jar

  var program: String {
    switch self {
    case .unzip: "unzip"
    case .sevenZip: "7z"
    case .bsdtar: "bsdtar"
    case .python: "python3"
    case .javaStream: "java"
    case .jar: "jar"
    }
  }

  func arguments(zip: String, folder: URL) throws -> [String] {
    switch self {
    case .unzip: return ["-tq", zip]
    case .sevenZip: return ["t", "-bd", zip]
    case .bsdtar: return ["-tf", zip]
    case .python: return ["-c", Self.pythonSource, zip]
    case .javaStream:
      let source = folder.appendingPathComponent("ReadZip.java")
      try Self.javaSource.write(to: source, atomically: false, encoding: .utf8)
      return [source.path, zip]
    case .jar: return ["tf", zip]
    }
  }

  static let pythonSource = """
    import sys, zipfile
    with zipfile.ZipFile(sys.argv[1]) as z:
        bad = z.testzip()
        sys.exit(f"bad: {bad}" if bad else 0)
    """

  static let javaSource = """
    import java.io.*; import java.util.zip.*;
    public class ReadZip {
      public static void main(String[] a) throws IOException {
        int n = 0; long bytes = 0;
        try (ZipInputStream in = new ZipInputStream(new BufferedInputStream(new FileInputStream(a[0])))) {
          for (ZipEntry e; (e = in.getNextEntry()) != null; n++) { bytes += in.transferTo(OutputStream.nullOutputStream()); in.closeEntry(); }
        }
        System.out.println(n + " " + bytes);
      }
    }
    """
}

@Test(arguments: Reader.allCases, [ZipOptions.Zip64.whereNeeded, .always])
func programsReadIt(reader: Reader, zip64: ZipOptions.Zip64) throws {
  // Java 17 takes a descriptor for a 64-bit one by the sizes in it alone, and so can't read small entries that are forced to it.
  if reader == .javaStream, zip64 == .always { return }
  guard canRun(reader.program) else { return }
  let bytes = try makeZip(variedSamples, options: ZipOptions(zip64: zip64))
  try withTemporaryFolder { folder in
    let file = folder.appendingPathComponent("a.zip")
    try Data(bytes).write(to: file)
    let result = try runProgram(reader.program, reader.arguments(zip: file.path, folder: folder), environment: ["LC_ALL": "C.UTF-8"])
    #expect(result.status == 0, "\(result.output)")
    if reader == .javaStream {
      #expect(result.output == "\(variedSamples.count) \(variedSamples.map(\.data.count).reduce(0, +))\n")
    }
  }
}
