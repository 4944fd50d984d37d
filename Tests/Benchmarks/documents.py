"""Accounts of documents of one kind each, packed by the programs that people make ZIPs with."""
import json
import random
import sys

from measuring import compare
from words import prose


def photos(folder, scale):
    """Media: what no one can make smaller, under the beginnings of JPEG files."""
    chance = random.Random(1)
    for number in range(max(2, int(24 * scale))):
        size = int(4_000_000 * (0.5 + chance.random()))
        content = b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01" + chance.randbytes(size) + b"\xff\xd9"
        (folder / f"IMG_{number:04}.jpg").write_bytes(content)


def texts(folder, scale):
    """Some large texts and exports of other programs: what does get smaller."""
    chance = random.Random(2)
    for number in range(max(2, int(12 * scale))):
        lines = (json.dumps({"id": line, "at": f"2026-{line % 12 + 1:02}-01T08:00:00Z", "text": prose(chance, 12)}) for line in range(24_000))
        (folder / f"messages-{number}.ndjson").write_text("\n".join(lines))


def small(folder, scale):
    """Many small files in many folders."""
    chance = random.Random(3)
    for number in range(int(20_000 * scale)):
        parent = folder / f"{number // 500:03}"
        if number % 500 == 0:
            parent.mkdir()
        (parent / f"note {number}.md").write_text(f"# Note {number}\n\n{prose(chance, chance.randint(5, 60))}\n")


def mixed(folder, scale):
    """An account as a whole, 510 MB at scale 1: 297 MB of large texts, 180 MB of media, 50,000 small files."""
    for name, make, share in (("Photos", photos, 45 / 24), ("Texts", texts, 9.2), ("Notes", small, 2.5)):
        (folder / name).mkdir()
        make(folder / name, scale * share)


KINDS = {"photos": photos, "texts": texts, "small": small, "mixed": mixed}


def programs(run):
    """How each program packs a folder: its name, and a shell command over $IN and $OUT."""
    return {
        "zip -6": "cd $IN && zip -q -6 -r $OUT .",
        "zip -1": "cd $IN && zip -q -1 -r $OUT .",
        "7z -mx1": "cd $IN && 7z a -bso0 -bsp0 -tzip -mx1 -mmt2 $OUT .",
        "bsdtar": "bsdtar -a -cf $OUT -C $IN .",
        "zipfile": f"cd $IN && {sys.executable} -m zipfile -c $OUT *",
    } | run.exports("--documents $IN")


def bench(run, kind):
    """Packs a folder of one kind of document."""
    def make(folder, scale):
        folder.mkdir()
        KINDS[kind](folder, scale)

    folder = run.made(kind, make)
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    title = f"{kind}: {len(sizes)} files, {sum(sizes) / 1e6:.1f} MB"
    compare(title, programs(run), run.folder, run.rounds, "export", IN=str(folder))
