/*
 * The lines of a mesh in bundles: neighbouring rows, or neighbouring columns. Submeshes are bundles of rows by bundles
 * of columns. What schemes on submeshes share: the tables of a thread (np_queueing_tables), which begin with
 * np_submeshes, and the targets that they have for each packet.
 */
#pragma once

#include "base/memory.h"
#include "model/network/network.h"
#include "run/route/queueing.h"

/* Bundle i is lines first[i] .. first[i+1]-1. */
typedef struct np_bundles {
    uint32_t lines, count;
    uint32_t *first; /* [count + 1] */
    uint32_t *of;    /* [lines] */
} np_bundles;

static inline void np_bundles_layout(np_bundles *b, np_arena *arena)
{
    np_arena_array(arena, &b->first, (size_t)b->count + 1, sizeof *b->first, "bundles of lines");
    np_arena_array(arena, &b->of, b->lines, sizeof *b->of, "bundles of lines");
}

/* Fills the arrays: sizes differ by one at most. */
static inline void np_bundles_make(np_bundles *b)
{
    for (uint32_t i = 0; i <= b->count; i++)
        b->first[i] = (uint32_t)((uint64_t)b->lines * i / b->count);
    for (uint32_t i = 0; i < b->count; i++)
        for (uint32_t line = b->first[i]; line < b->first[i + 1]; line++)
            b->of[line] = i;
}

static inline uint32_t np_bundles_width(const np_bundles *b, uint32_t i) { return b->first[i + 1] - b->first[i]; }

typedef struct np_submeshes {
    const np_network *network;
    np_bundles rows, columns;
    size_t packets;
    void *block;        /* the arrays of a run */
    size_t block_bytes; /* its bytes */
    np_node *target;    /* [packets] the target in the phase */
} np_submeshes;

static inline void np_submeshes_layout(np_submeshes *s, np_arena *arena)
{
    np_bundles_layout(&s->rows, arena);
    np_bundles_layout(&s->columns, arena);
    np_arena_array(arena, &s->target, s->packets, sizeof *s->target, "packets");
}

/* The sizes; bundles_of: into which bundles the rows, and the columns, are divided. */
static inline np_submeshes np_submeshes_sizes(const np_network *network, size_t packets,
                                              np_bundles (*bundles_of)(uint32_t lines))
{
    return (np_submeshes){.network = network,
                          .rows = bundles_of(network->side[0]),
                          .columns = bundles_of(network->side[1]),
                          .packets = packets};
}

/* *tables = tables of `size` bytes for no packets. */
static inline np_status np_submeshes_create(const np_network *network, size_t size,
                                            np_bundles (*bundles_of)(uint32_t lines), void **tables)
{
    np_status st = np_memory_zeroed(tables, 1, size, "the scheme's tables");
    if (!st)
        *(np_submeshes *)*tables = np_submeshes_sizes(network, 0, bundles_of);
    return st;
}

/* Room for the packets of a run, by the layout of the tables, which begins with the one above. */
static inline np_status np_submeshes_reserve(np_submeshes *s, size_t packets, np_layout *layout)
{
    s->packets = packets;
    np_status st = np_arena_renew(s, layout, "the scheme's tables", &s->block, &s->block_bytes);
    if (!st) {
        np_bundles_make(&s->rows);
        np_bundles_make(&s->columns);
    }
    return st;
}

static inline void np_submeshes_free(void *tables)
{
    np_memory_free(((np_submeshes *)tables)->block);
    np_memory_free(tables);
}

static inline uint32_t np_submeshes_row(const np_submeshes *s, np_node u)
{
    return np_network_coordinate(s->network, u, 0);
}

static inline uint32_t np_submeshes_column(const np_submeshes *s, np_node u)
{
    return np_network_coordinate(s->network, u, 1);
}

static inline np_node np_submeshes_node(const np_submeshes *s, uint32_t row, uint32_t column)
{
    return row * s->network->stride[0] + column * s->network->stride[1];
}

/* The number of the node's submesh, bundle of rows after bundle of rows. */
static inline uint32_t np_submeshes_of(const np_submeshes *s, np_node u)
{
    return s->rows.of[np_submeshes_row(s, u)] * s->columns.count + s->columns.of[np_submeshes_column(s, u)];
}

/* np_queueing.targets */
static inline void np_submeshes_targets(const np_aim *aim, np_node *to)
{
    const np_submeshes *s = aim->tables;
    for (size_t i = 0; i < aim->count; i++)
        to[i] = s->target[aim->packet[i]];
}

static inline const char *np_submeshes_refuses(const np_network *network)
{
    bool mesh = np_network_is(network, NP_KIND_MESH) && network->dimensions == 2;
    return mesh ? NULL : "it is for meshes of two dimensions";
}
