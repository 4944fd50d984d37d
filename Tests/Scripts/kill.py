#!/usr/bin/env python3
"""Kills exports at moments that chance decides: what stands at the output's path is the old file, nothing, or a whole bundle, and after
the next start nothing is left anywhere else.

kill.py [--times N] [--seed N] [--hits N] COMMAND
"""
import argparse
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "TestSupport"))
sys.dont_write_bytecode = True
import check_bundle  # noqa: E402

PHASES = ("collecting", "writing", "verifying", "publishing")


def make_account(folder, chance):
    """A small account that keeps every phase busy for a while."""
    (folder / "documents").mkdir(parents=True)
    for number in range(40):
        (folder / "documents" / f"{number}.bin").write_bytes(chance.randbytes(100_000))
    store = sqlite3.connect(folder / "store.sqlite")
    store.execute("CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)")
    store.executemany("INSERT INTO note (text) VALUES (?)", ((chance.randbytes(60).hex(),) for _ in range(20_000)))
    store.commit()
    store.close()


class Export:
    """A running export, and the phase that its progress says it is in."""

    def __init__(self, arguments, sources):
        self.entered = {"collecting": time.monotonic()}
        self.phase = "collecting"
        self.waiting = threading.Condition()
        self.sources = sources
        self.said = []
        self.process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        finished = 0
        for line in self.process.stderr:
            self.said.append(line)
            event = json.loads(line) if line.startswith("{") else {}
            finished += event.get("event") == "source" and event["state"] != "started"
            if event.get("event") == "source" and finished == self.sources:
                self.enter("writing")
            elif event.get("event") in ("verifying", "publishing"):
                self.enter(event["event"])
        self.enter("ended")

    def enter(self, phase):
        with self.waiting:
            self.phase = phase
            self.entered.setdefault(phase, time.monotonic())
            self.waiting.notify_all()

    def wait_for(self, phase):
        with self.waiting:
            self.waiting.wait_for(lambda: phase in self.entered or "ended" in self.entered)

    def kill(self):
        """Kills it; the phase that it was hit in, or None where it had ended."""
        self.process.send_signal(signal.SIGKILL)
        status = self.process.wait()
        self.reader.join()
        phases = [phase for phase in PHASES if phase in self.entered]
        return phases[-1] if status == -signal.SIGKILL else None

    def finish(self):
        status = self.process.wait()
        self.reader.join()
        if status != 0:
            sys.exit(f"kill: an export that nobody killed ended with {status}: {self.said}")
        times = [self.entered[phase] for phase in (*PHASES, "ended")]
        return {phase: end - begin for phase, begin, end in zip(PHASES, times, times[1:])}


class Trial:
    def __init__(self, command, folder, chance):
        self.command, self.chance, self.folder = command, chance, folder
        self.account, self.out = folder / "account", folder / "out"
        self.out.mkdir()
        make_account(self.account, chance)
        (folder / "small.json").write_text('{"note": "small"}')
        self.target = self.out / "data.zip"
        self.arguments = [
            command, "--out", self.target, "--force", "--progress", "json", "--documents", self.account / "documents",
            "--records", self.account / "store.sqlite",
        ]
        self.found = Counter()
        self.lengths = Export(self.arguments, sources=2).finish()
        self.old = self.target.read_bytes()

    def round(self, phase):
        """One export that is killed in a phase, as far as chance lets it."""
        has_old = self.chance.random() < 0.5
        if has_old:
            self.target.write_bytes(self.old)
        elif self.target.exists():
            self.target.unlink()
        export = Export(self.arguments, sources=2)
        export.wait_for(phase)
        time.sleep(self.chance.random() * self.lengths[phase])
        hit = export.kill()
        self.found[self.check(has_old)] += 1
        self.next_start()
        return hit

    def check(self, has_old):
        """What stands at the output's path."""
        if not self.target.exists():
            if has_old:
                sys.exit("kill: a killed export took the old file away")
            return "nothing"
        if has_old and self.target.read_bytes() == self.old:
            return "the old file"
        if problems := check_bundle.problems(self.target):
            sys.exit(f"kill: a killed export left a bundle that is not whole: {problems[:3]}")
        return "a whole bundle"

    def next_start(self):
        other = self.out / "other.zip"
        status = subprocess.run([self.command, "--out", other, "--preferences", self.folder / "small.json", "--quiet"]).returncode
        if status != 0:
            sys.exit(f"kill: the next export ended with {status}")
        other.unlink()
        if left := sorted(set(os.listdir(self.out)) - {"data.zip"}):
            sys.exit(f"kill: after the next start something is left: {left}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=32)
    parser.add_argument("--hits", type=int, default=1, help="at least so many kills in each phase")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("command", type=Path)
    arguments = parser.parse_args()
    print(f"kill: seed {arguments.seed}", flush=True)
    hits = Counter()
    with tempfile.TemporaryDirectory(dir=".") as folder:
        trial = Trial(arguments.command.resolve(), Path(folder), random.Random(arguments.seed))
        rounds = 0
        # A phase may be over before the signal comes, so that some rounds miss; they are not counted.
        while sum(hits.values()) < arguments.times or min(hits[phase] for phase in PHASES) < arguments.hits:
            fewest = min(PHASES, key=lambda phase: hits[phase])
            if hit := trial.round(fewest):
                hits[hit] += 1
            rounds += 1
            if rounds > 20 * arguments.times + 200:
                sys.exit(f"kill: too few hits in {rounds} rounds: {dict(hits)}")
    print(f"kill: {sum(hits.values())} exports killed in {rounds} rounds:", ", ".join(f"{hits[phase]} {phase}" for phase in PHASES))
    print("kill: left at the output's path:", ", ".join(f"{count} times {what}" for what, count in sorted(trial.found.items())))


if __name__ == "__main__":
    main()
