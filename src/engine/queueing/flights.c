/* See flights.h. */
#include "engine/queueing/flights.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "engine/queueing/inside.h"

static const char what[] = "packets on links of more than a step";

static uint32_t instants_of(const np_network *network, const uint16_t *delay)
{
    uint32_t most = 1;
    for (np_link link = 0; link < network->link_numbers; link++)
        most = delay[link] > most ? delay[link] : most;
    return most + 1;
}

np_status np_flights_init(np_flights *f, const np_network *network, const uint16_t *delay, size_t packets)
{
    np_status st;
    *f = (np_flights){.delay = delay};
    if (!delay)
        return NP_OK;
    f->instants = instants_of(network, delay);
    if ((st = np_memory_array(&f->first, f->instants, sizeof *f->first, what)) ||
        (st = np_memory_array(&f->order, (size_t)network->link_numbers + 1, sizeof *f->order, what)) ||
        (st = np_memory_array(&f->flight, packets, sizeof *f->flight, what)))
        return st;
    np_flights_reset(f);
    return NP_OK;
}

np_status np_flights_grow(np_flights *f, size_t before, size_t packets)
{
    return f->delay ? np_memory_grow(&f->flight, before, packets, sizeof *f->flight, what) : NP_OK;
}

void np_flights_reset(np_flights *f)
{
    if (f->delay)
        memset(f->first, 0xff, f->instants * sizeof *f->first); /* NP_NONE */
    f->flying = 0;
    f->arriving = f->given = 0;
}

void np_flights_clear(np_flights *f)
{
    NP_MEMORY_FREE(f->first, f->flight, f->order);
    *f = (np_flights){.delay = NULL};
}

uint64_t np_flights_bytes(const np_network *network, const uint16_t *delay, size_t packets)
{
    if (!delay)
        return 0;
    return np_memory_taken(instants_of(network, delay) * sizeof(np_packet)) +
           np_memory_taken(((size_t)network->link_numbers + 1) * sizeof(uint64_t)) +
           np_memory_taken(packets * sizeof(np_flight));
}

void np_flights_depart(np_flights *f, np_step now, const np_hops *hops)
{
    for (size_t i = 0; i < hops->count; i++) {
        np_packet packet = hops->packet[i], *list = &f->first[(now + f->delay[hops->link[i]]) % f->instants];
        f->flight[packet] =
            (np_flight){hops->ticket[i], hops->link[i], hops->from[i], hops->at[i], hops->port[i], *list};
        *list = packet;
    }
    f->flying += (np_packet)hops->count;
}

/* No two come over one link: each leaves one of its instants apart. */
void np_flights_land(np_flights *f, np_step then)
{
    np_packet *list = &f->first[then % f->instants];
    f->arriving = f->given = 0;
    for (np_packet p = *list; p != NP_NONE; p = f->flight[p].next)
        f->order[f->arriving++] = (uint64_t)f->flight[p].link << 32 | p;
    *list = NP_NONE;
    f->flying -= (np_packet)f->arriving;
    qsort(f->order, f->arriving, sizeof *f->order, np_order_words);
}

bool np_flights_take(np_flights *f, np_hops *hops)
{
    for (hops->count = 0; hops->count < NP_BATCH && f->given < f->arriving; hops->count++) {
        np_packet packet = (np_packet)f->order[f->given++];
        const np_flight *flight = &f->flight[packet];
        hops->packet[hops->count] = packet;
        hops->ticket[hops->count] = flight->ticket;
        hops->link[hops->count] = flight->link;
        hops->from[hops->count] = flight->from;
        hops->at[hops->count] = flight->at;
        hops->port[hops->count] = flight->port;
    }
    return hops->count > 0;
}
