import JSONStreaming

/// A value that containers have a call of their own for: it is written at once, without an encoder of its own.
protocol PlainValue: Encodable {
  func put(_ member: consuming Place.Member, in place: Place) throws
}

extension Bool: PlainValue {
  @inline(__always)
  func put(_ member: consuming Place.Member, in place: Place) { place.scalar(member, masked: false) { $0.bool(self) } }
}

extension String: PlainValue {
  @inline(__always)
  func put(_ member: consuming Place.Member, in place: Place) { place.text(member, self) }
}

extension Double: PlainValue {
  @inline(__always)
  func put(_ member: consuming Place.Member, in place: Place) { place.scalar(member) { $0.double(self) } }
}

extension Float: PlainValue {
  @inline(__always)
  func put(_ member: consuming Place.Member, in place: Place) { place.scalar(member) { $0.float(self) } }
}

extension PlainValue where Self: SignedInteger {
  @inline(__always)
  func put(_ member: consuming Place.Member, in place: Place) { place.scalar(member) { $0.integer(Int64(self)) } }
}

extension PlainValue where Self: UnsignedInteger {
  @inline(__always)
  func put(_ member: consuming Place.Member, in place: Place) { place.scalar(member) { $0.integer(UInt64(self)) } }
}

extension Int: PlainValue {}
extension Int8: PlainValue {}
extension Int16: PlainValue {}
extension Int32: PlainValue {}
extension Int64: PlainValue {}
extension UInt: PlainValue {}
extension UInt8: PlainValue {}
extension UInt16: PlainValue {}
extension UInt32: PlainValue {}
extension UInt64: PlainValue {}

@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
extension Int128: PlainValue {
  func put(_ member: consuming Place.Member, in place: Place) throws { try place.number(member, digits: String(self)) }
}

@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
extension UInt128: PlainValue {
  func put(_ member: consuming Place.Member, in place: Place) throws { try place.number(member, digits: String(self)) }
}
