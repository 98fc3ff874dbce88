/*
 * Routes in two phases: to a random target, and on to the destination, each by the inner rule.
 *
 * valiant (Valiant & Brebner 1981): the target is the router of a random terminal. Where hosts have several cables, as
 * in planes, it is the router of a random cable from a host among those that the packet reaches from the cable that it
 * took (vias.h). valiant:groups (Kim, Dally, Scott & Abts 2008): a random group of a dragonfly, and the first phase
 * ends at the first router there. A packet whose target is its own group has one phase.
 *
 * ugal-l (Singh 2005, Kim & others 2008): at its source a packet chooses between the minimal route, which is the second
 * phase alone, and a route of valiant that it draws (on a dragonfly by groups). It takes the minimal one if q h <=
 * q' h' + T, with the flits q that wait for the route's first link in the first router and beyond that link, and its
 * hops h. ugal-l-vc (UGAL-L_VC of Kim & others 2008, section 4.3) counts in q and q' the channels of the class with
 * which the route begins, which the minimal route and the other one do not share; ugal-l-vch (UGAL-L_VCH) does so only
 * if both begin with one link. For there the queue of all classes is the same for both, and the route of fewer hops
 * would win.
 *
 * The classes of the second phase follow those of the first one. So if no phase by itself has a cycle of channels, both
 * have none: no channel of the second phase is before one of the first. That holds for hosts with several cables, too,
 * since cables are channels of injection and ejection, which nothing waits for in a cycle, and packets turn at routers.
 * Classes must not be shared where a packet passes its destination in the first phase: that deadlocks beyond
 * saturation.
 */
#include <string.h>

#include "base/memory.h"
#include "model/network/read_node.h"
#include "model/relation/dragonfly.h"
#include "model/relation/routers.h"
#include "model/relation/vias.h"

#define TARGET_SHIFT 32

/* The routers of terminals. */
static np_status list_targets(np_relation *r)
{
    np_routers routers;
    np_status st = np_routers_init(&routers, r->network);
    for (uint32_t u = 0; !st && u < routers.count; u++) {
        r->targets += routers.ends[u] != 0;
        if (routers.ends[u] == NP_ROUTER_IN || routers.ends[u] == NP_ROUTER_OUT)
            st = NP_RAISE(
                NP_ERROR_APPLY,
                "paths '%s' do not apply to %s: packets turn where hosts are, and router %.80s only %s packets",
                r->rule->info.name, np_network_spec(r->network), NP_NODE_NAME(r->network, routers.node[u]),
                routers.ends[u] == NP_ROUTER_IN ? "takes in" : "hands out");
    }
    if (!st)
        st = np_memory_array(&r->target, r->targets, sizeof *r->target, "the routers that packets go to first");
    for (uint32_t u = 0, count = 0; !st && u < routers.count; u++)
        if (routers.ends[u])
            r->target[count++] = routers.node[u];
    np_routers_clear(&routers);
    return st;
}

/* Both phases by the inner rule; "" is what is usual on the network. */
static np_status prepare_phases(np_relation *r, const char *inner)
{
    bool dragonfly = np_network_is(r->routers, NP_KIND_DRAGONFLY);
    np_status st = np_relation_create_inner(r, *inner ? inner : dragonfly ? "minimal" : np_relations.also);
    if (st)
        return st;
    if (r->inner->two_phases || r->inner->escapes || r->inner->listed || r->inner->forwards)
        return NP_RAISE(
            NP_ERROR_INPUT,
            "paths '%s:%s': both phases need a rule of one phase, without escape channels, and not of a file",
            r->rule->info.name, r->inner->spec);
    if (r->by_groups && !r->inner->groups)
        return NP_RAISE(NP_ERROR_APPLY,
                        "paths '%s:groups' by '%s' do not apply to %s: groups are those of a dragonfly, "
                        "and the rule for both phases is 'minimal'",
                        r->rule->info.name, r->inner->spec, np_network_spec(r->network));
    np_cables_free(r->cables);
    r->cables = r->inner->cables; /* where distances are measured */
    r->two_phases = true;
    r->adaptive = r->inner->adaptive;
    r->first_classes = r->by_groups ? 1 : r->inner->classes;
    r->classes = r->first_classes + r->inner->classes;
    if (!r->by_groups)
        return (st = list_targets(r)) ? st : np_vias_create(r);
    r->targets = r->inner->groups->count;
    return NP_OK;
}

static np_status prepare(np_relation *r, const char *parameter)
{
    static const char groups[] = "groups";
    size_t length = strlen(groups);
    r->by_groups = !strncmp(parameter, groups, length) && (!parameter[length] || parameter[length] == ':');
    if (r->by_groups)
        parameter += length + (parameter[length] == ':');
    return prepare_phases(r, parameter);
}

unsigned np_relation_first_ways(const np_relation *r, np_node at, uint32_t target, unsigned course, np_candidate *out)
{
    if (r->by_groups)
        return np_dragonfly_ways_to_group(r->inner, at, target, course, out);
    return r->inner->rule->ways(r->inner, at, target, course, out);
}

static uint64_t start(const np_relation *r, const np_draws *draws, uint64_t number, np_node from, np_node to,
                      const np_pressure *pressure)
{
    np_draws mine = np_draws_for(*draws, NP_RANDOM_TARGET);
    mine.phase = (uint16_t)(mine.phase + (number >> 32));
    uint64_t lot = np_relation_start(r->inner, draws, number, from, to, NULL) & 0xffffff00;
    (void)pressure;
    if (!r->by_groups)
        return (uint64_t)np_vias_draw(r, &mine, from, (uint32_t)number) << TARGET_SHIFT | lot;
    uint64_t target = np_random_below(&mine, from, (uint32_t)number, r->targets);
    return target << TARGET_SHIFT | lot | (target == np_dragonfly_group(r, from) ? NP_SECOND_PHASE : 0);
}

const np_relation_rule np_relation_valiant = {
    .info =
        {"valiant",
         "by way of the router of a random host, or a random group of a dragonfly; each phase by a rule, in classes "
         "of its own",
         "Valiant & Brebner 1981", .parameters = "[:groups][:RULE]", .example = "valiant:dimension-order",
         .networks = "any but one-way"},
    .refuses = np_relation_refuses_one_way,
    .prepare = prepare,
    .start = start,
};

/* ---- UGAL ---- */

static np_status prepare_ugal(np_relation *r, const char *parameter)
{
    if (*parameter && !np_parse_whole(parameter, 0, UINT32_MAX, &r->threshold))
        return np_relation_refuse_parameter(r, parameter);
    r->by_groups = np_network_is(r->routers, NP_KIND_DRAGONFLY);
    return prepare_phases(r, "");
}

/* A route as its source sees it. */
typedef struct outlook {
    np_candidate first;
    uint64_t hops; /* 0: there is no first one */
} outlook;

static outlook look(const np_relation *r, np_node from, np_node to, uint64_t state)
{
    np_candidate way[NP_CANDIDATES];
    outlook seen = {.hops = 0};
    for (np_node at = from; np_relation_candidates(r, at, to, state, way); seen.hops++) {
        if (!seen.hops)
            seen.first = *way;
        at = np_network_link_head(r->network, np_network_link_at(r->network, at, way->port));
        state = way->state;
    }
    return seen;
}

/* The flits that wait for the first link of the route, or for its class there, times its hops. */
static uint64_t cost(const outlook *route, np_node from, bool by_class, const np_pressure *pressure)
{
    if (!route->hops)
        return 0;
    return route->hops *
           pressure->of(pressure->context, from, route->first.port, by_class ? route->first.class_ : NP_ALL_CLASSES);
}

/* by_class: whether queues are told apart by classes, where the routes begin with one link or with two. */
static inline uint64_t choose(const np_relation *r, const np_draws *draws, uint64_t number, np_node from, np_node to,
                              const np_pressure *pressure, const bool by_class[2])
{
    uint64_t detour = start(r, draws, number, from, to, NULL), minimal = detour | NP_SECOND_PHASE;
    if (!pressure)
        return minimal;
    np_candidate first[NP_CANDIDATES];
    if (!np_relation_candidates(r, from, to, minimal, first) ||
        !pressure->of(pressure->context, from, first->port, NP_ALL_CLASSES))
        return minimal;
    outlook near = look(r, from, to, minimal), far = look(r, from, to, detour);
    bool by = by_class[near.first.port != far.first.port];
    return cost(&near, from, by, pressure) <= cost(&far, from, by, pressure) + r->threshold ? minimal : detour;
}

static uint64_t start_ugal(const np_relation *r, const np_draws *draws, uint64_t number, np_node from, np_node to,
                           const np_pressure *pressure)
{
    return choose(r, draws, number, from, to, pressure, (const bool[2]){false, false});
}

static uint64_t start_by_class(const np_relation *r, const np_draws *draws, uint64_t number, np_node from, np_node to,
                               const np_pressure *pressure)
{
    return choose(r, draws, number, from, to, pressure, (const bool[2]){true, true});
}

static uint64_t start_hybrid(const np_relation *r, const np_draws *draws, uint64_t number, np_node from, np_node to,
                             const np_pressure *pressure)
{
    return choose(r, draws, number, from, to, pressure, (const bool[2]){true, false});
}

const np_relation_rule np_relation_ugal = {
    .info = {"ugal-l",
             "the minimal route or one of valiant, by the queue at the source times the hops; T flits in "
             "favour of the minimal one (default 0)",
             "Singh 2005; Kim, Dally, Scott & Abts 2008", .parameters = "[:T]", .example = "ugal-l:3",
             .networks = "any but one-way"},
    .refuses = np_relation_refuses_one_way,
    .prepare = prepare_ugal,
    .start = start_ugal,
};

const np_relation_rule np_relation_ugal_vc = {
    .info = {"ugal-l-vc", "as ugal-l, by the queues of the classes of channels with which the two routes begin",
             "Kim, Dally, Scott & Abts 2008", .parameters = "[:T]", .example = "ugal-l-vc:3",
             .networks = "any but one-way"},
    .refuses = np_relation_refuses_one_way,
    .prepare = prepare_ugal,
    .start = start_by_class,
};

const np_relation_rule np_relation_ugal_vch = {
    .info = {"ugal-l-vch", "as ugal-l-vc where both routes begin with one link, else as ugal-l",
             "Kim, Dally, Scott & Abts 2008", .parameters = "[:T]", .example = "ugal-l-vch:3",
             .networks = "any but one-way"},
    .refuses = np_relation_refuses_one_way,
    .prepare = prepare_ugal,
    .start = start_hybrid,
};
