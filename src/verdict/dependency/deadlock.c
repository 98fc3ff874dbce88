/* May packets wait for each other for ever? The graph of dependencies as a verdict. */
#include "model/network/attributes.h"
#include "verdict/dependency/deadlock.h"

#include "base/account.h"
#include "base/memory.h"
#include "model/relation/waiting.h"
#include "verdict/dependency/dependency.h"

enum { SEARCHED_MOST = 4096 }; /* ours: routers that are searched though a theorem says all */

typedef struct verdict {
    np_deadlock shown;
    char *paths;
    np_deadlock_channel *cycle;
} verdict;

static np_deadlock_channel channel_of(const np_dependency *d, uint32_t node)
{
    const np_network *network = d->relation->network;
    uint32_t channel = node / d->classes;
    np_node from = d->routers.node[d->routers.tail[channel]];
    return (np_deadlock_channel){.network = network,
                                 .from = from,
                                 .to = d->routers.node[d->routers.head[channel]],
                                 .link = np_network_link_at(network, from, d->routers.port[channel]),
                                 .class_number = node % d->classes};
}

static np_status keep_cycle(verdict *v, const np_dependency *d, const np_dependency_order *order)
{
    np_status st = np_memory_array(&v->cycle, order->length, sizeof *v->cycle, "a cycle of channels");
    for (size_t i = 0; i < order->length && !st; i++)
        v->cycle[i] = channel_of(d, order->cycle[i]);
    v->shown.cycle = v->cycle;
    v->shown.length = st ? 0 : order->length;
    v->shown.possible = true;
    return st;
}

static np_status search(verdict *v, const np_relation *relation, const np_watch *watch)
{
    np_dependency_order order = {0};
    np_dependency d;
    np_status st = np_dependency_build(relation, watch, &d);
    if (!st && !(st = np_dependency_sort(&d, &order))) {
        v->shown.nodes = order.nodes;
        v->shown.dependencies = order.arcs;
        v->shown.levels = order.levels;
        st = order.length ? keep_cycle(v, &d, &order) : NP_OK;
    }
    np_memory_free(order.cycle);
    np_dependency_clear(&d);
    return st;
}

static np_status check_channels(const np_relation *relation, uint32_t channels)
{
    unsigned classes = np_relation_classes(relation);
    if (channels >= classes)
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT,
                    "paths '%s' need %u classes of virtual channels on %s, and so %u channels or more, not %u",
                    np_relation_name(relation), classes, np_network_spec(relation->network), classes, channels);
}

static np_status judge(verdict *v, const np_relation *relation, const np_watch *watch)
{
    const np_network *network = relation->network;
    np_node routers = network->nodes - (network->host ? network->terminals : 0);
    v->shown.theorem = routers > SEARCHED_MOST ? np_relation_theorem(relation) : NULL;
    if (!(v->paths = np_memory_text(np_relation_name(relation))))
        return np_status_last();
    v->shown.paths = v->paths;
    return v->shown.theorem ? NP_OK : search(v, relation, watch);
}

np_status np_deadlock_of(const np_relation *relation, uint32_t channels, const np_watch *watch, np_deadlock **out)
{
    verdict *v;
    np_status st;
    *out = NULL;
    channels = channels ? channels : np_relation_classes(relation);
    if ((st = check_channels(relation, channels)) || (st = np_memory_zeroed(&v, 1, sizeof *v, "a verdict on deadlock")))
        return st;
    v->shown = (np_deadlock){.network = relation->network,
                             .channels = channels,
                             .classes = np_relation_classes(relation),
                             .adaptive = np_relation_adaptive(relation),
                             .escape = relation->escapes};
    *out = &v->shown;
    if ((st = judge(v, relation, watch))) {
        np_deadlock_free(*out);
        *out = NULL;
    }
    return st;
}

np_status np_deadlock_find(const np_network *network, const np_deadlock_options *given, np_deadlock **out)
{
    np_deadlock_options options;
    np_relation *relation = NULL;
    np_status st;
    *out = NULL;
    if ((st = np_options_take(&np_deadlock_options_fields, given, &options)) ||
        (st = np_attributes_heeded(network, "the graph of channels", 0)))
        return st;
    NP_ACCOUNT(options.memory_limit, "a smaller network");
    if (!(st = np_relation_create(options.paths ? options.paths : "greedy", network, &relation)))
        st = np_deadlock_of(relation, options.channels, &options.watch, out);
    np_relation_free(relation);
    return st;
}

np_status np_deadlock_refuse(const np_deadlock *d)
{
    np_waiting list[NP_WAITING_SHOWN];
    char text[480];
    if (!d->possible)
        return NP_OK;
    for (size_t i = 0; i < d->length && i < NP_WAITING_SHOWN; i++)
        list[i] = (np_waiting){d->cycle[i].from, d->cycle[i].to, d->cycle[i].class_number};
    np_waiting_write(d->network, d->length, list, d->classes > 1 ? "class" : NULL, sizeof text, text);
    return NP_RAISE(NP_ERROR_DEADLOCK, "paths '%s' on %.60s may deadlock: each of %zu channels waits for the next: %s",
                    d->paths, np_network_spec(d->network), d->length, text);
}

void np_deadlock_free(np_deadlock *deadlock)
{
    if (!deadlock)
        return;
    verdict *v = (verdict *)deadlock;
    NP_MEMORY_FREE(v->paths, v->cycle, v);
}
