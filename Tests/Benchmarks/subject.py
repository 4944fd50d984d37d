"""One person among a million in a shared database: the walk along its references, beside queries that someone wrote by hand for these tables."""
import os
import pathlib
import sqlite3
import subprocess
import sys

import shop
from measuring import compare, expect, exported
from server import Database, server

USERS = 1_000_000


def users(scale):
    return max(2 * shop.SUBJECT, int(USERS * scale))


def run_all(run, title, by_hand, count, drop, recreate, environment):
    """Compares, then once more without an index, which the plan must name."""
    arguments = f'--records "$STORE" --subject users.id={shop.SUBJECT}'
    lines = by_hand | run.exports(arguments)
    found = {name: rows[0] for name, rows in exported(lines["export"], run.folder, **environment).items()}
    expect(found, {name: count(sql) for name, sql in shop.queries().items()}, "rows")
    title = f"{title}: {sum(found.values())} rows of one of {users(run.scale)} people, {len(found)} tables"
    compare(title, lines, run.folder, run.rounds, "by hand", **environment)
    drop()
    try:
        told = plan(run, arguments, environment)
        expect("order_items.order_id" in told, True, f"the plan names the key without an index: {told}")
        compare(f"{title}, without the index of order_items.order_id", lines, run.folder, 1, "by hand", **environment)
        print("the plan says:", told)
    finally:
        recreate()


def plan(run, arguments, environment):
    """What the plan says of missing indexes."""
    ran = subprocess.run(["/bin/sh", "-c", f"{run.command} plan {arguments}"], env=os.environ | environment, capture_output=True, text=True)
    if ran.returncode != 0:
        sys.exit(f"bench: plan: exit {ran.returncode}: {ran.stderr}")
    lines = ran.stdout.splitlines()
    starts = [place for place, line in enumerate(lines) if "without an index" in line]
    return "\n".join(lines[starts[0]:starts[0] + 3]) if starts else "nothing of indexes"


def sqlite(run):
    """In SQLite."""
    store = run.made("shop.sqlite", make_sqlite)
    parts = "".join(f".output {name.replace('/', '-')}.json\n{sql};\n" for name, sql in shop.queries().items())
    script = pathlib.Path(run.folder, "shop.sqlite.sql")
    script.write_text(".mode json\n" + parts)
    by_hand = {"by hand": "cd $DIR && sqlite3 -readonly $STORE < $QUERIES && zip -q -6 $OUT *.json"}

    def execute(sql):
        database = sqlite3.connect(store)
        rows = database.execute(sql).fetchall()
        database.commit()
        database.close()
        return rows

    run_all(run, "subject-sqlite", by_hand, lambda sql: execute(f"SELECT count(*) FROM ({sql})")[0][0],
            lambda: execute(f"DROP INDEX IF EXISTS {shop.DROPPED}"), lambda: execute(f"CREATE INDEX {shop.DROPPED} ON order_items (order_id)"),
            {"STORE": str(store), "QUERIES": str(script)})


def make_sqlite(path, scale):
    database = sqlite3.connect(path)
    database.execute("PRAGMA synchronous = OFF")
    numbers = "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {}) SELECT i FROM n)".format
    for statement in shop.statements(users(scale), numbers):
        database.execute(statement)
    database.execute("ANALYZE")
    database.commit()
    database.close()


def postgres(run):
    """In PostgreSQL."""
    run.folder.mkdir(parents=True, exist_ok=True)
    with server() as folder:
        database = Database(folder)
        # References are declared once the rows are there, which checks them at once; so no row is looked up by itself.
        statements = list(shop.statements(users(run.scale), "generate_series(1, {}) n(i)".format))
        database.sql("SET session_replication_role = replica;\n" + ";\n".join(statements) + ";\nVACUUM (ANALYZE);")
        parts = "".join(f"\\copy (SELECT row_to_json(t) FROM ({sql}) t) TO '{name.replace('/', '-')}.json'\n" for name, sql in shop.queries().items())
        script = pathlib.Path(run.folder, "shop.postgres.sql")
        script.write_text(parts)
        run_all(run, "subject-postgres", {"by hand": "cd $DIR && psql -X -q -f $QUERIES && zip -q -6 $OUT *.json"},
                lambda sql: int(database.sql(f"SELECT count(*) FROM ({sql}) t")), lambda: database.sql(f"DROP INDEX {shop.DROPPED}"),
                lambda: None, {"STORE": database.url, "QUERIES": str(script)} | database.environment)
