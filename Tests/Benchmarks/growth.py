"""What an export costs as its account grows: ten times as much must take ten times as long, and no more memory, but for 400 bytes a file."""
import sqlite3
import statistics
import subprocess
import time

from measuring import measure

# Of rows and of files, at scale 1.
ROWS = (20_000, 200_000, 2_000_000)
FILES = (10_000, 100_000, 1_000_000)


def table(title, counts, lines, run, per_item):
    """Measures a line for each count: seconds and memory, each beside those of a tenth of it."""
    print(f"\n{title}\n{'items':>10} {'seconds':>8} {'x':>6} {'CPU s':>7} {'x':>6} {'peak MB':>8} {per_item:>14}")
    before = None
    for count, line in zip(counts, lines):
        runs = [measure(line, run.folder, {}) for _ in range(run.rounds)]
        seconds, cpu, peak, _ = (statistics.median(column) for column in zip(*runs))
        first = before is None
        ratios = ("", "", "") if first else (f"{seconds / before[0]:.1f}", f"{cpu / before[1]:.1f}",
                                             f"{(peak - before[2]) * (1 << 20) / (count - before[3]):.0f}")
        print(f"{count:>10} {seconds:8.2f} {ratios[0]:>6} {cpu:7.2f} {ratios[1]:>6} {peak:8.1f} {ratios[2]:>14}", flush=True)
        before = (seconds, cpu, peak, count)


def rows(run):
    """Rows of one table."""
    counts = [int(count * run.scale) for count in ROWS]
    stores = [run.made(f"rows-{count}.sqlite", lambda path, _, count=count: make_rows(path, count)) for count in counts]
    lines = [f"{run.command} --quiet --out $OUT --records {store}" for store in stores]
    table("growth-rows: SQLite", counts, lines, run, "bytes a row")


def make_rows(path, count):
    store = sqlite3.connect(path)
    store.execute("PRAGMA synchronous = OFF")
    store.execute("CREATE TABLE message (id INTEGER PRIMARY KEY, at TEXT, score REAL, body TEXT)")
    store.executemany("INSERT INTO message VALUES (?, ?, ?, ?)",
                      ((n, f"2026-{n % 12 + 1:02}-01T08:00:00Z", n / 7, f"message {n * 7919 % 104729} of the day") for n in range(count)))
    store.commit()
    store.close()


def files(run):
    """Small files, a thousand in each folder."""
    counts = [int(count * run.scale) for count in FILES]
    folders = [run.made(f"files-{count}", lambda path, _, count=count: make_files(path, count)) for count in counts]
    lines = [f"{run.command} --quiet --out $OUT --documents {folder}" for folder in folders]
    table("growth-files: documents", counts, lines, run, "bytes a file")


def make_files(path, count):
    path.mkdir()
    for number in range(count):
        folder = path / f"{number // 1000:04}"
        if number % 1000 == 0:
            folder.mkdir()
        (folder / f"note {number}.txt").write_bytes(b"note %d\n" % number)


def start_up(run):
    """How long it takes until the program has said its version."""
    times = []
    for _ in range(40):
        begun = time.perf_counter()
        subprocess.run([run.command, "--version"], check=True, capture_output=True)
        times.append(time.perf_counter() - begun)
    print(f"\nstart-up: 40 runs of --version, median {statistics.median(times) * 1000:.1f} ms, most {max(times) * 1000:.1f} ms")
