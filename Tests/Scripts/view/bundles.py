"""Makes the bundles that the cases open."""
import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import zipfile

from checking import Bag, Failure
from hostile import NAUGHTY, PAYLOADS

ROOT = pathlib.Path(__file__).resolve().parents[3]
SAMPLE = ROOT / "Samples"


class Workshop:
    """Bundles by name, each made when it is first asked for."""

    def __init__(self, program, folder, browser):
        self.program, self.folder, self.browser = pathlib.Path(program).resolve(), pathlib.Path(folder), browser
        self.made = {}

    def bag(self, name, **options):
        if name not in self.made:
            try:
                self.made[name] = getattr(self, f"make_{name.split('-')[0]}")(name, **options)
            except Failure as failure:
                self.made[name] = failure
        if isinstance(self.made[name], Failure):
            raise self.made[name]
        return self.made[name]

    def export(self, name, configuration, *options):
        out = self.folder / f"{name}.zip"
        run = subprocess.run(
            [self.program, "--config", configuration, "--out", out, "--force", *options], cwd=self.folder, capture_output=True, text=True, timeout=500,
            env=os.environ | {"SOURCE_DATE_EPOCH": "1775001600"})
        if run.returncode not in (0, 3):
            raise Failure(f"the export of {name} ended with {run.returncode}: {run.stderr}")
        unpacked = self.folder / name
        shutil.rmtree(unpacked, ignore_errors=True)
        zipfile.ZipFile(out).extractall(unpacked)
        (top,) = unpacked.iterdir()
        return Bag(top)

    def configure(self, name, **configuration):
        path = self.folder / f"{name}.config.json"
        path.write_text(json.dumps(configuration), encoding="utf-8")
        return path

    def make_sample(self, name, language=None):
        (SAMPLE / "container/Documents/Empty").mkdir(exist_ok=True)  # which git can't hold
        return self.export(name, SAMPLE / "account-export.json", *(["--language", language] if language else []))

    def make_long(self, name, rows=20_300):
        """More rows than pages show: the last ones are in the data file only."""
        path = self.folder / f"{name}.sqlite"
        path.unlink(missing_ok=True)
        words = "lorem ipsum dolor sit amet train Lagos Tuesday invoice naïve café Straße 日本語 письмо".split()
        chance = random.Random(6)
        with sqlite3.connect(path) as store:
            store.execute("CREATE TABLE events (id INTEGER PRIMARY KEY, at TEXT, what TEXT, amount REAL, big INTEGER, extra)")
            store.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)", (
                (n, f"20{10 + n % 16}-0{1 + n % 9}-1{n % 10}T08:00:00Z",
                 " ".join(chance.choices(words, k=30)) + (f" needle{n}" if n % 10_000 == 5_000 or n == rows - 1 else ""), n / 8, 9007199254740993 + n,
                 b"\x00\xff" if n % 50 == 0 else None)
                for n in range(1, rows + 1)))
        store.close()
        return self.export(name, self.configure(name, subject={"id": "1"}, sources={"records": [{"path": str(path), "name": "Log"}]}))

    def make_huge(self, name):
        return self.make_long(name, rows=1_000_000)

    def make_hostile(self, name):
        """Script payloads and odd strings wherever somebody else's words can stand."""
        home = self.folder / f"{name}-home"
        shutil.rmtree(home, ignore_errors=True)
        (home / "prefs").mkdir(parents=True)
        strings = PAYLOADS + NAUGHTY
        quoted = lambda text: '"' + text.replace("\0", "").replace('"', '""') + '"'
        with sqlite3.connect(home / "store.sqlite") as store:
            store.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, title TEXT, body TEXT, url TEXT)")
            store.execute("CREATE TABLE letters (id INTEGER PRIMARY KEY, person_id INTEGER REFERENCES people, again_id INTEGER REFERENCES people, data)")
            for number, text in enumerate(strings, 1):
                store.execute("INSERT INTO people VALUES (?, ?, ?, ?, ?)", (number, text, text * 2, text + " x" * 200, "https://example.com/" + text.replace(" ", "")))
                store.execute("INSERT INTO letters VALUES (?, ?, ?, ?)", (number, number, 1, text.encode()))
            columns = [text for text in dict.fromkeys(text.casefold().replace("\0", "") for text in PAYLOADS)]
            store.execute(f"CREATE TABLE {quoted('odd ' + PAYLOADS[0])} (id INTEGER PRIMARY KEY, {', '.join(map(quoted, columns))})")
            store.execute(f"INSERT INTO {quoted('odd ' + PAYLOADS[0])} VALUES (1, {', '.join('?' * len(columns))})", columns)
            for number, text in enumerate(PAYLOADS[1:8]):
                store.execute(f"CREATE TABLE {quoted(text)} (id INTEGER PRIMARY KEY, {quoted(PAYLOADS[number])} TEXT, created TEXT)")
                store.execute(f"INSERT INTO {quoted(text)} VALUES (1, ?, '2024-05-01T10:00:00Z')", (text,))
        store.close()
        odd = {text.replace("\ud800", ""): text for text in strings}
        (home / "prefs/odd.json").write_text(json.dumps({**odd, "list": strings, "deep": {"a": [odd]}, "$date": "<b>", "$$x": 1}), encoding="utf-8")
        (home / "prefs" / (file_name(PAYLOADS[2]) + ".json")).write_text(json.dumps(PAYLOADS), encoding="utf-8")
        documents(home / "docs")
        words = PAYLOADS[0] + PAYLOADS[2]
        return self.export(name, self.configure(
            name, app={"name": words, "version": PAYLOADS[1], "bundleIdentifier": "com.example.odd"}, environment=words,
            subject={"id": PAYLOADS[2], "name": words, "email": f"{PAYLOADS[2]}@example.com"},
            request={"id": words, "law": "GDPR", "received": "2026-03-14", "due": "2026-04-14", "extended": {"until": "2026-06-14", "reason": words}},
            sources={"preferences": [str(home / "prefs")], "documents": [{"path": str(home / "docs"), "exclude": ["*.tmp"]}],
                     "records": [{"path": str(home / "store.sqlite"), "name": "Odd"}]},
            information={
                "controller": {"name": words, "address": words, "email": "a@example.com"}, "contact": {"email": "a@example.com"},
                "collections": {"records": {"purposes": [words], "legalBasis": words, "categories": [words], "source": words, "retention": words},
                                "documents": {"purposes": [words], "source": words}, "preferences": {"purposes": [words]}},
                "recipients": [{"name": words, "category": words, "purpose": words, "country": words}],
                "automatedDecisions": [{"name": words, "logic": words, "significance": words, "consequences": words}],
                "rights": [{"name": words, "how": words}], "supervisoryAuthority": {"name": words, "address": words}}))


def file_name(text):
    return "".join("∕" if letter in "/\0" else letter for letter in text).encode()[:150].decode(errors="ignore")


# Files that a browser would run if it were led to them. The canary is told as in hostile.py.
ACTIVE = {
    "page.html": "<!DOCTYPE html><title>x</title><script>HIT</script>",
    "PAGE.HTM": "<!DOCTYPE html><title>x</title><script>HIT</script>",
    "page.xhtml": '<html xmlns="http://www.w3.org/1999/xhtml"><script>HIT</script></html>',
    "page.shtml": "<script>HIT</script>",
    "drawing.svg": '<svg xmlns="http://www.w3.org/2000/svg" onload="HIT"><script>HIT</script></svg>',
    "style.xml": '<x xmlns:h="http://www.w3.org/1999/xhtml"><h:script>HIT</h:script></x>',
    "mail.mhtml": "MIME-Version: 1.0\nContent-Type: text/html\n\n<script>HIT</script>",
    "no-extension": "<!DOCTYPE html><html><script>HIT</script></html>",
    ".html": "<script>HIT</script>",
    "trailing.html ": "<script>HIT</script>",
    "picture.png.html": "<script>HIT</script>",
    "program.js": "HIT",
    "lies.md": "<!DOCTYPE html><html><script>HIT</script></html>",
    "lies.log": "<!DOCTYPE html><html><script>HIT</script></html>",
    "lies.mov": "<!DOCTYPE html><html><script>HIT</script></html>",
    # These may be led to; what they hold must not run there.
    "lies.png": "<!DOCTYPE html><html><script>HIT</script></html>",
    "lies.txt": "<!DOCTYPE html><html><script>HIT</script></html>",
    "lies.jpg": '<svg xmlns="http://www.w3.org/2000/svg" onload="HIT"/>',
    "lies.mp4": "<!DOCTYPE html><html><script>HIT</script></html>",
    "lies.pdf": "%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>endobj\ntrailer<</Root 1 0 R>>",
}


def documents(folder):
    from hostile import HIT
    folder.mkdir()
    for name, content in ACTIVE.items():
        (folder / name).write_text(content.replace("HIT", HIT), encoding="utf-8")
    for number, text in enumerate(PAYLOADS + NAUGHTY):
        if name := file_name(text).strip(". "):
            (folder / "odd names" / f"{number} {name}.txt").parent.mkdir(exist_ok=True)
            (folder / "odd names" / f"{number} {name}.txt").write_text(text.encode(errors="replace").decode())
    (folder / file_name(PAYLOADS[0])).mkdir()
    (folder / file_name(PAYLOADS[0]) / "inside.txt").write_text("x")
    (folder / f"{file_name(PAYLOADS[2])}.tmp").write_text("left out")
    # A picture whose comment and description are markup.
    picture = (SAMPLE / "container/Documents/Pictures/portrait.jpg").read_bytes()
    comment = (PAYLOADS[0] + PAYLOADS[2]).encode()
    tiff = b"II*\0\x08\0\0\0\x01\0\x0e\x01\x02\0" + len(comment).to_bytes(4, "little") + b"\x1a\0\0\0\0\0\0\0" + comment
    segments = b"\xff\xe1" + (len(tiff) + 8).to_bytes(2, "big") + b"Exif\0\0" + tiff + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment
    (folder / "described.jpg").write_bytes(picture[:2] + segments + picture[2:])
