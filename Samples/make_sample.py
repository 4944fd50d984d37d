#!/usr/bin/env python3
"""Makes the sample account: the container of a notes app, of a person who does not exist.

make_sample.py           writes Samples/container anew
make_sample.py --check   makes it elsewhere and compares: exit status 1 if the one in Samples differs

The same files come out each time, but for what depends on the version of a library: pictures and stores are compared
by what they hold. Git can't hold the empty folder, so `make export` makes that one.
"""
import datetime
import json
import math
import os
import plistlib
import shutil
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

sys.dont_write_bytecode = True
from sample_media import jpeg, pdf, png, wav  # noqa: E402
from sample_store import contents, write_store  # noqa: E402

SAMPLES = Path(__file__).resolve().parent
UID, moment = plistlib.UID, datetime.datetime


def pictures() -> dict[str, bytes]:
    def lagoon(x: int, y: int) -> tuple[int, int, int]:
        sun = (x - 170) ** 2 + (y - 48) ** 2 < 600
        if sun and y < 80:
            return 255, 226, 120
        if y < 80:
            return 250 - y, 150 + y // 2, 110 + y
        wave = int(18 * math.sin(y / 2.5 + math.sin(x / 9)))
        return 30 + wave, 90 + wave + (60 if abs(x - 170) < 26 - (y - 80) // 5 else 0), 130 + wave

    def portrait(x: int, y: int) -> int:
        face, hair = (x - 48) ** 2 / 26 ** 2 + (y - 56) ** 2 / 32 ** 2, (x - 48) ** 2 / 36 ** 2 + (y - 46) ** 2 / 38 ** 2
        if face < 1:
            eye = min((x - 38) ** 2, (x - 58) ** 2) + (y - 50) ** 2 < 9
            mouth = abs(y - 72 + (x - 48) ** 2 / 40) < 1.5 and abs(x - 48) < 11
            return 20 if eye or mouth else 150 - abs(x - 48)
        return 40 if hair < 1 or (y > 92 and abs(x - 48) < 10 + (y - 92) * 1.6) else 215 - y // 3

    heights = [34, 52, 47, 80, 66, 91]
    return {
        "lagoon.png": png(240, 160, lagoon),
        "portrait.jpg": jpeg(96, 128, portrait),
        "spending.png": png(120, 100, lambda x, y: (41, 128, 185) if x % 20 > 4 and 100 - y < heights[x // 20] else (250, 250, 247)),
    }


def archive() -> bytes:
    """A keyed archive, as an app that saves its window would write it: a class of its own, and a dictionary shared by two keys."""
    objects = [
        "$null",
        {"$class": UID(8), "title": UID(2), "frame": UID(3), "sorting": UID(4), "previousSorting": UID(4), "closed": UID(7)},
        "Cooking — 14 notes",
        "{{40, 120}, {1180, 760}}",
        {"$class": UID(9), "NS.keys": [UID(5)], "NS.objects": [UID(6)]},
        "modified",
        False,
        {"$class": UID(10), "NS.time": 757382400.25},
        {"$classname": "NotesWindow", "$classes": ["NotesWindow", "NSObject"]},
        {"$classname": "NSDictionary", "$classes": ["NSDictionary", "NSObject"]},
        {"$classname": "NSDate", "$classes": ["NSDate", "NSObject"]},
    ]
    tree = {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": UID(1)}, "$objects": objects}
    return plistlib.dumps(tree, fmt=plistlib.FMT_BINARY)


def preferences() -> dict[str, bytes]:
    app = {
        "userName": "Mira Okafor",
        "lastOpened": moment(2026, 3, 14, 7, 21, 5),
        "syncCursor": 18446744073709551615,
        "fontSize": 14.0,
        "lineHeight": 1.35,
        "pinnedFolders": [2, 5, 6],
        "showsWordCount": True,
        "apiToken": "pat_made_up_7f3b0c91d2",
        "deviceKey": bytes(range(32)),
        "windowState": archive(),
        "$schemaVersion": 3,
        "shortcuts": {"newNote": "⌘N", "$reset": "⌥⌘0", "": "none"},
        "accountCreated": moment(2024, 1, 1, 9, 0, 0),
        "balance": -12,
    }
    widget = {"folder": "Travel ✈️", "refreshed": moment(2026, 3, 13, 22, 0, 0), "colors": ["#c0392b", "#2980b9"], "thumbnail": b"\x89PNG", "opacity": float("inf")}
    openstep = '// Written by an older version.\n{\n  "@n" = "newNote:";\n  "^~d" = (insertDate, "today\'s note");\n  icon = <cafebabe 00ff>;\n}\n'
    editor = {"theme": "dusk", "spelling": ["en", "ig", "ja"], "indent": 2, "cursor": {"note": 9000000000, "offset": 17}, "zoom": 1.0, "beta": None, "accessToken": "at_made_up_55d1"}
    return {
        "com.example.notes.plist": plistlib.dumps(app, fmt=plistlib.FMT_BINARY),
        "com.example.notes.widget.plist": plistlib.dumps(widget, fmt=plistlib.FMT_XML),
        "com.example.notes.shortcuts.plist": openstep.encode(),
        "editor.json": (json.dumps(editor, ensure_ascii=False, indent=2) + "\n").encode(),
    }


def documents() -> dict[str, bytes]:
    recording = [int(128 + 90 * math.exp(-(i % 2000) / 900) * math.sin(2 * math.pi * [262, 330, 392, 523][i // 2000] * i / 8000)) for i in range(8000)]
    recipe = ["Serves twelve. For the sauce:", "  6 plum tomatoes, 3 red bell peppers, 2 scotch bonnets", "  3 onions, 200 ml of oil, thyme, curry, bay leaves", "",
              "Fry the onions, add the paste, then the blended peppers.", "Steam 1 kg of rice in it over low heat, covered with foil.", "It is done when the pot smells smoky (do not stir)."]
    files = {
        "Recipes/Jollof rice.pdf": pdf("Jollof rice", recipe),
        "Recordings/idea 3.wav": wav(8000, recording),
        "Journal/2026-03.md": "# March\n\n- **3rd**: planted okra\n- **14th**: π day, no pie 🥧\n- [x] call Adaeze\n".encode(),
        "todo.txt": "milk\r\nrice\r\nstamps\r\n".encode(),
        "Accounts/budget.csv": "month,item,amount\n2026-01,rent,\"185,000\"\n2026-01,\"data, mobile\",7500\n2026-02,rent,\"185,000\"\n".encode(),
        "Accounts/empty.csv": b"",
        ".drafts": b"a hidden file\n",
        "Cache/thumbnail.tmp": b"left out by the configuration\n",
        "Imported/CON.txt": b"a device's name on Windows\n",
        "Imported/trailing dot.": b"dropped by Windows\n",
        "Imported/Letter.txt": b"one of two whose names differ in case only\n",
        "Imported/letter.txt": b"the other\n",
        "Imported/100% done.txt": b"a percent sign\n",
        'Imported/What? "now": a|b.txt': b"what Windows forbids\n",
        "Imported/caf\u00e9 composed.txt": b"NFC\n",
        "Imported/cafe\u0301 decomposed.txt": b"NFD\n",
        "Imported/日本語のメモ.txt": "日本語\n".encode(),
        "Imported/👩🏾‍🍳 recipe.txt": "🍲\n".encode(),
        "Imported/invoice \u202efdp.txt": b"reads from right to left\n",
        "Imported/" + "a rather long name, " * 11 + "indeed.txt": b"240 characters\n",
    }
    files.update({"Pictures/" + name: content for name, content in pictures().items()})
    return files


def zipped() -> bytes:
    """A small ZIP of older notes: what is packed already."""
    with tempfile.TemporaryFile() as file:
        with zipfile.ZipFile(file, "w") as archive_file:
            archive_file.writestr(zipfile.ZipInfo("2019.txt", (2019, 6, 1, 0, 0, 0)), "the year before everything\n" * 20)
        file.seek(0)
        return file.read()


def make(container: Path) -> None:
    """Writes the container at a path where nothing is."""
    library = container / "Library"
    files = {library / "Preferences" / name: content for name, content in preferences().items()}
    files.update({container / "Documents" / name: content for name, content in documents().items()})
    files[container / "Documents/Archive/older notes.zip"] = zipped()
    for path, content in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    os.symlink("Journal/2026-03.md", container / "Documents/latest.md")
    store = library / "Application Support/Notes.sqlite"
    store.parent.mkdir(parents=True)
    write_store(store, pictures())


def content(path: Path):
    """What a file holds, in a form that does not depend on a library's version."""
    if path.is_symlink():
        return os.readlink(path)
    if path.suffix == ".sqlite":
        return contents(path)
    data = path.read_bytes()
    if path.suffix == ".png":
        start = data.index(b"IDAT") + 4
        length = int.from_bytes(data[start - 8:start - 4], "big")
        return data[:start - 8], zlib.decompress(data[start:start + length])
    return data


def differences(made: Path, committed: Path) -> list[str]:
    names = {p.relative_to(root) for root in (made, committed) for p in root.rglob("*") if p.is_symlink() or p.is_file()}
    return [str(n) for n in sorted(names) if not (os.path.lexists(made / n) and os.path.lexists(committed / n)) or content(made / n) != content(committed / n)]


def main() -> int:
    container = SAMPLES / "container"
    if sys.argv[1:] == ["--check"]:
        with tempfile.TemporaryDirectory() as folder:
            make(Path(folder) / "container")
            different = differences(Path(folder) / "container", container)
        print(*(f"differs from what is made: {name}" for name in different), sep="\n", end="\n" if different else "")
        return 1 if different else 0
    if sys.argv[1:]:
        print(__doc__, file=sys.stderr)
        return 64
    shutil.rmtree(container, ignore_errors=True)
    make(container)
    return 0


if __name__ == "__main__":
    sys.exit(main())
