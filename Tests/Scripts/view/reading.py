"""What a reader does with the pages of the sample account."""
import json
import re
import shutil
import urllib.parse

from checking import case, expect, expect_same

NOTES = "data/records/Notes/notes.json"
TAGS = "data/records/Notes/note_tags.json"
STATUS = "document.querySelector('#search [role=status]').textContent"


def quiet(page, bag):
    """The page asked for nothing outside its folder, and the browser complained of nothing."""
    expect_same(page.complaints, [], "complaints")
    # data: is what the browser draws its own media controls with; the policy of the pages allows none of their own.
    outside = [url for url in page.requests if not url.startswith((bag.folder.as_uri() + "/", "data:image/svg+xml;base64,", "about:"))]
    expect_same(outside, [], "requests outside the folder")


@case("the first page says whose data it is, that it is whole, and what is inside")
def first(shop):
    bag = shop.bag("sample")
    page = shop.browser.page().go(bag / "index.html")
    text = page.run("document.body.innerText")
    for words in ("Mira Okafor", "Notes", "DSR-2026-0117", "Everything is here", "privacy@notes.example", "sha256sum -c manifest-sha256.txt", "1,151"):
        expect(words in text, f"the first page does not say {words}")
    expect(page.run("document.querySelectorAll('.card h3').length") > 3, "cards of sources")
    charts = page.run("[...document.querySelectorAll('svg[role=img]')].map(chart => [chart.getAttribute('aria-label'), chart.querySelectorAll('rect').length])")
    expect(len(charts) >= 6 and all(words and bars for words, bars in charts), f"charts with words: {charts}")
    expect(any(re.search("321|320", words) and "2024" in words for words, _ in charts), f"a chart that tells the notes: {charts}")
    expect(not page.run("document.querySelector('.unpack').getClientRects().length"), "the notice to unpack is shown though all is unpacked")
    quiet(page, bag)
    page.close()


@case("a first page that was opened out of the ZIP says to unpack it, with scripts and without")
def unpack(shop):
    alone = shop.folder / "alone"
    alone.mkdir(exist_ok=True)
    shutil.copy(shop.bag("sample") / "index.html", alone / "index.html")
    for scripts in (True, False):
        page = shop.browser.page(scripts=scripts).go(alone / "index.html")
        page.until("document.querySelector('.unpack').getClientRects().length > 0", 5)
        page.close()


@case("every page opens without a complaint or a request outside, and never scrolls sideways on a small phone")
def every_page(shop):
    bag = shop.bag("sample")
    page = shop.browser.page(width=320, height=640)
    for name in bag.pages:
        page.go(bag / name)
        wide = page.run("document.documentElement.scrollWidth")
        expect(wide <= 320, f"{name} is {wide} wide on a phone of 320")
    quiet(page, bag)
    page.close()


@case("a collection's rows have humane values, and link to the rows that they mean, and back")
def collection(shop):
    bag = shop.bag("sample")
    page = shop.browser.page().go(bag / bag.collection(NOTES)[0])
    rows = bag.rows(NOTES)
    expect_same(page.run("document.querySelectorAll('#rows tbody tr').length"), 200, "rows of the first page")
    time = page.run("(t => [t.dateTime, t.title, t.textContent])(document.querySelector('#r1 time'))")
    expect_same(time, [rows[0]["created"], rows[0]["created"], "2 January 2024, 01:07"], "a date")
    folders = {row["id"]: row["name"] for row in bag.rows("data/records/Notes/folders.json")}
    expect_same(page.run("document.querySelector('#r1 td a').textContent"), folders[rows[0]["folder_id"]], "the folder of the first note, by its name")
    page.click("#r1 td a", navigates=True)
    expect(folders[rows[0]["folder_id"]] in page.run("document.querySelector('tr:target').textContent"), "the link leads to the folder's row")
    expect(page.run("(box => box.top >= 0 && box.bottom <= innerHeight)(document.querySelector('tr:target').getBoundingClientRect())"), "that row is seen")
    back = page.run("[...document.querySelectorAll('tr:target .back a')].map(link => link.getAttribute('href'))")
    expect(back, "the folder links back to its notes")
    places = [bag.leads_to(page.run("location.href").split("/view/")[0] and f"view/{page.run('location.pathname').split('/view/')[1]}", target) for target in back]
    notes = set(bag.collection(NOTES))
    expect(any(place in notes and fragment == "r1" for place, fragment in places), f"one of its back links is to note 1: {places[:5]}")
    quiet(page, bag)
    page.close()


@case("pages follow each other, and any row can be gone to")
def paging(shop):
    bag = shop.bag("sample")
    pages = bag.collection(NOTES)
    page = shop.browser.page().go(bag / pages[0])
    page.click(".pages a[rel=next]", navigates=True)
    expect_same(page.run("document.querySelector('#rows tbody tr').id"), "r201", "the first row of the second page")
    page.click(".pages a[rel=prev]", navigates=True)
    expect_same(page.run("document.querySelector('#rows tbody tr').id"), "r1", "the first row of the first page")
    page.click("#jump")
    page.write("300")
    page.press("Enter", text="\r")
    page.until("document.querySelector('tr:target')?.id === 'r300'")
    page.click("#jump")
    page.write("5000")
    page.press("Enter", text="\r")
    page.until("[...document.querySelectorAll('.tools [role=status]')].some(status => status.textContent.includes('5000'))")
    quiet(page, bag)
    page.close()


@case("the page shown is sorted by a column, up, down and back")
def sorting(shop):
    bag = shop.bag("sample")
    page = shop.browser.page().go(bag / bag.collection(NOTES)[0])
    head = page.run("[...document.querySelectorAll('#rows thead th')].findIndex(head => head.title === 'length')")
    button = f"#rows thead th:nth-child({head + 1}) button"
    column = f"[...document.querySelectorAll('#rows tbody tr')].map(row => Number(row.cells[{head}].textContent))"
    original = page.run(column)
    for direction, expected in (("ascending", sorted(original)), ("descending", sorted(original, reverse=True)), (None, original)):
        page.click(button)
        expect_same(page.run(column), expected, f"sorted {direction}")
        expect_same(page.run(f"document.querySelector('{button}').parentNode.getAttribute('aria-sort')"), direction, "what a screen reader is told")
    # By the keyboard too.
    page.run(f"document.querySelector('{button}').focus()")
    page.press("Enter", text="\r")
    expect_same(page.run(column), sorted(original), "sorted by the keyboard")
    # Where there is no value, a row comes last.
    head = page.run("[...document.querySelectorAll('#rows thead th')].findIndex(head => head.title === 'latitude')")
    page.click(f"#rows thead th:nth-child({head + 1}) button")
    values = page.run(f"[...document.querySelectorAll('#rows tbody tr')].map(row => row.cells[{head}].classList.contains('nil') ? null : Number(row.cells[{head}].textContent))")
    given = [value for value in values if value is not None]
    expect_same(values, sorted(given) + [None] * (len(values) - len(given)), "rows without a value")
    quiet(page, bag)
    page.close()


def search_for(page, bag, query):
    """Opens the search page with a query, and waits until it is done."""
    page.go("about:blank")
    page.go((bag / "view/search.html").as_uri() + "#q=" + urllib.parse.quote(query))
    return page.until(f"!{STATUS}.startsWith('Searching') && {STATUS}")


@case("what is searched from the first page is found, and its link leads to the row")
def search(shop):
    bag = shop.bag("sample")
    page = shop.browser.page().go(bag / "index.html")
    page.click("#query")
    page.write("train ibadan")
    page.press("Enter", text="\r")
    page.until(f"document.querySelector('#search') && /found/.test({STATUS})")
    expected = [row for row in bag.rows(NOTES) if all(word in f"{row['title']} {row['body']}".casefold() for word in ("train", "ibadan"))]
    while page.run("!document.querySelector('#search > button').hidden"):
        page.click("#search > button")
        page.until("!document.querySelector('#search [role=status]').textContent.startsWith('Searching')")
    notes = tuple(path.removesuffix(".html") for path in bag.collection(NOTES))
    found = page.run("[...document.querySelectorAll('.hits a')].map(link => link.getAttribute('href'))")
    of_notes = [link for link in found if link.split("../")[-1].split(".html")[0] in notes or link.split(".html")[0].removeprefix("../") in notes]
    expect_same(len(of_notes), len(expected), "notes found")
    expect(page.run("[...document.querySelectorAll('.hits li')].every((hit) => hit.querySelector('mark'))"), "a word is marked in each")
    page.click(".hits a", navigates=True)
    text = page.run("document.querySelector(':target').textContent.toLowerCase()")
    expect("train" in text and "ibadan" in text, f"the row that the link leads to: {text}")
    # Other letters, accents or none, parts of words, files, settings; and nothing.
    for query, expected in (("ete dernier", "L’été dernier"), ("ÉTÉ DERNIER", "L’été dernier"), ("письмо", "Письмо"), ("天的会", "今天的会议"), ("날씨", "날씨가"),
                            ("lagoon", "lagoon.png"), ("Cooking 14", "Cooking")):
        search_for(page, bag, query)
        text = page.run("document.querySelector('.hits')?.textContent")
        expect(expected in text, f"{query} finds {expected}: {text[:200]}")
    expect("Nothing" in search_for(page, bag, "zxqwv"), "nothing is found where there is nothing")
    quiet(page, bag)
    page.close()


@case("a page in a foreign frame answers nobody who has no key")
def framed(shop):
    bag = shop.bag("sample")
    inside = bag.collection(NOTES)[0]
    spy = bag / "data/spy.html"
    spy.write_text(f"""<!DOCTYPE html><title>spy</title><iframe src="../{inside}"></iframe><iframe src="../view/search.html#q=train"></iframe><script>
        heard = []; addEventListener("message", (event) => heard.push(event.data));
        ask = (key) => {{ for (const frame of document.querySelectorAll("iframe")) frame.contentWindow.postMessage({{ key, ask: "rows", words: ["train"] }}, "*"); }}
    </script>""")
    try:
        page = shop.browser.page().go(spy)
        asked = "new Promise((resolve) => setTimeout(() => resolve(heard.length), 400))"
        for key in ("undefined", "null", "''", "{}", "'0'.repeat(32)"):
            expect_same(page.run(f"ask({key}), {asked}"), 0, f"answers to the key {key}")
        expect_same(page.run("frames[1].length"), 0, "frames that the search page made for a foreign page")
        # The key alone makes the difference, so that the silence above says something.
        expect(page.run(f"ask({json.dumps(bag.data(inside)['key'])}), {asked}") > 0, "the key is answered")
        page.close()
    finally:
        spy.unlink()


@case("pictures are shown, large on a click, and turned by the keyboard")
def gallery(shop):
    bag = shop.bag("sample")
    page = shop.browser.page().go(bag / bag.of_kind("gallery")[0])
    page.until("[...document.querySelectorAll('.gallery img')].every(picture => picture.complete && picture.naturalWidth > 0)")
    names = page.run("[...document.querySelectorAll('.gallery img')].map(picture => picture.alt)")
    expect_same(sorted(names), ["lagoon.png", "portrait.jpg", "spending.png"], "pictures")
    page.click(".gallery a")
    seen = lambda: page.run("(box => box.open ? box.querySelector('img').alt : null)(document.querySelector('.box'))")
    for key, index in ((None, 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowRight", 0), ("ArrowLeft", 2)):
        if key:
            page.press(key)
        expect_same(seen(), names[index], f"the picture after {key}")
    page.until("document.querySelector('.box img').naturalWidth > 0")
    page.press("Escape")
    expect_same(seen(), None, "the picture after Escape")
    page.until(f"document.activeElement.querySelector('img')?.alt === {json.dumps(names[2])}")  # the focus is at the picture seen last
    quiet(page, bag)
    page.close()


@case("sound plays, text and PDF are linked, other files are only named")
def files(shop):
    bag = shop.bag("sample")
    name = bag.of_kind("documents")[0]
    page = shop.browser.page().go(bag / name)
    page.run("document.querySelector('audio').load()")
    page.run("document.querySelector('audio').preload = 'metadata'")
    page.until("document.querySelector('audio').duration > 0")
    expect_same(page.run("document.querySelectorAll('audio').length"), 1, "recordings")
    linked = {bag.leads_to(name, target)[0] for tag, attribute, target in bag.markup(name).targets if tag == "a" and "data/" in target}
    for path in ("Recipes/Jollof rice.pdf", "todo.txt", "Accounts/budget.csv", "Pictures/lagoon.png", "Imported/日本語のメモ.txt"):
        expect(f"data/documents/Documents/{path}" in linked, f"{path} is linked")
    for path in (".drafts", "Archive/older notes.zip"):
        expect(f"data/documents/Documents/{path}" not in linked, f"{path} is not linked")
        expect(f"data/documents/Documents/{path}" in bag.markup(name).text, f"{path} is named")
    quiet(page, bag)
    page.close()


@case("settings are trees, with what was masked labelled and saved objects readable")
def settings(shop):
    bag = shop.bag("sample")
    name = next(page for page in bag.of_kind("settings") if bag.data(page)["file"].endswith("com.example.notes.json"))
    page = shop.browser.page().go(bag / name)
    expect_same(page.run("document.querySelectorAll('.badge.mask').length"), 2, "masked values")
    expect(page.run("[...document.querySelectorAll('.badge.mask')].every(badge => badge.title)"), "each says why")
    text = page.run("(document.querySelectorAll('details').forEach(part => { part.open = true; }), document.querySelector('main').innerText)")
    for words in ("18446744073709551615", "14.0", "$schemaVersion", "Cooking — 14 notes", "NotesWindow", "1 January 2024, 09:00", "⌥⌘0"):
        expect(words in text, f"the settings show {words}")
    expect("bplist" not in text and "YnBsaXN0" not in text, "the bytes of a saved object are not shown")
    quiet(page, bag)
    page.close()


@case("with scripts off, everything but search is there")
def without_scripts(shop):
    bag = shop.bag("sample")
    page = shop.browser.page(scripts=False)
    for name in bag.pages:
        if name in bag.shards:
            continue
        page.go(bag / name)
        expect_same(page.run("[...document.querySelectorAll('[data-js]')].filter(part => part.getClientRects().length).length"), 0, f"{name}: tools that can't work")
        expect_same(page.run("[...document.querySelectorAll('td, .v, .doc, .gallery li')].filter(part => !part.closest('details:not([open])') && !part.getClientRects().length).length"), 0, f"{name}: hidden content")
    page.go(bag / "view/search.html")
    expect(page.run("document.querySelector('[data-nojs]').getClientRects().length"), "the search page says that it needs scripts")
    quiet(page, bag)
    page.close()


@case("it is dark where that is wished, and light or dark at a click, on the next page too")
def dark(shop):
    bag = shop.bag("sample")
    brightness = "(([r, g, b]) => (r + g + b) / 3)(getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number))"
    for wished, other in ((False, True), (True, False)):
        page = shop.browser.page(dark=wished).go(bag / "index.html")
        expect_same(page.run(brightness) < 128, wished, "dark as the system says")
        page.click("#theme")
        expect_same(page.run(brightness) < 128, other, "dark after a click")
        page.click(".bar nav li:last-child a", navigates=True)
        expect_same(page.run(brightness) < 128, other, "dark on the next page")
        quiet(page, bag)
        page.close()


@case("the keyboard reaches everything in order, and where it is can be seen")
def keyboard(shop):
    bag = shop.bag("sample")
    page = shop.browser.page().go(bag / bag.collection(TAGS)[0])
    page.press("Tab")
    expect_same(page.run("document.activeElement.className"), "skip", "the first stop skips to the content")
    expect(page.run("document.activeElement.getBoundingClientRect().top >= 0 && getComputedStyle(document.activeElement).clipPath === 'none'"), "and is seen")
    stops = []
    for _ in range(16):
        page.press("Tab")
        stops.append(page.run("document.activeElement.id || document.activeElement.className || document.activeElement.tagName"))
        expect(page.run("getComputedStyle(document.activeElement).outlineStyle !== 'none'"), f"the focus is seen on {stops[-1]}")
    expect("theme" in stops and "jump" in stops and "scroll rows" in stops, f"the stops: {stops}")
    page.close()
