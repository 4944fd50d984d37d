"""What every bench shares: the run that is asked for, how one program is measured, and how several are compared."""
import dataclasses
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import zipfile


@dataclasses.dataclass
class Run:
    """What was asked for, and where the inputs are."""
    command: pathlib.Path
    scale: float
    rounds: int
    level: int
    folder: pathlib.Path

    def exports(self, arguments):
        """The lines of the command: as it comes, and at the level that was asked for."""
        line = f"{self.command} --quiet --out $OUT {arguments}"
        return {"export": line, f"export -{self.level}": f"{line} --level {self.level}"}

    def made(self, name, make):
        """An input of this scale, made where it isn't there yet. It gets its name only once it is whole."""
        path = self.folder / name
        if not path.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self.folder) as own:
                unfinished = pathlib.Path(own, name)
                make(unfinished, self.scale)
                unfinished.rename(path)
        return path


def run(line, folder, environment):
    """Runs a line of shell, its output at $OUT, and gives the output's path with the seconds, CPU seconds and most MB of what ran. Memory is that of the
    largest process of the pipe."""
    out, told = pathlib.Path(folder, "out.zip"), pathlib.Path(folder, "time")
    environment = {"OUT": str(out), "DIR": str(folder), "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"} | environment
    ran = subprocess.run(["/usr/bin/time", "-f", "%e %U %S %M", "-o", told, "/bin/sh", "-c", line], env=environment, capture_output=True)
    if ran.returncode != 0:
        sys.exit(f"bench: {line}: exit {ran.returncode}: {ran.stderr.decode()}")
    seconds, user, system, peak = map(float, told.read_text().split())
    return out, (seconds, user + system, peak / 1024)


def measure(line, folder, environment):
    """Seconds, CPU seconds, most MB, and bytes of output of one run."""
    with tempfile.TemporaryDirectory(dir=folder) as own:
        out, figures = run(line, own, environment)
        return *figures, out.stat().st_size if out.exists() else 0


def compare(name, lines, folder, rounds, base, **environment):
    """Runs all lines in turn, so many times, and prints a table of medians, each also as how many times as long as one of them took. Gives the medians."""
    found = {program: [] for program in lines}
    for line in lines.values():  # so that everybody finds the input in memory
        measure(line, folder, environment)
    for turn in range(rounds):
        order = list(lines) if turn % 2 == 0 else list(reversed(lines))
        for program in order:
            found[program].append(measure(lines[program], folder, environment))
    medians = {program: [statistics.median(column) for column in zip(*runs)] for program, runs in found.items()}
    wide = max(10, *map(len, lines))
    print(f"\n{name}\n{'program':<{wide}} {'seconds':>8} {'x ' + base:>8} {'CPU s':>7} {'x ' + base:>8} {'out MB':>8} {'peak MB':>8}")
    for program, (seconds, cpu, peak, size) in medians.items():
        ratio, cpu_ratio = seconds / max(medians[base][0], 0.01), cpu / max(medians[base][1], 0.01)
        print(f"{program:<{wide}} {seconds:8.2f} {ratio:8.2f} {cpu:7.2f} {cpu_ratio:8.2f} {size / 1e6:8.1f} {peak:8.1f}", flush=True)
    return medians


def exported(line, folder, **environment):
    """Runs an export once and gives its collections: how many rows each has by the manifest, checked against the lines of its file, and the first and last
    row. What is measured must not be a wrong bundle."""
    with tempfile.TemporaryDirectory(dir=folder) as own:
        out, _ = run(line, own, environment)
        with zipfile.ZipFile(out) as bundle:
            manifest = json.loads(bundle.read(next(name for name in bundle.namelist() if name.endswith("/datapackage.json"))))
            if manifest["accountExport"]["outcome"] != "complete":
                sys.exit(f"bench: {line}: the bundle is {manifest['accountExport']['outcome']}: {manifest['accountExport']['omissions']}")
            top = bundle.namelist()[0].split("/")[0]
            return {name: rows for name, rows in (collection(bundle, f"{top}/", entry) for entry in bundle.namelist()) if name}


def collection(bundle, top, entry):
    """The name of a collection's entry without folders of the bundle, and its rows' count, first and last; no name where it is another entry."""
    name = entry.removeprefix(f"{top}data/records/")
    if name == entry or not name.endswith(".json") or "/" not in name or name.endswith("/metadata.json"):
        return None, None
    count, first, last = 0, b"[]", b"[]"
    with bundle.open(entry) as lines:
        for line in lines:
            if line.startswith(b"{"):
                count, first, last = count + 1, first if count else line, line
    read = [json.loads(line.rstrip(b",\n")) for line in (first, last)]
    return name.split("/", 1)[1].removesuffix(".json"), (count, *read)


def expect(found, expected, what):
    """Ends the bench where what it measures is wrong."""
    if found != expected:
        sys.exit(f"bench: {what}: found {found}, expected {expected}")
