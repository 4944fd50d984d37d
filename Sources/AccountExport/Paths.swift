// Whoever embeds this library names its files by paths, and needs no other import for it.
@_exported public import struct Files.PathBytes
