#!/usr/bin/env python3
"""Exports damaged stores: whatever is wrong with one, the export ends soon, and either says that it can't be read or makes a bundle that
verifies and names what is missing. A table that it does not name holds exactly the rows that SQLite finds when it walks the table itself.

malformed.py [--mutations N] [--seed N] [--only N] [--keep FOLDER] COMMAND
"""
import argparse
import base64
import collections
import hashlib
import json
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import zipfile

SUBJECT = 42
TABLES = ("users", "folders", "notes", "tags", "shared", "loose")
# The rows of the subject's, by a walk through each table.
OWN = {
    "users": "WHERE +id = 42",
    "folders": "WHERE +user_id = 42",
    "notes": "WHERE +user_id = 42",
    "tags": "WHERE +note_id IN (SELECT id FROM notes NOT INDEXED WHERE +user_id = 42)",
}
SCHEMA = """
CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT UNIQUE);
CREATE TABLE folders (name TEXT PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users, made REAL);
CREATE TABLE notes (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users, title TEXT, body);
CREATE TABLE tags (note_id INTEGER REFERENCES notes, tag TEXT, PRIMARY KEY (note_id, tag)) WITHOUT ROWID;
CREATE TABLE shared (a INTEGER, b TEXT, PRIMARY KEY (a, b));
CREATE TABLE loose (x, y);
CREATE INDEX notes_of ON notes (user_id);
CREATE INDEX folders_of ON folders (user_id);
CREATE VIEW titles AS SELECT title FROM notes;
"""


def fill(store, chance):
    for user in range(60):
        store.execute("INSERT INTO users VALUES (?, ?)", (user, f"user{user}@example.com"))
    for folder in range(90):
        store.execute("INSERT INTO folders VALUES (?, ?, ?)", (f"folder {chance.random()}", (folder % 3) * 21, folder / 3))
    for note in range(400):
        body = (None, note, note / 7, "words " * (note % 40), b"\xff\x00" * (note % 90), b"\x01" * 6000 if note % 80 == 0 else "")[note % 6]
        store.execute("INSERT INTO notes VALUES (?, ?, ?, ?)", (note * 3, (note % 5) * 21, f"title {chance.random()}", body))
        store.execute("INSERT INTO tags VALUES (?, ?), (?, ?)", (note * 3, "a", note * 3, f"tag {note % 7}"))
        store.execute("INSERT INTO shared VALUES (?, ?)", (note % 20, f"with {chance.random()}"))
        store.execute("INSERT INTO loose VALUES (?, ?)", (note, "x" * (note % 50)))


def originals(folder, chance):
    """The files of sound stores, main file and log: without a log, of large pages with one that adds and deletes."""
    made = []
    for name, page, mode in (("plain", 1024, "DELETE"), ("logged", 4096, "WAL"), ("small", 512, "WAL")):
        path = folder / f"{name}.sqlite"
        store = sqlite3.connect(path, isolation_level=None)
        store.execute(f"PRAGMA page_size = {page}")
        store.execute(f"PRAGMA journal_mode = {mode}")
        store.execute("PRAGMA wal_autocheckpoint = 0")
        store.executescript(SCHEMA)
        store.execute("BEGIN")
        fill(store, chance)
        store.execute("COMMIT")
        if mode == "WAL":
            store.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            store.execute("DELETE FROM notes WHERE id % 7 = 1")
            store.execute("UPDATE folders SET user_id = 42 WHERE rowid % 4 = 0")
            store.execute("INSERT INTO loose VALUES ('late', 1)")
        # As they are while the store is open: closing it would empty the log.
        log = path.with_name(path.name + "-wal")
        made.append((name, page, path.read_bytes(), log.read_bytes() if log.exists() else None))
        store.close()
    return made


def damage(content, page, chance):
    """What a disk, a cable or a crash does to a file; the kind of it, and the file."""
    content = bytearray(content)
    pages = max(1, len(content) // page)
    kind = chance.choice(("flip", "flip", "flip header", "truncate", "swap", "zeros", "repeat", "noise"))
    one, other = chance.randrange(pages) * page, chance.randrange(pages) * page
    if kind == "flip":
        for _ in range(chance.randint(1, 8)):
            content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    elif kind == "flip header":
        for _ in range(chance.randint(1, 4)):
            place = min(chance.randrange(pages) * page + chance.randrange(40), len(content) - 1)
            content[place] ^= 1 << chance.randrange(8)
    elif kind == "truncate":
        del content[chance.choice((one, chance.randrange(len(content)))):]
    elif kind == "swap":
        content[one:one + page], content[other:other + page] = content[other:other + page], content[one:one + page]
    elif kind == "zeros":
        content[one:one + page] = bytes(len(content[one:one + page]))
    elif kind == "repeat":
        content[one:one + page] = content[other:other + page]
    else:
        content[one:one + 64] = chance.randbytes(64)
    return kind, bytes(content)


def written(value):
    """A value of SQLite's as the bundle writes it."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return {"$number": "Infinity" if value > 0 else "-Infinity"}
    if isinstance(value, tuple):  # a text's bytes
        try:
            return value[0].decode()
        except UnicodeDecodeError:
            value = value[0]
    if isinstance(value, bytes):
        return {"$base64": base64.b64encode(value).decode()} if len(value) <= 4096 else {"sha256": hashlib.sha256(value).hexdigest()}
    return value


def found_by_sqlite(path, condition):
    """The rows of each table as SQLite finds them by walking it, as JSON texts; None where it can't."""
    store = sqlite3.connect(path)
    store.text_factory = lambda data: (data,)
    store.set_progress_handler(lambda: 1, 50_000_000)
    found = {}
    try:
        store.execute("PRAGMA writable_schema = ON")  # one bad entry does not take the others down
        names = {row[0][0] for row in store.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND typeof(name) = 'text'")}
    except sqlite3.Error:
        store.close()
        return None
    for table in TABLES:
        if table.encode() not in names or condition(table) is None:
            continue
        try:
            rows = store.execute(f"SELECT * FROM {table} NOT INDEXED {condition(table)}")
            found[table] = collections.Counter(json.dumps([written(value) for value in row]) for row in rows)
        except sqlite3.Error:
            found[table] = None
    store.close()
    return found


def exported(path):
    """The rows of each collection as JSON texts, and the paths that the bundle's omissions name."""
    with zipfile.ZipFile(path) as bundle:
        names = {name.split("/", 1)[1]: name for name in bundle.namelist()}
        manifest = json.loads(bundle.read(names["datapackage.json"]))
        tables = {}
        for name, full in names.items():
            if not name.startswith("data/records/s/") or not name.endswith(".json"):
                continue
            rows = json.loads(bundle.read(full))
            for row in rows:
                for key, value in row.items():
                    if isinstance(value, dict) and "$file" in value:
                        row[key] = {"sha256": value["sha256"]}
            table = name.removeprefix("data/records/s/").removesuffix(".json")
            tables[table] = collections.Counter(json.dumps(list(row.values())) for row in rows)
    own = manifest["accountExport"]
    missing = {"unreadable", "failed", "limit", "undecided", "unclaimed", "changed"}
    return own["outcome"], tables, {gap["path"] for gap in own["omissions"] if gap["reason"] in missing}


def check(command, store, out, own):
    """Exports one damaged store; what came of it, or the fault as an error."""
    subject = ["--subject", f"users.id={SUBJECT}"] if own else []
    ran = subprocess.run([command, "--quiet", "--force", "--out", out, "--records", store, *subject], capture_output=True, timeout=60)
    text = ran.stderr.decode(errors="replace")
    if ran.returncode == 65 and text and not out.exists():
        return "refused"
    if ran.returncode not in (0, 3):
        raise AssertionError(f"exit {ran.returncode}: {text[:2000]}")
    verified = subprocess.run([command, "verify", out], capture_output=True, timeout=60)
    if verified.returncode != 0:
        raise AssertionError(f"the bundle does not verify: {verified.stderr.decode(errors='replace')[:2000]}")
    outcome, tables, gaps = exported(out)
    if (outcome == "complete") != (ran.returncode == 0):
        raise AssertionError(f"exit {ran.returncode}, and {outcome}")
    found = found_by_sqlite(store, lambda table: OWN.get(table) if own else "")
    if own and outcome == "partial":
        return outcome  # what is missing may have led to more, so that only the whole can be compared
    if found is None:
        if "sqlite_schema" in gaps:
            return outcome  # entries before the damaged one are read, and what may follow is named
        raise AssertionError(f"{outcome}, and SQLite can't read the schema")
    for table, rows in found.items():
        if table in gaps:
            continue
        if rows is None:
            raise AssertionError(f"{table}: SQLite can't read it, and it is not named")
        given = tables.get(table, collections.Counter())
        if given != rows:
            raise AssertionError(f"{table}: {(rows - given).total()} rows are missing and {(given - rows).total()} too many")
    return outcome


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mutations", type=int, default=100)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--only", type=int, help="the one with this number")
    parser.add_argument("--keep", type=pathlib.Path, help="where the stores of faults are copied")
    parser.add_argument("command", type=pathlib.Path)
    arguments = parser.parse_args()
    print(f"malformed: seed {arguments.seed}")
    outcomes, faults = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        stores = originals(folder, random.Random(arguments.seed))
        store, log, out = folder / "s.sqlite", folder / "s.sqlite-wal", folder / "data.zip"
        for number in range(-2 * len(stores), arguments.mutations):
            if arguments.only is not None and number != arguments.only:
                continue
            chance = random.Random(f"{arguments.seed} {number}")
            original, page, main_file, log_file = stores[number % len(stores)]
            kind, own = "sound", number // len(stores) % 2 == 0
            if number >= 0 and log_file and chance.random() < 0.5:
                kind, log_file = damage(log_file, page + 24, chance)
            elif number >= 0:
                kind, main_file = damage(main_file, page, chance)
            for old in folder.glob("s.sqlite*"):
                old.unlink()
            out.unlink(missing_ok=True)
            store.write_bytes(main_file)
            if log_file is not None:
                log.write_bytes(log_file)
            label = f"{number} ({original}, {kind}, {'one person' if own else 'whole'})"
            try:
                outcome = check(arguments.command.resolve(), store, out, own)
                if kind == "sound" and outcome != "complete":
                    raise AssertionError(f"a sound store is {outcome}")
                outcomes[outcome] += 1
            except (AssertionError, subprocess.TimeoutExpired, ValueError, KeyError, zipfile.BadZipFile) as fault:
                faults += 1
                print(f"malformed: {label}: {fault}", file=sys.stderr)
                if arguments.keep:
                    for part in folder.glob("s.sqlite*"):
                        shutil.copy(part, arguments.keep / f"{number}-{part.name}")
        left = sorted(entry.name for entry in folder.iterdir() if "sqlite" not in entry.name and entry != out)
        if left:
            sys.exit(f"malformed: something is left beside the output: {left}")
    told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
    print(f"malformed: {outcomes.total() + faults} stores: {told}, {faults} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
