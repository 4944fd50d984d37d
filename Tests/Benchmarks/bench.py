#!/usr/bin/env python3
"""Measures exports against the programs that people make ZIPs with, on the same inputs, in the same run, one after another in rounds.

bench.py [--scale X] [--rounds N] [--only NAME…] [--level N] COMMAND

For each input and program: the medians of the rounds in seconds, elapsed and of all cores, each also as how many times as long as `zip -6`; the size of
what comes out and the most memory. An export also hashes, writes a manifest and reads all of it back; the others only pack. Nothing here passes or fails.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys
import tempfile

import inputs

ROOT = pathlib.Path(__file__).resolve().parents[2]


def programs(command, level):
    """How each program packs a folder: its name, and a shell command over $IN and $OUT."""
    return {
        "zip -6": "cd $IN && zip -q -6 -r $OUT .",
        "zip -1": "cd $IN && zip -q -1 -r $OUT .",
        "7z -mx1": "cd $IN && 7z a -bso0 -bsp0 -tzip -mx1 $OUT .",
        "bsdtar": "bsdtar -a -cf $OUT -C $IN .",
        "zipfile": f"cd $IN && {sys.executable} -m zipfile -c $OUT *",
        "export": f"{command} --quiet --out $OUT --documents $IN",
        f"export -{level}": f"{command} --quiet --out $OUT --documents $IN --level {level}",
    }


def record_programs(command, level):
    """How each program packs the records of a store."""
    dump = "for t in person message; do sqlite3 -json $IN \"SELECT * FROM $t\" > $DIR/$t.json; done && cd $DIR"
    stream = "(for t in person message; do sqlite3 -json $IN \"SELECT * FROM $t\"; done) | zip -q"
    return {
        "zip -6": f"{stream} -6 $OUT -",
        "zip -1": f"{stream} -1 $OUT -",
        "7z -mx1": f"{dump} && 7z a -bso0 -bsp0 -tzip -mx1 $OUT person.json message.json",
        "export": f"{command} --quiet --out $OUT --records $IN",
        f"export -{level}": f"{command} --quiet --out $OUT --records $IN --level {level}",
    }


def measure(line, source, folder):
    """Seconds, peak memory in MB and bytes of output of one run. Memory is that of the largest process of the pipe."""
    with tempfile.TemporaryDirectory(dir=folder) as own:
        out = pathlib.Path(own, "out.zip")
        environment = {"IN": str(source), "OUT": str(out), "DIR": own, "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
        told = pathlib.Path(own, "time")
        ran = subprocess.run(["/usr/bin/time", "-f", "%e %U %S %M", "-o", told, "/bin/sh", "-c", line], env=environment, capture_output=True)
        if ran.returncode != 0:
            sys.exit(f"bench: {line}: exit {ran.returncode}: {ran.stderr.decode()}")
        seconds, user, system, peak = map(float, told.read_text().split())
        return seconds, user + system, peak / 1024, out.stat().st_size


def compare(name, lines, source, folder, rounds):
    """Runs all programs in turn, so many times, and prints a table."""
    found = {program: [] for program in lines}
    for line in lines.values():  # so that everybody finds the input in memory
        measure(line, source, folder)
    for turn in range(rounds):
        order = list(lines) if turn % 2 == 0 else list(reversed(lines))
        for program in order:
            found[program].append(measure(lines[program], source, folder))
    medians = {program: [statistics.median(column) for column in zip(*runs)] for program, runs in found.items()}
    base, base_cpu = medians["zip -6"][:2]
    print(f"\n{name}\n{'program':<10} {'seconds':>8} {'x zip -6':>8} {'CPU s':>7} {'x zip -6':>8} {'out MB':>8} {'peak MB':>8}")
    for program, (seconds, cpu, peak, size) in medians.items():
        ratio, cpu_ratio = seconds / base, cpu / max(base_cpu, 0.01)
        print(f"{program:<10} {seconds:8.2f} {ratio:8.2f} {cpu:7.2f} {cpu_ratio:8.2f} {size / 1e6:8.1f} {peak:8.1f}", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--level", type=int, default=6)
    parser.add_argument("--only", nargs="+", choices=[*inputs.DOCUMENTS, "records"])
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / ".build/bench", help="where the inputs are made, and kept")
    parser.add_argument("command", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = arguments.folder / f"scale-{arguments.scale:g}"
    inputs.make(folder, arguments.scale)
    command = arguments.command.resolve()
    print(f"bench: scale {arguments.scale:g}, {arguments.rounds} rounds, medians; 'export' is as fast as it is by itself")
    for name in arguments.only or [*inputs.DOCUMENTS, "records"]:
        if name == "records":
            compare(name, record_programs(command, arguments.level), folder / "records.sqlite", folder, arguments.rounds)
        else:
            size = sum(path.stat().st_size for path in (folder / name).rglob("*") if path.is_file())
            title = f"{name}: {sum(1 for path in (folder / name).rglob('*') if path.is_file())} files, {size / 1e6:.1f} MB"
            compare(title, programs(command, arguments.level), folder / name, folder, arguments.rounds)


if __name__ == "__main__":
    main()
