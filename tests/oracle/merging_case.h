/*
 * Random cases for the merging engine: small leveled networks, regular or not,
 * packets with random paths, and options. A case has the forms that the engine
 * and its slow twin take.
 */
#ifndef ORACLE_MERGING_CASE_H
#define ORACLE_MERGING_CASE_H

#include "engine/merging/merge.h"
#include "oracle/merging.h"

typedef enum merging_kind {
    MERGING_ANY,       /* everything, deadlocks too */
    MERGING_GHOSTS,    /* everything but no_ghosts */
    MERGING_NO_GHOSTS, /* packets of length 1, without ghosts */
    MERGING_PLAIN      /* packets of length 1, with ghosts, room at the beginning of the step, no combining */
} merging_kind;

typedef struct merging_case {
    np_leveled *leveled;
    np_path_set path_set;
    np_merge_options options;
    np_merge_job job;
    oracle_merging_case plain;

    /* Arrays that the members above borrow. */
    uint32_t *level, *rank_by_number, *length;
    uint64_t *value, *value_by_number;
} merging_case;

/* A pure function of its arguments. The case must not move in memory. Free with merging_case_clear. */
void merging_case_draw(merging_case *c, merging_kind kind, uint32_t trial);
void merging_case_clear(merging_case *c);

/*
 * Runs the engine and its twin. Fails the test unless they agree on everything, step by step, and the record keeps the
 * promises of section 2. Returns true if the packets arrived, false if both saw a deadlock.
 */
bool merging_case_judge(const merging_case *c, uint32_t trial);

/* Copies network, packets and ranks of the engine's side into plain arrays, for a case made by hand. */
void merging_case_mirror(merging_case *c);

#endif
