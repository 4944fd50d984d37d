"""What the cases are written with."""
import dataclasses
import html.parser
import json
import pathlib
import re
import urllib.parse


class Failure(Exception):
    pass


def expect(condition, message):
    if not condition:
        raise Failure(message)


def expect_same(found, expected, what):
    expect(found == expected, f"{what}: {found!r}, expected {expected!r}")


CASES = []


def case(words, large=False):
    """Registers a case; it is handed the workshop, which has the browser and the bundles."""
    def register(function):
        CASES.append(Case(words, function, large))
        return function
    return register


@dataclasses.dataclass
class Case:
    words: str
    function: object
    large: bool


class Markup(html.parser.HTMLParser):
    """What a page holds, as a reader without scripts sees it."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.ids, self.targets, self.attributes, self.words, self.blocks = [], set(), [], [], [], []
        self.inside = None
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        for name, value in attributes:
            self.attributes.append((tag, name, value or ""))
            if name == "id":
                self.ids.add(value)
            if name in ("href", "src", "data", "poster", "action", "srcset", "background", "formaction", "ping", "longdesc", "cite"):
                self.targets.append((tag, name, value or ""))
        if tag in ("script", "style"):
            self.inside = (tag, dict(attributes))

    def handle_endtag(self, tag):
        if tag in ("script", "style"):
            self.inside = None

    def handle_data(self, data):
        if self.inside:
            self.blocks.append((*self.inside, data))
        else:
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


class Bag:
    """An unpacked bundle, and its pages."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.markups = {}

    def __truediv__(self, path):
        return self.folder / path

    @property
    def pages(self):
        return sorted(path.relative_to(self.folder).as_posix() for path in [self / "index.html", *(self / "view").rglob("*.html")])

    @property
    def shards(self):
        return [page for page in self.pages if re.fullmatch(r"view/search/\d+\.html", page)]

    def markup(self, page):
        if page not in self.markups:
            self.markups[page] = Markup((self / page).read_text(encoding="utf-8"))
        return self.markups[page]

    def data(self, page):
        """The data of a page's script."""
        return json.loads(next(text for tag, attributes, text in self.markup(page).blocks if attributes.get("id") == "view-data"))

    def of_kind(self, kind):
        return [page for page in self.pages if self.data(page)["kind"] == kind]

    def collection(self, file):
        """The pages of the collection whose data file that is, in order."""
        found = [page for page in self.of_kind("collection") if self.data(page)["file"] == file]
        expect(found, f"no page shows {file}")
        return sorted(found, key=lambda page: int(pathlib.PurePosixPath(page).stem))

    def rows(self, file):
        return json.loads((self / file).read_text(encoding="utf-8"))

    def leads_to(self, page, target):
        """Where a relative link of a page leads, as (path below the folder, fragment)."""
        url = urllib.parse.urljoin((self / page).as_uri(), target)
        path, fragment = urllib.parse.urldefrag(url)
        place = pathlib.Path(urllib.parse.unquote(urllib.parse.urlsplit(path).path))
        expect(place.is_relative_to(self.folder), f"{page}: {target} leads out of the folder")
        return place.relative_to(self.folder).as_posix(), urllib.parse.unquote(fragment)
