/*
 * Schedules in files: each line "step packet link" is one hop, in ascending order of
 * steps. Comments at the head say what the schedule is for.
 */
#pragma once

#include <stdio.h>

#include "papers/offline/replay.h"

/* What a schedule is for. Used in the comments of the file only. */
typedef struct np_schedule_about {
    const char *network, *traffic, *rule; /* specs; rule: the rule by which the schedule was made */
    uint64_t seed;
    np_packet packets;
    np_step steps;
} np_schedule_about;

/* Errors of the stream are found later, by np_output_commit or np_output_check. */
void np_schedule_write_head(const np_schedule_about *about, FILE *stream);
void np_schedule_write_hop(np_step step, np_packet packet, np_link link, FILE *stream);

/*
 * Carries out the hops of a file and ends the replay, with *out as np_hop_replay_end. The watch may be NULL.
 * @return NP_ERROR_INPUT, with the line: the line has another format; NP_ERROR_APPLY, with the line: np_hop_replay_move
 *         refuses the hop; NP_ERROR_APPLY, with the file: as np_hop_replay_end; NP_ERROR_IO, NP_ERROR_LIMIT and
 *         NP_ERROR_MEMORY as np_text_read
 */
np_status np_schedule_read(const char *path, const np_watch *watch, np_hop_replay *replay,
                           np_phase_run *out) NP_CHECKED;

/* Carries out the hops in data[0..length); name is what messages call it. */
np_status np_schedule_parse(const char *name, const char *data, size_t length, const np_watch *watch,
                            np_hop_replay *replay) NP_CHECKED;
