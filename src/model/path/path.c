/* Binds a rule to a network; walks the route of one packet. */
#include "model/path/path.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/network/attributes.h"
#include "model/network/read_node.h"
#include "model/path/hosted.h"
#include "model/path/listed.h"
#include "model/path/routes.h"

/* No rule of its own: this name means the first rule of shortest paths that applies. */
#define GREEDY np_path_rules.also

enum { NAME_MAX_LENGTH = 79 }; /* ours: a longer name is in no registry, and its beginning neither */

static bool stands_for(const np_path_rule *rule, const char *name)
{
    return strcmp(name, GREEDY) ? np_entry_is(&rule->info, name) : rule->shortest;
}

/* The rules that apply to the network are those to choose from. */
static np_status refuse_name(const char *name, const np_network *network)
{
    const np_path_rule *rule;
    np_parse_hint hint;
    np_parse_hint_init(&hint, name);
    np_parse_hint_add(&hint, GREEDY);
    for (size_t i = 0; (rule = np_registry_entry(&np_path_rules, i)); i++)
        if (!np_path_refuses(rule, network))
            np_parse_hint_add(&hint, rule->info.name);
    return NP_RAISE(NP_ERROR_INPUT, "no path rule '%.80s' for %s: %s ('netpram list paths' names all)", name,
                    np_network_spec(network), hint.text);
}

/* No rule of the name applies. refused: a rule that has the name, for the reason of its refusal; NULL: there is none */
static np_status refuse_rule(const char *name, const np_network *network, const np_path_rule *refused)
{
    if (!strcmp(name, GREEDY))
        return NP_RAISE(NP_ERROR_APPLY, "no rule of shortest paths applies to %s", np_network_spec(network));
    if (refused)
        return NP_RAISE(NP_ERROR_APPLY, "paths '%s' do not apply to %s: %s (they apply to %s)", name,
                        np_network_spec(network), np_path_refuses(refused, network), refused->info.networks);
    return refuse_name(name, network);
}

/* The rule of the name for the switches on which hosts hang, one that makes tickets; NULL: there is none. */
static const np_path_rule *find_inner(const char *name, const np_network *network)
{
    const np_path_rule *rule;
    for (size_t i = 0; network->switches && (rule = np_registry_entry(&np_path_rules, i)); i++)
        if (np_entry_is(&rule->info, name) && !rule->chooser && !np_path_refuses(rule, network->switches))
            return rule;
    return NULL;
}

/* Finds the first rule of the name that applies. Several rules may share a name, each for its own networks. */
static np_status find_rule(const char *name, const np_network *network, const np_path_rule **out)
{
    const np_path_rule *refused = NULL, *inner;
    for (size_t i = 0; (*out = np_registry_entry(&np_path_rules, i)); i++) {
        if (!stands_for(*out, name))
            continue;
        if (!np_path_refuses(*out, network))
            return NP_OK;
        refused = *out;
    }
    if ((inner = find_inner(name, network))) {
        *out = np_path_hosted(inner);
        return NP_OK;
    }
    return refuse_rule(name, network, refused);
}

/* "k-shortest:8": the number. */
static np_status read_number(np_path *path, const char *parameter)
{
    const np_chooser *chooser = path->rule->chooser;
    uint64_t number = chooser->number;
    if (*parameter && !np_parse_whole(parameter, 1, chooser->number_most, &number))
        return NP_RAISE(NP_ERROR_INPUT, "paths '%s:%.40s': write a number in 1..%u, as in %s", path->rule->info.name,
                        parameter, chooser->number_most, path->rule->info.example);
    path->number = (uint32_t)number;
    return NP_OK;
}

/* The attribute is what links cost: paths of the least sum are the shortest. */
static np_status weigh(np_path *path, const np_link_attribute *attribute)
{
    uint64_t *cost;
    np_status st = np_path_allocate(path, path->network->link_numbers * sizeof *cost, &cost);
    if (!st && !(st = np_attributes_costs(path->network, attribute, cost)))
        path->graph->cost = cost;
    return st;
}

/* "cheapest:delay": the name. */
static np_status read_costs(np_path *path, const char *name)
{
    const np_link_attribute *attribute;
    np_status st = np_attributes_need(path->network, "paths 'cheapest': a number of the links", name, &attribute);
    return st ? st : weigh(path, attribute);
}

/* Does the rule heed what the network says that its links cost? */
static np_status check_costs(const np_path_rule *rule, const np_network *network)
{
    const np_link_attribute *cost = np_network_cost(network);
    if (!cost || (rule->chooser && rule->chooser->weighs))
        return NP_OK;
    return NP_RAISE(NP_ERROR_APPLY,
                    "paths '%s' do not heed costs of links: leave cost '%.60s' out, or take shortest, spray, ecmp, "
                    "lowest-port or balanced",
                    rule->info.name, cost->name);
}

/* Has the rule, by its own name, another one that draws? */
static bool has_drawn(const np_path *path)
{
    const np_path_rule *rule = path->rule;
    return np_registry_built_in(&np_path_rules, &rule->info) && rule->drawn &&
           !strncmp(path->spec, rule->info.name, strlen(rule->info.name));
}

/* "dimension-order:drawn": the rule that draws. */
static np_status take_drawn(np_path *path, const char *parameter)
{
    if (strcmp(parameter, "drawn"))
        return NP_RAISE(NP_ERROR_INPUT, "paths '%s:%.40s': write %s, or %s:drawn", path->rule->info.name, parameter,
                        path->rule->info.name, path->rule->info.name);
    path->rule = path->rule->drawn;
    const char *why = np_path_refuses(path->rule, path->network);
    return why ? NP_RAISE(NP_ERROR_APPLY, "paths '%s' do not apply to %s: %s (they apply to %s)", path->spec,
                          np_network_spec(path->network), why, path->rule->info.networks)
               : NP_OK;
}

/* What follows the rule's name and a colon. */
static np_status read_parameter(np_path *path, const char *spec, const char *parameter)
{
    const np_chooser *chooser = path->rule->chooser;
    if (*parameter && !(path->spec = np_memory_text(spec)))
        return np_status_last();
    if (chooser && chooser->number)
        return read_number(path, parameter);
    if (chooser && chooser->costs)
        return read_costs(path, parameter);
    if (chooser && chooser->reads)
        return np_listed_read(parameter, path->graph, &path->listed);
    if (*parameter && has_drawn(path))
        return take_drawn(path, parameter);
    if (*parameter)
        return NP_RAISE(NP_ERROR_INPUT, "paths '%s' take no parameter: not ':%.40s'", path->rule->info.name, parameter);
    return NP_OK;
}

static np_status prepare(np_path *path, const char *spec)
{
    const np_path_rule *rule = path->rule;
    const char *colon = strchr(spec, ':');
    np_status st;
    if (!*rule->info.help) { /* hosted.h */
        if (!(path->spec = np_memory_text(spec)))
            return np_status_last();
        if ((st = np_path_create(spec, path->network->switches, &path->inner)))
            return st;
        path->rule = np_path_hosted(path->inner->rule); /* a parameter may have chosen another rule */
        return np_graph_create(path->network, &path->graph);
    }
    if ((rule->chooser && (st = np_graph_create(path->network, &path->graph))) ||
        (st = read_parameter(path, spec, colon ? colon + 1 : "")))
        return st;
    if (np_network_cost(path->network) && (st = weigh(path, np_network_cost(path->network))))
        return st;
    return rule->prepare ? rule->prepare(path) : NP_OK;
}

np_status np_path_create(const char *spec, const np_network *network, np_path **out)
{
    const np_path_rule *rule;
    char name[NAME_MAX_LENGTH + 1];
    np_path *path;
    np_status st;
    *out = NULL;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(spec, ":"), spec);
    if ((st = find_rule(name, network, &rule)) || (st = check_costs(rule, network)))
        return st;
    if (rule->chooser && (rule->chooser->reads || rule->chooser->costs) && !strchr(spec, ':'))
        return NP_RAISE(NP_ERROR_INPUT, "paths '%s' lack %s: write %s:%s, as in %s", spec,
                        rule->chooser->reads ? "a path" : "the name of a number", rule->info.name,
                        rule->info.parameters, rule->info.example);
    if ((st = np_memory_zeroed(&path, 1, sizeof *path, "a path")))
        return st;
    path->rule = rule;
    path->network = network;
    if ((st = prepare(path, spec))) {
        np_path_free(path);
        return st;
    }
    *out = path;
    return NP_OK;
}

np_status np_path_check(const char *rule, const np_network *network)
{
    np_path *path;
    np_status st = np_path_create(rule, network, &path);
    np_path_free(path);
    return st;
}

np_status np_path_register(const np_path_rule *rule)
{
    const np_member members[] = {{"refuses", NP_REQUIRED, rule->refuses},
                                 {"start", NP_REQUIRED, rule->start},
                                 {"next", NP_REQUIRED, rule->next},
                                 {"remaining", NP_REQUIRED, rule->remaining},
                                 {"info.networks", NP_REQUIRED, rule->info.networks},
                                 {"ascending_dimensions", NP_RESERVED, rule->ascending_dimensions},
                                 {"even", NP_RESERVED, rule->even},
                                 {"memoryless", NP_RESERVED, rule->memoryless},
                                 {"chooser", NP_RESERVED, rule->chooser != NULL},
                                 {"ways", NP_RESERVED, rule->ways != NULL},
                                 {"drawn", NP_RESERVED, rule->drawn != NULL},
                                 {NULL}};
    return np_registry_add(&np_path_rules, &rule->info, members);
}

const np_network *np_path_network(const np_path *path) { return path->network; }

np_status np_path_allocate(np_path *path, size_t bytes, void *out)
{
    np_status st = np_memory_zeroed(&path->table, bytes, 1, "a table of paths");
    path->table_bytes = st ? 0 : bytes;
    memcpy(out, &path->table, sizeof path->table);
    return st;
}

const void *np_path_table(const np_path *path) { return path->table; }

void np_path_free(np_path *path)
{
    if (!path)
        return;
    np_path_free(path->inner);
    np_listed_free(path->listed);
    np_graph_free(path->graph);
    NP_MEMORY_FREE(path->table, path->spec, path);
}

void np_path_start_target(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet,
                          const np_node *at, const np_node *to, np_ticket *ticket)
{
    (void)path, (void)draws, (void)packet, (void)at;
    for (size_t i = 0; i < count; i++)
        ticket[i] = to[i];
}

void np_path_remaining_counted(const np_path *path, size_t count, const np_node *at, const np_ticket *ticket,
                               uint32_t *hops)
{
    (void)path, (void)at;
    for (size_t i = 0; i < count; i++)
        hops[i] = (uint32_t)(ticket[i] >> 32);
}

void np_path_hop(const np_path *path, size_t count, const np_link *link, np_ticket *ticket, np_node *at, np_port *port)
{
    np_network_heads(path->network, count, link, at);
    path->rule->next(path, count, at, ticket, port);
}

/* The route of a packet at `from` with the ticket that the rule gives it. */
np_status np_path_follow(const np_path *path, const np_draws *draws, np_packet packet, np_node from, np_node to,
                         size_t capacity, np_link *links, size_t *hops)
{
    const np_network *network = path->network;
    np_ticket ticket;
    np_node at = from;
    uint32_t remaining;
    path->rule->start(path, draws, 1, &packet, &at, &to, &ticket);
    path->rule->remaining(path, 1, &at, &ticket, &remaining);
    for (size_t count = 0;; count++) {
        np_port port;
        path->rule->next(path, 1, &at, &ticket, &port);
        if (port == NP_NONE) {
            *hops = count;
            if (at != to || count != remaining)
                return NP_RAISE(NP_ERROR_INTERNAL, "paths '%s' from %u to %u end at %u after %zu hops, not %u",
                                np_path_name(path), from, to, at, count, remaining);
            return NP_OK;
        }
        np_link link = np_network_link_at(network, at, port);
        if (link == NP_NONE || count >= remaining)
            return NP_RAISE(NP_ERROR_INTERNAL, "paths '%s' from %u to %u take port %u of node %u, hop %zu of %u",
                            np_path_name(path), from, to, port, at, count + 1, remaining);
        if (count < capacity)
            links[count] = link;
        at = np_network_link_head(network, link);
    }
}

np_status np_path_walk(const np_path *path, np_node from, np_node to, uint64_t seed, uint32_t run, uint16_t phase,
                       np_packet packet, size_t capacity, np_link *links, size_t *hops)
{
    const np_network *network = path->network;
    np_draws draws = {seed, run, phase, NP_RANDOM_TICKET};
    const np_demand demand = {.draws = draws, .first = packet, .count = 1, .from = &from, .to = &to};
    np_routes *routes;
    np_path bound;
    np_status st;
    if (!np_network_serves(network, from, to))
        return NP_RAISE(NP_ERROR_INPUT, "paths '%s' go from inputs to outputs of %s, not from %.80s to %.80s",
                        np_path_name(path), np_network_spec(network), NP_NODE_NAME(network, from),
                        NP_NODE_NAME(network, to));
    if (!(st = np_routes_for(path, &demand, &bound, &routes)))
        st = np_path_follow(&bound, &draws, packet, from, to, capacity, links, hops);
    np_routes_free(routes);
    return st;
}

static uint32_t longest_listed(const np_listed *listed)
{
    uint32_t most = 0;
    for (size_t i = 0; i < listed->ways; i++)
        most = listed->way[i].hops > most ? listed->way[i].hops : most;
    return most;
}

uint32_t np_path_longest(const np_path *path)
{
    uint64_t diameter;
    if (path->listed)
        return longest_listed(path->listed);
    if (path->rule->shortest && np_network_diameter_by_formula(path->network, &diameter) && diameter < NP_NONE)
        return (uint32_t)diameter;
    if (np_network_is(path->network, NP_KIND_BUTTERFLY_IO | NP_KIND_OMEGA | NP_KIND_INVERSE_OMEGA))
        return path->network->dimensions; /* stages, each crossed once */
    if (np_network_is(path->network, NP_KIND_BENES))
        return 2 * path->network->dimensions - 1;
    return 0;
}
