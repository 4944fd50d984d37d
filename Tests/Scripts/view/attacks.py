"""Whatever somebody has written into an account, nothing of it runs when its owner looks."""
import re

from browser import BrowserError
from bundles import ACTIVE
from checking import case, expect, expect_same
from hostile import HIT, PAYLOADS
from reading import quiet, search_for

# What a browser shows without running it.
PASSIVE = re.compile(r"image/(?!svg)|audio/|video/|text/plain|text/csv|application/pdf")
WAS_HIT = "Boolean(window.__hit) || document.title === 'HIT'"


@case("the canary sings where nothing stops it")
def canary(shop):
    page = shop.browser.page()
    place = shop.folder / "canary.html"
    sung = 0
    for payload in PAYLOADS:
        place.write_text(f'<!DOCTYPE html><meta charset="utf-8"><title>x</title><p title="{payload}">{payload}</p><p title=\'{payload}\'></p>', encoding="utf-8")
        page.go(place)
        try:
            sung += page.run(f"new Promise((resolve) => setTimeout(() => resolve({WAS_HIT}), 60))")
        except BrowserError:
            sung += 1  # it led the page away
    expect(sung >= 20, f"only {sung} of {len(PAYLOADS)} payloads run in a page that lets them")
    place.write_text(f"<script>{HIT}</script>")
    page.go(place)
    expect(page.run(WAS_HIT) and any("hit.example" in url for url in page.requests), "the canary is heard")
    page.close()


@case("no string in any field, key, name or file runs, on no page and in no search")
def injection(shop):
    bag = shop.bag("hostile")
    page = shop.browser.page()
    text = []
    for name in bag.pages:
        page.go(bag / name)
        # All that is folded is looked at too, and all that can have the focus has it once.
        page.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
        page.run("document.querySelectorAll('a, button, input, [tabindex]').forEach((part) => part.focus())")
        text.append(page.run("document.body.textContent"))
        expect(not page.run(WAS_HIT), f"the canary sang on {name}")
    shown = "".join(text)
    for payload in PAYLOADS:
        # Control characters, which HTML forbids, are shown as pictures of them.
        as_shown = re.sub(r"[\0-\x08\x0b\x0c\x0e-\x1f]", lambda control: chr(0x2400 + ord(control[0])), payload)
        expect(as_shown in shown, f"a payload is not shown as it is: {payload!r}")
    for query in ("script", "onerror", "__proto__", "constructor", "{name}", "$&", "日本", "\u202eright", "hit <b>"):
        search_for(page, bag, query)
        expect(not page.run(WAS_HIT), f"the canary sang in the search for {query}")
    for sort in page.go(bag / bag.of_kind("collection")[0]).run("[...document.querySelectorAll('thead button')].map((head, i) => i)"):
        page.click("thead button", sort)
    expect(not page.run(WAS_HIT), "the canary sang in sorting")
    quiet(page, bag)
    page.close()


@case("no file that could run is linked, and clicking on everything opens none")
def clicking(shop):
    bag = shop.bag("hostile")
    names = bag.of_kind("documents")
    text = " ".join(bag.markup(name).text for name in names)
    for name in ACTIVE:
        expect(name.strip() in text, f"{name} is named")
    page = shop.browser.page()
    home = opened = 0
    for name in [*names, *bag.of_kind("gallery")]:
        page.go(bag / name)
        count = page.run("document.querySelectorAll('main a, main .doc, main img, main .name, main code, main summary').length")
        for index in range(count):
            if page.run("location.pathname.includes('/data/') || document.querySelector('main') === null"):
                opened += 1
                kind = page.run("document.contentType")
                expect(PASSIVE.match(kind), f"{page.run('location.href')} was opened as {kind}")
                expect(not page.run(WAS_HIT), f"the canary sang in {page.run('location.href')}")
                page.go(bag / name)
            place = f"[...document.querySelectorAll('main a, main .doc, main img, main .name, main code, main summary')][{index}]"
            href = page.run(f"{place}?.closest('a')?.href ?? ''")
            if href.split("#")[0].endswith(".html"):
                continue  # the view's own pages, which another case looks through
            if page.run(f"Boolean({place}?.getClientRects().length)"):
                page.run("document.querySelectorAll('dialog').forEach((box) => box.close())")
                page.click_at(place)
                home += 1
                page.browser.listen(0.03)
    expect(home > len(ACTIVE) and opened > 3, f"{home} things were clicked, {opened} files opened")
    page.close()
