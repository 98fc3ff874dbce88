/* Raising an error: records a message with the values, returns the status. */
#pragma once

#include "base/export.h"
#include "netpram/base.h"

/* return NP_RAISE(NP_ERROR_INPUT, "hypercube:%s: ...", text); */
#define NP_RAISE(status, ...) np_status_raise((status), __VA_ARGS__)

/* What was raised last in this thread: of a function that gives no status, such as np_memory_text. */
NP_FOR_REPORT np_status np_status_last(void);

/* Puts "where: " before the message that an inner call recorded. */
NP_FOR_REPORT np_status np_status_prefix(np_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
