"""The notes of a made-up person, as a SQLite store."""
import random
import sqlite3
from pathlib import Path

SCHEMA = """
CREATE TABLE account(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, password_hash TEXT NOT NULL, session_token TEXT,
  joined TEXT NOT NULL, storage_limit INTEGER NOT NULL);
CREATE TABLE folders(
  id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES folders(id), name TEXT NOT NULL, created TEXT NOT NULL);
CREATE TABLE tags(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, color TEXT);
CREATE TABLE notes(
  id INTEGER PRIMARY KEY, folder_id INTEGER NOT NULL REFERENCES folders(id), title TEXT NOT NULL, body TEXT NOT NULL,
  created TEXT NOT NULL, modified REAL NOT NULL, pinned INTEGER NOT NULL DEFAULT 0, latitude REAL, longitude REAL,
  length INTEGER GENERATED ALWAYS AS (length(body)) STORED);
CREATE TABLE note_tags(
  note_id INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE, tag_id INTEGER NOT NULL REFERENCES tags(id),
  PRIMARY KEY (note_id, tag_id)) WITHOUT ROWID;
CREATE TABLE attachments(
  id INTEGER PRIMARY KEY, note_id INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE, file_name TEXT NOT NULL,
  media_type TEXT NOT NULL, content BLOB NOT NULL);
CREATE TABLE reminders(note_id INTEGER PRIMARY KEY REFERENCES notes(id), due TEXT NOT NULL, repeats TEXT);
CREATE TABLE drafts(id INTEGER PRIMARY KEY, body TEXT);
CREATE INDEX notes_by_folder ON notes(folder_id, created);
CREATE VIEW recent_notes AS SELECT id, title, created FROM notes ORDER BY created DESC LIMIT 20;
CREATE VIRTUAL TABLE notes_search USING fts5(title, body, content='notes', content_rowid='id');
"""

FOLDERS = [(1, None, "Notes"), (2, 1, "Cooking"), (3, 1, "Work"), (4, 3, "Q1 planning"), (5, 1, "Travel ✈️"), (6, 1, "日記"), (7, 1, "Àwọn orin"),
           (8, 1, "Empty one")]
TAGS = ["recipe", "idea", "family", "urgent", "to read", "Lagos", "日本語", "שירים", "émotions", "🎸"]
COLORS = ["#c0392b", "#2980b9", None, "#27ae60"]

SUBJECTS = ["Jollof rice for twelve", "Call Adaeze back", "Reading list", "Standup", "Packing list", "What the dentist said", "Birthday of Chidi",
            "Bus times", "Ideas for the kitchen", "A dream", "Measurements", "Guitar chords", "Budget", "Garden, week by week", "Quotes",
            "東京の宿", "Письмо бабушке", "رسالة إلى ليلى", "Übungen für morgen", "מתכון לחלה", "वाराणसी की यात्रा", "한국어 연습", "Ευρετήριο", "รายการซื้อของ"]
SENTENCES = [
    "Soak the rice for half an hour, then rinse until the water runs clear.", "Ask whether the train still stops at Ibadan.",
    "Two cups, not three; three was too much last time.", "She said she would write on Tuesday, and she did.",
    "Ọ bụ ụtụtụ ọma.", "Ẹ kú àárọ̀, báwo ni?", "Die Rechnung über 1.299,50 € ist bezahlt.", "L’été dernier, à Nîmes, il faisait 38 °C.",
    "明日は雨が降るそうです。", "今天的会议改到下午三点。", "Завтра в десять у входа.", "موعدنا يوم الخميس إن شاء الله.", "נתראה בשבת אצל סבתא.",
    "कल सुबह जल्दी उठना है।", "오늘은 날씨가 참 좋다.", "พรุ่งนี้ต้องโทรหาแม่", "Τα μήλα είναι στο ψυγείο.", "Mẹ nhắn mua thêm nước mắm.",
    "👩🏾‍🍳 with 🍅🌶️🧅, then 20 min. on low heat.", "🇳🇬 → 🇯🇵, 14 h 25 min, seat 32K", "if (a < b && c > \"d\") { return '\\\\'; }",
    "<b>not bold</b> &amp; not a link: https://example.com/?q=1&r=%20", "Tab\there, and a line\nbreak; e\u0301 is not é, though it looks so.",
    "√2 ≈ 1.41421356, ½ + ⅓ = ⅚, ∞ ≠ ℵ₀", "Right to left: \u202eabc\u202c, and back.", "Null is \u2400, and the end is near\u2026",
]


def sentences(dice: random.Random, count: int) -> str:
    return " ".join(pick(dice, SENTENCES) for _ in range(count))


def pick(dice: random.Random, things: list):
    """Only `random()` gives the same numbers in every Python."""
    return things[int(dice.random() * len(things))]


def day(number: int) -> str:
    """A moment, counted from the start of 2024."""
    month, date = divmod(number % 336, 28)
    return f"{2024 + number // 336}-{month + 1:02}-{date + 1:02}T{number % 24:02}:{number * 7 % 60:02}:{number * 13 % 60:02}Z"


def notes(dice: random.Random) -> list[tuple]:
    rows = []
    for number in range(1, 321):
        title, body = pick(dice, SUBJECTS), sentences(dice, 1 + int(dice.random() ** 3 * 12))
        if number % 40 == 0:
            title, body = f"Diary {number // 40}", "\n\n".join(sentences(dice, 12) for _ in range(60 if number == 160 else 6))
        place = (round(6 + dice.random(), 6), round(3 + dice.random(), 6)) if number % 3 == 0 else (None, None)
        moment = 1704067200 + number * 216000 + number % 1000 / 1000
        rows.append((number, 1 + int(dice.random() * 7), title, body, day(number), moment, int(number % 17 == 0), *place))
    return rows


def attachments(dice: random.Random, pictures: dict[str, bytes]) -> list[tuple]:
    rows = [(1, 3, "door-code.bin", "application/octet-stream", bytes(range(256))), (2, 5, "empty.txt", "text/plain", b"")]
    rows += [(number, number * 7, name, "image/png" if name.endswith("png") else "image/jpeg", content)
             for number, (name, content) in enumerate(sorted(pictures.items()), 3)]
    scan = bytes(int(dice.random() * 256) for _ in range(20_000))
    return rows + [(9, 12, "scan-of-lease.raw", "application/octet-stream", scan), (10, 12, "at the limit.raw", "application/octet-stream", scan[:4096]),
                   (11, 12, "above the limit.raw", "application/octet-stream", scan[:4097])]


def write_store(path: Path, pictures: dict[str, bytes]) -> None:
    """Writes the store at a path where nothing is."""
    dice = random.Random(20240201)
    store = sqlite3.connect(path)
    store.executescript("PRAGMA page_size = 4096; PRAGMA journal_mode = DELETE;" + SCHEMA)
    store.execute("INSERT INTO account VALUES (42, 'Mira Okafor', 'mira@example.com', ?, ?, '2024-01-01T09:00:00Z', 5368709120)",
                  ("$2b$12$abcdefghijklmnopqrstuuMiraOkaforIsMadeUpSoIsThisHashxx", "st_made_up_2f6c1d0a9b"))
    store.executemany("INSERT INTO folders VALUES (?, ?, ?, ?)", [(*folder, day(folder[0])) for folder in FOLDERS])
    store.executemany("INSERT INTO tags VALUES (?, ?, ?)", [(n, name, COLORS[n % 4]) for n, name in enumerate(TAGS, 1)])
    rows = notes(dice)
    store.executemany("INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    store.execute("INSERT INTO notes VALUES (9000000000, 3, 'Imported', CAST(x'4e6f7465206465207469746965206166e9' AS TEXT), '2019-06-01', 1e12, 0, NULL, NULL)")
    store.executemany("INSERT OR IGNORE INTO note_tags VALUES (?, ?)",
                      [(row[0], 1 + int(dice.random() * len(TAGS))) for row in rows for _ in range(int(dice.random() * 4))])
    store.executemany("INSERT INTO attachments VALUES (?, ?, ?, ?, ?)", attachments(dice, pictures))
    store.executemany("INSERT INTO reminders VALUES (?, ?, ?)", [(n, day(700 + n), pick(dice, [None, "weekly", "yearly"])) for n in range(5, 300, 11)])
    store.execute("INSERT INTO notes_search(notes_search) VALUES ('rebuild')")
    store.commit()
    store.execute("VACUUM")
    store.close()


def contents(path: Path) -> dict[str, list]:
    """What a store holds, whatever version of SQLite wrote it: its schema, and the rows of its tables but for the search index's own."""
    store = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    store.text_factory = bytes
    found = {"": store.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT GLOB 'notes_search_*' ORDER BY 1, 2").fetchall()}
    for kind, name, _, _ in found[""]:
        if kind == b"table" and name != b"notes_search":
            found[name.decode()] = store.execute(f'SELECT * FROM "{name.decode()}" ORDER BY 1, 2').fetchall()
    store.close()
    return found
