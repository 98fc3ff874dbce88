/* See ranks_file.h. */
#include "route/ranks_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/parse.h"
#include "base/text.h"
#include "base/written.h"

/* Writes the spec on one line, even if the name of a file in it holds control characters. */
static void write_spec(const char *word, const char *spec, FILE *stream)
{
    fprintf(stream, "# %s ", word);
    np_written(NP_MEDIUM_TERMINAL, spec, stream);
    fputc('\n', stream);
}

void np_ranks_write(const np_ranks_about *about, const uint32_t *rank, np_packet packets, FILE *stream)
{
    fprintf(stream, "# ranks of %u packets in 1..%u, lines: packet rank\n", packets, about->range);
    write_spec("network", about->network, stream);
    write_spec("traffic", about->traffic, stream);
    write_spec("paths", about->paths, stream);
    fprintf(stream, "# seed %" PRIu64 "\n# queue size %u\n", about->seed, about->queue_size);
    if (about->steps)
        fprintf(stream, "# at most %u steps\n", about->steps);
    for (np_packet i = 0; i < packets; i++)
        fprintf(stream, "%u %u\n", i, rank[i]);
}

/* The steps in the line "# at most .. steps", which np_ranks_write writes; 0 for any other line. */
static np_step claim_of(const char *line)
{
    static const char before[] = "# at most ";
    const char *at = line + strlen(before);
    uint64_t steps;
    if (strncmp(line, before, strlen(before)) || !np_parse_u64(&at, &steps) || strcmp(at, " steps") ||
        steps > UINT32_MAX)
        return 0;
    return (np_step)steps;
}

np_status np_ranks_read_claim(const char *path, np_step *steps)
{
    char *data, line[64];
    size_t length;
    np_status st;
    *steps = 0;
    if ((st = np_text_read(path, &data, &length)))
        return st;
    const char *end = data + length, *next;
    for (const char *at = data; at < end && *at == '#' && !*steps; at = next) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t here = (size_t)((newline ? newline : end) - at);
        snprintf(line, sizeof line, "%.*s", (int)(here < sizeof line ? here : sizeof line), at);
        *steps = claim_of(line);
        next = newline ? newline + 1 : end;
    }
    np_memory_free(data);
    return NP_OK;
}

static np_status parse_line(const np_text *text, np_packet packets, uint32_t range, uint32_t *rank)
{
    uint64_t packet, value;
    np_status st;
    if ((st = np_text_count(text, 2, 2, "packet rank")))
        return st;
    if (!packets)
        return np_text_raise(text, NP_ERROR_INPUT, "a rank, but the traffic has no packets");
    if ((st = np_text_number(text, 0, "packet", 0, packets - 1, &packet)) ||
        (st = np_text_number(text, 1, "rank", 1, range, &value)))
        return st;
    if (rank[packet])
        return np_text_raise(text, NP_ERROR_INPUT, "packet %" PRIu64 " has a rank already: give it one", packet);
    rank[packet] = (uint32_t)value;
    return NP_OK;
}

static np_status check_all(const np_text *text, const uint32_t *rank, np_packet packets, np_packet given)
{
    for (np_packet i = 0; i < packets; i++)
        if (!rank[i])
            return np_text_raise(text, NP_ERROR_INPUT, "ranks for %u of %u packets: packet %u has none", given, packets,
                                 i);
    return NP_OK;
}

np_status np_ranks_parse(const char *name, const char *data, size_t length, np_packet packets, uint32_t range,
                         uint32_t **rank)
{
    np_packet given = 0;
    np_text text;
    np_status st;
    *rank = NULL;
    if ((st = np_memory_zeroed(rank, packets, sizeof **rank, "the packets' ranks")))
        return st;
    st = np_text_open(&text, name, data, length);
    while (!st && np_text_next(&text)) {
        st = parse_line(&text, packets, range, *rank);
        given++;
    }
    if (!st)
        st = check_all(&text, *rank, packets, given);
    if (st) {
        np_memory_free(*rank);
        *rank = NULL;
    }
    return st;
}

np_status np_ranks_read(const char *path, np_packet packets, uint32_t range, uint32_t **rank)
{
    char *data;
    size_t length;
    np_status st;
    *rank = NULL;
    if ((st = np_text_read(path, &data, &length)))
        return st;
    st = np_ranks_parse(path, data, length, packets, range, rank);
    np_memory_free(data);
    return st;
}
