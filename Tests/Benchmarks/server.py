"""A PostgreSQL server of the bench's own."""
import contextlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time


def programs():
    """The folder of the server's programs: the newest of those that are here."""
    found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    given = shutil.which("postgres")
    if not found and not given:
        sys.exit("bench: no PostgreSQL server is installed")
    return found[-1].parent if found else pathlib.Path(given).resolve().parent


@contextlib.contextmanager
def server():
    """Starts an empty server on a socket in a temporary folder, and gives that folder. Server and folder go with the bench."""
    bin_folder = programs()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="account-export-bench-"))
    # It refuses to run as root.
    user = {}
    if os.geteuid() == 0:
        user = {"user": "postgres", "group": "postgres", "extra_groups": []}
        shutil.chown(folder, "postgres")
    try:
        data = folder / "data"
        subprocess.run([bin_folder / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"], cwd="/",
                       check=True, stdout=subprocess.DEVNULL, **user)
        settings = ["listen_addresses=", "fsync=off", "full_page_writes=off", "shared_buffers=512MB", "max_wal_size=8GB", "autovacuum=off"]
        with open(folder / "log", "wb") as log:
            running = subprocess.Popen([bin_folder / "postgres", "-D", data, "-k", folder, *(part for one in settings for part in ("-c", one))],
                                       cwd="/", stdout=log, stderr=log, **user)
        try:
            while subprocess.run([bin_folder / "pg_isready", "-q", "-h", folder, "-U", "postgres"]).returncode != 0:
                if running.poll() is not None:
                    sys.exit(f"bench: the server did not start: {(folder / 'log').read_text()}")
                time.sleep(0.1)
            yield folder
        finally:
            running.send_signal(2)
            running.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Database:
    """A database of a server."""

    def __init__(self, folder, name="postgres"):
        self.folder, self.name = folder, name

    @property
    def url(self):
        return f"postgres://postgres@/{self.name}?host={self.folder}"

    @property
    def environment(self):
        """Where psql and the export find it."""
        return {"PGHOST": str(self.folder), "PGUSER": "postgres", "PGDATABASE": self.name, "URL": self.url}

    def sql(self, text):
        """Runs statements, and gives what they print."""
        ran = subprocess.run(["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-f", "-"], input=text, text=True, capture_output=True,
                             env=os.environ | self.environment)
        if ran.returncode != 0:
            sys.exit(f"bench: psql: {ran.stderr}")
        return ran.stdout.strip()
