// What Swift can't import from SQLite (variadics, macros with casts), and the system calls under SQLite's locking protocol.
#pragma once
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

/// `sqlite3_db_config` for a switch: 0 off, 1 on. SQLite's status.
int csqlite_configure(sqlite3 *database, int option, int on);

/// Binds bytes that SQLite copies. SQLite's status.
int csqlite_bind_copied_text(sqlite3_stmt *statement, int index, const void *bytes, int count);

/// The same for a text in an encoding: `SQLITE_UTF8`, `SQLITE_UTF16LE`, `SQLITE_UTF16BE`. SQLite's status.
int csqlite_bind_copied_text_as(sqlite3_stmt *statement, int index, const void *bytes, uint64_t count, unsigned char encoding);

/// Binds a blob that SQLite copies. SQLite's status.
int csqlite_bind_copied_blob(sqlite3_stmt *statement, int index, const void *bytes, uint64_t count);

/// Lets any collation name stand for a bytewise order, so that a table whose collation belongs to its app can be walked: a walk along
/// an index compares nothing. SQLite's status.
int csqlite_accept_any_collation(sqlite3 *database);

/// How much a connection may compute before it yields a row, and how much it has, in steps of SQLite's virtual machine.
struct csqlite_work {
  uint64_t limit, done;
};

/// Ends what runs on a connection with SQLITE_INTERRUPT once `work->done`, counted here, is beyond `work->limit`; a null pointer lifts it.
void csqlite_limit_work(sqlite3 *database, struct csqlite_work *work);

/// Gives the calling thread a table of descriptors of its own, with nothing above standard error in it. 0, or an errno value.
/// ENOSYS where the system has no such thing.
int csqlite_own_descriptors(void);

/// Takes SQLite's SHARED lock on a database file, by a lock of this open file and not of the process. 0; EAGAIN where a writer is in
/// the way; ENOTSUP where files can't be locked so.
int csqlite_lock_shared(int descriptor);

/// Who else holds SQLite's locks on a database file: `reserved` a writer, `others` anyone at all. 0, or an errno value.
int csqlite_probe_locks(int descriptor, bool *reserved, bool *others);

/// Makes one file share all blocks of another, where the file system can. 0, or an errno value.
int csqlite_clone(int from, int to);

/// Copies up to `count` bytes from one place in a file to the same place in another, in the kernel. The number, or a negative errno value.
int64_t csqlite_copy_range(int from, int to, int64_t offset, uint64_t count);
