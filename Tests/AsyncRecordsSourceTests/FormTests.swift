import AccountExport
import AsyncRecordsSource
import TestSupport
import Testing

/// Forms for the types that containers have calls of their own for.
@Suite struct FormTests {
  struct Plain: Encodable, Sendable {
    var flag = true, text = "t", double = 1.5, float = Float(2.5), int = 1, int8 = Int8(2), int16 = Int16(3), int32 = Int32(4)
    var int64 = Int64(5), int128 = Int128(6), uint = UInt(7), uint8 = UInt8(8), uint16 = UInt16(9), uint32 = UInt32(10)
    var uint64 = UInt64(11), uint128 = UInt128(12)
  }

  struct Optionals: Encodable, Sendable {
    var flag = Optional(true), text = Optional("t"), double = Optional(1.5), float = Optional(Float(2.5)), int = Optional(1)
    var int8 = Optional(Int8(2)), int16 = Optional(Int16(3)), int32 = Optional(Int32(4)), int64 = Optional(Int64(5))
    var int128 = Optional(Int128(6)), uint = Optional(UInt(7)), uint8 = Optional(UInt8(8)), uint16 = Optional(UInt16(9))
    var uint32 = Optional(UInt32(10)), uint64 = Optional(UInt64(11)), uint128 = Optional(UInt128(12))
  }

  /// All of them, each by the call that its type has.
  static let elements = Custom { encoder in
    let plain = Plain()
    var list = encoder.unkeyedContainer()
    try list.encode(plain.flag)
    try list.encode(plain.text)
    try list.encode(plain.double)
    try list.encode(plain.float)
    try list.encode(plain.int)
    try list.encode(plain.int8)
    try list.encode(plain.int16)
    try list.encode(plain.int32)
    try list.encode(plain.int64)
    try list.encode(plain.int128)
    try list.encode(plain.uint)
    try list.encode(plain.uint8)
    try list.encode(plain.uint16)
    try list.encode(plain.uint32)
    try list.encode(plain.uint64)
    try list.encode(plain.uint128)
  }

  /// All of them, each as a value that is nothing else.
  static let singles: [Custom] = [
    single { try $0.encode($1.flag) }, single { try $0.encode($1.text) }, single { try $0.encode($1.double) },
    single { try $0.encode($1.float) }, single { try $0.encode($1.int) }, single { try $0.encode($1.int8) },
    single { try $0.encode($1.int16) }, single { try $0.encode($1.int32) }, single { try $0.encode($1.int64) },
    single { try $0.encode($1.int128) }, single { try $0.encode($1.uint) }, single { try $0.encode($1.uint8) },
    single { try $0.encode($1.uint16) }, single { try $0.encode($1.uint32) }, single { try $0.encode($1.uint64) },
    single { try $0.encode($1.uint128) },
  ]

  private static func single(_ body: @escaping @Sendable (inout any SingleValueEncodingContainer, Plain) throws -> Void) -> Custom {
    Custom { encoder in
      var single = encoder.singleValueContainer()
      try body(&single, Plain())
    }
  }

  static let forms: [@Sendable (inout RecordEncoding) -> Void] = [
    form(Bool.self), form(String.self), form(Double.self), form(Float.self), form(Int.self), form(Int8.self), form(Int16.self),
    form(Int32.self), form(Int64.self), form(Int128.self), form(UInt.self), form(UInt8.self), form(UInt16.self), form(UInt32.self),
    form(UInt64.self), form(UInt128.self),
  ]

  private static func form<Value: Encodable & Sendable>(_ type: Value.Type) -> @Sendable (inout RecordEncoding) -> Void {
    { $0.write(type) { .text("<\($0)>") } }
  }

  static let keys = [
    "flag", "text", "double", "float", "int", "int8", "int16", "int32", "int64", "int128", "uint", "uint8", "uint16", "uint32", "uint64",
    "uint128",
  ]
  private static let plain = ["true", #""t""#, "1.5", "2.5", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"]

  /// One type has a form, and the others stay as they are: as members, as optional ones, as elements and by themselves.
  @Test(arguments: keys.indices) func everyTypeEverywhere(_ formed: Int) async throws {
    var encoding = RecordEncoding()
    Self.forms[formed](&encoding)
    var values = Self.plain
    values[formed] = #""<\#(values[formed].replacing("\"", with: ""))>""#
    let object = "{" + zip(Self.keys, values).map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    let array = "[" + values.joined(separator: ",") + "]"
    #expect(try await Exported.rows([Plain()], encoding: encoding).lines() == [object])
    #expect(try await Exported.rows([Optionals()], encoding: encoding).lines() == [object])
    #expect(try await Exported.value(Plain(), encoding: encoding) == object)
    #expect(try await Exported.value(Self.elements, encoding: encoding) == array)
    #expect(try await Exported.value(Self.singles, encoding: encoding) == array)
  }

  /// What others write by such a value has its form too, and what is absent has none.
  @Test func formsOfWhatOthersAreWrittenBy() async throws {
    struct Row: Encodable {
      var level = Level.low, name: String?, tags = ["a", "b"], labels = ["k": "v"], ready = RecordValue.text("as it is")
    }
    var encoding = RecordEncoding()
    encoding.write(String.self) { .text($0.uppercased()) }
    #expect(
      try await Exported.rows([Row()], encoding: encoding).lines() == [
        #"{"level":"LOW","name":null,"tags":["A","B"],"labels":{"k":"V"},"ready":"as it is"}"#
      ])
    #expect(try await Exported.rows(["a"], encoding: encoding).lines() == [#"{"value":"A"}"#])
  }

  /// A form neither shows a secret nor adds to how deep a value lies.
  @Test func formsMaskAndDoNotNest() async throws {
    struct Login: Encodable { var user = "m", password = "hunter2", token = "" }
    var encoding = RecordEncoding()
    encoding.write(String.self) { .text($0.uppercased()) }
    var request = ExportRequest.fixed
    request.limits.depth = 2
    let exported = try await Exported.rows([["v": Login()]], request: request, encoding: encoding)
    #expect(try exported.lines() == [#"{"v":{"user":"M","password":{"$redacted":"secret"},"token":""}}"#])
    #expect(exported.redactions == ["c.v": 1])
  }

  @Test func aFormThatFailsLeavesItsRowOut() async throws {
    struct Row: Encodable { var id: Int, text: String }
    var encoding = RecordEncoding()
    encoding.write(String.self) {
      if $0 == "bad" { throw Planned("bad") }
      return .text($0)
    }
    let exported = try await Exported.rows([Row(id: 1, text: "good"), Row(id: 2, text: "bad"), Row(id: 3, text: "")], encoding: encoding)
    #expect(try exported.lines() == [#"{"id":1,"text":"good"}"#, #"{"id":3,"text":""}"#])
    #expect(exported.omissions == ["c: record 2 unreadable 1"])
  }
}
