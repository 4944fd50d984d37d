"""Collections of which the pages show a part only: the rest is read from the data file."""
import datetime
import os
import pathlib
import time

from checking import case, expect, expect_same
from reading import quiet

FILE = "data/records/Log/events.json"
SHOWN = 20_000
STATUS = "document.querySelector('#pick [role=status]').textContent"
ROWS = "[...document.querySelectorAll('#pick tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))"
IDLE = "document.querySelector('#pick progress').hidden"


def memory(browser):
    """MiB of all the browser's processes, what they share counted once, and of the page's own, the largest of its kind."""
    everything, pages = 0, [0]
    for process in pathlib.Path("/proc").iterdir():
        try:
            if not process.name.isdigit() or os.getpgid(int(process.name)) != browser.process.pid:
                continue
            size = int(next(line for line in (process / "smaps_rollup").read_text().splitlines() if line.startswith("Pss:")).split()[1]) / 1024
            everything += size
            if b"--type=renderer" in (process / "cmdline").read_bytes():
                pages.append(size)
        except (OSError, StopIteration):
            continue  # it has just ended
    return everything, max(pages)


def look_for(page, words):
    page.run(f"document.querySelector('#pick-query').value = {words!r}")
    page.click("#pick form.find button.main")


def spoken(moment):
    """A moment as the English pages say it."""
    when = datetime.datetime.fromisoformat(moment.replace("Z", "+00:00"))
    return f"{when.day} {when:%B %Y, %H:%M}"


@case("rows that the pages don't show are listed, searched and gone to in the data file")
def picking(shop):
    bag = shop.bag("long")
    rows = bag.rows(FILE)
    pages = bag.collection(FILE)
    expect_same(sum(1 for name in pages for i in bag.markup(name).ids if i.startswith("r") and i[1:].isdigit()), SHOWN, "rows on the pages")
    page = shop.browser.page().go(bag / pages[0])
    text = page.run("document.querySelector('main').innerText")
    for words in ("20,000", "20,300", FILE):
        expect(words in text, f"the page says {words}")
    page.choose("#pick-file", bag / "datapackage.json")
    page.until("document.querySelector('#pick-hint').textContent.includes('no data file')")
    page.choose("#pick-file", bag / FILE)
    page.until(f"{ROWS}.length === 50")
    found = page.run(ROWS)
    expect_same([row[0] for row in found], [str(n) for n in range(SHOWN + 1, SHOWN + 51)], "the rows after those shown")
    columns = [key for key, _ in bag.data(pages[0])["columns"]]
    expect_same(found[0][1 + columns.index("big")], str(rows[SHOWN]["big"]), "a number that a script would round")
    expect_same(found[0][1 + columns.index("what")], rows[SHOWN]["what"], "a text")
    moment = rows[SHOWN]["at"]
    expect_same(page.run("[...document.querySelectorAll('#pick tbody time')][0].title"), moment, "the exact moment")
    expect_same(page.run("[...document.querySelectorAll('#pick tbody time')][0].textContent"), spoken(moment), "a date in words")
    page.click("#pick > div > .tools:last-child button", 1)
    page.until(f"{ROWS}[0][0] === '{SHOWN + 51}'")
    page.click("#pick > div > .tools:last-child button", 0)
    page.until(f"{ROWS}[0][0] === '{SHOWN + 1}'")
    for query, expected in (("needle5000", [5000]), ("NEEDLE", [5000, 15000, 20299]), ("cafe train naive strasse", []), ("what", []), (f"{rows[9]['big']}", [10])):
        look_for(page, query)
        page.until(f"{IDLE} && /found/.test({STATUS})")
        expect_same([int(row[0]) for row in page.run(ROWS)], expected, f"rows with {query}")
    look_for(page, "cafe")
    page.until(f"{IDLE} && {ROWS}.length === 50")
    expect_same([int(row[0]) for row in page.run(ROWS)], [n for n, row in enumerate(rows, 1) if "café" in row["what"]][:50], "rows with an accent that was not typed")
    page.run("document.querySelector('#pick-row').value = 777; document.querySelector('#pick-row').form.requestSubmit()")
    page.until(f"{ROWS}[0][0] === '777'")
    quiet(page, bag)
    page.close()


@case("a million rows: the pages keep to their budget, and the data file is searched within a second and 500 MB", large=True)
def million(shop):
    bag = shop.bag("huge")
    size = sum(path.stat().st_size for path in [bag / "index.html", *(bag / "view").rglob("*.*")])
    index = sum((bag / name).stat().st_size for name in bag.shards)
    data = (bag / FILE).stat().st_size
    expect(data > 300e6, f"the data file has {data} bytes")
    expect(size - index < 50e6 and index < 12e6, f"the pages have {size - index} bytes, the index {index}")
    page = shop.browser.page().go(bag / bag.collection(FILE)[0])
    before, _ = memory(shop.browser)
    page.choose("#pick-file", bag / FILE)
    page.until(f"{ROWS}.length === 50")
    most = most_of_page = 0
    for query, rows in (("needle", 101), ("lagos invoice", 2000), ("what", 0)):
        start, first = time.monotonic(), None
        look_for(page, query)
        while True:
            # The list is emptied as a search begins.
            if first is None and page.run(f"/found/.test({STATUS}) && {ROWS}.length > 0"):
                first = time.monotonic() - start
            everything, of_page = memory(shop.browser)
            most, most_of_page = max(most, everything), max(most_of_page, of_page)
            if page.run(IDLE):
                first = first or time.monotonic() - start
                break
            page.browser.listen(0.05)
        said = page.run(STATUS)
        print(f"    {query}: first after {first:.2f} s, all after {time.monotonic() - start:.1f} s; {said}")
        expect(rows == 0 or first < 1, f"the first row with {query} came after {first} s")
        expect(f"{rows:,}" in said, f"{query}: {said}")
    print(f"    {data / 1e6:.0f} MB of data, {size / 1e6:.1f} MB of pages; the page's process had {most_of_page:.0f} MiB at most, all processes {most:.0f} MiB, {before:.0f} before")
    expect(most_of_page < 500, f"the page took {most_of_page} MiB")
    expect(most - before < 250, f"the browser grew by {most - before} MiB")
    # Stopping stops.
    look_for(page, "needle")
    page.click("#pick .tools button:not([hidden])", page.run("[...document.querySelectorAll('#pick .tools button:not([hidden])')].findIndex((button) => button.textContent === 'Stop')"))
    page.until(f"{IDLE} && {STATUS}.includes('Stopped')", 5)
    quiet(page, bag)
    page.close()
