#!/usr/bin/env python3
"""Records of a shop as a source of account-export: purchases of the subject, out of a JSON file that stands for an API.

Whose they are it is told by the environment, which a configuration fills:

    { subject: { id: "42" }, sources: { commands: [{ name: "Shop", run: ["./purchases.py"] }] } }
"""
import base64
import json
import os
import sys

PURCHASES = [
    {"id": 1, "account": "42", "item": "Lamp", "price": "19.90", "bought": "2026-03-14T09:26:53Z", "receipt": b"%PDF-1.4 \xff\xfe"},
    {"id": 2, "account": "42", "item": "Chair", "price": "120.00", "bought": "2026-05-01T00:00:00Z", "receipt": None},
    {"id": 3, "account": "7", "item": "Table", "price": "310.00", "bought": "2026-05-02T00:00:00Z", "receipt": None},
]


def say(**message):
    """One message a line. Text stays text: JSON's own escapes are all that is needed."""
    print(json.dumps(message))


subject = os.environ.get("ACCOUNT_EXPORT_SUBJECT_ID")
if not subject:
    sys.exit("purchases.py: whose purchases? ACCOUNT_EXPORT_SUBJECT_ID is not set")

say(protocol=1)
say(collection="purchases", columns=["id", "item", "price", {"name": "bought", "type": "datetime"}, "receipt"], primaryKey=["id"])
count = 0
for purchase in PURCHASES:
    if purchase["account"] != subject:
        continue
    row = {key: value for key, value in purchase.items() if key != "account"}
    if row["receipt"] is not None:
        row["receipt"] = {"$base64": base64.b64encode(row["receipt"]).decode()}
    say(record=row)
    count += 1
# What can't be given is said, so that the bundle says it too.
say(omission="purchases of 2019", reason="unreadable", detail="the archive is on tape")
say(end=True, records=count)
