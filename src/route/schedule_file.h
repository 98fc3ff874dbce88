/*
 * Schedules in files: lines "step packet link", a hop each, in ascending order of steps; comments
 * at the head say what they are for.
 */
#ifndef NP_ROUTE_SCHEDULE_FILE_H
#define NP_ROUTE_SCHEDULE_FILE_H

#include <stdio.h>

#include "queueing/replay.h"

/* What a schedule is for: for the comments alone. */
typedef struct np_schedule_about {
    const char *network, *traffic, *rule; /* specs; rule: by which it was made */
    uint64_t seed;
    np_packet packets;
    np_step steps;
} np_schedule_about;

/* The stream's own errors are for np_output_commit or np_output_check to find. */
void np_schedule_write_head(const np_schedule_about *about, FILE *stream);
void np_schedule_write_hop(np_step step, np_packet packet, np_link link, FILE *stream);

/*
 * Carries the hops of a file out. NP_ERROR_INPUT, with the line, for what is not a line of that format; NP_ERROR_APPLY, with
 * the line, for what np_replay_move refuses; NP_ERROR_IO, NP_ERROR_LIMIT and NP_ERROR_MEMORY as np_text_read.
 */
np_status np_schedule_read(const char *path, np_replay *replay) NP_CHECKED;

/* The same from data[0..length); name is what messages call it. */
np_status np_schedule_parse(const char *name, const char *data, size_t length, np_replay *replay) NP_CHECKED;

#endif
