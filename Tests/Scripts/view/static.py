"""What can be told from the pages' text alone: the view of a reader without scripts, and of a browser that enforces the policy."""
import base64
import hashlib
import pathlib
import re

from checking import case, expect, expect_same

OWN = re.compile(r"r[1-9]\d*|s[1-9]\d*|h-[a-z]+|main|missing|rows|pick|search|find|theme|view-data")
# What a page may lead to below data/: what a browser shows without running it. Firefox looks into a file whose extension neither it nor the system
# knows, and runs what looks like HTML: tried with HTML in .md, .log, .m4v, .mov and in a file without extension.
SHOWN = set("png jpg jpeg gif webp bmp avif mp3 m4a wav ogg oga opus flac aac mp4 webm ogv txt csv pdf".split())
PLAYED = SHOWN | {"m4v", "mov"}  # a player runs nothing


def digest(text):
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def check_page(bag, name):
    """One style, one script, both named by the policy; nothing that could run besides; every link leads somewhere."""
    markup = bag.markup(name)
    (policy,) = [value for tag, attribute, value in markup.attributes if tag == "meta" and attribute == "content" and "default-src" in value]
    rules = {words[0]: words[1:] for words in (rule.split() for rule in policy.split(";"))}
    expect_same(rules["default-src"], ["'none'"], f"{name}: what is allowed by default")
    expect_same((rules["base-uri"], rules["form-action"]), (["'none'"], ["'none'"]), f"{name}: base and forms")
    expect(not re.search(r"unsafe|https?:|\*|data:|blob:", policy), f"{name}: the policy {policy}")
    scripts = [text for tag, attributes, text in markup.blocks if tag == "script" and attributes.get("type") != "application/json"]
    styles = [text for tag, attributes, text in markup.blocks if tag == "style"]
    expect_same(len(scripts), 1, f"{name}: scripts")
    expect_same(rules["script-src"], [digest(scripts[0])], f"{name}: the script that is allowed")
    if styles:
        expect_same(rules["style-src"], [digest(styles[0])], f"{name}: the style that is allowed")
    for tag, attribute, value in markup.attributes:
        expect(not attribute.startswith("on"), f"{name}: <{tag} {attribute}>")
        expect(attribute not in ("style", "srcdoc", "action", "formaction", "ping", "http-equiv") or value == "Content-Security-Policy", f"{name}: <{tag} {attribute}={value}>")
        expect(attribute != "id" or OWN.fullmatch(value), f"{name}: an id that is not the view's own: {value}")
    expect(not {"base", "form", "iframe", "embed", "link", "template", "math", "frame", "applet", "portal"} & set(markup.tags), f"{name}: tags {set(markup.tags)}")
    expect_same(markup.tags.count("script"), 2, f"{name}: script tags")
    for tag, attribute, target in markup.targets:
        check_target(bag, name, tag, target)


def check_target(bag, name, tag, target):
    if re.match(r"https?://", target) and tag == "a":
        expect('rel="noreferrer noopener"' in (bag / name).read_text(encoding="utf-8"), f"{name}: a link without rel")
        return
    if re.fullmatch(r"mailto:[^\s<>\"]+", target) and tag == "a":
        return
    expect(not re.match(r"[\s\x00-\x20]*[a-zA-Z][\w+.-]*:", target), f"{name}: a link to {target[:80]}")
    path, fragment = bag.leads_to(name, target)
    place = bag / path
    expect(place.exists(), f"{name}: {target} leads to nothing")
    if path.startswith("data/"):
        suffix = place.name.rsplit(".", 1)[1].lower() if "." in place.name[1:] else ""
        expect(suffix in (SHOWN if tag == "a" else PLAYED), f"{name}: a link to {path}")
        expect(tag in ("a", "img", "audio", "video", "source"), f"{name}: <{tag}> of {path}")
    elif path.endswith(".html"):
        expect(not fragment or fragment in bag.markup(path).ids, f"{name}: {target} leads to no row")
    else:
        expect_same(path, "view/here.png", f"{name}: what {target} leads to")


def reachable(bag):
    seen, to_see = set(), ["index.html"]
    while to_see:
        name = to_see.pop()
        if name in seen:
            continue
        seen.add(name)
        for tag, _, target in bag.markup(name).targets:
            if tag == "a" and not re.match(r"[a-z]+:", target):
                path, _ = bag.leads_to(name, target)
                if path.endswith(".html"):
                    to_see.append(path)
    return seen


@case("every page is reached by links, every link leads somewhere, and nothing but the one script can run")
def links(shop):
    for name in ("sample", "hostile"):
        bag = shop.bag(name)
        for page in bag.pages:
            check_page(bag, page)
        expect_same(set(bag.pages) - reachable(bag), set(bag.shards), f"{name}: pages that no link leads to")
        expect(bag.shards, f"{name}: an index")


@case("every record, file and settings file of the sample has its row")
def everything(shop):
    bag = shop.bag("sample")
    for path in sorted((bag / "data/records").glob("*/*.json")):
        file = path.relative_to(bag.folder).as_posix()
        rows = bag.rows(file)
        ids = [found for page in bag.collection(file) for found in sorted(int(i[1:]) for i in bag.markup(page).ids if re.fullmatch(r"r\d+", i))]
        expect_same(ids, list(range(1, len(rows) + 1)), f"rows of {file}")
    shown = {bag.data(page)["file"] for page in bag.of_kind("settings")}
    expect_same(shown, {path.relative_to(bag.folder).as_posix() for path in (bag / "data/preferences").glob("*.json")}, "settings files")
    text = " ".join(bag.markup(page).text for page in bag.of_kind("documents"))
    for row in bag.rows("data/documents.json"):
        name = pathlib.PurePosixPath(row["path"]).name
        expect(" ".join(name.split()) in text, f"the document {name}")
