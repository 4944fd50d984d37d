#!/usr/bin/env python3
"""Documents that lie nowhere as files: letters to the subject, made as they are asked for, as a tar stream of documents."""
import io
import os
import sys
import tarfile

subject = os.environ.get("ACCOUNT_EXPORT_SUBJECT_NAME", "customer")
letters = {"2026/welcome.txt": f"Dear {subject},\nwelcome.\n", "2026/reminder.txt": f"Dear {subject},\nplease come back.\n"}

# "w|" is a stream: nothing is sought in it, and nothing has to fit into memory.
with tarfile.open(fileobj=sys.stdout.buffer, mode="w|") as stream:
    for name, text in letters.items():
        data = text.encode()
        member = tarfile.TarInfo(name)
        member.size, member.mtime, member.mode = len(data), 1_767_225_600, 0o600
        stream.addfile(member, io.BytesIO(data))
