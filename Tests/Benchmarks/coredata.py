"""A Core Data store of two million rows that relate to each other in every way, beside its tables printed by sqlite3 and packed."""
import plistlib
import random
import sqlite3

from measuring import compare, expect, exported
from model_archive import BOOLEAN, DATE, DOUBLE, IDENTIFIER, INTEGER, STRING, model_cache
from records import packed
from words import prose

ENTITIES = {
    "Attachment": ({"name": STRING, "size": INTEGER}, {"note": ("Note", "attachments")}),
    "Folder": ({"name": STRING, "created": DATE}, {"notes": ("Note", "folder", "many", "ordered")}),
    "Note": ({"title": STRING, "body": STRING, "created": DATE, "score": DOUBLE, "pinned": BOOLEAN, "identifier": IDENTIFIER},
             {"folder": ("Folder", "notes"), "attachments": ("Attachment", "note", "many"), "tags": ("Tag", "notes", "many")}),
    "Tag": ({"name": STRING}, {"notes": ("Note", "tags", "many")}),
}
# How many of each there are at scale 1, and how many links the join table has a note, at most.
COUNTS = {"Attachment": 797_000, "Folder": 2_000, "Note": 1_200_000, "Tag": 1_000}
TAGS_EACH = 3

TABLES = """
CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
CREATE TABLE ZATTACHMENT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSIZE INTEGER, ZNOTE INTEGER, ZNAME VARCHAR);
CREATE TABLE ZFOLDER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCREATED TIMESTAMP, ZNAME VARCHAR);
CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPINNED INTEGER, ZFOLDER INTEGER, Z_FOK_FOLDER INTEGER,
  ZCREATED TIMESTAMP, ZSCORE FLOAT, ZBODY VARCHAR, ZTITLE VARCHAR, ZIDENTIFIER BLOB);
CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
CREATE TABLE Z_3TAGS (Z_3NOTES INTEGER, Z_4TAGS INTEGER, PRIMARY KEY (Z_3NOTES, Z_4TAGS));
"""
# As Core Data makes them: one for each way in which it looks for related rows.
INDEXES = """
CREATE INDEX ZATTACHMENT_ZNOTE_INDEX ON ZATTACHMENT (ZNOTE);
CREATE INDEX ZNOTE_ZFOLDER_INDEX ON ZNOTE (ZFOLDER);
CREATE INDEX Z_3TAGS_Z_4TAGS_INDEX ON Z_3TAGS (Z_4TAGS, Z_3NOTES);
"""


def make(path, scale):
    counts = {name: max(10, int(count * scale)) for name, count in COUNTS.items()}
    chance = random.Random(5)
    store = sqlite3.connect(path)
    store.executescript(TABLES)
    store.execute("INSERT INTO Z_METADATA VALUES (1, 'A0B1', ?)", (plistlib.dumps({"NSStoreType": "SQLite"}, fmt=plistlib.FMT_BINARY),))
    store.execute("INSERT INTO Z_MODELCACHE VALUES (?)", (model_cache(ENTITIES),))
    for number, (name, count) in enumerate(counts.items(), 1):
        store.execute("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, 0, ?)", (number, name, count))
    fill(store, counts, chance)
    store.executescript(INDEXES)
    store.commit()
    store.close()


def fill(store, counts, chance):
    folders, notes, tags = counts["Folder"], counts["Note"], counts["Tag"]
    store.executemany("INSERT INTO ZATTACHMENT VALUES (?, 1, 1, ?, ?, ?)",
                      ((n, n * 37, n * 7 % notes + 1, f"file {n}.pdf") for n in range(1, counts["Attachment"] + 1)))
    store.executemany("INSERT INTO ZFOLDER VALUES (?, 2, 1, ?, ?)", ((n, 6e8 + n, f"Folder {n}") for n in range(1, folders + 1)))
    store.executemany("INSERT INTO ZTAG VALUES (?, 4, 1, ?)", ((n, f"tag {n}") for n in range(1, tags + 1)))
    store.executemany(
        "INSERT INTO ZNOTE VALUES (?, 3, 1, ?, ?, ?, ?, ?, ?, ?, ?)",
        ((n, n % 2, n % folders + 1 if n % 9 else None, (n * 7919 % notes) * 1024, 7e8 + n / 3, n / 7, prose(chance, 12), f"Note {n}",
          chance.randbytes(16)) for n in range(1, notes + 1)))
    store.executemany("INSERT INTO Z_3TAGS VALUES (?, ?)", ((n, (n + k * 17) % tags + 1) for n in range(1, notes + 1)
                                                             for k in range(n % (min(TAGS_EACH, tags) + 1))))


def check(store, found):
    """Counts, and the links of the first and the last, against SQL."""
    database = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    column = lambda sql, *values: [row[0] for row in database.execute(sql, values)]
    expect({name: rows[0] for name, rows in found.items()}, {name: column(f"SELECT count(*) FROM Z{name}")[0] for name in ENTITIES}, "rows")
    links = {
        "Folder": {"notes": "SELECT 'Note/' || Z_PK FROM ZNOTE WHERE ZFOLDER = ? ORDER BY Z_FOK_FOLDER, Z_PK"},
        "Tag": {"notes": "SELECT 'Note/' || Z_3NOTES FROM Z_3TAGS WHERE Z_4TAGS = ? ORDER BY Z_3NOTES"},
        "Note": {"tags": "SELECT 'Tag/' || Z_4TAGS FROM Z_3TAGS WHERE Z_3NOTES = ? ORDER BY Z_4TAGS",
                 "attachments": "SELECT 'Attachment/' || Z_PK FROM ZATTACHMENT WHERE ZNOTE = ? ORDER BY Z_PK"},
    }
    for entity, ways in links.items():
        for row in found[entity][1:]:
            for way, sql in ways.items():
                expect(row[way], column(sql, int(row["id"].split("/")[1])), f"{way} of {row['id']}")
    database.close()


def bench(run):
    """Exports a store whole: every row with its relationships."""
    store = run.made("coredata.sqlite", make)
    exports = run.exports("--records $IN")
    found = exported(exports["export"], run.folder, IN=str(store))
    check(store, found)
    tables = ["ZATTACHMENT", "ZFOLDER", "ZNOTE", "ZTAG", "Z_3TAGS"]
    lines = {name: line for name, line in packed(tables).items() if name.startswith(("zip", "-json"))} | exports
    title = f"coredata: {sum(rows[0] for rows in found.values())} rows of {len(found)} entities, {store.stat().st_size / 1e6:.0f} MB"
    compare(title, lines, run.folder, run.rounds, "export", IN=str(store))
