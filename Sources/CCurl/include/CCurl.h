#ifndef EVALRUN_CCURL_H
#define EVALRUN_CCURL_H

// Swift cannot call C functions that take `...`, and sees a C union such as the one in CURLMsg badly:
// one plain function per argument type. Nothing here decides anything.

#include <curl/curl.h>

#ifdef __linux__
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif

CURLcode evr_easy_set_long(CURL *easy, CURLoption option, long value);
CURLcode evr_easy_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode evr_easy_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode evr_easy_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode evr_easy_set_list(CURL *easy, CURLoption option, struct curl_slist *value);

/// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION, which have the same shape.
CURLcode evr_easy_set_write(CURL *easy, CURLoption option,
                            size_t (*callback)(char *bytes, size_t size, size_t count, void *context));

/// For CURLOPT_PREREQFUNCTION.
CURLcode evr_easy_set_prereq(CURL *easy,
                             int (*callback)(void *context, char *primary_ip, char *local_ip,
                                             int primary_port, int local_port));

/// For CURLOPT_OPENSOCKETFUNCTION.
CURLcode evr_easy_set_open_socket(CURL *easy,
                                  curl_socket_t (*callback)(void *context, curlsocktype purpose,
                                                            struct curl_sockaddr *address));

CURLcode evr_easy_get_long(CURL *easy, CURLINFO info, long *value);
CURLcode evr_easy_get_offset(CURL *easy, CURLINFO info, curl_off_t *value);
CURLcode evr_easy_get_string(CURL *easy, CURLINFO info, const char **value);
CURLcode evr_easy_get_pointer(CURL *easy, CURLINFO info, void **value);

CURLMcode evr_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode evr_multi_set_pointer(CURLM *multi, CURLMoption option, void *value);
CURLMcode evr_multi_set_socket_callback(CURLM *multi,
                                        int (*callback)(CURL *easy, curl_socket_t socket, int what,
                                                        void *context, void *socket_context));
CURLMcode evr_multi_set_timer_callback(CURLM *multi,
                                       int (*callback)(CURLM *multi, long timeout_ms, void *context));

/// Takes the next finished transfer from the multi handle's queue.
/// Returns 1 and fills both out-parameters, or 0 when there is none.
int evr_multi_next_done(CURLM *multi, CURL **easy, CURLcode *result);

/// The number of CURL_SOCKET_TIMEOUT, which is a cast macro that Swift does not import.
curl_socket_t evr_socket_timeout(void);

#endif
