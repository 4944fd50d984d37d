"""The words of the view, and right-to-left."""
import json
import re

from bundles import ROOT
from checking import case, expect, expect_same
from reading import quiet

STRINGS = ROOT / "Sources/BundleView/Resources/strings"
FORMS = re.compile(r"\.(zero|one|two|few|many|other)$")


@case("every language has the same sentences with the same places in them")
def same_keys(shop):
    english = json.loads((STRINGS / "en.json").read_text(encoding="utf-8"))
    plurals = {FORMS.sub("", key) for key in english if key.endswith(".one")}
    places = lambda text: sorted(re.findall(r"\{\w+\}", text))
    base = lambda key: FORMS.sub("", key) if FORMS.sub("", key) in plurals else key
    expected = {base(key): places(text) for key, text in english.items()}
    languages = sorted(path.stem for path in STRINGS.glob("*.json"))
    expect_same(languages, ["ar", "de", "en", "es", "fr", "ja", "pt"], "languages")
    for language in languages:
        words = json.loads((STRINGS / f"{language}.json").read_text(encoding="utf-8"))
        expect_same({base(key) for key in words} ^ set(expected), set(), f"{language}: sentences that are missing or too many")
        for key, text in words.items():
            expect_same(places(text), expected[base(key)], f"{language}: {key}")
            expect(text.strip() or key == "format.group", f"{language}: {key} is empty")
        if language == "ar":
            for plural in plurals:
                expect({f"{plural}.{form}" for form in ("zero", "one", "two", "few", "many", "other")} <= set(words), f"ar: the six forms of {plural}")


@case("the bundle is made in each language, and no sentence of it is left in English or unfilled")
def each_language(shop):
    english = json.loads((STRINGS / "en.json").read_text(encoding="utf-8"))
    for language in ("de", "fr", "es", "pt", "ja", "ar"):
        words = json.loads((STRINGS / f"{language}.json").read_text(encoding="utf-8"))
        bag = shop.bag(f"sample-{language}", language=language)
        sentences = [text for key, text in english.items() if len(text) > 25 and "{" not in text and not key.startswith("js.") and words[key] != text]
        for name in bag.pages:
            if name in bag.shards:
                continue
            text = bag.markup(name).text
            for sentence in sentences:
                expect(sentence not in text, f"{language}, {name} says in English: {sentence}")
            # What is left in braces is the sample's own.
            unfilled = [mark for mark in re.findall(r"\{[a-z]+\}", text)]
            expect_same(unfilled, [], f"{language}, {name}: places that were not filled")
        expect(words["first.completeText"] in bag.markup("index.html").text, f"{language}: the outcome")
        # Long words fit on a phone.
        page = shop.browser.page(width=320).go(bag / "index.html")
        expect(page.run("document.documentElement.scrollWidth") <= 320, f"{language}: the first page scrolls sideways on a phone")
        page.close()
    page = shop.browser.page()
    for language, query, found in (("de", "train", "Stelle"), ("ja", "train", "か所見つかりました")):
        bag = shop.bag(f"sample-{language}", language=language)
        page.go((bag / "view/search.html").as_uri() + f"#q={query}")
        page.until(f"document.querySelector('#search [role=status]')?.textContent.includes({json.dumps(found)})")
        quiet(page, bag)
        page.complaints.clear(), page.requests.clear()
    page.close()


@case("Arabic runs from right to left, on a phone too")
def arabic(shop):
    bag = shop.bag("sample-ar", language="ar")
    for width in (1200, 320):
        page = shop.browser.page(width=width)
        for name in ("index.html", "view/search.html", bag.of_kind("documents")[0], bag.of_kind("gallery")[0], bag.collection("data/records/Notes/notes.json")[0]):
            page.go(bag / name)
            expect_same(page.run("[document.documentElement.lang, document.documentElement.dir]"), ["ar", "rtl"], f"language and direction of {name}")
            expect(page.run("document.documentElement.scrollWidth") <= width, f"{name} scrolls sideways at {width}")
            home, title = page.run("[document.querySelector('.home').getBoundingClientRect().right, document.querySelector('h1').getBoundingClientRect().right]")
            expect(home > width * 0.9 and title > width * 0.9, f"{name} begins on the right")
        quiet(page, bag)
        page.close()
