/* The problem of a certificate, made of the network and the traffic: sorted words, equal ones counted. */
#include "base/memory.h"
#include "verdict/certificate/certificate.h"

enum { DIGIT = 11 }; /* bits: a round of the sort has 2048 heaps */

/* Deals the words out by one digit. False: all have the same. */
static bool deal(size_t count, unsigned shift, const uint64_t *word, uint64_t *out)
{
    enum { HEAPS = 1 << DIGIT };
    size_t heap[HEAPS] = {0}, sum = 0;
    for (size_t i = 0; i < count; i++)
        heap[word[i] >> shift & (HEAPS - 1)]++;
    for (int h = 0; h < HEAPS; h++) {
        size_t size = heap[h];
        if (size == count)
            return false;
        heap[h] = sum;
        sum += size;
    }
    for (size_t i = 0; i < count; i++)
        out[heap[word[i] >> shift & (HEAPS - 1)]++] = word[i];
    return true;
}

static np_status sort(size_t count, uint64_t **word)
{
    uint64_t *other;
    np_status st = np_memory_array(&other, count, sizeof *other, "words to sort");
    if (st)
        return st;
    for (unsigned shift = 0; shift < 64; shift += DIGIT)
        if (deal(count, shift, *word, other)) {
            uint64_t *sorted = other;
            other = *word;
            *word = sorted;
        }
    np_memory_free(other);
    return NP_OK;
}

/* Equal words become one; *times: how many each was. Returns how many are left. */
static np_status count_equal(size_t *count, uint64_t **word, uint64_t **times)
{
    size_t left = 0;
    np_status st = sort(*count, word);
    if (st || (st = np_memory_array(times, *count, sizeof **times, "numbers of equal words")))
        return st;
    for (size_t i = 0; i < *count; i++)
        if (left && (*word)[left - 1] == (*word)[i]) {
            (*times)[left - 1]++;
        } else {
            (*word)[left] = (*word)[i];
            (*times)[left++] = 1;
        }
    *count = left;
    return NP_OK;
}

static np_status find_arcs(np_claim *c, const np_network *network)
{
    size_t arcs = 0;
    np_status st = np_memory_array(&c->arc, (size_t)np_network_links(network), sizeof *c->arc, "the arcs");
    if (st)
        return st;
    for (np_link link = 0; link < np_network_link_numbers(network); link++) {
        np_node head = np_network_link_head(network, link);
        if (head == NP_NONE)
            continue;
        np_node tail = np_network_link_tail(network, link);
        c->links++;
        if (tail != head)
            c->arc[arcs++] = (uint64_t)tail << 32 | head;
    }
    st = count_equal(&arcs, &c->arc, &c->width);
    c->arcs = (uint32_t)arcs;
    return st;
}

/* The arcs into each node. */
static np_status find_rows(np_claim *c)
{
    np_status st;
    size_t rows = (size_t)c->nodes + 2;
    if ((st = np_memory_zeroed(&c->from, rows, sizeof *c->from, "the arcs out of nodes")) ||
        (st = np_memory_zeroed(&c->into, rows, sizeof *c->into, "the arcs into nodes")) ||
        (st = np_memory_array(&c->into_at, c->arcs, sizeof *c->into_at, "the arcs by head")))
        return st;
    for (uint32_t a = 0; a < c->arcs; a++) {
        c->from[(c->arc[a] >> 32) + 1]++;
        c->into[(uint32_t)c->arc[a] + 2]++; /* one row further on: filling moves it back */
    }
    for (np_node u = 0; u < c->nodes; u++) {
        c->from[u + 1] += c->from[u];
        c->into[u + 2] += c->into[u + 1];
    }
    for (uint32_t a = 0; a < c->arcs; a++)
        c->into_at[c->into[(uint32_t)c->arc[a] + 1]++] = a;
    return NP_OK;
}

static np_status find_demands(np_claim *c, const np_traffic *traffic)
{
    const np_node *source = np_traffic_sources(traffic), *destination = np_traffic_destinations(traffic);
    np_status st = np_memory_array(&c->pair, np_traffic_packets(traffic), sizeof *c->pair, "the demands");
    if (st)
        return st;
    for (np_packet i = 0; i < np_traffic_packets(traffic); i++)
        if (source[i] != destination[i])
            c->pair[c->packets++] = (uint64_t)destination[i] << 32 | source[i];
    c->demands = c->packets;
    return count_equal(&c->demands, &c->pair, &c->amount);
}

np_status np_claim_init(np_claim *claim, const np_network *network, const np_traffic *traffic)
{
    np_status st;
    *claim = (np_claim){.network = network, .nodes = np_network_nodes(network)};
    if ((st = find_arcs(claim, network)) || (st = find_rows(claim)))
        return st;
    return find_demands(claim, traffic);
}

void np_claim_clear(np_claim *c) { NP_MEMORY_FREE(c->arc, c->width, c->from, c->into, c->into_at, c->pair, c->amount); }
