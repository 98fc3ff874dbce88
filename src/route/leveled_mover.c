/* See leveled_mover.h. */
#include "route/leveled_mover.h"

#include <string.h>

static np_status measure(np_leveled_mover *mover)
{
    for (unsigned i = 0; i < mover->leveling->phases; i++) {
        np_emulation emulation;
        np_status st = np_leveled_emulation(mover->leveling->phase[i].leveled, &emulation);
        if (st)
            return st;
        mover->emulation[i] = (np_emulation_result){
            emulation.nodes_per_node, np_leveled_degree(mover->leveling->phase[i].leveled), emulation.links_per_link};
    }
    return NP_OK;
}

np_status np_leveled_mover_init(np_leveled_mover *mover, const np_network *network, uint64_t limit,
                                const np_mover *like)
{
    uint64_t bytes = np_leveling_bytes(network);
    const np_leveled_mover *other = (const np_leveled_mover *)like;
    np_status st;
    if (other) {
        mover->shared = true;
        mover->leveling = other->leveling;
        memcpy(mover->emulation, other->emulation, sizeof mover->emulation);
        return NP_OK;
    }
    if (limit && bytes > limit)
        return NP_RAISE(
            NP_ERROR_LIMIT,
            "the leveled network of %s needs %.2f GB of memory, %.2f GB are allowed: take a smaller network",
            np_network_spec(network), (double)bytes / 1e9, (double)limit / 1e9);
    if ((st = np_leveling_create(network, &mover->leveling)))
        return st;
    return measure(mover);
}

void np_leveled_mover_clear(np_leveled_mover *mover)
{
    if (!mover->shared)
        np_leveling_free(mover->leveling);
    np_courses_clear(&mover->courses);
}

np_status np_leveled_mover_select(np_leveled_mover *mover, unsigned phase, np_draws draws, const np_traffic *traffic,
                                  bool combine)
{
    np_selection selection = {.phase = phase, .draws = draws, .traffic = traffic, .combine = combine};
    return mover->leveling->ops->select(mover->leveling, &selection, &mover->courses);
}

unsigned np_leveled_mover_phases(const np_mover *mover) { return ((const np_leveled_mover *)mover)->leveling->phases; }

void np_leveled_mover_name(const np_mover *mover, unsigned phase, char name[8])
{
    memcpy(name, ((const np_leveled_mover *)mover)->leveling->phase[phase].name, 8);
}

const char *np_leveled_mover_paths(const np_mover *mover)
{
    return ((const np_leveled_mover *)mover)->leveling->ops->name;
}

const char *np_leveled_mover_queue(const np_mover *mover) { return ((const np_leveled_mover *)mover)->queue; }

void np_leveled_mover_emulation(const np_mover *mover, unsigned phase, np_emulation_result *out)
{
    *out = ((const np_leveled_mover *)mover)->emulation[phase];
}

bool np_leveled_mover_fixed_ranks(const np_mover *mover, unsigned phase)
{
    return ((const np_leveled_mover *)mover)->leveling->phase[phase].ranked;
}

/* Per packet: its path, and 64 bytes of keys and places; per edge a queue; per node an initial queue. */
uint64_t np_leveled_mover_bytes(const np_mover *mover, uint64_t packets)
{
    const np_leveling *leveling = ((const np_leveled_mover *)mover)->leveling;
    uint64_t most = 0, levelings = 0;
    for (unsigned i = 0; i < leveling->phases; i++) {
        const np_leveled *lv = leveling->phase[i].leveled;
        uint64_t each = packets * (64 + 3 * (uint64_t)lv->depth) + (uint64_t)lv->edges * 64 + (uint64_t)lv->nodes * 16;
        most = each > most ? each : most;
        levelings += np_leveled_bytes(lv);
    }
    return most + levelings; /* the latter is shared, but counted in each */
}
