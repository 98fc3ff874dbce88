/*
 * The debugger of PRAM programs that are texts: netpram pram FILE --debug.
 *
 * It stops behind a PRAM step, while np_script_run waits in the observer's callback. What is shown is read from this
 * step. To step back the run is given up and done once more up to an earlier step: it is deterministic, and steps that
 * nobody wants to see cost little. So nothing of the past is kept.
 *
 *     debug.c           runs the program, and decides where it stops
 *     debug_commands.c  the commands
 *     debug_show.c      a step: its place, its accesses, who meets whom
 *     debug_cells.c     arrays and variables
 *     debug_value.c     expressions
 *     debug_line.c      reads lines, with editing on a terminal
 */
#ifndef CLI_DEBUG_H
#define CLI_DEBUG_H

#include "command.h"

enum { DEBUG_BREAKS = 32, DEBUG_TEXT = 256 };

typedef enum debug_break_kind {
    DEBUG_BREAK_NONE, /* deleted */
    DEBUG_BREAK_LINE,
    DEBUG_BREAK_CHANGE,
    DEBUG_BREAK_ACCESS,
    DEBUG_BREAK_VIOLATION,
    DEBUG_WATCH /* does not stop: it is shown at every stop */
} debug_break_kind;

typedef struct debug_break {
    debug_break_kind kind;
    uint32_t line;
    char what[DEBUG_TEXT]; /* "x[3]"; of LINE the condition, "" if there is none */
    bool known;            /* CHANGE of a variable: its value at the step before */
    np_word last;
} debug_break;

typedef enum debug_goal {
    DEBUG_TO_STEP, /* to this step, whatever is on the way */
    DEBUG_TO_LINE,
    DEBUG_TO_OTHER_LINE,
    DEBUG_TO_VIOLATION,
    DEBUG_TO_BREAK
} debug_goal;

/* What a command asks for. */
typedef enum debug_next {
    DEBUG_STAY,  /* the next command */
    DEBUG_GO,    /* on from here */
    DEBUG_AGAIN, /* from the beginning */
    DEBUG_QUIT
} debug_next;

typedef struct debug {
    const np_script *script;
    np_pram_options pram;
    np_script_options options;
    const np_script_step *step; /* where it has stopped */
    bool ended;                 /* step is the end */
    np_status status;           /* then: of the program */
    np_script_problem problem;  /* why it has failed, and where */
    debug_goal goal;
    uint64_t target; /* TO_STEP; of the other goals the first step that counts */
    uint32_t line;
    debug_next next;
    debug_break breaks[DEBUG_BREAKS]; /* number i at i - 1 */
    size_t count;
    uint64_t printed, shown; /* lines that the program has printed in this run; that are on the screen */
    uint64_t violations;     /* up to the stop */
    bool terminal, colour;
    char again[DEBUG_TEXT]; /* what an empty line repeats */
} debug;

/* Debugs a program: returns an exit status. */
int cli_debug(const np_script *script, const np_pram_options *pram, const np_script_options *options);

/* debug_commands.c: carries a line out. */
debug_next debug_command(debug *d, const char *line);
/* The i-th command that begins with this; NULL: there are no more. */
const char *debug_command_name(size_t i);

/* ---- debug_show.c ---- */

bool debug_is_on(const np_script_step *step, size_t processor);
/* The first processor that is on; 0 if there is none. */
size_t debug_first(const np_script_step *step);
void debug_show_step(const debug *d);
void debug_show_line(const debug *d, uint32_t line);
void debug_show_where(const debug *d);
void debug_show_active(const debug *d);
void debug_show_conflicts(const debug *d);
void debug_show_table(const debug *d);

/* "12", "scan.pram:12" */
typedef struct debug_place {
    char text[96];
} debug_place;
debug_place debug_place_of(const debug *d, uint32_t line);

/* ---- debug_cells.c ---- */

/* What a text such as "x[2, 0..3] of 5" names. */
typedef struct debug_part {
    size_t name; /* at the step */
    np_script_name about;
    size_t processor;
    bool chosen; /* by "of" */
    np_script_array array;
    np_word low[NP_SCRIPT_RANK_MAX];
    uint64_t count[NP_SCRIPT_RANK_MAX]; /* of a shared name: the indices low .. low + count - 1 */
} debug_part;

/* false, and a line that says why unless `quiet`. */
bool debug_part_parse(const np_script_step *step, const char *text, bool quiet, debug_part *out);
/* Does a cell belong to it? */
bool debug_part_has(const debug_part *part, np_address address);
void debug_part_show(const np_script_step *step, const debug_part *part);
/* The value of an expression, of each processor that is on, or of one: "a[i] + 1 of 3". */
void debug_expression_show(const np_script_step *step, const char *text);
/* May it be a condition here, or elsewhere, where it has other names? If not, a line says why. */
bool debug_expression_asks(const np_script_step *step, const char *text);
/* Is it true for a processor that is on? *who: the first. What has no value, as of an index out of range, is not. */
bool debug_expression_holds(const np_script_step *step, const char *text, size_t *who);
/* A line for each name. */
void debug_names_show(const np_script_step *step);
/*
 * Rows below one another, in columns; what does not fit into a line is below them, `most` times at most. Rows from the
 * third on are left out where they are blank. Returns how many columns were shown.
 */
enum { DEBUG_CELL = 40, DEBUG_ROWS = 6 };
size_t debug_grid(size_t rows, const char *const *title, size_t columns, char (*text)[DEBUG_ROWS][DEBUG_CELL],
                  size_t most);

/* ---- debug_line.c ---- */

/* The next line without its end, valid until the next call; NULL: there is none. */
const char *debug_line_read(debug *d);
void debug_line_begin(debug *d);
void debug_line_end(void);

#endif
