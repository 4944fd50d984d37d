/// Something that is not inside the bundle, with the reason.
///
/// The bundle goes to the data subject, so an omission holds a fixed sentence and a count. What only an engineer can use (error messages,
/// hosts, paths of the machine) goes into `ExportReport`.
public struct Omission: Sendable, Hashable {
  /// Why something is not inside. New reasons may come.
  public struct Reason: Hashable, Sendable {
    /// The reason as the manifest writes it.
    public let name: String
    /// Whether something of the account is missing because of it: the bundle is partial then.
    public let isMissing: Bool
    /// The sentence that the reader of the bundle gets.
    public let sentence: String

    /// It could not be read.
    public static let unreadable = Reason(name: "unreadable", isMissing: true, sentence: "This could not be read.")
    /// It changed while it was being read.
    public static let changed = Reason(
      name: "changed", isMissing: true, sentence: "This changed while it was being read; what is inside may be incomplete.")
    /// A record names a file that isn't there.
    public static let missingFile = Reason(
      name: "missing-file", isMissing: true, sentence: "A record names this file, but the file is gone.")
    /// Reading stopped midway.
    public static let failed = Reason(
      name: "failed", isMissing: true, sentence: "Reading this stopped midway; what had been read by then is inside.")
    /// It is beyond a limit.
    public static let limit = Reason(name: "limit", isMissing: true, sentence: "This is beyond a limit of this export.")
    /// Whose it is can't be told.
    public static let undecided = Reason(
      name: "undecided", isMissing: true, sentence: "It could not be decided whether these records belong to this account.")
    /// Nobody has said whether it belongs to the account.
    public static let unclaimed = Reason(
      name: "unclaimed", isMissing: true, sentence: "This may hold data of this account, but it has not been said whether it does.")
    /// It is made from what is inside.
    public static let derived = Reason(
      name: "derived", isMissing: false, sentence: "This is made from other data that is inside, and holds nothing else.")
    /// A socket, a pipe or a device: it holds no data.
    public static let special = Reason(name: "special", isMissing: false, sentence: "This is a special file, which holds no data.")
    /// A link to something that isn't there; the link itself is kept.
    public static let dangling = Reason(
      name: "dangling", isMissing: false, sentence: "This refers to something that does not exist; the reference is inside.")
    /// It has not the form of the rest: a line with more or fewer fields, a name that had to be changed. Nothing of it is lost.
    public static let irregular = Reason(
      name: "irregular", isMissing: false, sentence: "This has not the form of the rest; all that it holds is inside.")
    /// It was left out as asked.
    public static let excluded = Reason(
      name: "excluded", isMissing: false, sentence: "This was left out on purpose: a setting says so, or it can be made again.")
    /// Only its description was asked for.
    public static let manifestOnly = Reason(
      name: "manifest-only", isMissing: false, sentence: "Only the description of these documents was asked for, not their contents.")
  }

  /// The source that it would have come from.
  public var source: String
  /// What it is: a path or a name, inside the source.
  public var path: String
  /// Why it isn't inside.
  public var reason: Reason
  /// How many items this stands for, where that is known.
  public var count: Int?
  /// Its true length in bytes, where what is inside is shorter or longer.
  public var bytes: UInt64?

  /// An omission of one or several items.
  public init(source: String, path: String, reason: Reason, count: Int? = nil, bytes: UInt64? = nil) {
    self.source = source
    self.path = path
    self.reason = reason
    self.count = count
    self.bytes = bytes
  }
}

/// Values that were masked: how many, where, and why.
public struct Redaction: Sendable, Hashable {
  /// Why a value was masked.
  public struct Reason: Hashable, Sendable {
    /// The reason as the manifest and the masked value write it.
    public let name: String

    /// What the page for people says of it.
    public let sentence: String

    /// A password, token, key or the like.
    public static let secret = Reason(name: "secret", sentence: "A password, key or the like, which is never exported.")
    /// Another person's.
    public static let thirdParty = Reason(name: "third-party", sentence: "It is about another person.")
    /// A law forbids to send it.
    public static let regulated = Reason(
      name: "regulated", sentence: "The law of this request forbids to send it; that it is kept is told here.")
  }

  /// The source that the values came from.
  public var source: String
  /// Where they stand: the collection and the column, or the file and the key.
  public var path: String
  /// Why they were masked.
  public var reason: Reason
  /// How many values.
  public var count: Int
  /// How many of them stand inside texts, as `"[redacted]"`.
  public var inText: Int
  /// How many of them were keys, and are numbers now.
  public var asNumber: Int

  /// Values that were masked in one place.
  public init(source: String, path: String, reason: Reason, count: Int, inText: Int = 0, asNumber: Int = 0) {
    self.source = source
    self.path = path
    self.reason = reason
    self.count = count
    self.inText = inText
    self.asNumber = asNumber
  }
}
