/* See schedule_file.h. */
#include "papers/offline/schedule_file.h"

#include <inttypes.h>

#include "base/watch.h"
#include "papers/ranks/ranks_file.h"

enum { TELL_EVERY = 4096 }; /* lines: ours, about a millisecond */

void np_schedule_write_head(const np_schedule_about *about, FILE *stream)
{
    fprintf(stream, "# schedule of %u packets in %u steps, lines: step packet link\n", about->packets, about->steps);
    np_instance_write("network", about->network, stream);
    np_instance_write("traffic", about->traffic, stream);
    fprintf(stream, "# seed %" PRIu64 "\n# rule %s\n", about->seed, about->rule);
}

void np_schedule_write_hop(np_step step, np_packet packet, np_link link, FILE *stream)
{
    fprintf(stream, "%u %u %u\n", step, packet, link);
}

static np_status parse_line(const np_text *text, np_hop_replay *replay)
{
    uint64_t step, packet, link;
    np_status st;
    if ((st = np_text_count(text, 3, 3, "step packet link")) ||
        (st = np_text_number(text, 0, "step", 0, UINT32_MAX, &step)) ||
        (st = np_text_number(text, 1, "packet", 0, UINT32_MAX, &packet)) ||
        (st = np_text_number(text, 2, "link", 0, UINT32_MAX, &link)))
        return st;
    st = np_hop_replay_move(replay, step, packet, link);
    return st ? np_status_prefix(st, "%s:%" PRIu64 ": ", text->name, text->line) : NP_OK;
}

np_status np_schedule_parse(const char *name, const char *data, size_t length, const np_watch *watch,
                            np_hop_replay *replay)
{
    np_text text;
    np_status st = np_text_open(&text, name, data, length);
    while (!st && np_text_next(&text))
        if (!(st = parse_line(&text, replay)) && text.line % TELL_EVERY == 0)
            st = np_watch_share(watch, "the replay", 1 - (double)(text.end - text.at) / (double)length);
    return st;
}

np_status np_schedule_read(const char *path, const np_watch *watch, np_hop_replay *replay, np_phase_run *out)
{
    NP_TEXT_FILE(file, path);
    np_status st = file.status;
    if (st || (st = np_schedule_parse(path, file.data, file.length, watch, replay)))
        return st;
    st = np_hop_replay_end(replay, out);
    return st ? np_status_prefix(st, "%s: ", path) : NP_OK;
}
