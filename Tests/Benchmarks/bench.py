#!/usr/bin/env python3
"""Measures exports against the programs that people make the same with, on the same inputs, in the same run, one after another in rounds.

bench.py COMMAND [--scale X] [--rounds N] [--level N] [--only NAME…]

For each input and program: the medians of the rounds in seconds, elapsed and of all cores, each also as how many times as long as an export took
(one person's rows: as queries written by hand); the size of what comes out and the most memory. A server's CPU and memory aren't in these figures, only those of its clients.
An export also hashes, writes a manifest and reads all of it back; the others only pack. A bench ends where what it measures is wrong; of times nothing passes
or fails.
"""
import argparse
import functools
import pathlib
import signal
import sys

import coredata
import documents
import growth
import large_values
import postgres_rows
import records
import subject
from measuring import Run

ROOT = pathlib.Path(__file__).resolve().parents[2]
BENCHES = {kind: functools.partial(documents.bench, kind=kind) for kind in documents.KINDS} | {
    "records": records.bench,
    "coredata": coredata.bench,
    "postgres": postgres_rows.bench,
    "subject-sqlite": subject.sqlite,
    "subject-postgres": subject.postgres,
    "large-values": large_values.bench,
    "growth-rows": growth.rows,
    "growth-files": growth.files,
    "start-up": growth.start_up,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--level", type=int, default=6)
    parser.add_argument("--only", nargs="+", choices=BENCHES)
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / ".build/bench", help="where the inputs are made, and kept")
    parser.add_argument("command", type=pathlib.Path)
    arguments = parser.parse_args()
    # So that a server that was started goes with the bench.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("bench: ended"))
    folder = arguments.folder.resolve() / f"scale-{arguments.scale:g}"
    run = Run(arguments.command.resolve(), arguments.scale, arguments.rounds, arguments.level, folder)
    print(f"bench: scale {run.scale:g}, {run.rounds} rounds, medians; 'export' is as fast as it is by itself")
    for name in arguments.only or BENCHES:
        BENCHES[name](run)


if __name__ == "__main__":
    main()
