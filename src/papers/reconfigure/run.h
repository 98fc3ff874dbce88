/* The programs, and the state that they share: a grid, and the result that a run on it fills. */
#pragma once

#include "base/export.h"
#include "netpram/field.h"
#include "papers/reconfigure/settings.h"

typedef struct np_reconfigure_program {
    np_entry entry;
    uint64_t most;              /* most bits or keys that the program takes; 0: the caller gives the grid */
    double (*switches)(double); /* switches of the grid for n bits or keys; NULL: the caller gives the grid */
    uint32_t rounds;            /* that it does, without those of options */
    /* Reads or draws what the options say, which have been checked, and runs the program. */
    np_status (*run)(const np_reconfigure_options *options, np_reconfigure_result **out);
} np_reconfigure_program;

/* NP_ERROR_INPUT with the nearest name. */
np_status np_reconfigure_program_find(const char *name, const np_reconfigure_program **out) NP_CHECKED;

/* Does the program take n bits or keys? NP_ERROR_INPUT: n is 0; NP_ERROR_LIMIT: too many. */
np_status np_reconfigure_check(const np_reconfigure_program *program, uint64_t n) NP_CHECKED;

/*
 * The programs on arrays. bit: [n], each 0 or 1. key: [n]. Senders: [senders] places, each once. Of the options they
 * heed `announce`, `show` and `watch`. On an error *out is NULL.
 */
np_status np_reconfigure_parity(size_t n, const uint8_t *bit, const np_reconfigure_options *options,
                                np_reconfigure_result **out) NP_CHECKED;
np_status np_reconfigure_rank(size_t n, const uint64_t *key, const np_reconfigure_options *options,
                              np_reconfigure_result **out) NP_CHECKED;
np_status np_reconfigure_sort(size_t n, const uint64_t *key, const np_reconfigure_options *options,
                              np_reconfigure_result **out) NP_CHECKED;
np_status np_reconfigure_broadcast(const np_switch_settings *settings, size_t senders, const np_pu_place *from,
                                   const np_reconfigure_options *options, np_reconfigure_result **out) NP_CHECKED;

/* n bits, drawn from the seed. */
void np_reconfigure_bits(size_t n, uint64_t seed, uint8_t *bit);

typedef struct np_reconfigure_run {
    np_switch_grid *grid;
    np_reconfigure_result *result;
    const np_reconfigure_options *options;
    uint32_t rounds;  /* that the program does with these options */
    np_status status; /* the first failure; after it calls do nothing */
} np_reconfigure_run;

/*
 * Begins a run of the program of this name. The options are borrowed until it ends. NP_ERROR_LIMIT also if the grid is
 * too large for the pictures asked for.
 */
np_status np_reconfigure_run_begin(np_reconfigure_run *run, const char *program, uint64_t n, uint64_t rows,
                                   uint64_t columns, const np_reconfigure_options *options) NP_CHECKED;

/* Attaches a PU and returns its number, or 0 if the run has failed. */
uint32_t np_reconfigure_run_attach(np_reconfigure_run *run, np_switch_port side, uint64_t index);

void np_reconfigure_run_send(np_reconfigure_run *run, uint32_t pu, uint64_t word, uint32_t tag);

/* Makes one round, counts it and tells the watch, which may cancel the run. */
void np_reconfigure_run_round(np_reconfigure_run *run, const char *what);

/* Records that something is wrong, if nothing was wrong before. */
void np_reconfigure_run_wrong(np_reconfigure_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the result, or releases it if st or the run's own status is an error. The grid is freed in any case. */
np_status np_reconfigure_run_end(np_reconfigure_run *run, np_status st, np_reconfigure_result **out) NP_CHECKED;

/* fields.c: np_reconfigure_result_fields in parts, between which a report says more; and those of a round. */
NP_FOR_REPORT extern const np_fields np_reconfigure_grid_fields, np_reconfigure_heard_fields;
NP_FOR_REPORT extern const np_fields np_switch_round_fields;
