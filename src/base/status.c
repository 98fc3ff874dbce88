/* The thread's last error. Other mutable state outside of objects: only registered entries and test hooks. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/written.h"

enum { MESSAGE_SIZE = 512 };

static _Thread_local char message[MESSAGE_SIZE];
static _Thread_local np_status last;

const char *np_last_error(void) { return message; }
np_status np_status_last(void) { return last; }

const char *np_status_name(np_status status)
{
    static const char *const names[] = {"ok", "input",     "not applicable", "limit",   "memory",
                                        "io", "cancelled", "internal",       "deadlock"};
    unsigned index = (unsigned)-(int)status;
    return index < sizeof names / sizeof *names ? names[index] : "unknown";
}

np_status np_status_raise(np_status status, const char *format, ...)
{
    /* The arguments may point into the present message: format beside it. */
    char text[MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)np_written_copy(text, message, sizeof message); /* one line, whatever names and paths are in it */
    return last = status;
}

np_status np_status_prefix(np_status status, const char *format, ...)
{
    char inner[MESSAGE_SIZE], text[MESSAGE_SIZE], prefix[MESSAGE_SIZE];
    memcpy(inner, message, sizeof inner);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    (void)np_written_copy(text, prefix, sizeof prefix);
    size_t length = strlen(prefix);
    if (length > MESSAGE_SIZE - 1)
        length = MESSAGE_SIZE - 1;
    memcpy(message, prefix, length);
    size_t rest = strlen(inner);
    if (rest > MESSAGE_SIZE - 1 - length)
        rest = MESSAGE_SIZE - 1 - length;
    memcpy(message + length, inner, rest);
    message[length + rest] = '\0';
    return status;
}

/* ----  ---- */

const char *np_version(void) { return NETPRAM_VERSION; }

int np_version_number(void) { return NETPRAM_VERSION_NUMBER; }
