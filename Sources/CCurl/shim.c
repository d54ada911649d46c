#include "CCurl.h"

CURLcode evr_easy_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode evr_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode evr_easy_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode evr_easy_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode evr_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode evr_easy_set_write(CURL *easy, CURLoption option,
                            size_t (*callback)(char *, size_t, size_t, void *)) {
  return curl_easy_setopt(easy, option, callback);
}

CURLcode evr_easy_set_prereq(CURL *easy, int (*callback)(void *, char *, char *, int, int)) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
}

CURLcode evr_easy_set_open_socket(CURL *easy,
                                  curl_socket_t (*callback)(void *, curlsocktype, struct curl_sockaddr *)) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}

CURLcode evr_easy_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

CURLcode evr_easy_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}

CURLcode evr_easy_get_string(CURL *easy, CURLINFO info, const char **value) {
  return curl_easy_getinfo(easy, info, value);
}

CURLcode evr_easy_get_pointer(CURL *easy, CURLINFO info, void **value) {
  return curl_easy_getinfo(easy, info, value);
}

CURLMcode evr_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

CURLMcode evr_multi_set_pointer(CURLM *multi, CURLMoption option, void *value) {
  return curl_multi_setopt(multi, option, value);
}

CURLMcode evr_multi_set_socket_callback(CURLM *multi,
                                        int (*callback)(CURL *, curl_socket_t, int, void *, void *)) {
  return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
}

CURLMcode evr_multi_set_timer_callback(CURLM *multi, int (*callback)(CURLM *, long, void *)) {
  return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
}

int evr_multi_next_done(CURLM *multi, CURL **easy, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg != CURLMSG_DONE) continue;
    *easy = message->easy_handle;
    *result = message->data.result;
    return 1;
  }
  return 0;
}

curl_socket_t evr_socket_timeout(void) { return CURL_SOCKET_TIMEOUT; }
