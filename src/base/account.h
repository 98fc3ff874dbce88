/*
 * Accounts of memory. What is taken from memory.h is charged to the account of the thread that takes it, and to the
 * accounts that this one was opened in. An allocation past a limit is an ordinary error. So nobody adds up beforehand
 * what a call will take, but who must know it before a long run starts.
 *
 * A call opens an account for its time:
 *
 *     np_status np_thing_make(..., const np_thing_options *options, ...)
 *     {
 *         NP_ACCOUNT(options->memory_limit, "a smaller thing");
 *         ...
 *
 * A free gives back to the account of the thread that frees. So `taken` is by how much the call has changed what is
 * held since the account was opened, and an object that outlives the call stays with the outer account.
 *
 * The threads that share a loop have the account of the thread that starts it (threads.h).
 */
#pragma once

#include <stdbool.h>

#include "base/status.h"

/* The number of an account, which no other ever has; 0: none. */
typedef uint64_t np_account;

/*
 * Opens an account inside that of this thread and gives it to the thread, until np_account_close, which must come from
 * the same thread. limit: bytes. 0: what the outer account leaves; without an outer one, what the system has, less a
 * reserve (np_memory_default), which is asked only if the call takes much. advice: what to take instead, "a smaller
 * network"; NULL: as the outer account says. It must outlive the account. 0 if too many accounts are open: then the
 * outer one stays.
 */
NP_FOR_REPORT np_account np_account_open(uint64_t limit, const char *advice);
NP_FOR_REPORT void np_account_close(const np_account *account);

/* Opens an account until the end of the block. */
#define NP_ACCOUNT(limit, advice)                                                                                      \
    __attribute__((cleanup(np_account_close))) const np_account account_of_call = np_account_open(limit, advice);      \
    (void)account_of_call

/* Bytes held more than when the account was opened, 0 if fewer; and the most at any time. 0 if it is closed. */
uint64_t np_account_taken(np_account account);
uint64_t np_account_peak(np_account account);

/*
 * What the account of this thread may hold at most: what all limits around it leave, and what it has taken. Without an
 * account, what the system has, less the reserve. It asks the system, which takes longer than a small call.
 */
uint64_t np_account_room(void);

/* May the account hold so many bytes in all? The system is not asked for a few. */
bool np_account_has_room(uint64_t bytes);

/*
 * The promise before a long run, by a call that must know whether it will fit: NP_ERROR_LIMIT if `bytes`, of all that
 * the account will hold, are more than its room: "WHAT need X GB of memory, Y GB are allowed: take ADVICE". Each figure
 * below 0.1 GB is in MB, and below 0.1 MB in kB. The format and its arguments name WHAT, in the plural.
 */
np_status np_account_allow(uint64_t bytes, const char *advice, const char *format, ...)
    __attribute__((format(printf, 3, 4))) NP_CHECKED;

/* Is one of the limits so low that the pages that the C library keeps for later arrays would count? */
bool np_account_is_tight(void);

/* For memory.c, and for what other libraries take: charges bytes that are for `what`, or says why not. */
np_status np_account_charge(uint64_t bytes, const char *what) NP_CHECKED;
void np_account_give_back(uint64_t bytes);

/* The account of this thread, which threads.c hands to those that help it. */
extern _Thread_local uint64_t np_account_of_thread;
