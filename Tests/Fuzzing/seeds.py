#!/usr/bin/env python3
"""Makes the corpora that the fuzzers begin with: seeds.py FOLDER makes FOLDER/bundle, contents, lists, json, csv.

Small ones, so that there are many tries a second: an intact bundle of nine files, as files and as three kinds of ZIP; property lists of every
syntax, and archives; JSON and JSON5.
"""
import hashlib
import io
import json
import pathlib
import plistlib
import sys
import zipfile

TOP = "b/"


def rows(*values):
    return "[\n" + ",\n".join(json.dumps(value, separators=(",", ":")) for value in values) + "\n]\n"


def bundle():
    """Files of an intact bundle: a list of path, content and how the content is written for the fuzzer, with marks for hashes."""
    files = []

    def add(path, content):
        # A hash is written {path}; to the fuzzer it is a mark and the file's letter.
        plain, marked = content, content
        for index, (other, text, _) in enumerate(files):
            plain = plain.replace("{" + other + "}", hashlib.sha256(text.encode()).hexdigest())
            marked = marked.replace("{" + other + "}", "\x1f" + chr(97 + index))
        files.append((path, plain, marked))

    def size(path):
        return next(len(text.encode()) for other, text, _ in files if other == path)

    add("data/documents/D/a.txt", "hello")
    add("data/records/N/files/1.bin", "x" * 9)
    add("data/records/N/note.json", rows(
        {"id": 1, "t": "a", "v": 1.5, "b": {"$file": "records/N/files/1.bin", "bytes": 9, "sha256": "{data/records/N/files/1.bin}"}},
        {"id": 2, "t": None, "v": 2, "b": {"$redacted": "secret"}}))
    add("data/documents.json", rows(
        {"path": "a.txt", "kind": "file", "bytes": 5, "sha256": "{data/documents/D/a.txt}", "file": "documents/D/a.txt"}))
    add("data/metadata.json", '{"formatVersion":"1.0"}\n')
    add("bagit.txt", "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n")
    payload = [path for path, _, _ in files if path.startswith("data/")]
    add("bag-info.txt", f"Payload-Oxum: {sum(map(size, payload))}.{len(payload)}\n")
    add("index.html", "<p>")
    add("manifest-sha256.txt", "".join(f"{{{path}}}  {path}\n" for path in payload))
    described = []
    for path, _, _ in files:
        resource = {"path": path, "hash": f"sha256:{{{path}}}"}
        if path.endswith("note.json"):
            fields = [{"name": name, "type": kind} for name, kind in [("id", "integer"), ("t", "string"), ("v", "number"), ("b", "object")]]
            resource |= {"type": "table", "schema": {"fields": fields}}
        elif path == "data/documents.json":
            fields = [{"name": name} for name in ["path", "kind", "bytes", "sha256", "file"]]
            resource |= {"type": "table", "schema": {"fields": fields}}
        else:
            resource["bytes"] = size(path)
        if not path.startswith("data/documents/"):
            described.append(resource)
    add("datapackage.json", json.dumps({"resources": described, "accountExport": {
        "formatVersion": "1.0", "outcome": "complete", "sources": [{"name": "records/N", "items": 3, "outcome": "complete"}],
        "omissions": [{"source": "records/N", "path": "v", "reason": "derived"}],
        "redactions": [{"source": "records/N", "path": "note.b", "reason": "secret", "count": 1}]}}, separators=(",", ":")) + "\n")
    tags = [path for path, _, _ in files if not path.startswith("data/")]
    add("tagmanifest-sha256.txt", "".join(f"{{{path}}}  {path}\n" for path in tags))
    return files


def zipped(files, method, streamed=False):
    class Unseekable(io.BytesIO):  # makes zipfile write data descriptors
        def seekable(self):
            return False

        def tell(self):
            raise OSError

    out = Unseekable() if streamed else io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for path, text, _ in files:
            entry = zipfile.ZipInfo(TOP + path, (2026, 11, 30, 12, 0, 0))
            entry.compress_type = method
            entry.flag_bits |= 0x800
            archive.writestr(entry, text)
    return out.getvalue()


def lists():
    uid = plistlib.UID
    plain = {"a": [1, -1, 2**63, 1.5, True, False], "b": b"\x00\x01", "c": "é𝄞", "d": {}, "e": "text" * 9}
    yield plistlib.dumps(plain, fmt=plistlib.FMT_XML)
    yield plistlib.dumps(plain, fmt=plistlib.FMT_BINARY)
    yield plistlib.dumps([uid(1), uid(70000), {"CF$UID": 7}], fmt=plistlib.FMT_BINARY)
    yield b'<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>k</key><date>2026-11-30T12:00:00Z</date><key>u</key>' \
          b"<real>-0.5e3</real><key>d</key><data>AAEC</data><key>&lt;&#x41;</key><string><![CDATA[x]]></string></dict></plist>"
    yield '<?xml version="1.0" encoding="UTF-16"?><plist><integer>0x1F</integer></plist>'.encode("utf-16")
    yield b'{ a = "b\\U00e9\\n"; "c d" = (1, <0fbd 77>, \'q\'); /* comment */ e = { f = g; }; } // end'
    yield b'"key" = "value"; other = { a = b; };'
    classes = lambda *names: {"$classname": names[0], "$classes": list(names)}
    objects = ["$null", {"NS.keys": [uid(2), uid(3)], "NS.objects": [uid(4), uid(5)], "$class": uid(6)}, "name", "list", "text",
               {"NS.objects": [uid(1), uid(7), uid(9)], "$class": uid(8)}, classes("NSDictionary", "NSObject"),
               {"NS.time": 5e8, "$class": uid(10)}, classes("NSArray", "NSObject"), {"x": uid(4), "y": 7, "$class": uid(11)},
               classes("NSDate", "NSObject"), classes("Point", "Shape", "NSObject")]
    archive = {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": uid(1)}, "$objects": objects}
    yield plistlib.dumps(archive, fmt=plistlib.FMT_BINARY)
    xml = plistlib.dumps({"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": {"CF$UID": 1}},
                          "$objects": ["$null", {"NS.data": b"1", "$class": {"CF$UID": 2}}, classes("NSMutableData")]})
    yield xml


TEXTS = [
    b'{"a":[1,-2.5e3,0,true,false,null,"x\\u00e9\\ud834\\udd1e\\n\\"/"],"b":{},"c":[]}',
    "[\"é𝄞\u2028\", 1E400, -0.0, 123456789012345678901234567890]".encode(),
    b"{a:1,'b':.5,c:+0x1F,d:Infinity,e:-NaN,/*c*/f:'\\x41\\\n\\v',g:[1,],}//e",
    b"\xef\xbb\xbf[1]\r\n",
    b"[" * 40 + b"]" * 40,
    b'{"a":1,"a":2}',
]

# The first two bytes choose the dialect and the limits.
TABLES = [
    b'\0\0a,b\n1,2\n', b'\0\5"a""b",c\r\n\r\n"x\ny"\n', b'\4\7a\\,b;c\n"\\""', b"\1\2'a''b',c\n", b"\0\3sep=;\r\na;b\n",
    b"\x20\1a,b,c,d\n", b'\x80\x10"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\nb,"c"\n', b'\x40\x30"a\n"b\n"c\n', b'\x08\0"a""b"\n',
    b"\0\0\xef\xbb\xbfa|b\tc\0\n",
]


def main():
    folder = pathlib.Path(sys.argv[1])
    files = bundle()
    marked = "\x1e".join(TOP + path + "\n" + text for path, _, text in files)
    corpora = {
        "bundle": [zipped(files, zipfile.ZIP_DEFLATED), zipped(files, zipfile.ZIP_STORED), zipped(files, zipfile.ZIP_DEFLATED, True),
                   zipped(files[:1], zipfile.ZIP_DEFLATED, True), zipped([], zipfile.ZIP_STORED)],
        "contents": [marked.encode()],
        "lists": list(lists()),
        "json": TEXTS,
        "csv": TABLES,
    }
    for name, seeds in corpora.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        for index, seed in enumerate(seeds):
            (folder / name / f"seed-{index}").write_bytes(seed)


main()
