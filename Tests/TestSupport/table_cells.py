"""Single values of a collection: whether they are what the schema says, and the same in its JSON and its CSV."""
import csv
import io
import json
import re
import sys

csv.field_size_limit(sys.maxsize)


def fits(value, kind):
    """Whether a value is of a Table Schema's type."""
    if value is None or kind == "any":
        return True
    if isinstance(value, bool):
        return kind == "boolean"
    tests = {
        "integer": isinstance(value, int), "number": isinstance(value, (int, float)), "string": isinstance(value, str),
        "object": isinstance(value, dict), "array": isinstance(value, list),
        "datetime": isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", value) is not None,
    }
    return tests.get(kind, False)


def same(cell, value):
    """Whether a field of CSV says what a value of JSON says, as the format has it."""
    if value is None:
        return cell == ""
    if isinstance(value, str):
        value = value.replace("\0", "\u2400")
        return cell == ("'" + value if value[:1] in tuple("=+-@\t\r") else value)
    if isinstance(value, dict) and "$redacted" in value:
        return cell == "[" + " ".join([value["$redacted"], *filter(None, [value.get("pseudonym")])]) + "]"
    return type(json.loads(cell)) is type(value) and json.loads(cell) == value


def csv_problems(data, fields, json_rows):
    """What is wrong with a CSV that has a JSON beside it."""
    text = data.decode()
    if json_rows is None or not text.startswith("\ufeff") or not text.endswith("\r\n"):
        yield "has no JSON beside it, no mark of UTF-8 or no end of its last line"
        return
    labels, *rows = csv.reader(io.StringIO(text[1:], newline=""), strict=True)
    if labels != [field["name"] for field in fields] or len(rows) != len(json_rows):
        yield f"has {len(rows)} rows under {labels}, and its JSON {len(json_rows)}"
        return
    for number, (row, values) in enumerate(zip(rows, json_rows), 1):
        for field, cell, value in zip(fields, row, values.values(), strict=True):
            kind = field["type"]
            if not same(cell, value):
                yield f"has {cell[:80]!r} as {field['name']!r} of row {number}, and its JSON another"
            elif cell and kind not in ("string", "any") and not fits(cell if kind == "datetime" else json.loads(cell), kind):
                yield f"has {cell[:80]!r} as {field['name']!r} of row {number}, which is no {kind}"
