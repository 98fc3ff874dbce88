/*
 * See vias.h. Planes are the classes of routers that reach one another, by the distances of cables.h. All pairs of
 * routers where packets start and end are looked at, since the links of a file may lead one way only: if reaching is
 * mutual, and who reaches one router of a plane reaches all of it and nothing else, a packet gets from its first router
 * to any in the plane, and from there to its last one.
 */
#include "model/relation/vias.h"

#include "base/arena.h"
#include "base/memory.h"
#include "model/network/read_node.h"
#include "model/relation/table.h"

struct np_vias {
    const np_routers *routers; /* of the inner rule, as the next one */
    const np_cables *cables;
    uint32_t planes;
    uint32_t *plane; /* [routers] NP_NONE: nobody starts or ends there */
    uint32_t *first; /* [routers + 1] the first cable of a plane */
    np_node *router; /* [entries] of cables, plane by plane */
};

static void layout(void *object, np_arena *arena)
{
    np_vias *v = object;
    np_arena_array(arena, &v->plane, v->routers->count, sizeof *v->plane, "the planes of routers");
    np_arena_zeroed(arena, &v->first, (size_t)v->routers->count + 1, sizeof *v->first, "the planes of routers");
    np_arena_array(arena, &v->router, v->cables->entries, sizeof *v->router, "the routers that packets go to first");
}

static bool reaches(const np_vias *v, uint32_t from, uint32_t to)
{
    return v->cables->distance[(size_t)from * v->routers->count + to] != NP_CABLES_NO_WAY;
}

/* The plane of router u: that of a router before it, or a new one. */
static uint32_t plane_of(np_vias *v, uint32_t u)
{
    if (!v->routers->ends[u])
        return NP_NONE;
    for (uint32_t before = 0; before < u; before++)
        if (v->plane[before] != NP_NONE && reaches(v, u, before) && reaches(v, before, u))
            return v->plane[before];
    return v->planes++;
}

static np_status check_planes(const np_relation *r, const np_vias *v)
{
    const np_routers *g = v->routers;
    for (uint32_t a = 0; a < g->count; a++)
        for (uint32_t b = 0; b < g->count && v->plane[a] != NP_NONE; b++)
            if (v->plane[b] != NP_NONE && reaches(v, a, b) != (v->plane[a] == v->plane[b]))
                return NP_RAISE(NP_ERROR_APPLY,
                                "paths '%s' do not apply to %s: packets go by way of any router that they reach, and "
                                "what %.80s reaches is not what reaches it, %.80s for one",
                                r->rule->info.name, np_network_spec(r->network), NP_NODE_NAME(r->network, g->node[a]),
                                NP_NODE_NAME(r->network, g->node[b]));
    return NP_OK;
}

static uint32_t plane_of_cable(const np_vias *v, uint32_t entry)
{
    return v->plane[v->routers->number[v->cables->entry[entry].router]];
}

/* Counting sort of the cables by planes. */
static void list_cables(np_vias *v)
{
    for (uint32_t i = 0; i < v->cables->entries; i++)
        v->first[plane_of_cable(v, i)]++;
    for (uint32_t p = 0; p < v->planes; p++)
        v->first[p + 1] += v->first[p];
    for (uint32_t i = v->cables->entries; i-- > 0;)
        v->router[--v->first[plane_of_cable(v, i)]] = v->cables->entry[i].router;
}

np_status np_vias_create(np_relation *r)
{
    const np_relation *inner = r->inner;
    if (!inner->cables->several)
        return NP_OK;
    np_vias sizes = {.routers = &inner->table->routers, .cables = inner->cables};
    np_status st = np_arena_create(&sizes, sizeof sizes, layout, "planes", &r->vias);
    if (st)
        return st;
    for (uint32_t u = 0; u < sizes.routers->count; u++)
        r->vias->plane[u] = plane_of(r->vias, u);
    if (!(st = check_planes(r, r->vias)))
        list_cables(r->vias);
    return st;
}

void np_vias_free(np_vias *vias) { np_memory_free(vias); }

np_node np_vias_draw(const np_relation *r, const np_draws *draws, np_node from, uint32_t number)
{
    const np_vias *v = r->vias;
    if (!v)
        return r->cables->entry[np_random_below(draws, from, number, r->cables->entries)].router;
    uint32_t plane = v->plane[v->routers->number[from]], first = v->first[plane];
    return v->router[first + np_random_below(draws, from, number, v->first[plane + 1] - first)];
}
