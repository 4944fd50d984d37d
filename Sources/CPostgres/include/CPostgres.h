// What Swift can't import from libpq: its character constants, and a callback that does nothing.
#pragma once
#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

/// The SQLSTATE of a failed result; NULL where there is none.
static inline const char *cpostgres_sqlstate(const PGresult *result) { return PQresultErrorField(result, PG_DIAG_SQLSTATE); }

/// The first line of a failed result's message, without detail, hint and place; NULL where there is none.
static inline const char *cpostgres_primary_message(const PGresult *result) {
  return PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
}

/// Drops the server's notices: by default libpq prints them to standard error, and they may hold what is in a row.
void cpostgres_drop_notices(PGconn *connection);
