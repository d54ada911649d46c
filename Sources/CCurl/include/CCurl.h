#ifndef EVALRUN_CCURL_H
#define EVALRUN_CCURL_H
#include <curl/curl.h>
#endif
