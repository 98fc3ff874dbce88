/*
 * Watches the accesses of a program for what the rule in force forbids, and
 * for what other rules would have forbidden.
 */
#ifndef NP_PRAM_CHECK_H
#define NP_PRAM_CHECK_H

#include "pram/store.h"

/* What the accesses to one cell have been so far in a step. */
typedef struct np_watch {
    np_word lead_value, written;
    uint32_t lead; /* the first processor whose access can be half of a violation */
    uint8_t lead_kind;
    uint8_t has_lead;
    uint8_t reported;           /* the cell has its violation of the step */
    uint8_t read, write, fetch; /* how many: 0, 1, or 2 for more */
    uint8_t differ;             /* of the values written, some two */
    uint8_t not_one;            /* of the values written, some */
} np_watch;

typedef struct np_check {
    np_access_rule rule;
    uint32_t clean; /* bit r: under rule r the program would have run clean, to the same effect */
    uint64_t violations;
    size_t kept, kept_max;
    np_violation *violation; /* [kept_max] without array and offset */
    np_watch *watch;         /* [room] */
    size_t room;
} np_check;

np_status np_check_init(np_check *check, np_access_rule rule, uint32_t violations_max) NP_CHECKED;
void np_check_clear(np_check *check);

/* Kinds of access that a step has: bit k for np_access_kind k. exclusive: no two are to one cell. */
bool np_check_is_due(const np_check *check, uint32_t kinds, bool exclusive);

/* All accesses of a step, before any is served. pram_step is its number. NP_ERROR_MEMORY. */
np_status np_check_step(np_check *check, np_store *store, const np_pram_step *step, uint64_t pram_step) NP_CHECKED;

np_access_rule np_check_weakest(const np_check *check);

#endif
