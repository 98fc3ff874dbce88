/* Errors: every function that can fail returns an np_status. */
#ifndef NETPRAM_STATUS_H
#define NETPRAM_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/** What a call came to. 0 is success, negative values are errors. */
typedef enum np_status {
    NP_OK = 0,
    NP_ERROR_INPUT = -1,     /**< a value, a name or a file's text is not acceptable */
    NP_ERROR_APPLY = -2,     /**< a scheme, path rule or traffic does not apply to this network */
    NP_ERROR_LIMIT = -3,     /**< too large: overflows an id, or the memory limit given */
    NP_ERROR_MEMORY = -4,    /**< an allocation failed */
    NP_ERROR_IO = -5,        /**< a file could not be read, written or put in place */
    NP_ERROR_CANCELLED = -6, /**< the caller's own callback asked to stop */
    NP_ERROR_INTERNAL = -7,  /**< a bug in the library */
    NP_ERROR_DEADLOCK = -8   /**< packets wait for each other for ever */
} np_status;

/** Marks functions whose status must not be ignored. */
#if defined(__GNUC__)
#define NP_CHECKED __attribute__((warn_unused_result))
#else
#define NP_CHECKED
#endif

/**
 * The message of the last error on this thread: one line that names the
 * value, why it was refused and, where there is one, the nearest valid choice.
 * Never NULL; "" before any error. Valid until the next error on the thread.
 */
const char *np_last_error(void);

/** A short name for a status ("input", "memory", ...). Never NULL. */
const char *np_status_name(np_status status);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
