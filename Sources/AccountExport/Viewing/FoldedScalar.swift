internal import CUnicode

/// What a search sees of a letter: the letter without its marks (U+0300 to U+036F), in lower case.
package enum FoldedScalar {
  /// The code points that stand for one; none for a mark that goes.
  package static func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    var bare = String.UnicodeScalarView()
    for part in decomposed(scalar) where !(0x300...0x36F ~= part.value) { bare.append(part) }
    return BundleName.composed(String(bare)).unicodeScalars.flatMap { $0.properties.lowercaseMapping.unicodeScalars }
  }

  private static func decomposed(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    if scalar.isASCII { return [scalar] }
    var parts = [utf8proc_int32_t](repeating: 0, count: 32)
    var boundclass: CInt = 0
    let options = utf8proc_option_t(UTF8PROC_DECOMPOSE.rawValue)
    let count = utf8proc_decompose_char(utf8proc_int32_t(scalar.value), &parts, parts.count, options, &boundclass)
    return count > 0 && count <= parts.count ? parts[..<count].compactMap { Unicode.Scalar(UInt32($0)) } : [scalar]
  }
}
