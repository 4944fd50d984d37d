"""Two million rows of one person in PostgreSQL, beside psql's COPY of the same rows as JSON, packed."""
from measuring import compare, expect, exported
from server import Database, server


def make(database, rows):
    """A person's messages: integers, texts, times, numbers of both kinds, JSON, nulls."""
    database.sql(f"""
        CREATE TABLE person (id int PRIMARY KEY, name text, email text);
        CREATE TABLE message (id bigint PRIMARY KEY, person_id int NOT NULL, at timestamptz, score float8, price numeric(12,2), seen boolean,
          body text, tags jsonb);
        INSERT INTO person SELECT i, 'Person ' || i, 'person' || i || '@example.com' FROM generate_series(1, 1000) i;
        INSERT INTO message SELECT i, 1, timestamptz '2026-01-01Z' + i * interval '7 seconds', i / 7.0::float8, i % 100000 / 100.0, i % 3 = 0,
          (SELECT string_agg((ARRAY['the','people','water','number','them','which','write','about','could','first','make','time'])
            [1 + (i % 9973 * 7919 + k * 104729) % 9973 % 12], ' ') FROM generate_series(1, 13) k),
          CASE WHEN i % 4 > 0 THEN jsonb_build_object('topic', 'topic ' || i % 50, 'stars', i % 6) END
        FROM generate_series(1, {rows}) i;
        ALTER TABLE message ADD FOREIGN KEY (person_id) REFERENCES person;
        CREATE INDEX ON message (person_id);
        VACUUM (ANALYZE);
        """)


def programs(run):
    copy = "(for t in person message; do psql -X -q -c \"COPY (SELECT row_to_json(t) FROM $t t) TO STDOUT\"; done)"
    return {"zip -6": f"{copy} | zip -q -6 $OUT -", "zip -1": f"{copy} | zip -q -1 $OUT -", "gzip -1": f"{copy} | gzip -1 > $OUT"} | run.exports(
        '--records "$URL" --subject person.id=1')


def bench(run):
    """Exports one person, to whom nearly all rows belong."""
    rows = max(1000, int(2_000_000 * run.scale))
    with server() as folder:
        database = Database(folder)
        make(database, rows)
        lines = programs(run)
        run.folder.mkdir(parents=True, exist_ok=True)
        found = exported(lines["export"], run.folder, **database.environment)
        expect({name: rows[0] for name, rows in found.items()}, {"person": 1, "message": rows}, "rows")
        compare(f"postgres: {rows} rows", lines, run.folder, run.rounds, "export", **database.environment)
