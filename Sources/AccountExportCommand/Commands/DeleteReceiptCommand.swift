internal import AccountDeletion
internal import AccountExport
internal import Files
internal import JSONStreaming

extension Command {
  /// `account-export delete verify-receipt`
  static let deleteVerifyReceipt = Command(
    name: "delete verify-receipt", summary: "checks who signed the receipt of a deletion, and tells what it says",
    about: ["Checks that the receipt of a deletion was signed with a known key and wasn't", "changed since, and tells what it says."],
    usages: ["account-export delete verify-receipt RECEIPT", "account-export delete verify-receipt RECEIPT --key PUBLIC-KEY"],
    operand: "RECEIPT",
    sections: [
      OptionSection(title: "what is checked", options: [.key, .state]), OptionSection(title: "output", options: [.json]), general,
    ],
    remarks: [
      "A receipt tells what was deleted, what stays and why, and whose account it was", "only to who holds the controller's secret.",
    ],
    statuses: [.complete, .usage, .badInput, .inputOutput, .notPermitted, .interrupted], endsAtOnce: true,
    run: { options, _ in try verifyReceipt(options) })

  private static func verifyReceipt(_ options: ParsedOptions) throws -> ExitStatus {
    guard let path = options.operands.first else {
      throw CommandError.usage("verify-receipt needs a receipt: account-export delete verify-receipt RECEIPT")
    }
    let bytes = try InputFile.read(path, limit: 16 << 20)
    let key = try OriginCheck.key(options)
    let receipt: SignedDeletionReceipt
    do throws(ExportError) { receipt = try SignedDeletionReceipt(bytes, signedByOneOf: [key]) } catch {
      throw CommandError(.badInput, "\(path.display): \(error.message)", hint: error.hint)
    }
    try StandardOutput.write(options.has(.json) ? DeletionReceiptText.json(receipt) : DeletionReceiptText.text(receipt))
    return .complete
  }
}
