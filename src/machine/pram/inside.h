/* The inside of a PRAM: shared by pram.c, and by step.c with what it goes through: step_survey.c, check.c, ideal.c. */
#pragma once

#include "machine/pram/machine.h"
#include "machine/pram/store.h"

/* ---- What is known of a step before it is served ---- */

/* The types of the cells that it accesses: nearly always one, because most steps are at one array. */
typedef struct np_step_types {
    np_cell_type all;   /* the only one */
    const np_pram *mix; /* there are several, which the PRAM knows; NULL: one */
} np_step_types;

static inline np_cell_type np_step_type(const np_step_types *types, np_address address)
{
    return types->mix ? np_pram_cell_type(types->mix, address) : types->all;
}

typedef struct np_step_survey {
    size_t accesses;
    uint32_t kinds; /* bit k: there is an access of kind k */
    bool exclusive; /* no two accesses are to one cell; false: not known */
    np_step_types types;
} np_step_survey;

/*
 * Looks the step over. NP_ERROR_INPUT: an address is no cell, or what is asked has no meaning, as a fetch, or several
 * writes under the rule, for the type of a cell.
 */
np_status np_step_look(np_pram *pram, const np_pram_step *step, np_step_survey *out) NP_CHECKED;

/* The same of accesses of one kind, to cells of one type, which are known to have a meaning one by one. */
np_step_survey np_step_look_owned(np_pram *pram, const np_pram_step *step, np_cell_type type);

/* Do two processors that are on access one cell of the store? *first and *second: those of whom *second is the least.
 */
bool np_step_two_writers(np_store *store, const np_pram_step *step, size_t *first, size_t *second);

/* Raises that the rule does not combine what two processors write to the cell. */
np_status np_step_raise_writers(const np_pram *pram, const np_pram_step *step, np_address address, size_t first,
                                size_t second);

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

/* Must the accesses of a step with these kinds be checked, of which two may be to one cell? */
bool np_check_is_due(const np_check *check, uint32_t kinds);

/* Checks all accesses of a step to cells of the store; then it may be known that they are exclusive. NP_ERROR_MEMORY.
 */
np_status np_check_accesses(np_check *check, np_store *store, const np_pram_step *step,
                            np_step_survey *survey) NP_CHECKED;

/*
 * Checks all accesses of a step, if any can matter, before they are served; then it may be known that they are
 * exclusive. What cells hold before and after a violation is noted with it: afterwards of those from `first` on.
 * NP_ERROR_MEMORY.
 */
np_status np_check_step(np_pram *pram, const np_pram_step *step, np_step_survey *survey) NP_CHECKED;
np_status np_check_note(np_pram *pram, size_t first) NP_CHECKED;

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
    struct np_division *division; /* over ranks: the store has the cells of this one; NULL: over none */
    np_team team;                 /* one thread on all machines but the ideal one */
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

/* ---- The ideal machine's own way through a step, without requests ---- */

extern const np_machine_ops np_machine_ideal;

/*
 * Serves a step whose accesses are all of one kind, to cells of one type. Afterwards memory is as at the end of the
 * step. number: [step->count] of the processors, ascending; NULL: as in the step. NP_ERROR_MEMORY: of sums of reals;
 * nothing is served.
 */
np_status np_ideal_serve(np_store *store, const np_draws *draws, const np_pram_step *step, const np_step_survey *survey,
                         const uint32_t *number) NP_CHECKED;

/* How many cells are allocated. */
uint64_t np_pram_cells(const np_pram *pram);

/* The array of a cell. */
const np_array *np_pram_array_at(const np_pram *pram, np_address address);

/* Does a step cost a step, whatever it accesses: on the ideal machine, and where a PRAM is divided over ranks? */
static inline bool np_pram_is_ideal(const np_pram *pram)
{
    return pram->division || pram->machine->ops == &np_machine_ideal;
}

/* Can the PRAM take another step? NP_ERROR_INPUT after a step that failed. */
np_status np_pram_usable(const np_pram *pram) NP_CHECKED;
