"""Makes what is measured: accounts of one kind of content each, the same bytes for the same scale."""
import json
import pathlib
import random
import sqlite3

WORDS = ("the of and a to in is you that it he was for on are as with his they at be this have from or one had by word but not what all "
         "were we when your can said there use an each which she do how their if will up other about out many then them these so some her "
         "would make like him into time has look two more write go see number no way could people my than first water been call who oil its").split()


def prose(chance, words):
    return " ".join(chance.choices(WORDS, k=words))


def photos(folder, scale):
    """Media: what no one can make smaller, under the beginnings of JPEG files."""
    chance = random.Random(1)
    for number in range(max(2, int(24 * scale))):
        size = int(4_000_000 * (0.5 + chance.random()))
        content = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01" + chance.randbytes(size) + b"\xff\xd9"
        (folder / f"IMG_{number:04}.jpg").write_bytes(content)


def texts(folder, scale):
    """Some large texts and exports of other programs: what does get smaller."""
    chance = random.Random(2)
    for number in range(max(2, int(12 * scale))):
        lines = (json.dumps({"id": line, "at": f"2026-{line % 12 + 1:02}-01T08:00:00Z", "text": prose(chance, 12)}) for line in range(24_000))
        (folder / f"messages-{number}.ndjson").write_text("\n".join(lines))


def small(folder, scale):
    """Many small files in many folders."""
    chance = random.Random(3)
    for number in range(int(20_000 * scale)):
        parent = folder / f"{number // 500:03}"
        if number % 500 == 0:
            parent.mkdir()
        (parent / f"note {number}.md").write_text(f"# Note {number}\n\n{prose(chance, chance.randint(5, 60))}\n")


def mixed(folder, scale):
    """Something of everything."""
    for name, make in (("Photos", photos), ("Texts", texts), ("Notes", small)):
        (folder / name).mkdir()
        make(folder / name, scale / 3)


def records(path, scale):
    """A store of messages: integers, texts, times, nulls, some bytes."""
    chance = random.Random(4)
    store = sqlite3.connect(path)
    store.execute("CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, email TEXT)")
    store.execute("CREATE TABLE message (id INTEGER PRIMARY KEY, author INTEGER REFERENCES person, at TEXT, score REAL, body TEXT, seen INTEGER)")
    store.executemany("INSERT INTO person VALUES (?, ?, ?)", ((n, f"Person {n}", f"person{n}@example.com") for n in range(1000)))
    rows = ((n, n % 1000, f"2026-{n % 12 + 1:02}-0{n % 9 + 1}T08:00:00Z", n / 7, prose(chance, 14), n % 3 or None)
            for n in range(int(400_000 * scale)))
    store.executemany("INSERT INTO message VALUES (?, ?, ?, ?, ?, ?)", rows)
    store.commit()
    store.close()


DOCUMENTS = {"photos": photos, "texts": texts, "small": small, "mixed": mixed}


def make(folder, scale):
    """Makes all inputs in a folder, or finds them made."""
    folder = pathlib.Path(folder)
    if (folder / "made").exists():
        return
    for name, fill in DOCUMENTS.items():
        (folder / name).mkdir(parents=True)
        fill(folder / name, scale)
    records(folder / "records.sqlite", scale)
    (folder / "made").touch()
