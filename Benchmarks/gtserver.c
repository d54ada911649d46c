// gtserver: a model server that knows the truth. One thread, epoll, Linux only.
//
// It speaks OpenAI Chat Completions on 127.0.0.1, streamed or not, and logs for every request, on
// CLOCK_MONOTONIC in nanoseconds, when it was received and when its first and last content token were
// handed to send(). What a client reports minus what this log says is the client's own error.
//
//   gtserver [-p PORT] [-l LOG.csv]     prints the port (0: any free one) as its first line
//
// The model's name is the script, words joined with '-':
//   t<N>        N content tokens (16)
//   ttft<MS>    the first content token MS ms after the request was received (0)
//   itl<MS>     MS ms between tokens (0)
//   j<PCT>      +-PCT % on each delay, drawn from the case, so every run has the same
//   norole      no role-only first chunk (it is sent at arrival otherwise)
//   laterole    the role-only chunk goes out together with the first content token
//   sep         one send() per token even where several are due at once
//   acc<PCT>    share of answers that hold the right code (80)
//   think<N>    N reasoning deltas before the content, itl apart, the first after ttft
//   e<CODE>p<P> P % of requests are answered with HTTP CODE (429 and 503 with Retry-After: 1)
//   drop<P>     P % of answers are cut in the middle by a FIN;  rst<P>: by an RST
//   stall<P>    P % of answers stop in the middle for 5 s, then go on
// A prompt that holds "[[id:c00001]]" names its case, and "ANSWER=<code>" the code to answer with.
// Failures are drawn from (case, attempt): a retry is a fresh draw, and every run has the same.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MAX_FD = 65536, MAX_TOKENS = 8192, MAX_BODY = 64 << 20, STALL_MS = 5000 };

enum RoleChunk { ROLE_NONE, ROLE_AT_ARRIVAL, ROLE_WITH_FIRST };

typedef struct {
  int tokens, think, accuracy, jitter;
  int64_t ttft, itl;  // ns
  enum RoleChunk role;
  bool separate;
  int error_code, error_pct, drop_pct, reset_pct, stall_pct;
} Script;

typedef struct {
  char *bytes;
  size_t length, capacity;
} Buffer;

// One connection and, while `busy`, the answer that is going out on it.
typedef struct {
  int fd;
  Buffer in, out;
  size_t sent;        // bytes of `out` already handed over
  bool wants_write;   // EPOLLOUT is set
  bool busy, stream, usage, wrong;
  Script script;
  uint64_t seed;
  char id[64], code[64], model[160];
  char prefix[420];   // what every chunk of this answer begins with
  int prefix_length;
  int thought, token; // next reasoning delta, next content token
  int cut_at, stall_at;  // token index, -1: never
  int status, attempt, request_number, prompt_tokens;
  uint64_t sequence;
  int64_t received, role_sent, think_sent, first_sent, last_sent, due;
  long timer;         // index in the heap, -1: none
} Connection;

static Connection *connections[MAX_FD];
static int epoll_fd;
static uint64_t sequence;
static volatile sig_atomic_t stopping;

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

// ---------------------------------------------------------------- draws: the same in every run

static uint64_t mix(uint64_t x) {  // the finalizer of SplitMix64
  x ^= x >> 30, x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27, x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

static uint64_t hash(const char *text) {  // FNV-1a
  uint64_t h = 1469598103934665603ULL;
  for (; *text; text++) h = (h ^ (unsigned char)*text) * 1099511628211ULL;
  return h;
}

static bool draw(uint64_t seed, int percent) { return percent > 0 && mix(seed) % 1000 < (uint64_t)percent * 10; }

static int64_t jittered(const Connection *c, int64_t delay, int draw_index) {
  if (!c->script.jitter || !delay) return delay;
  double unit = (double)(mix(c->seed * 31 + draw_index + 1) >> 11) / (double)(1ULL << 53);
  return (int64_t)(delay * (1.0 + c->script.jitter / 100.0 * (2 * unit - 1)));
}

// How often this case was asked before: an open-addressing table that doubles when half full.
static int count_attempt(uint64_t key) {
  static struct { uint64_t key; int count; } *table;
  static size_t capacity, used;
  if (!key) key = 1;
  if (used * 2 >= capacity) {
    size_t old_capacity = capacity;
    __typeof__(table) old = table;
    capacity = capacity ? capacity * 2 : 1 << 16;
    table = calloc(capacity, sizeof *table);
    for (size_t i = 0; i < old_capacity; i++) {
      if (!old[i].key) continue;
      size_t slot = old[i].key & (capacity - 1);
      while (table[slot].key) slot = (slot + 1) & (capacity - 1);
      table[slot] = old[i];
    }
    free(old);
  }
  size_t slot = key & (capacity - 1);
  while (table[slot].key && table[slot].key != key) slot = (slot + 1) & (capacity - 1);
  if (!table[slot].key) table[slot].key = key, used++;
  return table[slot].count++;
}

// ---------------------------------------------------------------- log

static int log_fd = -1;
static char log_buffer[1 << 20];
static size_t log_length;
static int64_t log_flushed;

static void flush_log(void) {
  for (size_t done = 0; done < log_length;) {
    ssize_t n = write(log_fd, log_buffer + done, log_length - done);
    if (n <= 0) break;
    done += n;
  }
  log_length = 0;
  log_flushed = now_ns();
}

static void log_answer(const Connection *c, const char *outcome) {
  if (log_fd < 0) return;
  if (log_length + 1024 > sizeof log_buffer) flush_log();
  log_length += snprintf(
      log_buffer + log_length, 1024, "%llu,%s,%d,%s,%d,%d,%d,%d,%lld,%lld,%lld,%lld,%lld,%lld,%d,%d,%s\n",
      (unsigned long long)c->sequence, c->id, c->attempt, c->model, c->status, c->stream, c->token, c->wrong,
      (long long)c->received, (long long)c->role_sent, (long long)c->think_sent, (long long)c->first_sent,
      (long long)c->last_sent, (long long)now_ns(), c->fd, c->request_number, outcome);
}

static void open_log(const char *path) {
  log_fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644);
  if (log_fd < 0) perror(path), exit(1);
  log_length = sprintf(log_buffer, "seq,id,attempt,model,status,stream,tokens,wrong,t_received,t_role,t_think,"
                                   "t_first,t_last,t_done,fd,nth_on_connection,outcome\n");
}

// ---------------------------------------------------------------- timers: a binary heap by `due`

static Connection *heap[MAX_FD];
static long heap_size;

static void place(long i, Connection *c) { heap[i] = c, c->timer = i; }

static void sift_up(long i) {
  Connection *c = heap[i];
  for (; i > 0 && heap[(i - 1) / 2]->due > c->due; i = (i - 1) / 2) place(i, heap[(i - 1) / 2]);
  place(i, c);
}

static void sift_down(long i) {
  Connection *c = heap[i];
  for (;;) {
    long child = 2 * i + 1;
    if (child >= heap_size) break;
    if (child + 1 < heap_size && heap[child + 1]->due < heap[child]->due) child++;
    if (heap[child]->due >= c->due) break;
    place(i, heap[child]);
    i = child;
  }
  place(i, c);
}

static void set_timer(Connection *c) {
  if (c->timer >= 0) return;
  place(heap_size, c);
  sift_up(heap_size++);
}

static void clear_timer(Connection *c) {
  long i = c->timer;
  if (i < 0) return;
  c->timer = -1;
  if (i == --heap_size) return;
  Connection *moved = heap[heap_size];
  place(i, moved);
  sift_up(i);
  sift_down(moved->timer);
}

// ---------------------------------------------------------------- output

static void reserve(Buffer *b, size_t more) {
  if (b->length + more <= b->capacity) return;
  while (b->length + more > b->capacity) b->capacity = b->capacity ? b->capacity * 2 : 8192;
  b->bytes = realloc(b->bytes, b->capacity);
}

static void put(Connection *c, const char *bytes, size_t length) {
  reserve(&c->out, length);
  memcpy(c->out.bytes + c->out.length, bytes, length);
  c->out.length += length;
}

static void put_text(Connection *c, const char *text) { put(c, text, strlen(text)); }

static void close_connection(Connection *c, bool reset) {
  if (c->busy) log_answer(c, "client_gone");
  clear_timer(c);
  struct linger abort_now = {1, 0};
  if (reset) setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &abort_now, sizeof abort_now);
  connections[c->fd] = NULL;
  close(c->fd);
  free(c->in.bytes), free(c->out.bytes), free(c);
}

static void watch(Connection *c, int operation, bool write) {
  struct epoll_event e = {.events = EPOLLIN | EPOLLRDHUP | (write ? EPOLLOUT : 0), .data.fd = c->fd};
  epoll_ctl(epoll_fd, operation, c->fd, &e);
  c->wants_write = write;
}

// Hands over what is in `out`. False: the connection is gone, and with it `c`.
static bool flush(Connection *c) {
  while (c->sent < c->out.length) {
    ssize_t n = send(c->fd, c->out.bytes + c->sent, c->out.length - c->sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) break;
    if (n < 0) return close_connection(c, false), false;
    c->sent += n;
  }
  bool all = c->sent == c->out.length;
  if (all) c->sent = c->out.length = 0;
  if (all == c->wants_write) watch(c, EPOLL_CTL_MOD, !all);
  return true;
}

static void put_json(Connection *c, int status, const char *reason, const char *fields, const char *body) {
  char head[256];
  int n = snprintf(head, sizeof head, "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\n%sContent-Length: %zu\r\n\r\n",
                   status, reason, fields, strlen(body));
  put(c, head, n);
  put_text(c, body);
}

// One server-sent event in one HTTP chunk.
static void put_event(Connection *c, const char *prefix, int prefix_length, const char *format, ...) {
  char event[1200], size[16];
  memcpy(event, prefix, prefix_length);
  va_list values;
  va_start(values, format);
  int n = prefix_length + vsnprintf(event + prefix_length, sizeof event - prefix_length, format, values);
  va_end(values);
  put(c, size, sprintf(size, "%x\r\n", n));
  put(c, event, n);
  put(c, "\r\n", 2);
}

#define CHUNK_END ",\"logprobs\":null,\"finish_reason\":null}]}\n\n"

static void put_role(Connection *c) {
  put_event(c, c->prefix, c->prefix_length, "{\"role\":\"assistant\",\"content\":\"\"}" CHUNK_END);
  c->role_sent = now_ns();
}

// ---------------------------------------------------------------- what the model says

static const char *const words[64] = {
    "the",   "model", "reads", "a",    "prompt", "then",  "writes", "some", "words", "about", "it",   "and",  "moves",
    "on",    "to",    "next",  "item", "with",   "care",  "so",     "that", "each",  "reply", "has",  "text", "of",
    "known", "size",  "which", "tests", "can",   "count", "while",  "time", "runs",  "by",    "at",   "even", "pace",
    "from",  "first", "token", "until", "last",  "one",   "is",     "sent", "out",   "over",  "this", "line", "where",
    "we",    "measure", "every", "step", "as",   "well",  "may",    "hope", "for",   "now",   "more", "less"};

// Content token i: the code in the middle, in a wrong form for a share of the cases.
static void token_text(const Connection *c, int i, char *text, size_t size) {
  const char *space = i ? " " : "";
  int middle = c->script.tokens < 4 ? 0 : c->script.tokens / 2;
  if (!c->code[0] || i != middle) {
    snprintf(text, size, "%s%s", space, words[mix(c->seed + 77 * i) & 63]);
  } else {
    snprintf(text, size, "%s%s", space, c->code);
    char *last = text + strlen(text) - 1;
    if (c->wrong) *last = *last == '0' ? '1' : '0';
  }
}

static void put_token(Connection *c, int i) {
  char text[80];
  token_text(c, i, text, sizeof text);
  put_event(c, c->prefix, c->prefix_length, "{\"content\":\"%s\"}" CHUNK_END, text);
}

static void put_end(Connection *c) {
  put_event(c, c->prefix, c->prefix_length, "{},\"logprobs\":null,\"finish_reason\":\"stop\"}]}\n\n");
  int output = c->script.tokens + c->script.think;
  if (c->usage) {
    put_event(c, "data: ", 6,
              "{\"id\":\"chatcmpl-%llu\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"%s\","
              "\"choices\":[],\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":%d,\"total_tokens\":%d}}\n\n",
              (unsigned long long)c->sequence, c->model, c->prompt_tokens, output, c->prompt_tokens + output);
  }
  put_event(c, "data: [DONE]\n\n", 14, "");
  put_text(c, "0\r\n\r\n");
}

static void put_whole_answer(Connection *c) {
  static char text[MAX_TOKENS * 72], body[sizeof text + 1024];
  size_t n = 0;
  for (int i = 0; i < c->script.tokens; i++) {
    token_text(c, i, text + n, sizeof text - n);
    n += strlen(text + n);
  }
  text[n] = 0;
  int output = c->script.tokens + c->script.think;
  snprintf(body, sizeof body,
           "{\"id\":\"chatcmpl-%llu\",\"object\":\"chat.completion\",\"created\":1700000000,\"model\":\"%s\","
           "\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"%s\",\"refusal\":null},"
           "\"logprobs\":null,\"finish_reason\":\"stop\"}],"
           "\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":%d,\"total_tokens\":%d}}",
           (unsigned long long)c->sequence, c->model, text, c->prompt_tokens, output, c->prompt_tokens + output);
  put_json(c, 200, "OK", "", body);
}

// ---------------------------------------------------------------- an answer in time

enum Progress { GONE, WAITING, DONE };

static enum Progress finish(Connection *c, const char *outcome) {
  if (!flush(c)) return GONE;
  log_answer(c, outcome);
  c->busy = false;
  return DONE;
}

static enum Progress cut(Connection *c) {
  if (!c->stream) put_text(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{\"id\":\"cut");
  if (!flush(c)) return GONE;
  log_answer(c, "dropped");
  c->busy = false;
  close_connection(c, c->script.reset_pct > 0);
  return GONE;
}

// Emits everything that is due by now.
static enum Progress pump(Connection *c) {
  const Script *s = &c->script;
  bool one_by_one = s->separate || s->itl;
  for (;;) {
    int64_t now = now_ns();
    if (c->due > now) {
      set_timer(c);
      return flush(c) ? WAITING : GONE;
    }
    if (c->thought < s->think) {
      if (!c->think_sent) c->think_sent = now;
      if (c->stream) {
        put_event(c, c->prefix, c->prefix_length, "{\"reasoning_content\":\" %s\"}" CHUNK_END, words[(c->thought * 7) & 63]);
      }
      c->thought++;
      c->due += jittered(c, s->itl, 9000 + c->thought);
      if (one_by_one && !flush(c)) return GONE;
      continue;
    }
    if (c->token == c->cut_at) return cut(c);
    if (c->token == c->stall_at) {
      c->stall_at = -1;
      c->due = now + STALL_MS * 1000000LL;
      continue;
    }
    if (c->token == 0) {
      if (c->stream && s->role == ROLE_WITH_FIRST) put_role(c);
      c->first_sent = now;
    }
    c->last_sent = now;
    if (c->stream) {
      if (s->tokens) put_token(c, c->token);
      if (++c->token >= s->tokens) put_end(c);
    } else {
      c->token = s->tokens;
      put_whole_answer(c);
    }
    if (c->token >= s->tokens) return finish(c, "ok");
    c->due += jittered(c, s->itl, c->token);
    if (one_by_one && !flush(c)) return GONE;
  }
}

// ---------------------------------------------------------------- requests

static Script parse_script(const char *name) {
  Script s = {.tokens = 16, .accuracy = 80, .role = ROLE_AT_ARRIVAL};
  char copy[160], *rest = copy;
  snprintf(copy, sizeof copy, "%s", name);
  for (char *w; (w = strsep(&rest, "-"));) {
    double ms;
    int a, b = 100;
    if (sscanf(w, "ttft%lf", &ms) == 1) s.ttft = (int64_t)(ms * 1e6);
    else if (sscanf(w, "itl%lf", &ms) == 1) s.itl = (int64_t)(ms * 1e6);
    else if (sscanf(w, "think%d", &a) == 1) s.think = a;
    else if (sscanf(w, "acc%d", &a) == 1) s.accuracy = a;
    else if (sscanf(w, "drop%d", &a) == 1) s.drop_pct = a;
    else if (sscanf(w, "rst%d", &a) == 1) s.reset_pct = a;
    else if (sscanf(w, "stall%d", &a) == 1) s.stall_pct = a;
    else if (sscanf(w, "t%d", &a) == 1) s.tokens = a < 0 ? 0 : a > MAX_TOKENS ? MAX_TOKENS : a;
    else if (sscanf(w, "j%d", &a) == 1) s.jitter = a;
    else if (sscanf(w, "e%dp%d", &a, &b) >= 1) s.error_code = a, s.error_pct = b;
    else if (!strcmp(w, "norole")) s.role = ROLE_NONE;
    else if (!strcmp(w, "laterole")) s.role = ROLE_WITH_FIRST;
    else if (!strcmp(w, "sep")) s.separate = true;
  }
  return s;
}

// The value after "key": in a body, wherever it stands; enough for bodies that benchmarks send.
static const char *json_value(const char *body, const char *key) {
  char quoted[40];
  int n = snprintf(quoted, sizeof quoted, "\"%s\"", key);
  for (const char *p = body; (p = strstr(p, quoted));) {
    p += n;
    while (isspace((unsigned char)*p)) p++;
    if (*p != ':') continue;
    for (p++; isspace((unsigned char)*p);) p++;
    return p;
  }
  return "";
}

static void copy_word(char *to, size_t size, const char *from) {
  size_t n = 0;
  while (n + 1 < size && (isalnum((unsigned char)from[n]) || (from[n] && strchr("-_.:/", from[n])))) to[n] = from[n], n++;
  to[n] = 0;
}

static void read_request(Connection *c, const char *body, size_t body_length) {
  const char *model = json_value(body, "model"), *mark, *last = NULL;
  copy_word(c->model, sizeof c->model, *model == '"' ? model + 1 : "t16");
  c->script = parse_script(c->model);
  c->stream = *json_value(body, "stream") == 't';
  c->usage = *json_value(body, "include_usage") == 't';
  c->prompt_tokens = (int)(body_length / 4);
  for (const char *p = body; (p = strstr(p, "ANSWER=")); last = p) p += 7;
  copy_word(c->code, sizeof c->code, last ? last : "");
  if ((mark = strstr(body, "[[id:"))) copy_word(c->id, sizeof c->id, mark + 5);
  else snprintf(c->id, sizeof c->id, "s%llu", (unsigned long long)c->sequence);
}

static enum Progress refuse(Connection *c) {
  c->status = c->script.error_code;
  bool later = c->status == 429 || c->status == 503;
  put_json(c, c->status, c->status == 429 ? "Too Many Requests" : "Injected", later ? "Retry-After: 1\r\n" : "",
           c->status == 429 ? "{\"error\":{\"message\":\"Rate limit reached (injected)\",\"type\":\"requests\","
                              "\"param\":null,\"code\":\"rate_limit_exceeded\"}}"
                            : "{\"error\":{\"message\":\"injected failure\",\"type\":\"server_error\","
                              "\"param\":null,\"code\":null}}");
  c->first_sent = c->last_sent = now_ns();
  return finish(c, "error");
}

static enum Progress start_answer(Connection *c, const char *body, size_t body_length) {
  c->busy = true;
  c->sequence = ++sequence;
  c->thought = c->token = 0;
  c->cut_at = c->stall_at = -1;
  c->status = 200;
  c->role_sent = c->think_sent = c->first_sent = c->last_sent = 0;
  read_request(c, body, body_length);
  Script *s = &c->script;
  c->seed = mix(hash(c->code[0] ? c->code : c->id));
  c->wrong = c->code[0] && mix(c->seed ^ 0xACC) % 100 >= (uint64_t)s->accuracy;
  c->attempt = count_attempt(hash(c->id));

  uint64_t fate = mix(c->seed ^ mix(0x1234 + c->attempt));
  if (draw(fate, s->error_code ? s->error_pct : 0)) return refuse(c);
  if (draw(fate ^ 0xD0D0, s->drop_pct ? s->drop_pct : s->reset_pct)) c->cut_at = c->stream ? s->tokens / 2 : 0;
  if (draw(fate ^ 0x57A1, s->stall_pct)) c->stall_at = c->stream ? s->tokens / 2 : 0;

  c->due = c->received + jittered(c, s->ttft, 0);
  if (!c->stream) {  // the whole answer leaves when its last token is ready
    for (int i = 1; i < s->tokens + s->think; i++) c->due += jittered(c, s->itl, i);
    c->thought = s->think;
    return pump(c);
  }
  put_text(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nCache-Control: no-cache\r\n"
              "Transfer-Encoding: chunked\r\n\r\n");
  c->prefix_length = snprintf(c->prefix, sizeof c->prefix,
                              "data: {\"id\":\"chatcmpl-%llu\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,"
                              "\"model\":\"%s\",\"system_fingerprint\":\"fp_gt\",\"choices\":[{\"index\":0,\"delta\":",
                              (unsigned long long)c->sequence, c->model);
  if (s->role == ROLE_AT_ARRIVAL) put_role(c);
  if ((s->ttft || s->separate) && !flush(c)) return GONE;
  return pump(c);
}

static enum Progress answer_other(Connection *c, const char *path) {
  if (!strncmp(path, "/v1/models", 10)) {
    put_json(c, 200, "OK", "", "{\"object\":\"list\",\"data\":[{\"id\":\"t16\",\"object\":\"model\",\"created\":1700000000,"
                               "\"owned_by\":\"gtserver\"}]}");
  } else if (!strncmp(path, "/health", 7)) {
    put_json(c, 200, "OK", "", "{\"status\":\"ok\"}");
  } else {
    put_json(c, 404, "Not Found", "", "{\"error\":{\"message\":\"not found\",\"type\":\"invalid_request_error\",\"code\":404}}");
  }
  return flush(c) ? DONE : GONE;
}

// Answers the requests that are whole in `in`, one after the other. False: the connection is gone.
static bool answer_requests(Connection *c) {
  while (!c->busy) {
    if (!c->in.length) return true;
    c->in.bytes[c->in.length] = 0;
    char *blank = strstr(c->in.bytes, "\r\n\r\n");
    if (!blank) return true;
    size_t head = blank + 4 - c->in.bytes;
    blank[2] = 0;  // a header search ends at the head's end
    const char *field = strcasestr(c->in.bytes, "\r\ncontent-length:");
    size_t body = field ? strtoul(field + 17, NULL, 10) : 0;
    blank[2] = '\r';
    if (body > MAX_BODY) return close_connection(c, false), false;
    if (c->in.length < head + body) return true;

    c->received = now_ns();
    c->request_number++;
    char after = c->in.bytes[head + body], *path = strchr(c->in.bytes, ' ');
    if (!path) return close_connection(c, false), false;
    path++;
    c->in.bytes[head + body] = 0;
    bool chat = !strncmp(c->in.bytes, "POST", 4) && strstr(path, "/chat/completions");
    if ((chat ? start_answer(c, c->in.bytes + head, body) : answer_other(c, path)) == GONE) return false;
    c->in.bytes[head + body] = after;
    c->in.length -= head + body;
    memmove(c->in.bytes, c->in.bytes + head + body, c->in.length);
  }
  return true;
}

// ---------------------------------------------------------------- the loop

static void accept_all(int listener) {
  for (int fd; (fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;) {
    if (fd >= MAX_FD) { close(fd); continue; }
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    Connection *c = calloc(1, sizeof *c);
    c->fd = fd, c->timer = -1;
    connections[fd] = c;
    watch(c, EPOLL_CTL_ADD, false);
  }
}

static void read_all(Connection *c) {
  for (;;) {
    reserve(&c->in, 4097);  // one more, for the terminating NUL
    size_t room = c->in.capacity - c->in.length - 1;
    ssize_t n = recv(c->fd, c->in.bytes + c->in.length, room, 0);
    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) return close_connection(c, false);
    if (n < 0) break;
    c->in.length += n;
    if ((size_t)n < room) break;
  }
  answer_requests(c);
}

// The tokens that are due go first: they are the truth that clients are measured against.
static void run_timers(void) {
  while (heap_size && heap[0]->due <= now_ns()) {
    Connection *c = heap[0];
    clear_timer(c);
    if (pump(c) == DONE) answer_requests(c);
  }
}

static void handle_event(const struct epoll_event *e, int listener) {
  int fd = e->data.fd;
  if (fd == listener) return accept_all(listener);
  Connection *c = connections[fd];
  if (!c || ((e->events & EPOLLOUT) && !flush(c))) return;
  if (e->events & (EPOLLIN | EPOLLHUP | EPOLLERR | EPOLLRDHUP)) read_all(c);
}

static void serve(int listener) {
  struct epoll_event events[512];
  while (!stopping) {
    int64_t wait = heap_size ? heap[0]->due - now_ns() : 200000000;
    struct timespec timeout = {0, wait < 0 ? 0 : wait > 200000000 ? 200000000 : wait};
    int n = epoll_pwait2(epoll_fd, events, 512, &timeout, NULL);
    run_timers();
    for (int i = 0; i < n; i++) handle_event(&events[i], listener);
    if (log_length > sizeof log_buffer / 2 || (log_length && now_ns() - log_flushed > 200000000)) flush_log();
  }
}

static int listen_on(int port) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), on = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof a;
  if (bind(fd, (void *)&a, sizeof a) || listen(fd, 4096)) perror("gtserver: bind"), exit(1);
  getsockname(fd, (void *)&a, &length);
  printf("%d\n", ntohs(a.sin_port));
  fflush(stdout);
  return fd;
}

static void on_signal(int number) { (void)number, stopping = 1; }

int main(int argc, char **argv) {
  int port = 0;
  for (int option; (option = getopt(argc, argv, "p:l:")) != -1;) {
    if (option == 'p') port = atoi(optarg);
    else if (option == 'l') open_log(optarg);
    else return fprintf(stderr, "usage: gtserver [-p PORT] [-l LOG.csv]\n"), 2;
  }
  prctl(PR_SET_TIMERSLACK, 1);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max < MAX_FD - 1 ? files.rlim_max : MAX_FD - 1;
  setrlimit(RLIMIT_NOFILE, &files);
  signal(SIGPIPE, SIG_IGN);
  struct sigaction stop = {.sa_handler = on_signal};
  sigaction(SIGTERM, &stop, NULL), sigaction(SIGINT, &stop, NULL);

  epoll_fd = epoll_create1(EPOLL_CLOEXEC);
  int listener = listen_on(port);
  struct epoll_event e = {.events = EPOLLIN, .data.fd = listener};
  epoll_ctl(epoll_fd, EPOLL_CTL_ADD, listener, &e);
  serve(listener);
  if (log_fd >= 0) flush_log();
  return 0;
}
