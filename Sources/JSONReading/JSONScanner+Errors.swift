extension JSONScanner {
  private func error(_ code: JSONError.Code, _ message: String, _ place: UnsafePointer<UInt8>) -> JSONError {
    JSONError(code: code, message: message, offset: offset(of: place), position: JSONPosition(line: lines.line, column: 0))
  }

  @usableFromInline
  @inline(never)
  func unexpected(at place: UnsafePointer<UInt8>) -> JSONError {
    let byte = place.pointee
    let found = byte > 0x20 && byte < 0x7F ? "'\(Unicode.Scalar(byte))'" : "a byte 0x\(String(byte, radix: 16))"
    return error(.unexpected, "expected \(expected), found \(found)", place)
  }

  @usableFromInline
  @inline(never)
  func unexpectedEnd() -> JSONError {
    JSONError(code: .unexpectedEnd, message: "expected \(expected), found the end of the text")
  }

  @usableFromInline
  @inline(never)
  func tooDeep(at place: UnsafePointer<UInt8>) -> JSONError {
    error(.tooDeep, "nested deeper than \(limits.depth) levels", place)
  }

  @usableFromInline
  @inline(never)
  func tooLong() -> JSONError {
    JSONError(code: .tooLong, message: "a key or number has more than \(limits.tokenBytes) bytes")
  }

  @usableFromInline
  @inline(never)
  func invalidUTF8(at place: UnsafePointer<UInt8>) -> JSONError {
    error(.invalidUTF8, "bytes that are no UTF-8", place)
  }

  @usableFromInline
  @inline(never)
  func unpairedSurrogate(at place: UnsafePointer<UInt8>) -> JSONError {
    error(.unpairedSurrogate, "an escape of half a surrogate pair", place)
  }

  @usableFromInline
  @inline(never)
  func controlCharacter(at place: UnsafePointer<UInt8>) -> JSONError {
    error(.unexpected, "expected an escape in place of a control character", place)
  }

  /// What may come next, in words.
  private var expected: String {
    switch openToken {
    case .string, .key: expectedInString
    case .number: number.mayEnd ? "no digit behind a leading zero" : "a digit"
    case .literal: "the rest of \(literal.word)"
    case .none: expectedBetweenTokens
    }
  }

  private var expectedInString: String {
    switch string.place {
    case .run, .codePoint: "the end of the string"
    case .escape: "one of \"\\/bfnrtu after the backslash"
    case .digits: "a hexadecimal digit"
    case .secondBackslash, .secondU: "the second half of a surrogate pair"
    }
  }

  private var expectedBetweenTokens: String {
    switch expectation {
    case .value: "a value"
    case .valueOrEnd: "a value or ']'"
    case .key: "a key"
    case .keyOrEnd: "a key or '}'"
    case .colon: "':' after the key"
    case .commaOrEnd: levels.isInObject ? "',' or '}'" : "',' or ']'"
    case .nothing: "the end of the text"
    }
  }
}
