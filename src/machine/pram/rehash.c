/* See rehash.h. */
#include "machine/pram/rehash.h"

#include "base/memory.h"

enum { ALLOTTED = 64 };

np_rehash np_rehash_of(const np_rehash_ops *ops, const np_pram_options *options, uint32_t n, uint32_t modules)
{
    uint64_t factor = options->map == NP_MAP_NONE ? 0 : options->allotted ? options->allotted : ALLOTTED;
    return (np_rehash){ops, factor * n * options->slack, modules};
}

uint32_t np_rehash_queue_size(const np_pram_options *options, uint32_t processors)
{
    uint64_t each = options->slack > NP_REHASH_AT_ONCE ? options->slack : NP_REHASH_AT_ONCE, most = processors * each;
    return options->queue_size < most ? options->queue_size : (uint32_t)most;
}

/* Cells by the module that holds them. */
typedef struct holdings {
    uint64_t *begin; /* [modules + 2] module v holds cell[begin[v]] .. cell[begin[v + 1] - 1] */
    uint32_t *cell;
    np_rehash_move *move; /* the moves of one batch */
} holdings;

static void holdings_clear(holdings *h) { NP_MEMORY_FREE(h->begin, h->cell, h->move); }

static np_status holdings_init(const np_rehash *rehash, const np_machine *machine, uint64_t cells, holdings *h)
{
    uint32_t modules = rehash->modules;
    np_status st = np_memory_zeroed(&h->begin, (size_t)modules + 2, sizeof *h->begin, "cells to move");
    if (!st)
        st = np_memory_grow(&h->cell, 0, cells + 1, sizeof *h->cell, "cells to move");
    if (!st)
        st = np_memory_grow(&h->move, 0, (size_t)modules * NP_REHASH_AT_ONCE, sizeof *h->move, "cells to move");
    if (st)
        return st;
    for (uint64_t x = 0; x < cells; x++)
        h->begin[rehash->ops->module_of(machine, (uint32_t)x) + 2]++;
    for (uint32_t v = 2; v < modules + 2; v++)
        h->begin[v] += h->begin[v - 1];
    for (uint64_t x = 0; x < cells; x++)
        h->cell[h->begin[rehash->ops->module_of(machine, (uint32_t)x) + 1]++] = (uint32_t)x;
    return NP_OK;
}

/* The moves of a round: the next NP_REHASH_AT_ONCE cells of every module. */
static size_t fill_round(const holdings *h, uint32_t modules, uint64_t round)
{
    size_t count = 0;
    for (uint32_t v = 0; v < modules; v++) {
        uint64_t first = h->begin[v] + round * NP_REHASH_AT_ONCE;
        for (uint64_t i = first; i < h->begin[v + 1] && i < first + NP_REHASH_AT_ONCE; i++)
            h->move[count++] = (np_rehash_move){h->cell[i], v};
    }
    return count;
}

/* Draws a new function and moves all cells. */
static np_status renew(const np_rehash *rehash, np_machine *machine, uint64_t cells, np_batch_cost *cost)
{
    holdings h = {0};
    np_status st = holdings_init(rehash, machine, cells, &h);
    if (!st)
        st = rehash->ops->draw(machine);
    for (uint64_t round = 0; !st; round++) {
        size_t count = fill_round(&h, rehash->modules, round);
        if (!count)
            break;
        st = rehash->ops->move(machine, h.move, count, cost);
    }
    holdings_clear(&h);
    if (!st && rehash->ops->settle)
        st = rehash->ops->settle(machine);
    cost->network_steps += rehash->ops->local_steps(machine);
    cost->rehashes++;
    return st;
}

np_status np_rehash_deliver(const np_rehash *rehash, np_machine *machine, uint64_t cells, np_batch_cost *cost)
{
    for (unsigned tries = 0;; tries++) {
        uint64_t before = cost->network_steps;
        bool done;
        np_status st = rehash->ops->attempt(machine, tries < NP_REHASH_RETRIES ? rehash->allotted : 0, cost, &done);
        if (st || done)
            return st;
        if ((st = renew(rehash, machine, cells, cost)))
            return st;
        cost->rehash_steps += cost->network_steps - before;
    }
}
