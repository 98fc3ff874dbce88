/*
 * Writes the rounds of a collective operation as a GOAL file. A rank sends in a round when all that it sent and
 * received in its round before is done; its receives are posted at once. The tag of a message is its round. Where many
 * sends wait for many items, they wait for a calculation of no time, which waits for those.
 */
#include "work/goal/write.h"

#include <math.h>

#include "base/memory.h"
#include "work/collective/model.h"

typedef struct message {
    size_t round;
    np_node from, to;
    uint64_t bytes;
} message;

typedef struct writer {
    FILE *stream;
    message *message;
    size_t messages;
    size_t *first; /* [ranks + 2] a rank's entries are entry[first[rank]] .. entry[first[rank + 1] - 1] */
    size_t *entry; /* messages that the rank sends or receives, by rounds */
} writer;

static const char what[] = "a schedule that is written";

/* A message has a byte at least. */
static uint64_t bytes_of(double part, size_t pieces)
{
    double bytes = ceil(part * (double)pieces);
    return bytes < 1 ? 1 : (uint64_t)bytes;
}

static void list_messages(writer *w, const np_network *network, const np_round_log *log, double part)
{
    for (size_t r = 0; r < log->rounds; r++)
        for (size_t i = log->first[r], end; i < log->first[r + 1]; i = end) {
            end = np_model_message_end(log, i, log->first[r + 1]);
            w->message[w->messages++] = (message){r, np_network_link_tail(network, log->link[i]),
                                                  np_network_link_head(network, log->link[i]), bytes_of(part, end - i)};
        }
}

static void sort_entries(writer *w, uint32_t ranks)
{
    for (size_t m = 0; m < w->messages; m++) {
        w->first[w->message[m].from + 2]++;
        w->first[w->message[m].to + 2]++;
    }
    for (uint32_t rank = 1; rank <= ranks; rank++)
        w->first[rank + 1] += w->first[rank];
    for (size_t m = 0; m < w->messages; m++) {
        w->entry[w->first[w->message[m].from + 1]++] = m;
        w->entry[w->first[w->message[m].to + 1]++] = m;
    }
}

/* Entries from..end - 1 are of one round. Returns the end. */
static size_t round_end(const writer *w, size_t from, size_t end)
{
    size_t i = from;
    while (i < end && w->message[w->entry[i]].round == w->message[w->entry[from]].round)
        i++;
    return i;
}

static void write_item(const writer *w, uint32_t rank, size_t i)
{
    const message *m = &w->message[w->entry[i]];
    if (m->from == rank)
        fprintf(w->stream, "l%zu: send %llub to %u tag %zu\n", i, (unsigned long long)m->bytes, m->to, m->round);
    else
        fprintf(w->stream, "l%zu: recv %llub from %u tag %zu\n", i, (unsigned long long)m->bytes, m->from, m->round);
}

/* The sends among from..end - 1 wait for `before`..from - 1. */
static void write_waits(const writer *w, uint32_t rank, size_t before, size_t from, size_t end)
{
    size_t sends = 0, waits = from - before;
    for (size_t i = from; i < end; i++)
        sends += w->message[w->entry[i]].from == rank;
    bool joins = sends * waits > sends + waits;
    if (joins)
        fprintf(w->stream, "j%zu: calc 0\n", from);
    for (size_t b = before; joins && b < from; b++)
        fprintf(w->stream, "j%zu requires l%zu\n", from, b);
    for (size_t i = from; i < end; i++) {
        if (w->message[w->entry[i]].from != rank)
            continue;
        if (joins)
            fprintf(w->stream, "l%zu requires j%zu\n", i, from);
        for (size_t b = before; !joins && b < from; b++)
            fprintf(w->stream, "l%zu requires l%zu\n", i, b);
    }
}

static void write_rank(const writer *w, uint32_t rank)
{
    size_t first = w->first[rank], end = w->first[rank + 1];
    fprintf(w->stream, "rank %u {\n", rank);
    for (size_t before = first, from = first, next; from < end; before = from, from = next) {
        next = round_end(w, from, end);
        for (size_t i = from; i < next; i++)
            write_item(w, rank, i);
        write_waits(w, rank, before, from, next);
    }
    fprintf(w->stream, "}\n");
}

static np_status write_all(writer *w, const np_network *network, const np_round_log *log, double part)
{
    size_t transfers = log->first[log->rounds] + 1;
    uint32_t ranks = network->nodes;
    np_status st;
    if ((st = np_memory_array(&w->message, transfers, sizeof *w->message, what)) ||
        (st = np_memory_zeroed(&w->first, (size_t)ranks + 2, sizeof *w->first, what)))
        return st;
    list_messages(w, network, log, part);
    if ((st = np_memory_array(&w->entry, 2 * w->messages + 1, sizeof *w->entry, what)))
        return st;
    sort_entries(w, ranks);
    fprintf(w->stream, "num_ranks %u\n", ranks);
    for (uint32_t rank = 0; rank < ranks; rank++)
        write_rank(w, rank);
    return NP_OK;
}

np_status np_goal_write(const char *path, const np_network *network, const np_round_log *log, double part)
{
    np_output *output = NULL;
    writer w = {0};
    np_status st = np_output_open(path, &output);
    if (st)
        return st;
    w.stream = np_output_stream(output);
    st = write_all(&w, network, log, part);
    NP_MEMORY_FREE(w.message, w.first, w.entry);
    if (!st)
        return np_output_commit(output);
    np_output_discard(output);
    return st;
}
