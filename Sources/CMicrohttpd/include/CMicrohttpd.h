#pragma once
#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>

/// What a reader of a response answers in place of a number of bytes: macros that Swift can't import.
static const ssize_t cmicrohttpd_end = MHD_CONTENT_READER_END_OF_STREAM, cmicrohttpd_failed = MHD_CONTENT_READER_END_WITH_ERROR;

/// Serves 127.0.0.1 on a port, 0 for a free one, with one thread that is the server's own. NULL where that can't be.
static inline struct MHD_Daemon *cmicrohttpd_start(
  uint16_t port, MHD_AccessHandlerCallback answer, MHD_RequestCompletedCallback completed, unsigned connections, unsigned timeout) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
  return MHD_start_daemon(
    MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer, NULL, MHD_OPTION_SOCK_ADDR,
    &address, MHD_OPTION_NOTIFY_COMPLETED, completed, NULL, MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_TIMEOUT,
    timeout, MHD_OPTION_END);
}

/// The port that is served.
static inline uint16_t cmicrohttpd_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

/// Answers a request with a status and a sentence.
static inline enum MHD_Result cmicrohttpd_say(struct MHD_Connection *connection, unsigned status, const char *sentence) {
  struct MHD_Response *response = MHD_create_response_from_buffer(strlen(sentence), (void *)sentence, MHD_RESPMEM_MUST_COPY);
  enum MHD_Result result = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return result;
}
