/* The memory of model `steps`. */
#include "base/memory.h"
#include "engine/queueing/open.h"

np_engine_options np_open_engine_options(const np_open_options *options)
{
    /* As many slots as links at first: the arrays of a block's arrivals have room for no more packets than slots. */
    uint64_t links = np_network_link_numbers(options->network);
    links = links < np_open_trips(options) ? np_open_trips(options) : links;
    return (np_engine_options){.network = options->network,
                               .discipline = options->discipline ? options->discipline : &np_discipline_fifo,
                               .packets = links > 1 ? links : 1,
                               .workers = options->link_delays ? 1 : options->threads,
                               .delays = options->link_delays,
                               .path = options->path,
                               .observed = options->book,
                               .method = "stepping"};
}

/* Those who enter, who come from and go to one terminal, and who have landed, all in one cycle; and their routes. */
static uint64_t bytes_of_loop(const np_open_options *options)
{
    const uint64_t packets = np_open_trips(options),
                   half_way = options->via_random ? np_network_link_numbers(options->network) : 0;
    const np_path *path = options->path;
    return (packets + half_way) * sizeof(np_entrant) + packets * (sizeof(np_open_packet) + 4 * sizeof(uint64_t)) +
           (path->rule->chooser
                ? np_ahead_bytes(path, options->threads, packets, packets * (options->via_random ? 2 : 1))
                : 0);
}

uint64_t np_open_bytes(const np_open_options *options)
{
    np_engine_options engine = np_open_engine_options(options);
    uint64_t terminal = 2 * sizeof(np_node) + sizeof(np_arrival) + 2 * sizeof(uint64_t) + sizeof(np_entrant),
             packet = sizeof(np_open_packet) + 2 * sizeof(uint32_t);
    if (options->book)
        packet += 2 * sizeof(np_packet);
    return np_engine_bytes(&engine) + np_network_terminals(options->network) * terminal + engine.packets * packet +
           np_network_link_numbers(options->network) *
               (sizeof(np_packet) + (2 + options->counts_links) * sizeof(uint64_t)) +
           (options->window ? bytes_of_loop(options) : 0);
}

np_status np_open_reserve(const np_open *o, np_nursery *n, np_link links)
{
    size_t packets = (size_t)(n->last - n->first) * o->options.window;
    np_status st;
    n->room = packets + (o->options.via_random ? links : 0);
    n->own_room = packets;
    if ((st = np_memory_array(&n->entrant, n->room, sizeof *n->entrant, "packets that are created")))
        return st;
    return np_memory_array(&n->own, n->own_room, sizeof *n->own, "packets for their own nodes");
}
