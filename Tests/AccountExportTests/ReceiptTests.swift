import Files
import Foundation
import TestSupport
import Testing

@testable import AccountExport

/// Receipts are taken from nobody but those who hold a key, and only in the one form that ours have.
@Suite struct ReceiptTests {
  private static func exported() async throws -> ExportReceipt {
    let folder = try TemporaryFolder()
    return try await AccountExporter(sources: [EverythingSource(), EverythingDocuments()]).export(.fixed, to: folder.path("data.zip"))
  }

  @Test func whatWasSignedIsReadBack() async throws {
    let receipt = try await Self.exported()
    let signer = try ReceiptSigner()
    let read = try SignedReceipt(try receipt.signed(by: signer), signedByOneOf: [signer.publicKey])
    #expect(read.digest == receipt.digest && read.bytes == receipt.bytes && read.outcome == receipt.outcome.rawValue)
    #expect(read.contents == receipt.contents && read.contents.count == receipt.manifest.sources.count)
    #expect(try read.keyID == signer.publicKey.id())
    #expect(read.finished == receipt.manifest.finished.rfc3339)
    #expect(read.missing.reduce(0) { $0 + $1.count } == receipt.manifest.omissions.count { $0.reason.isMissing })
  }

  @Test func aKeyIsReadAsItWasWritten() throws {
    let signer = try ReceiptSigner()
    #expect(try ReceiptSigner(pem: signer.pem()).publicKey == signer.publicKey)
    #expect(try ReceiptKey(pem: signer.publicKey.pem()) == signer.publicKey)
    #expect(throws: ExportError.self) { try ReceiptKey(pem: signer.pem()) }
  }

  /// RFC 8037, appendix A.3.
  @Test func aKeyIsCalledByItsThumbprint() throws {
    let pem = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n"
    #expect(try ReceiptKey(pem: Array(pem.utf8)).id() == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
  }

  /// Each signed rightly, by the known key, and none a receipt.
  @Test(arguments: [
    (#"{"alg":"none","kid":"KEY","typ":"account-export-receipt+json"}"#, "{}"),
    (#"{"alg":"EdDSA","kid":"KEY","typ":"JWT"}"#, "{}"),
    (#"{"alg":"EdDSA","kid":"KEY","typ":"account-export-receipt+json","crit":["exp"]}"#, "{}"),
    (#"{"alg":"EdDSA","kid":"KEY","kid":"KEY","typ":"account-export-receipt+json"}"#, "{}"),
    (#"{"alg":"EdDSA","kid":"short","typ":"account-export-receipt+json"}"#, "{}"),
    (#"{"alg":"EdDSA","kid":"KEY","typ":"account-export-receipt+json"}"#, "{}"),
    (#"{"alg":"EdDSA","kid":"KEY","typ":"account-export-receipt+json"}"#, "no JSON"),
    (#"{"alg":"EdDSA","kid":"KEY","typ":"account-export-receipt+json"}"#, #"{"formatVersion":"2.0"}"#),
    (#"{"alg":"EdDSA","kid":"KEY","typ":"account-export-receipt+json"}"#, #"{"formatVersion":"1.0","sha256":"00"}"#),
    (
      #"{"alg":"EdDSA","kid":"KEY","typ":"account-export-receipt+json"}"#,
      #"{"formatVersion":"1.0","sha256":"00","bytes":1,"outcome":"partial","started":"","finished":"","sources":[{"name":"a"}],"omissions":[]}"#
    ),
    (
      #"{"alg":"EdDSA","kid":"KEY","typ":"account-export-receipt+json"}"#,
      #"{"formatVersion":"1.0","sha256":"00","bytes":1,"outcome":"partial","started":"","finished":"","sources":[],"omissions":[{"missing":true,"source":"a","reason":"failed"}]}"#
    ),
    (
      #"{"alg":"EdDSA","kid":"KEY","typ":"account-export-receipt+json"}"#,
      #"{"formatVersion":"1.0","sha256":"00","bytes":1,"outcome":"partial","started":"","finished":"","sources":[],"omissions":[{"source":"a","reason":"failed","count":1}]}"#
    ),
  ])
  func whatIsNoReceipt(header: String, payload: String) throws {
    let signer = try ReceiptSigner()
    let protected = Base64URL.text(header.replacing("KEY", with: try signer.publicKey.id()).utf8)
    let signed = "\(protected).\(Base64URL.text(payload.utf8))"
    let signature = Base64URL.text(try signer.signature(of: Array(signed.utf8)))
    let jws = #"{"payload":"\#(Base64URL.text(payload.utf8))","protected":"\#(protected)","signature":"\#(signature)"}"#
    #expect {
      try SignedReceipt(Array(jws.utf8), signedByOneOf: [signer.publicKey])
    } throws: { ($0 as? ExportError)?.code == .badInput }
  }

  /// Every byte of the file counts, but for the spaces between.
  @Test func whatWasChanged() async throws {
    let signer = try ReceiptSigner()
    let bytes = try await Self.exported().signed(by: signer)
    let key = signer.publicKey
    for place in stride(from: 0, to: bytes.count, by: 7) where bytes[place] != UInt8(ascii: "\n") {
      var changed = bytes
      changed[place] ^= 1
      #expect(throws: ExportError.self, "byte \(place)") { try SignedReceipt(changed, signedByOneOf: [key]) }
    }
    #expect(throws: ExportError.self) { try SignedReceipt(bytes, signedByOneOf: []) }
    #expect(throws: ExportError.self) { try SignedReceipt(bytes, signedByOneOf: [try ReceiptSigner().publicKey]) }
    #expect(throws: Never.self) { try SignedReceipt(bytes, signedByOneOf: [try ReceiptSigner().publicKey, key]) }
    #expect(throws: ExportError.self) { try SignedReceipt(bytes.dropLast(3), signedByOneOf: [key]) }
  }

  /// RFC 4648, section 10, without the padding; and texts that are none, or not the one way to write their bytes.
  @Test(arguments: [
    ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
  ])
  func base64URL(text: String, encoded: String) {
    #expect(Base64URL.text(text.utf8) == encoded)
    #expect(Base64URL.bytes(encoded) == Array(text.utf8))
  }

  @Test(arguments: ["Z", "Zh", "Zm9", "Zg==", "Zm+v", "Zm 9v", "Zm9vY"])
  func noBase64URL(_ text: String) {
    #expect(Base64URL.bytes(text) == nil)
  }

  @Test func base64URLUsesTheLettersForURLs() {
    #expect(Base64URL.text([0xfb, 0xff, 0xfe]) == "-__-" && Base64URL.bytes("-__-") == [0xfb, 0xff, 0xfe])
  }
}

/// The key of the state folder: made once, by whoever is first, and refused where others might have had a hand in it.
@Suite struct StateFolderTests {
  @Test func oneKeyForAll() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a/b/state")
    let keys = try await withThrowingTaskGroup(of: ReceiptKey.self) { group in
      for _ in 0..<16 { group.addTask { try StateFolder(path, creating: true).signer().publicKey } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(keys.count == 1)
    #expect(try StateFolder(path, creating: false).publicKey() == keys.first)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.appendingPathComponent("a/b/state").path)
    #expect(names.sorted() == ["signing-key.pem", "signing-key.pub.pem"])
  }

  @Test func noFolderNoKey() throws {
    let folder = try TemporaryFolder()
    #expect { _ = try StateFolder(folder.path("none"), creating: false).publicKey() } throws: { ($0 as? ExportError)?.code == .badInput }
    #expect(try StateFolder(folder.path("none"), creating: true).publicKey() == nil)
  }

  @Test(arguments: [0o640, 0o604, 0o660])
  func aKeyThatOthersCanRead(_ mode: Int) throws {
    let folder = try TemporaryFolder()
    _ = try StateFolder(folder.path("state"), creating: true).signer().publicKey
    let key = folder.url.appendingPathComponent("state/signing-key.pem").path
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: key)
    #expect {
      _ = try StateFolder(folder.path("state"), creating: true).signer().publicKey
    } throws: { ($0 as? ExportError)?.code == .notPermitted }
  }
}
