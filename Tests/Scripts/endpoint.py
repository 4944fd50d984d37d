#!/usr/bin/env python3
"""endpoint.py ENDPOINT COMMAND     tests the sample's HTTP endpoint: real sockets, real curl, every byte checked

ENDPOINT is the built export-endpoint, COMMAND the built account-export, which verifies what came. Readers are whole, slow, gone at any byte,
and many at once; after each part the server has as many descriptors and threads as before, as much memory, and nothing in its temporary
folder. Then it fails before and after its first byte, and is ended.
"""
import argparse
import concurrent.futures
import contextlib
import os
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

SAMPLE = Path(__file__).resolve().parents[2] / "Samples" / "container"
PATIENCE = 120  # seconds for what must come


class Server:
    """A served account, ended when it is let go."""

    def __init__(self, endpoint: str, container: Path, folder: Path, file_limit: int | None = None):
        self.temp = folder / f"temp-{container.name}"
        self.temp.mkdir()

        def prepare():
            if file_limit:  # writing beyond it fails, as on a full disk
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_limit, file_limit))

        self.process = subprocess.Popen([endpoint, container, "0", self.temp], stdout=subprocess.PIPE, text=True, preexec_fn=prepare,
                                        restore_signals=False)
        line = self.process.stdout.readline()
        self.url = line.split()[-1] if line else sys.exit("the server does not start")
        self.port = int(re.search(r":(\d+)/", self.url)[1])

    def count(self, what: str) -> int:
        return len(os.listdir(f"/proc/{self.process.pid}/{what}"))

    def memory(self, what: str = "VmRSS") -> int:
        """Resident bytes, now or (VmHWM) at most."""
        return int(re.search(what + r":\s+(\d+)", Path(f"/proc/{self.process.pid}/status").read_text())[1]) * 1024

    def curl(self, out: Path) -> subprocess.Popen:
        return subprocess.Popen(["curl", "--silent", "--show-error", "--dump-header", f"{out}.head", "--output", out, self.url],
                                stderr=subprocess.PIPE, text=True)

    def request(self) -> socket.socket:
        reader = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        reader.sendall(b"GET /export HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return reader

    def settle(self, descriptors: int, part: str):
        """Waits until nothing of what was is left: connections end in their own time."""
        end = time.monotonic() + PATIENCE
        while (self.count("fd"), os.listdir(self.temp)) != (descriptors, []):
            if time.monotonic() > end:
                check(False, f"{part}: {self.count('fd')} descriptors, {descriptors} before; {os.listdir(self.temp)} left")
            time.sleep(0.02)

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        check(self.process.wait(PATIENCE) == 0, f"ended with status {self.process.returncode}")
        check(os.listdir(self.temp) == [], "something is left in the temporary folder")


def check(holds: bool, problem: str):
    if not holds:
        sys.exit(f"endpoint: {problem}")


def verify(command: str, bundle: Path):
    result = subprocess.run([command, "verify", bundle], capture_output=True, text=True)
    check(result.returncode == 0, f"{bundle.name} does not verify: {result.stdout}{result.stderr}")


def whole(server: Server, command: str, folder: Path):
    """curl gets a bundle that verifies, under the bundle's name."""
    out = folder / "whole.zip"
    check(server.curl(out).wait(PATIENCE) == 0, "curl failed")
    verify(command, out)
    head = Path(f"{out}.head").read_text()
    check(head.startswith("HTTP/1.1 200") and "Transfer-Encoding: chunked" in head and "Content-Type: application/zip" in head, head)
    name = re.search(r'filename="(account-export-\d{8}T\d{6}Z)\.zip"', head)[1]
    check(f"{name}/datapackage.json".encode() in out.read_bytes(), "the file is not named as its folder")


def gone(server: Server, size: int, count: int):
    """Readers that go away at any byte: with their connection closed, or broken off."""
    for number in range(count):
        offset = random.randrange(size) if number else 0
        with server.request() as reader:
            if number % 2:  # closed with a reset
                reader.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            while offset > 0 and (piece := reader.recv(min(offset, 65536))):
                offset -= len(piece)


def slow(server: Server, began: threading.Event, stop: threading.Event) -> list[int]:
    """A reader of one byte a second, from before the others come until after they went: how much each read got."""
    with server.request() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        read = [len(reader.recv(1))]
        began.set()
        while not stop.wait(1):
            read.append(len(reader.recv(1)))
        return [*read, len(reader.recv(1))]


def at_once(server: Server, command: str, folder: Path, count: int):
    """Many at once, beside one that hardly reads."""
    began, stop = threading.Event(), threading.Event()
    outs = [folder / f"{number}.zip" for number in range(count)]
    with concurrent.futures.ThreadPoolExecutor(1) as beside:
        read = beside.submit(slow, server, began, stop)
        try:
            check(began.wait(PATIENCE), "the slow reader gets nothing")
            for process in [server.curl(out) for out in outs]:
                check(process.wait(PATIENCE) == 0, f"curl failed: {process.stderr.read()}")
        finally:
            stop.set()
        check(set(read.result(PATIENCE)) == {1}, f"the slow reader was broken off: {read.result()}")
    for out in outs:
        verify(command, out)
        out.unlink()


def one_after_another(server: Server, command: str, folder: Path, count: int) -> tuple[int, int]:
    """Memory and threads after the first tenth, and what they have grown by at the end."""
    out = folder / "again.zip"
    for number in range(count):
        check(server.curl(out).wait(PATIENCE) == 0, "curl failed")
        if number == count // 10:
            memory, threads = server.memory(), server.count("task")
    verify(command, out)
    grown = server.memory() - memory
    check(grown < 8 << 20, f"memory grew by {grown} bytes")
    check(server.count("task") <= threads, f"{server.count('task')} threads, {threads} before")
    return memory, grown


def fails_before(endpoint: str, folder: Path):
    """An account without anything to read: a status and a sentence, no bundle."""
    (folder / "empty").mkdir()
    server = Server(endpoint, folder / "empty", folder)
    out = folder / "nothing"
    check(server.curl(out).wait(PATIENCE) == 0, "curl failed")
    check(Path(f"{out}.head").read_text().startswith("HTTP/1.1 500"), "an export that fails is not a 500")
    check(out.read_text() == "The export could not be made.\n", f"it says {out.read_text()!r}")
    server.end()


def fails_after(endpoint: str, folder: Path):
    """An export that fails on its way: the connection is broken off, and curl says so."""
    container = folder / "failing"
    documents = container / "Documents"
    documents.mkdir(parents=True)
    for number in range(4):
        (documents / f"0-noise-{number}").write_bytes(random.randbytes(900_000))
    for number in range(3000):  # rows of documents beyond what is staged in memory
        (documents / f"{number:05}-{'long' * 40}").touch()
    server = Server(endpoint, container, folder, file_limit=100_000)
    process = server.curl(folder / "broken.zip")
    check(process.wait(PATIENCE) not in (0, 22), "curl takes a broken bundle for a whole one")
    check(Path(f"{folder / 'broken.zip'}.head").read_text().startswith("HTTP/1.1 200"), "it did not fail after the first byte")
    check((folder / "broken.zip").stat().st_size > 0, "nothing came before it failed")
    server.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("endpoint")
    parser.add_argument("command")
    parser.add_argument("--seed", type=int, default=20261130)
    options = parser.parse_args()
    random.seed(options.seed)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="account-export-endpoint-", dir="/var/tmp") as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        container = shutil.copytree(SAMPLE, folder / "account", symlinks=True)
        (container / "Documents" / "noise.bin").write_bytes(random.randbytes(8 << 20))
        server = Server(options.endpoint, container, folder)
        stack.callback(server.process.kill)
        whole(server, options.command, folder)
        size = (folder / "whole.zip").stat().st_size
        descriptors, threads = server.count("fd"), server.count("task")
        gone(server, size, 50)
        server.settle(descriptors, "readers that go away")
        at_once(server, options.command, folder, 8)
        server.settle(descriptors, "8 at once")
        check(server.count("task") <= threads + 8, f"{server.count('task')} threads, {threads} before")
        peak = server.memory("VmHWM")
        check(peak < 192 << 20, f"{peak} bytes of memory for a budget of 64 MiB")
        (container / "Documents" / "noise.bin").unlink()
        memory, grown = one_after_another(server, options.command, folder, 100)
        server.settle(descriptors, "100 one after another")
        with server.request() as stalled:  # an open connection doesn't keep it from ending
            stalled.recv(1)
            server.end()
        fails_before(options.endpoint, folder)
        fails_after(options.endpoint, folder)
    print(f"endpoint: 50 gone, 8 at once beside a slow one, peak {peak >> 20} MiB; 100 one after another: "
          f"{memory >> 20} MiB, {grown >> 10} KiB more at the end; "
          f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
