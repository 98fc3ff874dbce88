/*
 * Traffic from text, in one of two formats:
 *
 *   lines    source destination [count [priority]]
 *            source, destination: nodes from 0, or terminals where only
 *            terminals send; count: packets, 1 if left out, may be 0;
 *            priority: smaller is more urgent, 0 if left out. Comments and
 *            blank lines as in base/text.h. A file without any line is
 *            refused: its contents have been lost.
 *   matrix   Matrix Market coordinate files: row i, column j, value c are c
 *            packets from node i-1 to node j-1 (pattern: one); a symmetric
 *            file sends the off-diagonal ones both ways
 *
 * Entries are collected first. So packets are counted, and too many packets are
 * refused with their line, before room for them is allocated. Then the packets are
 * made in the order of the file.
 */
#include "traffic/pairs.h"

#include <stdio.h>

#include "base/matrix.h"
#include "base/memory.h"

typedef struct entry {
    np_node source, destination;
    uint32_t count, priority;
} entry;

typedef struct entry_list {
    const np_network *network;
    entry *item;
    size_t count, room;
    uint64_t packets, limit;
    bool has_priorities;
} entry_list;

static np_status push(entry_list *list, const np_text *text, uint64_t source, uint64_t destination, uint64_t count,
                      uint32_t priority)
{
    np_status st;
    if (count > list->limit - list->packets)
        return np_text_raise(text, NP_ERROR_LIMIT, "%llu packets more after %llu: at most %llu can be routed",
                             (unsigned long long)count, (unsigned long long)list->packets,
                             (unsigned long long)list->limit);
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 1024;
        if ((st = np_memory_grow(&list->item, list->count, room, sizeof *list->item, "the lines of a traffic file")))
            return st;
        list->room = room;
    }
    list->item[list->count++] = (entry){(np_node)source, (np_node)destination, (uint32_t)count, priority};
    list->packets += count;
    return NP_OK;
}

static np_status read_line(entry_list *list, const np_text *text)
{
    uint64_t source, destination, count = 1, priority = 0, last = np_network_terminals(list->network) - 1;
    np_status st;
    if ((st = np_text_count(text, 2, 4, "source destination [count [priority]]")) ||
        (st = np_text_number(text, 0, "source", 0, last, &source)) ||
        (st = np_text_number(text, 1, "destination", 0, last, &destination)))
        return st;
    if (text->fields > 2 && (st = np_text_number(text, 2, "count", 0, NP_PACKETS_MAX, &count)))
        return st;
    if (text->fields > 3) {
        list->has_priorities = true;
        if ((st = np_text_number(text, 3, "priority", 0, UINT32_MAX, &priority)))
            return st;
    }
    return push(list, text, source, destination, count, (uint32_t)priority);
}

static np_status read_lines(entry_list *list, np_text *text)
{
    np_status st;
    while (np_text_next(text))
        if ((st = read_line(list, text)))
            return st;
    if (!list->count)
        return np_text_raise(text, NP_ERROR_INPUT, "no packets: write lines 'source destination [count]'");
    return NP_OK;
}

static np_status read_matrix(entry_list *list, np_text *text)
{
    char words[128];
    np_matrix matrix;
    np_matrix_entry e;
    np_node nodes = np_network_terminals(list->network);
    bool more;
    np_status st;
    snprintf(words, sizeof words, "%s of %.64s", np_network_all_terminals(list->network) ? "nodes" : "terminals",
             np_network_spec(list->network));
    if ((st = np_matrix_open(&matrix, text, true, nodes, words)))
        return st;
    while (!(st = np_matrix_next(&matrix, &more, &e)) && more) {
        if ((st = push(list, text, e.row, e.column, e.value, 0)))
            return st;
        if (matrix.symmetric && e.row != e.column && (st = push(list, text, e.column, e.row, e.value, 0)))
            return st;
    }
    return st;
}

static np_status unroll(const entry_list *list, np_traffic *traffic)
{
    np_status st;
    size_t n = list->packets, i = 0;
    if ((st = np_memory_array(&traffic->source, n, sizeof(np_node), "the sources of the packets")) ||
        (st = np_memory_array(&traffic->destination, n, sizeof(np_node), "the destinations of the packets")))
        return st;
    if (list->has_priorities &&
        (st = np_memory_array(&traffic->priority, n, sizeof(uint32_t), "the priorities of the packets")))
        return st;
    for (const entry *e = list->item; e < list->item + list->count; e++)
        for (uint32_t c = 0; c < e->count; c++, i++) {
            traffic->source[i] = e->source;
            traffic->destination[i] = e->destination;
            if (traffic->priority)
                traffic->priority[i] = e->priority;
        }
    traffic->packets = (np_packet)n;
    return NP_OK;
}

np_status np_pairs_parse(const char *name, const char *data, size_t length, const np_network *network, uint64_t limit,
                         np_traffic *traffic)
{
    entry_list list = {.network = network, .limit = limit};
    np_text text;
    np_status st;
    if ((st = np_text_open(&text, name, data, length)))
        return st;
    st = np_matrix_begins(&text, name) ? read_matrix(&list, &text) : read_lines(&list, &text);
    if (!st)
        st = unroll(&list, traffic);
    np_memory_free(list.item);
    return st;
}
