"""A shop that a million people share: 20 tables, up to three references away from their person, each reference with an index."""

SUBJECT = 4242
EXTRA = 100  # rows that the subject has more than others, in each table that names people

# How many rows there are for each person (or how many in all, of what is nobody's), the references, and how a row is reached: by which of these.
LOOKUPS = {"countries": 200, "products": 5000, "tags": 500}
TABLES = {
    "users": (1, {"country_id": "countries"}),
    "profiles": (1, {"user_id": "users"}),
    "addresses": (0.5, {"user_id": "users", "country_id": "countries"}),
    "orders": (1, {"user_id": "users"}),
    "messages": (1, {"sender_id": "users", "recipient_id": "users"}),
    "devices": (0.5, {"user_id": "users"}),
    "carts": (0.25, {"user_id": "users"}),
    "reviews": (0.5, {"user_id": "users", "product_id": "products"}),
    "notes": (0.5, {"user_id": "users"}),
    "order_items": (2, {"order_id": "orders", "product_id": "products"}),
    "payments": (1, {"order_id": "orders"}),
    "shipments": (1, {"order_id": "orders"}),
    "cart_items": (0.5, {"cart_id": "carts", "product_id": "products"}),
    "note_tags": (0.5, {"note_id": "notes", "tag_id": "tags"}),
    "device_events": (1, {"device_id": "devices"}),
    "refunds": (0.5, {"payment_id": "payments"}),
    "shipment_events": (1, {"shipment_id": "shipments"}),
}
DROPPED = "order_items_order_id"  # the index without which the walk is measured once more


def count(table, users):
    if table in LOOKUPS:
        return LOOKUPS[table]
    own = int(TABLES[table][0] * users)
    return own + EXTRA if "users" in TABLES[table][1].values() and table != "profiles" else own


def statements(users, numbers):
    """The SQL that makes it all. `numbers(n)` is a source of rows with a column i from 1 to n."""
    for table in LOOKUPS:
        yield f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, name TEXT NOT NULL)"
        yield f"INSERT INTO {table} SELECT i, '{table} ' || i FROM {numbers(count(table, users))}"
    for table, (_, references) in TABLES.items():
        columns = ", ".join(f"{column} INTEGER NOT NULL REFERENCES {parent}" for column, parent in references.items())
        key = "user_id INTEGER PRIMARY KEY REFERENCES users" if table == "profiles" else f"id INTEGER PRIMARY KEY, {columns}"
        more = ", email TEXT NOT NULL" if table == "users" else ""
        yield f"CREATE TABLE {table} ({key}, name TEXT NOT NULL, amount INTEGER, at TEXT NOT NULL{more})"
        values = ["i"] + [] if table == "profiles" else ["i"] + [value(table, column, users) for column in references]
        values += [f"'{table} number ' || i", "i * 37 % 10007", "'2026-01-0' || (1 + i % 9) || 'T08:00:00Z'"]
        values += ["'person' || i || '@example.com'"] if table == "users" else []
        yield f"INSERT INTO {table} SELECT {', '.join(values)} FROM {numbers(count(table, users))}"
    for table, (_, references) in TABLES.items():
        for column in references if table != "profiles" else ():
            yield f"CREATE INDEX {table}_{column} ON {table} ({column})"


def value(table, column, users):
    """What a reference of row i refers to: each person's rows follow each other, the extra ones are the subject's."""
    parent = TABLES[table][1][column]
    if column == "recipient_id":
        return f"1 + (i + 17) % {users}"
    if parent == "users":
        return f"CASE WHEN i > {count(table, users) - EXTRA} THEN {SUBJECT} ELSE 1 + (i - 1) % {users} END"
    return f"1 + (i - 1) % {count(parent, users)}"


def queries():
    """What someone writes who knows the tables: one query for each, joined up to the person."""
    written = {table: own(table) for table in TABLES}
    for lookup in LOOKUPS:
        sources = [own(table, f"t.{column}") for table, (_, references) in TABLES.items() for column, parent in references.items() if parent == lookup]
        written["lookups/" + lookup] = f"SELECT * FROM {lookup} WHERE id IN ({' UNION '.join(sources)})"
    return written


def own(table, what="t.*"):
    if table == "users":
        return f"SELECT {what} FROM users t WHERE t.id = {SUBJECT}"
    if table == "messages":
        return f"SELECT {what} FROM messages t WHERE t.sender_id = {SUBJECT} OR t.recipient_id = {SUBJECT}"
    joins, alias, at = "", "t", table
    while (reference := next(iter(TABLES[at][1].items())))[1] != "users":
        column, at = reference
        joins, alias = f"{joins} JOIN {at} {at} ON {at}.id = {alias}.{column}", at
    return f"SELECT {what} FROM {table} t{joins} WHERE {alias}.{reference[0]} = {SUBJECT}"
