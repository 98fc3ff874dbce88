/*
 * Finds ranks deterministically and off line (Leighton, Maggs, Ranade & Rao
 * 1994, section 11), for routings that are repeated. With these ranks a run
 * takes no more steps than promised.
 */
#pragma once

#include "model/leveled/path_set.h"
#include "netpram/merging.h"

enum { NP_OFFLINE_PHASES = 16 };

typedef struct np_offline_job {
    unsigned phases;
    const np_leveled *leveled[NP_OFFLINE_PHASES];
    const np_path_set *path_set[NP_OFFLINE_PHASES];
    np_packet packets;               /* of the traffic */
    const np_merge_options *options; /* rank_range is R: small values, for instance c + L + log2 N, do */
    unsigned rounds;                 /* the most further attempts to do better than promised */
    const np_watch *watch;           /* is told after every packet; NULL: nobody */
} np_offline_job;

typedef struct np_offline_ranks {
    np_packet packets;
    uint32_t range;   /* R */
    uint32_t *rank;   /* [packets] 1..R; 1 for packets that never move */
    np_step promised; /* steps of all phases: what the method promises before it starts */
    np_step steps;    /* a bound on the steps with these ranks, from the longest chain that is left */
    unsigned rounds;  /* attempts that lowered it */
    size_t estimates; /* 1 + the packets that move */
    /*
     * [estimates] expected number of chains that break the promise after so many packets got their
     * ranks: never increases; below 1, unless all ranks keep the promise
     */
    double *estimate;
} np_offline_ranks;

/*
 * The caller clears *out, which is empty on failure. NP_ERROR_APPLY for messages of several packets, combining, or no
 * ghosts; NP_ERROR_LIMIT if it would take too long or too much memory; NP_ERROR_MEMORY.
 */
np_status np_offline_ranks_find(const np_offline_job *job, np_offline_ranks *out) NP_CHECKED;
void np_offline_ranks_clear(np_offline_ranks *ranks);

/* *steps = a bound on the steps of all phases with the ranks rank[0..packets): the steps of the longest chain.
 * Errors as above. */
np_status np_offline_ranks_bound(const np_offline_job *job, const uint32_t *rank, np_step *steps) NP_CHECKED;
