/*
 * Watches the accesses of a program: which of them the rule in force forbids, and which of them
 * other rules would have forbidden.
 */
#ifndef NP_PRAM_CHECK_H
#define NP_PRAM_CHECK_H

#include "pram/store.h"
#include "pram/types.h"

/* The accesses to one cell so far in a step. */
typedef struct np_pram_watch {
    np_word lead_value, written;
    uint32_t lead; /* the first processor whose access can be half of a violation */
    uint32_t more; /* later ones that agree with it; when the violation is reported, its number */
    uint8_t lead_kind;
    uint8_t has_lead;
    uint8_t reported;           /* the cell's violation in this step is reported */
    uint8_t read, write, fetch; /* how many: 0, 1, or 2 for more */
    uint8_t differ;             /* two of the values written differ */
    uint8_t not_one;            /* one of the values written is not 1 */
} np_pram_watch;

typedef struct np_check {
    np_access_rule rule;
    uint32_t clean; /* bit r: the program would have run clean under rule r, to the same effect */
    uint64_t violations;
    size_t kept, kept_max;
    np_violation *violation; /* [kept_max] without array and offset */
    np_pram_watch *watch;    /* [room] */
    size_t room;
} np_check;

np_status np_check_init(np_check *check, np_access_rule rule, uint32_t violations_max) NP_CHECKED;
void np_check_clear(np_check *check);

/*
 * Must the accesses of a step be checked? kinds: the step's kinds, bit k for np_access_kind k.
 * exclusive: no two accesses are to one cell.
 */
bool np_check_is_due(const np_check *check, uint32_t kinds, bool exclusive);

/* Checks all accesses of a step, before any is served. pram_step is the step's number. NP_ERROR_MEMORY. */
np_status np_check_step(np_check *check, np_store *store, const np_pram_step *step, const np_step_types *types,
                        uint64_t pram_step) NP_CHECKED;

/* Room for the checks of steps of `count` processors, and the bytes of it. NP_ERROR_MEMORY. */
np_status np_check_reserve(np_check *check, size_t count) NP_CHECKED;
uint64_t np_check_bytes(uint32_t violations_max, size_t count);

np_access_rule np_check_weakest(const np_check *check);

#endif
