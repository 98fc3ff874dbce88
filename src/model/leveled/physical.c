/* See physical.h. */
#include "model/leveled/physical.h"

void np_physical_lay_out(np_physical *physical, const np_leveled *leveled, np_arena *arena)
{
    static const char what[] = "physical steps";
    np_arena_array(arena, &physical->edge, leveled->edges, sizeof *physical->edge, what);
    np_arena_zeroed(arena, &physical->load, leveled->host_links, sizeof *physical->load, what);
    np_arena_zeroed(arena, &physical->ended, leveled->edges, sizeof *physical->ended, what);
}

typedef struct laying {
    np_physical physical;
    const np_leveled *leveled;
} laying;

static void lay_out(void *object, np_arena *arena)
{
    laying *of = object;
    np_physical_lay_out(&of->physical, of->leveled, arena);
}

uint64_t np_physical_bytes(const np_leveled *leveled)
{
    laying of = {.leveled = leveled};
    return np_arena_bytes(&of, 0, lay_out);
}

void np_physical_begin(np_physical *physical, const np_leveled *leveled)
{
    physical->leveled = leveled;
    physical->packets = physical->signals = 0;
    physical->steps = physical->back = 0;
}

void np_physical_step(np_physical *physical)
{
    const np_leveled *lv = physical->leveled;
    const uint32_t *signal = physical->edge + lv->edges - physical->signals;
    uint64_t all = 0, packets = 0;
    uint32_t most = 1;
    for (uint32_t part = 0; most; part++) {
        uint32_t of_packets = np_leveled_load(lv, physical->edge, physical->packets, part, physical->load, 0);
        most = np_leveled_load(lv, signal, physical->signals, part, physical->load, of_packets);
        np_leveled_unload(lv, physical->edge, physical->packets, part, physical->load);
        np_leveled_unload(lv, signal, physical->signals, part, physical->load);
        packets += of_packets;
        all += most;
    }
    physical->steps += all ? all : 1;
    physical->back += packets ? packets : 1;
    physical->packets = physical->signals = 0;
}
