/* The inside of a PRAM: shared by pram.c and step.c. */
#ifndef NP_PRAM_INSIDE_H
#define NP_PRAM_INSIDE_H

#include "machine/pram/machine.h"
#include "machine/pram/store.h"

/* ---- The types of the cells that a step accesses: nearly always one, because most steps are at one array ---- */

typedef struct np_step_types {
    np_cell_type all;   /* the only one */
    const np_pram *mix; /* there are several, which the PRAM knows; NULL: one */
} np_step_types;

static inline np_cell_type np_step_type(const np_step_types *types, np_address address)
{
    return types->mix ? np_pram_cell_type(types->mix, address) : types->all;
}

/* Of the step, whose addresses are cells. */
np_step_types np_step_types_of(const np_pram *pram, const np_pram_step *step);

/*
 * Refuses what has no meaning for the type of a cell: a fetch, or several writes under the rule. alone: no two accesses are
 * to one cell. NP_ERROR_INPUT.
 */
np_status np_step_types_check(const np_pram *pram, const np_pram_step *step, const np_step_types *types,
                              bool alone) NP_CHECKED;

/* At how many cells reals are to be added up: where several fetch, and where several write. */
size_t np_step_types_sums(const np_pram *pram, const np_pram_step *step, const np_step_types *types);

/*
 * Watches the accesses of a program: which of them the rule in force forbids, and which of them
 * other rules would have forbidden.
 */

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
