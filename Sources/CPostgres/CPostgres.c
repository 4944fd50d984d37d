#include "CPostgres.h"

static void drop(void *context, const PGresult *result) {
  (void)context;
  (void)result;
}

void cpostgres_drop_notices(PGconn *connection) { PQsetNoticeReceiver(connection, drop, 0); }
