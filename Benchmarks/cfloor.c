// cfloor: the floor. One thread, epoll, keep-alive connections, a scan for the tokens, a contains check and
// one JSON line per case: what this machine can do on the same cases with no harness around it. Linux only.
//
//   cfloor PORT CASES.jsonl CONCURRENCY MODEL OUT.jsonl
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

typedef struct { char id[32], input[256], target[64]; } Case;
typedef struct {
  int fd, usage;
  const Case *asked;
  int64_t sent, first;
  size_t length, scanned, text_length;
  char bytes[1 << 20], text[1 << 16];
} Connection;

static Case *cases;
static int case_count, next_case, finished, passed;
static const char *model;
static FILE *out;

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void fail(const char *what) { perror(what), exit(1); }

// The value of "key": "..." in a line that mkcases.py wrote: it holds no escapes.
static void field(const char *line, const char *key, char *to, size_t size) {
  char quoted[40];
  snprintf(quoted, sizeof quoted, "\"%s\": \"", key);
  const char *from = strstr(line, quoted);
  from = from ? from + strlen(quoted) : "";
  snprintf(to, size, "%.*s", (int)strcspn(from, "\""), from);
}

static void read_cases(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) fail(path);
  char line[2000];
  while (fgets(line, sizeof line, file)) {
    cases = realloc(cases, (case_count + 1) * sizeof *cases);
    Case *c = &cases[case_count++];
    field(line, "id", c->id, sizeof c->id);
    field(line, "input", c->input, sizeof c->input);
    field(line, "target", c->target, sizeof c->target);
  }
  fclose(file);
}

static void ask(Connection *c) {
  if (next_case >= case_count) return;
  c->asked = &cases[next_case++];
  c->length = c->scanned = c->text_length = 0;
  c->first = 0;
  c->usage = -1;
  char body[1000], request[1400];
  int body_length = snprintf(body, sizeof body,
                             "{\"model\":\"%s\",\"stream\":true,\"stream_options\":{\"include_usage\":true},"
                             "\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]}", model, c->asked->input);
  int length = snprintf(request, sizeof request,
                        "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                        "Content-Length: %d\r\n\r\n%s", body_length, body);
  c->sent = now_ns();
  if (write(c->fd, request, length) != length) fail("write");
}

static void read_line(Connection *c, char *line, int64_t stamp) {
  static const char content[] = "\"content\":\"", usage[] = "\"completion_tokens\":";
  char *p = strstr(line, content);
  if (p) {
    p += sizeof content - 1;
    size_t n = strcspn(p, "\"");
    if (n && !c->first) c->first = stamp;
    memcpy(c->text + c->text_length, p, n);
    c->text_length += n;
  } else if ((p = strstr(line, usage))) {
    c->usage = atoi(p + sizeof usage - 1);
  }
}

static void finish(Connection *c, int64_t stamp) {
  c->text[c->text_length] = 0;
  bool pass = strstr(c->text, c->asked->target) != NULL;
  passed += pass;
  finished++;
  fprintf(out, "{\"id\": \"%s\", \"pass\": %s, \"sent\": %lld, \"first\": %lld, \"end\": %lld, \"tokens\": %d, \"output\": \"%s\"}\n",
          c->asked->id, pass ? "true" : "false", (long long)c->sent, (long long)c->first, (long long)stamp, c->usage, c->text);
  ask(c);
}

static void receive(Connection *c) {
  ssize_t n = recv(c->fd, c->bytes + c->length, sizeof c->bytes - c->length - 1, MSG_DONTWAIT);
  int64_t stamp = now_ns();
  if (n < 0 && errno == EAGAIN) return;
  if (n <= 0) fail("closed");
  c->length += n;
  char *line, *end;
  while ((end = memchr(line = c->bytes + c->scanned, '\n', c->length - c->scanned))) {
    *end = 0;
    if (!strncmp(line, "data: ", 6)) read_line(c, line, stamp);
    *end = '\n';
    c->scanned = end + 1 - c->bytes;
  }
  if (c->length >= 5 && !memcmp(c->bytes + c->length - 5, "0\r\n\r\n", 5)) finish(c, stamp);
}

int main(int argc, char **argv) {
  if (argc != 6) return fprintf(stderr, "usage: cfloor PORT CASES.jsonl CONCURRENCY MODEL OUT.jsonl\n"), 2;
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  read_cases(argv[2]);
  model = argv[4];
  if (!(out = fopen(argv[5], "w"))) fail(argv[5]);
  int poll = epoll_create1(0), on = 1;
  for (int i = 0; i < atoi(argv[3]) && i < case_count; i++) {
    Connection *c = calloc(1, sizeof *c);
    c->fd = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (connect(c->fd, (void *)&address, sizeof address)) fail("connect");
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
    epoll_ctl(poll, EPOLL_CTL_ADD, c->fd, &e);
    ask(c);
  }
  struct epoll_event events[128];
  while (finished < case_count) {
    int n = epoll_wait(poll, events, 128, 20000);
    if (n == 0) return fprintf(stderr, "cfloor: nothing for 20 s\n"), 1;
    for (int i = 0; i < n; i++) receive(events[i].data.ptr);
  }
  fclose(out);
  printf("%d cases, %d passed\n", case_count, passed);
  return 0;
}
