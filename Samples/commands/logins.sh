#!/bin/sh
# Records without Python: the logins of the subject, out of a log. With set -e, a failure in the middle is a failed source.
set -eu
: "${ACCOUNT_EXPORT_SUBJECT_ID:?is not set}"

log() {
  printf '%s\n' '42 2026-11-01T08:00:00Z 192.0.2.7' '7 2026-11-01T09:30:00Z 192.0.2.8' '42 2026-11-02T08:15:00Z 192.0.2.7'
}

echo '{"protocol": 1}'
echo '{"collection": "logins", "columns": [{"name": "at", "type": "datetime"}, "address"]}'
log | while read -r account at address; do
  if [ "$account" = "$ACCOUNT_EXPORT_SUBJECT_ID" ]; then
    # These two hold nothing that JSON would have to escape; text of people needs a program that knows JSON.
    printf '{"record": {"at": "%s", "address": "%s"}}\n' "$at" "$address"
  fi
done
echo '{"end": true}'
