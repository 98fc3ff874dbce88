/*
 * Reconfigurable processor arrays (Sibeyn's notes on interconnection networks, the last part): a grid of switches. The
 * setting of a switch joins its four ports in groups. The settings together cut the wires into subnets. PUs are at the
 * ends of wires, outside the grid. In a round every PU may put one signal on its subnet. All PUs and switches of the
 * subnet hear the signal. Two senders on one subnet are a conflict.
 *
 * Rows are counted from 0 at the bottom, columns from 0 at the left.
 *
 *     np_switch_grid_create(1, 2, &grid);
 *     np_switch_grid_attach(grid, NP_PORT_W, 0, &left);
 *     np_switch_grid_attach(grid, NP_PORT_E, 0, &right);
 *     np_switch_grid_set_all(grid, NP_SWITCH_WE_NS);
 *     np_switch_grid_send(grid, left, (np_signal){.word = 7});
 *     np_switch_grid_round(grid, "seven", &round);
 *     np_switch_grid_received(grid, right, &signal, NULL);
 */
#ifndef NETPRAM_RECONFIGURE_H
#define NETPRAM_RECONFIGURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "netpram/base.h"
#include "netpram/field.h"
#include "netpram/sort.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* ---- Settings ---- */

typedef enum np_switch_port { NP_PORT_W, NP_PORT_N, NP_PORT_E, NP_PORT_S, NP_SWITCH_PORTS } np_switch_port;

/** A partition of the four ports: for each port two bits, from the lowest, that hold the first port of its group. */
typedef uint8_t np_switch_setting;

enum {
    NP_SWITCH_WNES = 0 << 0 | 0 << 2 | 0 << 4 | 0 << 6, /**< all joined */
    NP_SWITCH_WS_NE = 0 << 0 | 1 << 2 | 1 << 4 | 0 << 6,
    NP_SWITCH_WE_NS = 0 << 0 | 1 << 2 | 0 << 4 | 1 << 6, /**< straight on, both ways */
    NP_SWITCH_WN_SE = 0 << 0 | 0 << 2 | 2 << 4 | 2 << 6,
    NP_SWITCH_APART = 0 << 0 | 1 << 2 | 2 << 4 | 3 << 6 /**< none joined */
};

/** How many settings there are: the partitions of four ports. */
enum { NP_SWITCH_SETTINGS = 15 };

/** The i-th setting, 0 .. NP_SWITCH_SETTINGS - 1. */
np_switch_setting np_switch_setting_get(size_t i);

/** "WE-NS", "WNE", ..: the groups of two ports or more, or "apart". NULL if the setting is no partition. */
const char *np_switch_setting_name(np_switch_setting setting);

/** The setting of a name: groups in any order, ports in any order and case. NP_ERROR_INPUT with the nearest name. */
np_status np_switch_setting_parse(const char *name, np_switch_setting *out) NP_CHECKED;

/* ---- The grid ---- */

typedef struct np_switch_grid np_switch_grid;

/** What a PU sends in a round: a word and a number. */
typedef struct np_signal {
    uint64_t word;
    uint32_t tag;
} np_signal;

/** Where a PU is: at the end of the wire on this side of the grid, in this row (W, E) or column (N, S). */
typedef struct np_pu_place {
    np_switch_port side;
    uint32_t index;
} np_pu_place;

/** The outcome of a round. */
typedef struct np_switch_round {
    const char *what;      /**< what the round does, in a few words */
    uint64_t senders;      /**< PUs that sent */
    uint64_t nets;         /**< subnets with one sender */
    uint64_t switches;     /**< switches that heard a signal at one port or more */
    uint64_t pus;          /**< PUs that heard a signal of another PU */
    uint64_t conflicts;    /**< subnets with two senders or more: nobody hears anything there */
    uint16_t settings;     /**< bit i: some switch had the i-th setting */
    uint32_t one, another; /**< PUs: two senders of the conflict that was found first; NP_NONE: no conflict */
} np_switch_round;

/** Most switches of a grid. A grid takes 9 bytes a switch; up to 13 if it is a single row or column. */
#define NP_SWITCH_GRID_MAX ((uint64_t)1 << 24)

/**
 * Makes a grid of switches, all with the setting "apart", without PUs.
 * @param out  NULL on error; free with np_switch_grid_free
 * @return NP_ERROR_INPUT for no rows or columns; NP_ERROR_LIMIT above NP_SWITCH_GRID_MAX; NP_ERROR_MEMORY
 */
np_status np_switch_grid_create(uint64_t rows, uint64_t columns, np_switch_grid **out) NP_CHECKED;
void np_switch_grid_free(np_switch_grid *grid); /**< NULL is allowed */

uint32_t np_switch_grid_rows(const np_switch_grid *grid);
uint32_t np_switch_grid_columns(const np_switch_grid *grid);
uint32_t np_switch_grid_pus(const np_switch_grid *grid);    /**< attached */
uint32_t np_switch_grid_rounds(const np_switch_grid *grid); /**< done */

/**
 * Puts a PU at a wire's end.
 * @param pu  receives its number: they are counted from 0
 * @return NP_ERROR_INPUT: no such row or column, or the place is taken
 */
np_status np_switch_grid_attach(np_switch_grid *grid, np_switch_port side, uint64_t index, uint32_t *pu) NP_CHECKED;
/** Where the PU is. pu: the number of an attached PU. */
np_pu_place np_switch_grid_place(const np_switch_grid *grid, uint32_t pu);

/** Sets one switch, or all. The setting is one of the 15; row and column are in the grid. A setting stays until it is
 *  changed. */
void np_switch_grid_set(np_switch_grid *grid, uint32_t row, uint32_t column, np_switch_setting setting);
void np_switch_grid_set_all(np_switch_grid *grid, np_switch_setting setting);
np_switch_setting np_switch_grid_setting(const np_switch_grid *grid, uint32_t row, uint32_t column);

/** The PU will send this signal in the next round. NP_ERROR_INPUT: no such PU, or it has a signal to send already. */
np_status np_switch_grid_send(np_switch_grid *grid, uint32_t pu, np_signal signal) NP_CHECKED;

/**
 * Does a round: cuts the grid into subnets as the switches are set now, and delivers the signals. The caller can ask
 * what was heard until the next round, also after new settings. A conflict is a result, not an error. Time: linear in
 * the number of switches.
 * @param what  what the round does, for the report; borrowed
 */
void np_switch_grid_round(np_switch_grid *grid, const char *what, np_switch_round *round);

/** What the switch (row and column are in the grid) heard at this port in the last round; false: nothing, or a
 *  conflict. */
bool np_switch_grid_hears(const np_switch_grid *grid, uint32_t row, uint32_t column, np_switch_port port,
                          np_signal *signal);

/** What the PU received from another PU in the last round; false: nothing, or a conflict. `from` (may be NULL) receives
 *  the sender. */
bool np_switch_grid_received(const np_switch_grid *grid, uint32_t pu, np_signal *signal, uint32_t *from);

/* ---- Programs ---- */

/** The input of a program. An option that the program has no use for is refused, unless it is the default. */
typedef struct np_reconfigure_options {
    size_t size;         /**< of this structure; set by the initialiser */
    const char *bits;    /**< of parity: "10110"; NULL (default): they are drawn */
    const char *keys;    /**< of rank and sort: a file, one key a line; NULL (default): they are drawn */
    np_key_kind kind;    /**< of the keys of the file; default NP_KEYS_AUTO */
    uint64_t n;          /**< bits or keys that are drawn; default 8 */
    uint64_t seed;       /**< that they are drawn from; default 1 */
    const char *grid;    /**< of broadcast: rows and columns; default "4x4" */
    const char *setting; /**< of broadcast: of all switches; default "WE-NS" */
    const char
        *settings;    /**< of broadcast: a file with a line for each row, the top row first: names separated by spaces,
                               '#' begins a comment; NULL (default): all switches have `setting` */
    const char *from; /**< of broadcast: the PUs that send, such as "W0,N3"; default "W0" */
    bool announce;    /**< parity: do a third round, in which the PU that knows the parity tells it to all others */
    bool show;        /**< keep the pictures of the rounds */
    np_watch watch;   /**< is told after every round, and may cancel the call */
} np_reconfigure_options;

extern const np_fields np_reconfigure_options_fields;

/** Fills in the defaults. */
static inline void np_reconfigure_options_init(np_reconfigure_options *options)
{
    np_options_init(&np_reconfigure_options_fields, options, sizeof *options);
}

/** Does the program use the option? NP_ERROR_INPUT (unknown program), NP_ERROR_APPLY (no). */
np_status np_reconfigure_heeds(const char *program, const char *option) NP_CHECKED;

/** A round as it can be drawn. */
typedef struct np_switch_picture {
    np_switch_setting *setting; /**< [rows * columns], row 0 first */
    uint8_t *signal;            /**< [rows * columns], bit p: a signal passes port p */
} np_switch_picture;

/** The largest grid of which pictures are kept, and other limits. */
enum {
    NP_RECONFIGURE_PICTURE_ROWS = 64,
    NP_RECONFIGURE_PICTURE_COLUMNS = 24,
    NP_RECONFIGURE_ROUNDS = 6, /**< most rounds of a program */
    NP_RECONFIGURE_TEXT = 128
};

/** The outcome of a program. Lists that the program does not make are NULL. */
typedef struct np_reconfigure_result {
    const np_entry *program;
    uint64_t n;          /**< bits, or keys; 0 for broadcast */
    bool drawn;          /**< bits or keys were drawn from the seed */
    uint64_t seed;       /**< the seed */
    const char *input;   /**< the file that keys or settings were read from; NULL: none */
    const np_keys *keys; /**< [n] of rank and sort */
    uint32_t rows, columns, pus;
    uint64_t switches;
    uint32_t rounds;
    np_switch_round round[NP_RECONFIGURE_ROUNDS];
    np_switch_picture picture[NP_RECONFIGURE_ROUNDS]; /**< NULLs unless pictures were asked for */
    uint16_t settings;                                /**< bit i: the i-th setting was used */
    uint64_t conflicts;                               /**< of all rounds */
    uint32_t conflict;                                /**< the first round with a conflict, from 0, if there is any */
    bool correct;                                     /**< no conflict, and the answer is that of sequential code */
    char wrong[NP_RECONFIGURE_TEXT];                  /**< the first thing that is wrong; "" if nothing is wrong */
    uint32_t parity;                                  /**< of the bits: 0 or 1 */
    uint32_t *rank;                                   /**< [n] of rank and sort: the rank of key i, from 0 */
    uint32_t *order;    /**< [n] of sort: the number of the key that PU i has at the end */
    uint32_t *heard;    /**< [pus] of broadcast: the sender that the PU hears, or NP_NONE */
    np_pu_place *place; /**< [pus] */
} np_reconfigure_result;

/** The fields of a result, with the fields of its rounds. */
extern const np_fields np_reconfigure_result_fields;

/** NULL is allowed. */
void np_reconfigure_result_free(np_reconfigure_result *result);

/**
 * Runs a program, "parity", "rank", "sort" or "broadcast", and checks its answer.
 *   - parity of n bits on the 3 x 2n grid in two rounds.
 *   - rank finds the rank of each key in four rounds on n grids of n x n switches. sort does two rounds more, which
 *     bring each key to the PU of its rank. Of equal keys the key with the lesser index comes first. Both take at most
 *     NP_RECONFIGURE_KEYS_MAX keys: n^3 switches.
 *   - broadcast does one round with a PU at every end of a wire: who hears whom? `correct` says that there is no
 *     conflict.
 *
 * @param options  NULL: the defaults
 * @param out      receives the result; free with np_reconfigure_result_free; NULL on error
 * @return NP_ERROR_INPUT: no such program, with the nearest; no bits or keys; options that do not go together; a text
 *         or a line of a file that is refused; NP_ERROR_APPLY: an option that the program has no use for;
 *         NP_ERROR_LIMIT: too many bits or keys, with the number of switches that they would take; pictures of too
 *         large a grid; NP_ERROR_IO, NP_ERROR_MEMORY, NP_ERROR_CANCELLED
 */
np_status np_reconfigure(const char *program, const np_reconfigure_options *options,
                         np_reconfigure_result **out) NP_CHECKED;

/** Most keys of rank and sort. */
enum { NP_RECONFIGURE_KEYS_MAX = 256 };

/** The place of a PU from its text: "W0", "N12", ... NP_ERROR_INPUT. */
np_status np_pu_place_parse(const char *text, np_pu_place *out) NP_CHECKED;
/** 'W', 'N', 'E' or 'S'. */
char np_switch_port_letter(np_switch_port port);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
