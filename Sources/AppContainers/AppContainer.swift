public import Files

/// An app's container, as iOS and macOS lay it out: the folder that the system gives an app for all that it keeps.
///
/// ```swift
/// let container = try AppContainer(at: "Containers/com.example.notes")
/// for store in container.found.stores { … }
/// ```
///
/// Everything in it is found as one thing: preferences, a store, a document, or something left out with its reason. Links are not followed.
public struct AppContainer: Sendable {
  /// The folder that was given.
  public let root: PathBytes
  /// What is in it, and in the containers that the app shares with others and that are certainly its own: those that lie in this folder, and
  /// those beside it that are named as the app is.
  public private(set) var found: FoundData

  /// Looks through a container. A link in the last place of the path is followed: the user named it.
  /// - Parameters:
  ///   - isMain: Whether it is the app's own. Its folders become roots of documents of their own; one beside it (of an extension, or shared by
  ///     several apps) is one root, under its identifier.
  ///   - others: Containers that are looked through by themselves, and are not found as shared ones.
  ///   - includingCookies: Whether cookies are found as documents; else they are left out, since whoever has them is signed in.
  public init(
    at root: PathBytes, isMain: Bool = true, besides others: [PathBytes] = [], includingCookies: Bool = false
  ) throws(DiscoveryError) {
    self.root = root
    do throws(FileError) {
      let folder = try FileDescriptor.folder(root, following: true)
      let prefix = try Self.dataPrefix(in: folder)
      var identity = AppIdentity(in: folder)
      if let prefix, !prefix.bytes.isEmpty { identity = identity.completed(by: AppIdentity(in: try folder.folder(prefix))) }
      if prefix == nil && identity == AppIdentity() && !Self.holdsGroups(folder) {
        throw FileError("find", root, code: FileError.invalid)
      }
      let sure = AppIdentity(notedIn: folder).bundleIdentifier ?? Self.identifier(ofFolder: root.lastComponent)
      identity.bundleIdentifier = sure ?? identity.bundleIdentifier
      let label = isMain ? nil : identity.bundleIdentifier ?? String(decoding: root.lastComponent.bytes, as: UTF8.self)
      let layout =
        label.map { Layout.shared(below: prefix ?? "", includesCookies: includingCookies, label: $0) }
        ?? .container(below: prefix ?? "", includesCookies: includingCookies)
      let groups = GroupContainers(of: identity, isSure: sure != nil, at: root, includesCookies: includingCookies)
      found = FolderSurvey.survey(folder, at: root, named: label ?? "Container", groups.inside(folder, layout), top: root)
      // A shared container's identifier is no app's.
      found.app = isMain ? identity.completed(by: found.app) : AppIdentity()
      if isMain { found.add(groups.find(folder, except: others)) }
    } catch {
      if error.code == FileError.invalid { throw Self.noContainer(root) }
      throw DiscoveryError(error)
    }
  }

  private static func noContainer(_ root: PathBytes) -> DiscoveryError {
    DiscoveryError(
      .noContainer, "\(root.display) is no app container: there is neither a Library nor a Documents folder in it",
      hint: "--documents takes a folder of any kind")
  }

  /// Where the data lies below the container: right in it on iOS, in `Data` on macOS, in `AppData` as Xcode saves it; nil where nowhere.
  private static func dataPrefix(in folder: borrowing FileDescriptor) throws(FileError) -> PathBytes? {
    if try holdsData(folder) { return "" }
    for name: PathBytes in ["Data", "AppData"] {
      guard try isFolder(name, in: folder) else { continue }
      if try holdsData(folder.folder(name)) { return name }
    }
    return nil
  }

  private static func holdsData(_ folder: borrowing FileDescriptor) throws(FileError) -> Bool {
    for name: PathBytes in ["Library", "Documents"] where try isFolder(name, in: folder) { return true }
    return false
  }

  private static func holdsGroups(_ folder: borrowing FileDescriptor) -> Bool {
    GroupContainers.folders.contains { name in
      do throws(FileError) { return try isFolder(name, in: folder) } catch { return false }
    }
  }

  private static func isFolder(_ name: PathBytes, in folder: borrowing FileDescriptor) throws(FileError) -> Bool {
    do throws(FileError) { return try folder.status(of: name).kind == .folder } catch {
      if error.isMissing { return false }
      throw error
    }
  }

  /// The app that a container's folder is named after: `com.example.notes`, and `AppDomain-com.example.notes` in a backup of iOS.
  private static func identifier(ofFolder name: PathBytes) -> String? {
    let prefix = "AppDomain-"
    let bare = name.bytes.starts(with: prefix.utf8) ? PathBytes(name.bytes.dropFirst(prefix.utf8.count)) : name
    return isIdentifier(bare) ? bare.text : nil
  }

  /// Whether a folder's name can be an app's identifier: `com.example.notes`, and neither `Notes` nor `backup.2026`.
  static func isIdentifier(_ name: PathBytes) -> Bool {
    let parts = name.bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count >= 3
      && parts.allSatisfy { part in
        !part.isEmpty
          && part.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x5F
          }
      }
  }
}
