"""A store of SQLite, beside its tables printed by sqlite3 and packed."""
import random
import sqlite3

from measuring import compare, expect, exported
from words import prose


def rows_at(scale):
    """Messages at a scale."""
    return int(2_000_000 * scale)


def make(path, scale):
    """A store of messages: integers, texts, times, nulls."""
    chance = random.Random(4)
    store = sqlite3.connect(path)
    store.execute("CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, email TEXT)")
    store.execute("CREATE TABLE message (id INTEGER PRIMARY KEY, author INTEGER REFERENCES person, at TEXT, score REAL, body TEXT, seen INTEGER)")
    store.executemany("INSERT INTO person VALUES (?, ?, ?)", ((n, f"Person {n}", f"person{n}@example.com") for n in range(1000)))
    rows = ((n, n % 1000, f"2026-{n % 12 + 1:02}-0{n % 9 + 1}T08:00:00Z", n / 7, prose(chance, 14), n % 3 or None)
            for n in range(rows_at(scale)))
    store.executemany("INSERT INTO message VALUES (?, ?, ?, ?, ?, ?)", rows)
    store.commit()
    store.close()


def packed(tables):
    """Lines that print tables of the store $IN as JSON and pack them."""
    dump = f"for t in {' '.join(tables)}; do sqlite3 -json $IN \"SELECT * FROM $t\" > $DIR/$t.json; done && cd $DIR"
    stream = f"(for t in {' '.join(tables)}; do sqlite3 -json $IN \"SELECT * FROM $t\"; done) | zip -q"
    files = " ".join(f"{table}.json" for table in tables)
    # The rows alone, packed by nobody, into the place of a ZIP.
    alone = f"(for t in {' '.join(tables)}; do sqlite3 -json $IN \"SELECT * FROM $t\"; done) > $OUT"
    return {"-json": alone, "zip -6": f"{stream} -6 $OUT -", "zip -1": f"{stream} -1 $OUT -", "7z -mx1": f"{dump} && 7z a -bso0 -bsp0 -tzip -mx1 $OUT {files}"}


def bench(run):
    """Packs all rows of a store."""
    store = run.made("records.sqlite", make)
    exports = run.exports("--records $IN")
    counts = {name: rows[0] for name, rows in exported(exports["export"], run.folder, IN=str(store)).items()}
    expect(counts, {"person": 1000, "message": rows_at(run.scale)}, "rows")
    compare(f"records: SQLite, {sum(counts.values())} rows", packed(counts) | exports, run.folder, run.rounds, "export", IN=str(store))
