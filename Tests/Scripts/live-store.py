#!/usr/bin/env python3
"""Exports a store again and again while another process commits and checkpoints in it: each bundle must equal one committed state.

live-store.py [--times N] [--seed N] COMMAND
"""
import argparse
import json
import multiprocessing
import random
import sqlite3
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROWS, KEPT = 400, 60


def state(generation):
    """All that the store holds after so many commits: every row of `item` is touched by each, `log` keeps the last ones."""
    items = [{"id": n, "generation": generation, "text": f"{generation}-{n}" * (1 + (generation + n) % 40)} for n in range(ROWS)]
    log = [{"id": n, "note": f"commit {n}"} for n in range(max(1, generation - KEPT + 1), generation + 1)]
    return {"item": items, "log": log}


def commit(store, generation):
    """One transaction, in several statements: no reader may see half of it."""
    store.execute("BEGIN IMMEDIATE")
    for row in state(generation)["item"]:
        store.execute("INSERT OR REPLACE INTO item VALUES (:id, :generation, :text)", row)
    store.execute("INSERT INTO log VALUES (?, ?)", (generation, f"commit {generation}"))
    store.execute("DELETE FROM log WHERE id <= ?", (generation - KEPT,))
    store.execute("COMMIT")


def write(path, mode, seed, stop, commits):
    """Commits and checkpoints until it is told to stop."""
    chance = random.Random(seed)
    store = sqlite3.connect(path, isolation_level=None, timeout=60)
    store.execute(f"PRAGMA journal_mode = {mode}")
    store.execute("PRAGMA wal_autocheckpoint = 0")
    while not stop.is_set():
        with commits.get_lock():
            commit(store, commits.value + 1)
            commits.value += 1
        if chance.random() < 0.3:
            store.execute(f"PRAGMA wal_checkpoint({chance.choice(['PASSIVE', 'FULL', 'RESTART', 'TRUNCATE'])})").fetchall()
    store.close()


def exported(path):
    """The rows in a bundle, by table."""
    with zipfile.ZipFile(path) as bundle:
        names = [name for name in bundle.namelist() if "/data/records/" in name]
        return {name.rsplit("/", 1)[1].removesuffix(".json"): json.loads(bundle.read(name)) for name in names}


def export(command, store, out):
    result = subprocess.run([command, "--out", out, "--records", store, "--force", "--quiet"], capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"live-store: the export ended with {result.returncode}: {result.stderr}")
    found = exported(out)
    generations = {row["generation"] for row in found["item"]}
    generation = min(generations, default=0)
    if len(generations) != 1 or found != state(generation):
        sys.exit(f"live-store: the bundle is no committed state; it holds rows of the commits {sorted(generations)}")
    return generation


def run(command, times, seed, mode):
    with tempfile.TemporaryDirectory() as folder:
        store, out = Path(folder, "live.sqlite"), Path(folder, "data.zip")
        connection = sqlite3.connect(store, isolation_level=None)
        connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, generation INTEGER NOT NULL, text TEXT NOT NULL)")
        connection.execute("CREATE TABLE log (id INTEGER PRIMARY KEY, note TEXT NOT NULL)")
        commit(connection, 1)
        connection.close()
        stop, commits = multiprocessing.Event(), multiprocessing.Value("q", 1)
        writer = multiprocessing.Process(target=write, args=(store, mode, seed, stop, commits), daemon=True)
        writer.start()
        seen = [export(command, store, out) for _ in range(times)]
        is_alive = writer.is_alive()
        stop.set()
        writer.join(60)
        left = sorted(entry.name for entry in Path(folder).iterdir() if not entry.name.startswith(("live.sqlite", "data.zip")))
        if left:
            sys.exit(f"live-store: something is left beside the output: {left}")
        if not is_alive or seen != sorted(seen):
            sys.exit(f"live-store: the writer ended early, or an export went back in time: {seen}")
        print(f"live-store: {mode}: {times} exports, {len(set(seen))} states of {commits.value} commits")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=20, help="exports for each journal mode")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("command", type=Path)
    arguments = parser.parse_args()
    print(f"live-store: seed {arguments.seed}")
    for mode in ("WAL", "DELETE"):
        run(arguments.command.resolve(), arguments.times, arguments.seed, mode)


if __name__ == "__main__":
    main()
