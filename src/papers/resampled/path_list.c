/* See outline.h. */
#include "papers/resampled/outline.h"

#include "base/arena.h"
#include "base/memory.h"

static const char what[] = "the packets' paths";

static void layout(void *object, np_arena *arena)
{
    np_path_list *list = object;
    np_arena_array(arena, &list->first, (size_t)list->packets + 1, sizeof *list->first, what);
    NP_ARENA_WORDS(arena, list->hops, what, &list->of, &list->link);
    np_arena_zeroed(arena, &list->begin, (size_t)list->links + 1, sizeof *list->begin, what);
    np_arena_array(arena, &list->over, list->hops, sizeof *list->over, what);
}

uint64_t np_path_list_bytes(np_link links, uint64_t packets, uint64_t hops)
{
    np_path_list list = {.links = links,
                         .packets = (np_packet)packets,
                         .hops = hops < NP_PATH_LIST_HOPS_MAX ? (uint32_t)hops : NP_PATH_LIST_HOPS_MAX};
    return np_arena_bytes(&list, sizeof list, layout);
}

static np_status list_links(np_path_list *list, np_walk *walk)
{
    np_status st;
    list->first[0] = 0;
    for (np_packet i = 0; i < walk->packets; i++)
        list->first[i + 1] = list->first[i] + walk->hops[i];
    np_walk_start(walk);
    while (!(st = np_walk_next(walk)) && walk->count)
        for (np_packet i = 0; i < walk->count; i++) {
            uint32_t hop = list->first[walk->packet[i]] + walk->hop;
            list->of[hop] = walk->packet[i];
            list->link[hop] = walk->link[i];
        }
    return st;
}

/* Sorts the hops by their links. */
static void sort_hops(np_path_list *list)
{
    for (uint32_t hop = 0; hop < list->hops; hop++) {
        uint32_t paths = ++list->begin[list->link[hop]];
        list->congestion = paths > list->congestion ? paths : list->congestion;
    }
    for (np_link l = 0; l < list->links; l++)
        list->begin[l + 1] += list->begin[l];
    for (uint32_t hop = list->hops; hop-- > 0;)
        list->over[--list->begin[list->link[hop]]] = hop;
}

np_status np_path_list_create(np_walk *walk, np_path_list **out)
{
    np_path_list made = {.packets = walk->packets,
                         .links = np_network_link_numbers(walk->path->network),
                         .hops = (uint32_t)walk->hops_all,
                         .dilation = walk->hops_most};
    np_status st;
    *out = NULL;
    if (walk->hops_all > NP_PATH_LIST_HOPS_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "paths of %llu hops together: a schedule off line has %u at most",
                        (unsigned long long)walk->hops_all, NP_PATH_LIST_HOPS_MAX);
    if ((st = np_arena_create(&made, sizeof made, layout, what, out)))
        return st;
    if ((st = list_links(*out, walk))) {
        np_path_list_free(*out);
        *out = NULL;
        return st;
    }
    sort_hops(*out);
    return NP_OK;
}

void np_path_list_free(np_path_list *list) { np_memory_free(list); }
