"""Values of hundreds of megabytes in PostgreSQL. What counts is the memory of an export beside the value's size, and beside an export of next to nothing."""
import hashlib

from measuring import compare, expect, exported
from server import Database, server

# A value's type, its size in MB at scale 1, and what makes one of so many bytes.
KINDS = {
    "nothing": ("text", 0, "'a'"),
    "bytea": ("bytea", 200, "(SELECT string_agg(sha512(int8send(i)), '') FROM generate_series(1, {} / 64) i)"),
    "bytea, packed": ("bytea", 200, "decode(repeat('00ff8899', {} / 4), 'hex')"),
    "text": ("text", 200, "repeat('all of these words ', {} / 19)"),
    "jsonb": ("jsonb", 100, "(SELECT jsonb_agg('a line of words, number ' || i) FROM generate_series(1, {} / 36) i)"),
    "text[]": ("text[]", 20, "(SELECT array_agg('a line of words, number ' || i) FROM generate_series(1, {} / 36) i)"),
}


def make(folder, number, kind, scale):
    """A database with one person and one value, and what must be found of it."""
    database = Database(folder, f"large{number}")
    Database(folder).sql(f"CREATE DATABASE {database.name}")
    sql_type, megabytes, value = KINDS[kind]
    size = max(4096, int(megabytes * 1e6 * scale))
    digest = "sha256(value)" if sql_type == "bytea" else "sha256(convert_to(value, 'UTF8'))" if sql_type == "text" else None
    expected = f"encode({digest}, 'hex')" if digest else "jsonb_array_length(to_jsonb(value))"
    told = database.sql(f"""
        CREATE TABLE person (id int PRIMARY KEY, name text, email text, value {sql_type});
        INSERT INTO person VALUES (1, 'P', 'p@example.com', {value.format(size)});
        VACUUM person;
        SELECT {expected} FROM person
        """)
    return database, told


def told_of(value):
    """The same of what was exported."""
    if isinstance(value, dict):
        return value["sha256"]
    return hashlib.sha256(value.encode()).hexdigest() if isinstance(value, str) else str(len(value))


def bench(run):
    """Exports each value by itself."""
    run.folder.mkdir(parents=True, exist_ok=True)
    with server() as folder:
        lines = {}
        for number, kind in enumerate(KINDS):
            database, expected = make(folder, number, kind, run.scale)
            lines[kind] = f'{run.command} --quiet --out $OUT --records "{database.url}" --subject person.id=1'
            count, row, _ = exported(lines[kind], run.folder)["person"]
            expect((count, told_of(row["value"])), (1, expected), kind)
        sizes = ", ".join(f"{kind} {megabytes * run.scale:g} MB" for kind, (_, megabytes, _) in KINDS.items() if megabytes)
        compare(f"large-values: exports of one value each: {sizes}", lines, run.folder, run.rounds, "nothing")
