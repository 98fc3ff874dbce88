/* Binds a rule to a network; draws among its ways. */
#include <string.h>

#include "base/memory.h"
#include "model/network/read_node.h"
#include "model/relation/cables.h"
#include "model/relation/dragonfly.h"
#include "model/relation/listed.h"
#include "model/relation/table.h"
#include "model/relation/vias.h"

/* No rule of its own: this name means the first rule of shortest paths that applies. */
#define GREEDY np_relations.also

enum { NAME_MAX_LENGTH = 79 }; /* ours: a longer name is in no registry, and its beginning neither */

static bool stands_for(const np_relation_rule *rule, const char *name)
{
    return strcmp(name, GREEDY) ? np_entry_is(&rule->info, name) : rule->shortest;
}

static const char *refuses(const np_relation_rule *rule, const np_network *routers)
{
    return np_only_refuses(rule->only, rule->refuses, routers);
}

static np_status refuse_name(const char *name, const np_network *network, const np_network *routers)
{
    const np_relation_rule *rule;
    np_parse_hint hint;
    np_parse_hint_init(&hint, name);
    np_parse_hint_add(&hint, GREEDY);
    for (size_t i = 0; (rule = np_registry_entry(&np_relations, i)); i++)
        if (!refuses(rule, routers))
            np_parse_hint_add(&hint, rule->info.name);
    return NP_RAISE(NP_ERROR_INPUT, "no rule '%.80s' of routes hop by hop for %s: %s", name, np_network_spec(network),
                    hint.text);
}

const char *np_relation_refuses_one_way(const np_network *network)
{
    return network->family->one_way ? "no link leads back" : NULL;
}

/* The first rule of the name that applies. Several may share a name, each for its own networks. */
static np_status find_rule(const char *name, const np_network *network, const np_network *routers,
                           const np_relation_rule **out)
{
    const np_relation_rule *refused = NULL;
    for (size_t i = 0; (*out = np_registry_entry(&np_relations, i)); i++) {
        if (!stands_for(*out, name))
            continue;
        if (!refuses(*out, routers))
            return NP_OK;
        refused = refused ? refused : *out;
    }
    if (refused)
        return NP_RAISE(NP_ERROR_APPLY, "paths '%s' do not apply to %s: %s (they apply to %s)", name,
                        np_network_spec(network), refuses(refused, routers), refused->info.networks);
    return refuse_name(name, network, routers);
}

np_status np_relation_refuse_parameter(const np_relation *r, const char *parameter)
{
    const np_entry *info = &r->rule->info;
    if (!info->parameters)
        return NP_RAISE(NP_ERROR_INPUT, "paths '%s:%.40s': write %s alone, which takes no parameter", info->name,
                        parameter, info->name);
    return NP_RAISE(NP_ERROR_INPUT, "paths '%s:%.40s': write %s%s, as in %s", info->name, parameter, info->name,
                    info->parameters, info->example);
}

np_status np_relation_set_axes(np_relation *r)
{
    size_t nodes = r->routers->nodes, axes;
    r->axes = np_axes_of(r->routers);
    axes = r->axes.count;
    if (!axes || r->axes.cube)
        return NP_OK;
    np_status st = np_memory_array(&r->coordinate, nodes * axes, sizeof *r->coordinate, "coordinates of routers");
    for (size_t i = 0; i < nodes * axes && !st; i++)
        r->coordinate[i] = np_axes_coordinate(&r->axes, (np_node)(i / axes), (uint32_t)(i % axes));
    return st;
}

/* Rules that ask for the router of a host are for hosts that have one, for what they send and what they receive. */
static np_status check_hosts(const np_relation *r)
{
    const np_cables *c = r->cables;
    np_node i = 0;
    if (!r->rule->one_router || !c->apart)
        return NP_OK;
    while (c->first_entry[i + 1] - c->first_entry[i] == 1 && c->first_exit[i + 1] - c->first_exit[i] == 1 &&
           c->entry[c->first_entry[i]].router == c->exit[c->first_exit[i]].router)
        i++;
    return NP_RAISE(NP_ERROR_APPLY,
                    "paths '%s' do not apply to %s: they go by the router of a host, and host %.80s has %s",
                    r->rule->info.name, np_network_spec(r->network), NP_NODE_NAME(r->network, r->network->host[i]),
                    c->several ? "several cables" : "one to send and another one to receive");
}

/* Ways that a list of them has no room for, at some router of many links, are refused. */
static np_status check_ways(const np_relation *r)
{
    const np_routers *g = r->table ? &r->table->routers : NULL;
    np_candidate way[NP_CANDIDATES];
    for (uint32_t u = 0; g && !r->two_phases && u < g->count; u++)
        for (uint32_t v = 0; g->row[u + 1] - g->row[u] >= NP_CANDIDATES / 2 && v < g->count; v++)
            if (g->ends[v] & NP_ROUTER_OUT && r->rule->ways(r, g->node[u], g->node[v], 0, way) == NP_CANDIDATES)
                return NP_RAISE(NP_ERROR_LIMIT,
                                "paths '%s' choose among at most %d links at a router: %.80s of %s has "
                                "more to %.80s",
                                r->rule->info.name, NP_CANDIDATES - 1, NP_NODE_NAME(r->network, g->node[u]),
                                np_network_spec(r->network), NP_NODE_NAME(r->network, g->node[v]));
    return NP_OK;
}

static np_status prepare(np_relation *r, const char *name, const char *parameter)
{
    np_status st;
    if ((st = find_rule(name, r->network, r->routers, &r->rule)) || (st = np_cables_create(r->network, &r->cables)) ||
        (st = check_hosts(r)))
        return st;
    r->classes = 1;
    r->theorem = r->rule->theorem;
    if (!r->rule->prepare)
        return *parameter ? np_relation_refuse_parameter(r, parameter) : NP_OK;
    return (st = r->rule->prepare(r, parameter)) || (st = np_cables_measure(r)) ? st : check_ways(r);
}

/* The rule's name and its parameter: of valiant by way of routers, the rule of both phases. */
static np_status keep_spec(np_relation *r, const char *parameter)
{
    const char *name = r->rule->info.name;
    if (r->rule == &np_relation_valiant && !r->by_groups)
        parameter = r->inner->spec;
    size_t room = strlen(name) + strlen(parameter) + 2;
    np_status st = np_memory_array(&r->spec, room, 1, "the name of a rule of routes");
    if (!st)
        snprintf(r->spec, room, "%s%s%s", name, *parameter ? ":" : "", parameter);
    return st;
}

np_status np_relation_create(const char *rule, const np_network *network, np_relation **out)
{
    char name[NAME_MAX_LENGTH + 1];
    size_t length = strcspn(rule, ":");
    const char *parameter = rule[length] ? rule + length + 1 : "";
    np_relation *r;
    np_status st = np_memory_zeroed(&r, 1, sizeof *r, "a rule of routes");
    *out = NULL;
    if (st)
        return st;
    snprintf(name, sizeof name, "%.*s", (int)(length < NAME_MAX_LENGTH ? length : NAME_MAX_LENGTH), rule);
    r->network = network;
    r->routers = network->switches ? network->switches : network;
    if ((st = prepare(r, name, parameter)) || (st = keep_spec(r, parameter))) {
        np_relation_free(r);
        return st;
    }
    *out = r;
    return NP_OK;
}

np_status np_relation_create_inner(np_relation *r, const char *rule)
{
    np_status st = np_relation_create(rule, r->network, &r->inner);
    return st ? np_status_prefix(st, "paths '%s' go by '%.80s', too: ", r->rule->info.name, rule) : NP_OK;
}

void np_relation_free(np_relation *r)
{
    if (!r)
        return;
    if (!r->two_phases) /* else they are those of `inner` */
        np_cables_free(r->cables);
    np_relation_free(r->inner);
    np_relation_table_free(r->table);
    np_relation_groups_free(r->groups);
    np_listed_free(r->listed);
    np_forwards_free(r->forwards);
    np_vias_free(r->vias);
    NP_MEMORY_FREE(r->target, r->coordinate, r->spec, r);
}

const char *np_relation_name(const np_relation *r) { return r->spec; }
unsigned np_relation_classes(const np_relation *r) { return r->classes; }
/* Of two phases, that of the inner rule: no channel of the second phase is before one of the first. */
const char *np_relation_theorem(const np_relation *r) { return r->two_phases ? r->inner->theorem : r->theorem; }
bool np_relation_serves(const np_relation *r, np_node from, np_node to)
{
    size_t count;
    if (from == to || !(r->listed || r->forwards))
        return true;
    return r->listed ? np_listed_find(r->listed, from, to, &count) != NULL
                     : np_forwards_find(r->forwards, from, to, &count) != NULL;
}

bool np_relation_adaptive(const np_relation *r) { return r->adaptive; }

const np_cables *np_relation_cables(const np_relation *r) { return r->cables; }

np_node np_relation_router(const np_network *network, np_node terminal)
{
    if (network->switches)
        return terminal < network->switches->nodes ? terminal
                                                   : (terminal - network->switches->nodes) / network->per_switch;
    if (np_network_is_router(network, terminal))
        return terminal;
    np_link link = np_network_first_link(network, terminal);
    while (np_network_link_head(network, link) == NP_NONE) /* it is down; one is up: np_cables_create */
        link++;
    return np_network_link_head(network, link);
}

uint64_t np_relation_start(const np_relation *r, const np_draws *draws, uint64_t number, np_node from, np_node to,
                           const np_pressure *pressure)
{
    bool pair = r->rule->by_pair;
    np_draws mine = np_draws_for(*draws, pair ? NP_RANDOM_FLOW : NP_RANDOM_ROUTE);
    if (r->form != NP_RELATION_ANY)
        return 0;
    if (r->rule->start)
        return r->rule->start(r, draws, number, from, to, pressure);
    mine.phase = (uint16_t)(mine.phase + (pair ? 0 : number >> 32));
    return np_random_u64(&mine, from, pair ? to : (uint32_t)number) & ~NP_COURSE;
}

/* Draws one of the ways by their shares. */
static unsigned draw_share(const np_relation *r, np_node at, np_node to, uint64_t state, unsigned count,
                           const np_candidate *way)
{
    float share[NP_CANDIDATES];
    double sum = 0, place;
    unsigned pick = 0;
    for (unsigned i = 0; i < count; i++)
        sum += share[i] = r->rule->share(r, to, &way[i]);
    place = sum * (double)(np_relation_bits(at, state) >> 11) * 0x1p-53;
    while (pick + 1 < count && place >= share[pick])
        place -= share[pick++];
    return pick;
}

/* What is left of the ways after a draw, if the rule is not adaptive. */
static unsigned draw(const np_relation *r, np_node at, np_node to, uint64_t state, unsigned count, np_candidate *out)
{
    if (count < 2 || r->adaptive)
        return count;
    out[0] = out[r->rule->share ? draw_share(r, at, to, state, count, out) : np_relation_pick(at, state, count)];
    return 1;
}

/* The candidates of a rule of one phase. */
static inline unsigned choose(const np_relation *r, np_node at, np_node to, uint64_t state, np_candidate *out)
{
    if (r->rule->take && !r->slow)
        return r->rule->take(r, at, to, state, out);
    return draw(r, at, to, state, r->rule->ways(r, at, to, state & NP_COURSE & ~NP_SECOND_PHASE, out), out);
}

unsigned np_relation_last_ways(const np_relation *r, np_node at, np_node to, unsigned course, np_candidate *out)
{
    if (!r->two_phases)
        return r->rule->ways(r, at, to, course, out);
    unsigned count = r->inner->rule->ways(r->inner, at, to, course & ~(unsigned)NP_SECOND_PHASE, out);
    for (unsigned i = 0; i < count; i++) {
        out[i].class_ = (uint8_t)(out[i].class_ + r->first_classes);
        out[i].state |= NP_SECOND_PHASE;
    }
    return count;
}

static unsigned choose_in_phases(const np_relation *r, np_node at, np_node to, uint64_t *state, np_candidate *out)
{
    const np_relation *inner = r->inner;
    unsigned count;
    if (!(*state & NP_SECOND_PHASE)) {
        uint32_t target = (uint32_t)(*state >> 32);
        count = r->by_groups ? draw(inner, at, target, *state,
                                    np_relation_first_ways(r, at, target, *state & NP_COURSE, out), out)
                             : choose(inner, at, target, *state, out);
        if (count)
            return count;
        *state = (*state & ~NP_COURSE) | NP_SECOND_PHASE;
    }
    count = choose(inner, at, to, *state, out);
    for (unsigned i = 0; i < count; i++) {
        out[i].class_ = (uint8_t)(out[i].class_ + r->first_classes);
        out[i].state |= NP_SECOND_PHASE;
    }
    return count;
}

unsigned np_relation_candidates(const np_relation *r, np_node at, np_node to, uint64_t state, np_candidate *out)
{
    unsigned count = r->listed       ? np_listed_way_of(r, at, (uint32_t)(state >> 32), out)
                     : r->two_phases ? choose_in_phases(r, at, to, &state, out)
                                     : choose(r, at, to, state, out);
    for (unsigned i = 0; i < count; i++)
        out[i].state = (out[i].state & NP_COURSE) | (state & ~NP_COURSE);
    return count;
}
