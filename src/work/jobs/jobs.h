/* The inside of the room: jobs are placed, their rounds are listed, and all are played. */
#pragma once

#include "base/status.h"
#include "netpram/jobs.h"

/* A job as it is played: round r has messages first[r] .. first[r + 1] - 1. */
typedef struct np_jobs_track {
    char name[40]; /* for messages: of a long name the beginning */
    np_node *host; /* [ranks] nodes */
    size_t rounds, messages;
    size_t *first;    /* [rounds + 1] */
    uint32_t *from;   /* [messages] ranks; then the place of the pair of hosts in the list of paths */
    uint32_t *to;     /* [messages] ranks */
    uint32_t *pieces; /* [messages] */
    double part;      /* the size of a piece */
    const char *algorithm;
} np_jobs_track;

void np_jobs_track_clear(np_jobs_track *track);

/* place.c: the hosts of all jobs, which are checked. NP_ERROR_INPUT, NP_ERROR_APPLY, NP_ERROR_MEMORY. */
np_status np_jobs_place(const np_network *network, size_t count, const np_jobs_item *jobs, uint64_t seed,
                        np_jobs_track *track) NP_CHECKED;

/* rounds.c: the messages of a job. */
np_status np_jobs_list(const np_jobs_item *job, const np_flows_options *options, np_jobs_track *track) NP_CHECKED;
