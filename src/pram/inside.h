/* The inside of a PRAM: shared by pram.c and step.c. */
#ifndef NP_PRAM_INSIDE_H
#define NP_PRAM_INSIDE_H

#include "pram/check.h"
#include "pram/machine.h"
#include "pram/team.h"
#include "pram/types.h"

extern const char *const np_access_rule_words[]; /* the names of the rules, then NULL */

typedef struct np_array {
    np_address base;
    uint64_t count;
    char *name;
    np_cell_type type;
} np_array;

struct np_pram {
    np_pram_options options; /* machine points to spec */
    char *spec;
    np_machine *machine;
    np_store *store;
    np_team team; /* one thread on all machines but the ideal one */
    np_check check;
    bool failed;
    bool direct; /* the ideal machine with a processor for each virtual one: served without requests */

    np_array *array;
    size_t arrays, arrays_room;
    bool typed; /* some cells are no ints */

    uint64_t steps, work;
    uint64_t expected;       /* steps, for the watch; 0: not known */
    np_processor processors; /* real ones; 0: the machine has as many as there are virtual ones */
    np_processor most;       /* the most virtual ones in one step */
    size_t active;           /* processors that make an access in the present step */
    uint64_t brent_steps;    /* so far */
    np_batch_cost cost;      /* of all batches */
    uint64_t slowest_step;   /* the step that had the slowest batch */
    const char *slowest_label;
    double *step_cost; /* [costs] network steps of each PRAM step, on all machines but the ideal one */
    size_t costs, costs_room;

    /* One batch. */
    np_request *request;
    np_word *reply;
    size_t batch_room;

    np_word *moved; /* [moved_room] what np_pram_move has read */
    size_t moved_room;

    np_word *operand; /* [operand_room] of the step's fetches, for who watches */
    size_t operand_room;
};

/* Grows *array to hold `count` items, if it grows at least by half; *room: how many it has room for. */
np_status np_pram_room(void *array, size_t kept, size_t *room, size_t count, size_t size, const char *what) NP_CHECKED;

/*
 * Makes room at once for `cells` cells in all and for steps of `count` processors; shared: some may be at one cell. So
 * nothing grows later, and np_pram_bytes is exact but for the machine. NP_ERROR_MEMORY.
 */
np_status np_pram_reserve(np_pram *pram, uint64_t cells, size_t count, bool shared) NP_CHECKED;
/* The most bytes of the PRAM and its machine then, for so many PRAM steps: their costs grow by halves, and are sorted. */
np_status np_pram_bytes(const np_pram *pram, uint64_t cells, size_t count, bool shared, uint64_t steps,
                        uint64_t *out) NP_CHECKED;

/* The array of a cell. */
const np_array *np_pram_array_at(const np_pram *pram, np_address address);

/* Can the PRAM take another step? NP_ERROR_INPUT after a step that failed. */
np_status np_pram_usable(const np_pram *pram) NP_CHECKED;

#endif
