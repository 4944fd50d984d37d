#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FileDescriptor {
  /// Removes all that is in this folder. No link is followed, and what another file system lies on stays: it is an error.
  public borrowing func removeContents() throws(FileError) {
    let own = try status()
    for name in try names(beginningWith: "") {
      if try status(of: name).kind != .folder {
        try remove(name)
        continue
      }
      let inner = try folder(name)
      let status = try inner.status()
      if status.device != own.device || status.mount != own.mount { throw FileError("remove", inner.path, code: EXDEV) }
      try inner.removeContents()
      try removeFolder(name)
    }
  }
}
