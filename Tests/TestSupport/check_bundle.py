#!/usr/bin/env python3
"""Reads a bundle with nothing of this project's own code, and tells everything that is wrong with it.

check_bundle.py [--unpack FOLDER] BUNDLE     a problem a line; the exit status is 1 where there are any
"""
import argparse
import hashlib
import json
import re
import struct
import sys
import unicodedata
import zipfile
from pathlib import Path

sys.dont_write_bytecode = True  # beside sources
import table_cells

TAGS = {"bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt", "datapackage.json", "index.html"}
MISSING = {"unreadable", "changed", "missing-file", "failed", "limit", "undecided", "unclaimed"}
HARMLESS = {"derived", "special", "dangling", "irregular", "excluded", "manifest-only"}
DOCUMENT_KEYS = ["path", "kind", "bytes", "sha256", "file", "target", "mediaType", "modified", "created", "mode"]
STEMS = {"con", "prn", "aux", "nul", "conin$", "conout$"} | {d + n for d in ("com", "lpt") for n in "123456789¹²³"}
BIDI = {0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}


class Wrong(Exception):
    """What stops a check of one file."""


# Names

def units(text):
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def component_problem(part):
    """Why one component of a path can't stand on every system, or None."""
    if part in ("", ".", ".."):
        return "an empty, . or .. component"
    if set(part) & set('<>:"/|?*\\%'):
        return "a reserved character"
    for character in part:
        kind = unicodedata.category(character)
        if kind in ("Cc", "Cs", "Zl", "Zp") or (kind == "Zs" and character != " ") or ord(character) in BIDI:
            return f"U+{ord(character):04X}"
    if part[-1] in ". ":
        return "a dot or space at its end"
    if part.split(".")[0].rstrip(" ").lower() in STEMS:
        return "a device's name"
    return "more than 120 UTF-16 units" if units(part) > 120 else None


def folded(name):
    """The name where case is ignored: character by character, as file systems do it."""
    for change in (str.upper, str.lower):
        name = "".join(change(c) if len(change(c)) == 1 else c for c in name)
    return name


def name_problems(names):
    """All that is wrong with the names of a ZIP's entries, together."""
    spellings, files, folders = {}, set(), set()
    for name in names:
        if unicodedata.normalize("NFC", name) != name:
            yield f"{name!r} is not NFC"
        if units(name) > 180:
            yield f"{name!r} has {units(name)} UTF-16 units"
        parts = name.removesuffix("/").split("/")
        for part in parts:
            if problem := component_problem(part):
                yield f"{name!r} has {problem}"
        for depth in range(1, len(parts) + 1):
            path = "/".join(parts[:depth])
            if spellings.setdefault(folded(path), path) != path:
                yield f"{name!r} and {spellings[folded(path)]!r} differ in case only"
            (files if depth == len(parts) and not name.endswith("/") else folders).add(path)
    for path in sorted(files & folders):
        yield f"{path!r} is a file and a folder"
    for name in sorted({n for n in names if names.count(n) > 1} if len(set(names)) < len(names) else ()):
        yield f"{name!r} stands twice"


# The ZIP

def zip_problems(archive, stream):
    if bad := archive.testzip():
        yield f"{bad!r} has a wrong checksum"
    for entry in archive.infolist():
        name = entry.filename
        if not name.isascii() and not entry.flag_bits & 0x800:
            yield f"{name!r} is not flagged as UTF-8"
        if not entry.is_dir() and entry.compress_type != zipfile.ZIP_DEFLATED:
            yield f"{name!r} is not deflated"
        stream.seek(entry.header_offset)
        fields = struct.unpack("<4sHHHHHIIIHH", stream.read(30))
        if stream.read(fields[9]) != entry.orig_filename.encode():
            yield f"{name!r} has another name in its local header"
        if entry.file_size < 0xFFFFFFFF and fields[8] != entry.file_size:
            yield f"{name!r} does not declare its size before its data"


# JSON, strictly

def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise Wrong(f"an object has a key twice: {keys}")
    return dict(pairs)


def no_constant(name):
    raise Wrong(f"{name} is no JSON")


def strict(text):
    value = json.loads(text, object_pairs_hook=no_duplicates, parse_constant=no_constant)
    json.dumps(value, ensure_ascii=False).encode()  # a lone surrogate fails here
    return value


def framed_rows(raw):
    """The rows of an array with one record a line."""
    text = raw.decode()
    if text == "[]\n":
        return []
    lines = text.split("\n")
    if lines[0] != "[" or lines[-2:] != ["]", ""]:
        raise Wrong("the array is not framed by lines of its own")
    rows = lines[1:-2]
    for number, line in enumerate(rows, 1):
        if line.endswith(",") == (number == len(rows)):
            raise Wrong(f"row {number} ends with the wrong comma")
    return [strict(line.removesuffix(",")) for line in rows]


def masked(value):
    if isinstance(value, dict):
        return 1 if "$redacted" in value and set(value) <= {"$redacted", "pseudonym"} else sum(map(masked, value.values()))
    return sum(map(masked, value)) if isinstance(value, list) else 0


def references(value):
    """The objects that name a file of a large value."""
    if isinstance(value, dict):
        if "$file" in value:
            yield value
        for inner in value.values():
            yield from references(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from references(inner)


class Bundle:
    """A bundle that is open; paths are relative to its one folder."""

    def __init__(self, archive):
        self.archive = archive
        names = archive.namelist()
        tops = {name.split("/")[0] for name in names}
        if len(tops) != 1 or not re.fullmatch(r"account-export-\d{8}T\d{6}Z", top := tops.pop()):
            raise Wrong(f"the ZIP has not one folder of the right name: {sorted(tops)[:3]}")
        self.top = top
        self.sizes = {e.filename[len(top) + 1:]: e.file_size for e in archive.infolist() if not e.is_dir()}
        self.hashes = {}
        self.problems = []

    def read(self, name):
        return self.archive.read(f"{self.top}/{name}")

    def sha256(self, name):
        if name not in self.hashes:
            digest = hashlib.sha256()
            with self.archive.open(f"{self.top}/{name}") as stream:
                while piece := stream.read(1 << 20):
                    digest.update(piece)
            self.hashes[name] = digest.hexdigest()
        return self.hashes[name]

    def payload(self):
        return {name for name in self.sizes if name.startswith("data/")}

    def wrong(self, sentence):
        self.problems.append(sentence)

    def check(self):
        self.bag()
        self.package = strict(self.read("datapackage.json"))
        self.export = self.package["accountExport"]
        self.find_documents()
        self.parsed = {}
        for name in sorted(n for n in self.sizes if n.endswith(".json") and (n in TAGS or self.is_structured(n))):
            try:
                self.parsed[name] = strict(self.read(name).decode())
            except (Wrong, ValueError) as error:
                self.wrong(f"{name} is no strict JSON: {error}")
        self.resources()
        self.large_values()
        self.documents()
        self.counts()

    def is_structured(self, name):
        """Whether a file of the payload is the project's own JSON, not a document or a value."""
        return name.startswith("data/") and name not in self.document_files and "/files/" not in name

    def find_documents(self):
        name = "data/documents.json"
        self.document_rows = strict(self.read(name).decode()) if name in self.sizes else []
        files = ["data/" + row["file"] for row in self.document_rows if row["file"] is not None]
        self.document_files = set(files)
        if len(self.document_files) < len(files):
            self.wrong("two documents lie in one file")

    def bag(self):
        payload = self.payload()
        tags = set(self.sizes) - payload - {"tagmanifest-sha256.txt"}
        for name in sorted((TAGS | {"data/metadata.json"}) - set(self.sizes)):
            self.wrong(f"{name} is not there")
        if self.read("bagit.txt") != b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n":
            self.wrong("bagit.txt does not declare BagIt 1.0")
        for manifest, covered in (("manifest-sha256.txt", payload), ("tagmanifest-sha256.txt", tags)):
            listed = {}
            for line in self.read(manifest).decode().splitlines():
                digest, name = line.split("  ", 1)
                if name in listed:
                    self.wrong(f"{manifest} lists {name} twice")
                listed[name] = digest
            for name in sorted(covered ^ set(listed)):
                self.wrong(f"{manifest} and the bundle do not agree that {name} is there")
            for name in sorted(covered & set(listed)):
                if listed[name] != self.sha256(name):
                    self.wrong(f"{manifest} has a wrong hash for {name}")
        oxum = f"Payload-Oxum: {sum(self.sizes[n] for n in payload)}.{len(payload)}"
        if oxum not in self.read("bag-info.txt").decode().splitlines():
            self.wrong(f"bag-info.txt has not {oxum!r}")

    def resources(self):
        """Every file that is no document is one resource, and what the resource says of it is true."""
        self.tables, names = {}, set()
        expected = set(self.sizes) - self.document_files - {"datapackage.json", "tagmanifest-sha256.txt"}
        paths = [resource["path"] for resource in self.package["resources"]]
        for path in sorted(expected ^ set(paths)):
            self.wrong(f"the resources and the bundle do not agree that {path} is there")
        if len(set(paths)) < len(paths):
            self.wrong("a path is two resources")
        for resource in self.package["resources"]:
            path, name = resource["path"], resource["name"]
            if name in names or not re.fullmatch(r"[a-z0-9._/-]+", name):
                self.wrong(f"the resource name {name!r} is not plain and unique")
            names.add(name)
            if path not in self.sizes:
                continue
            if resource.get("bytes", self.sizes[path]) != self.sizes[path] or resource["hash"] != "sha256:" + self.sha256(path):
                self.wrong(f"the resource of {path} has another size or hash than the file")
            if "schema" in resource and resource.get("format") != "csv":
                self.table(resource)
        for resource in (r for r in self.package["resources"] if r.get("format") == "csv"):
            self.csv_table(resource)
        for resource in self.package["resources"]:
            self.keys(resource)

    def table(self, resource):
        path, fields = resource["path"], resource["schema"]["fields"]
        try:
            rows = framed_rows(self.read(path))
        except (Wrong, ValueError) as error:
            return self.wrong(f"{path}: {error}")
        self.tables[resource["name"]] = (resource, rows)
        if bool(rows) != (resource.get("type") == "table"):
            self.wrong(f"{path} has {len(rows)} rows and the type {resource.get('type')!r}")
        names = [field["name"] for field in fields]
        for number, row in enumerate(rows, 1):
            if list(row) != names:
                return self.wrong(f"{path}: row {number} has the keys {list(row)}, the schema {names}")
            for field in fields:
                if not table_cells.fits(row[field["name"]], field["type"]):
                    self.wrong(f"{path}: {field['name']!r} of row {number} is no {field['type']}")

    def csv_table(self, resource):
        """A CSV holds what the JSON beside it holds."""
        path = resource["path"]
        rows = next((rows for other, rows in self.tables.values() if other["path"] == path.removesuffix(".csv") + ".json"), None)
        for problem in table_cells.csv_problems(self.read(path), resource["schema"]["fields"], rows):
            self.wrong(f"{path} {problem}")

    def keys(self, resource):
        """Keys that the schema promises hold."""
        if resource["name"] not in self.tables:
            return
        schema, rows = resource["schema"], self.tables[resource["name"]][1]
        if primary := schema.get("primaryKey"):
            found = [tuple(json.dumps(row[key]) for key in primary) for row in rows]
            if len(set(found)) < len(found) or any("null" in key for key in found):
                self.wrong(f"{resource['path']}: the primary key {primary} is not unique and full")
        for key in schema.get("foreignKeys", []):
            target = self.tables[key["reference"]["resource"]][1]
            there = {tuple(json.dumps(row[name]) for name in key["reference"]["fields"]) for row in target}
            for row in rows:
                here = tuple(json.dumps(row[name]) for name in key["fields"])
                if "null" not in here and here not in there:
                    self.wrong(f"{resource['path']}: {key['fields']} = {here} is not in {key['reference']['resource']}")

    def large_values(self):
        """Every file of a large value is referred to, and each reference is true."""
        seen = set()
        for name, value in self.parsed.items():
            for reference in references(value) if name.startswith("data/") else ():
                path = "data/" + reference["$file"]
                if path not in self.sizes:
                    self.wrong(f"{name} refers to {path}, which is not there")
                elif (reference["bytes"], reference["sha256"]) != (self.sizes[path], self.sha256(path)):
                    self.wrong(f"{name} has another size or hash for {path}")
                if path in seen:
                    self.wrong(f"{path} is referred to twice")
                seen.add(path)
        for name in sorted({n for n in self.payload() - self.document_files if "/files/" in n} - seen):
            self.wrong(f"nothing refers to {name}")

    def documents(self):
        for row in self.document_rows:
            if list(row) != DOCUMENT_KEYS:
                self.wrong(f"a document's row has the keys {list(row)}")
            if row["kind"] not in ("file", "folder", "link", "special"):
                self.wrong(f"a document is of the kind {row['kind']!r}")
            if row["file"] is None:
                continue
            name = "data/" + row["file"]
            if name not in self.sizes:
                self.wrong(f"{row['path']!r} lies nowhere: {name}")
            elif (row["bytes"], row["sha256"]) != (self.sizes[name], self.sha256(name)):
                self.wrong(f"the row of {row['path']!r} has another size or hash than the file")

    def counts(self):
        """Items, bytes, omissions, redactions and the outcome are those found."""
        export = self.export
        described = {r["path"]: r for r in self.package["resources"] if r["path"].startswith("data/")}
        items = len(self.document_rows)
        for path, resource in described.items():
            if path in ("data/metadata.json", "data/documents.json") or not self.is_structured(path):
                continue
            items += len(self.tables.get(resource["name"], (None, []))[1]) if "schema" in resource else 1
        told = sum(source["items"] for source in export["sources"])
        if told != items:
            self.wrong(f"the sources count {told} items, {items} are inside")
        for source in export["sources"]:
            inside = sum(size for name, size in self.sizes.items() if name.startswith(f"data/{source['name']}/"))
            if source["bytes"] != inside:
                self.wrong(f"{source['name']} counts {source['bytes']} bytes, {inside} are inside")
            redactions = [r for r in export["redactions"] if r["source"] == source["name"]]
            # What is masked inside a text, and a key that became a number, are no objects that say so.
            told = sum(r["count"] - r.get("inText", 0) - r.get("asNumber", 0) for r in redactions)
            found = sum(masked(value) for name, value in self.parsed.items() if name.startswith(f"data/{source['name']}/"))
            if told != found:
                self.wrong(f"{source['name']} counts {told} masked values, {found} are inside")
        self.omissions()

    def omissions(self):
        sources = {source["name"]: source for source in self.export["sources"]}
        reasons = set()
        for omission in self.export["omissions"]:
            reasons.add(omission["reason"])
            if omission["reason"] not in MISSING | HARMLESS or not omission["path"] or not omission["detail"]:
                self.wrong(f"an omission says too little: {omission}")
            if omission["source"] not in sources:
                self.wrong(f"an omission is of no source: {omission}")
            elif omission["reason"] in MISSING and sources[omission["source"]]["outcome"] == "complete":
                self.wrong(f"{omission['source']} is complete, and has the omission {omission}")
        outcome = "partial" if reasons & MISSING else "complete"
        if self.export["outcome"] != outcome:
            self.wrong(f"the outcome is {self.export['outcome']}, by the omissions {outcome}")


def problems(path, unpack=None):
    """All that is wrong with the bundle at a path."""
    try:
        with open(path, "rb") as stream, zipfile.ZipFile(stream) as archive:
            found = [*zip_problems(archive, stream), *name_problems(archive.namelist())]
            bundle = Bundle(archive)
            bundle.check()
            if unpack and not found:
                archive.extractall(unpack)
            return found + bundle.problems
    except (Wrong, ValueError, KeyError, TypeError, zipfile.BadZipFile, struct.error) as error:
        return [f"the check could not go on: {type(error).__name__}: {error}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--unpack", type=Path)
    parser.add_argument("bundle", type=Path)
    arguments = parser.parse_args()
    found = problems(arguments.bundle, arguments.unpack)
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
