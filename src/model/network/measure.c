/*
 * The facts of a network by search, beside the family's formulas: degree and
 * connection here, diameter, bisection and node symmetry in their own files.
 */
#include "model/network/facts.h"

#include "base/account.h"
#include "base/memory.h"
#include "model/network/read_node.h"

static const char search_too_long[] = "not measured: more link visits than the effort allowed";

static void set_formula(np_figure *figure, uint64_t formula)
{
    figure->has_formula = true;
    figure->formula = formula;
}

static void set_measured(np_figure *figure, uint64_t measured)
{
    figure->measured_known = true;
    figure->measured = measured;
}

static void formulas(const np_network *network, np_network_facts *facts)
{
    const np_network_family *family = network->family;
    facts->nodes = network->nodes;
    facts->links = network->links;
    facts->no_way_from = facts->no_way_to = NP_NONE;
    facts->fabric.known = network->fabric;
    facts->fabric.hosts = network->host ? network->terminals : 0;
    facts->fabric.switches = network->nodes - facts->fabric.hosts;
    if (family->given)
        return;
    set_formula(&facts->node_count, network->nodes);
    set_formula(&facts->link_count, network->links);
    set_formula(&facts->degree, family->degree ? family->degree(network) : network->ports);
    facts->diameter.has_formula = np_network_diameter_by_formula(network, &facts->diameter.formula);
    if (family->bisection)
        facts->bisection.has_formula = family->bisection(network, &facts->bisection.formula);
    if (family->node_symmetric)
        set_formula(&facts->symmetry, 1);
    facts->regular = family->regular;
    facts->connection_known = true;
    facts->strongly_connected = !family->one_way;
    facts->connected = true;
}

static void measure_degree(const np_search *search, np_network_facts *facts)
{
    uint32_t most = 0, nodes = search->network->nodes;
    for (np_node u = 0; u < nodes; u++) {
        uint32_t degree = np_search_degree(search, u);
        most = degree > most ? degree : most;
    }
    facts->regular = true;
    for (np_node u = 0; u < nodes && facts->regular; u++)
        facts->regular = np_search_degree(search, u) == most && search->in_row[u + 1] - search->in_row[u] == most;
    set_measured(&facts->degree, most);
}

/* The first node that has the number, or that has not. */
static np_node first(const uint32_t *number, np_node nodes, uint32_t wanted, bool has)
{
    np_node u = 0;
    while (u < nodes && (number[u] == wanted) != has)
        u++;
    return u;
}

/* The number of parts; of a single part also: does node 0 reach all nodes, and do all reach it? scratch: [nodes] */
static void measure_connection(np_search *search, uint32_t *scratch, np_network_facts *facts)
{
    np_node nodes = search->network->nodes;
    facts->parts = np_search_parts(search, scratch);
    facts->connection_known = true;
    facts->connected = facts->parts == 1;
    facts->strongly_connected = false;
    set_measured(&facts->node_count, search->reached);
    if (!facts->connected) {
        facts->no_way_from = 0;
        facts->no_way_to = first(scratch, nodes, 0, false);
        return;
    }
    for (int backwards = 0; backwards < 2; backwards++) {
        np_search_distances(search, 0, backwards, scratch);
        if (search->reached == nodes)
            continue;
        np_node lost = first(scratch, nodes, NP_NONE, true);
        facts->no_way_from = backwards ? lost : 0;
        facts->no_way_to = backwards ? 0 : lost;
        return;
    }
    facts->strongly_connected = true;
}

/* With less effort nothing is measured. */
static uint64_t least_effort(const np_network *network)
{
    return 2 * (network->links > network->link_numbers ? network->links : network->link_numbers);
}

static np_status measure_distances(np_search *search, uint64_t effort, np_network_facts *facts)
{
    const np_network *network = search->network;
    uint32_t *scratch = NULL;
    np_status st;
    if ((st = np_memory_array(&scratch, network->nodes, sizeof *scratch, "distances")))
        return st;
    set_measured(&facts->link_count, search->in_row[network->nodes]);
    measure_degree(search, facts);
    measure_connection(search, scratch, facts);
    np_memory_free(scratch);
    return np_diameter_measure(search, effort, facts);
}

np_status np_network_measure_distances(const np_network *network, uint64_t effort, np_network_facts *facts)
{
    np_search search = {0};
    np_status st = NP_OK;
    *facts = (np_network_facts){0};
    formulas(network, facts);
    if (effort && effort >= least_effort(network))
        st = np_search_init(&search, network);
    if (!st && search.network)
        st = measure_distances(&search, effort, facts);
    np_search_clear(&search);
    return st;
}

static void note_large(const np_network *network, np_network_facts *facts)
{
    np_figure *const figures[] = {&facts->node_count, &facts->link_count, &facts->degree,
                                  &facts->diameter,   &facts->bisection,  &facts->symmetry};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        figures[i]->note = search_too_long;
        figures[i]->needs = least_effort(network);
    }
}

np_status np_network_measure(const np_network *network, uint64_t effort, np_network_facts *facts)
{
    NP_ACCOUNT(0, "a smaller network or effort");
    return np_network_measure_watched(network, effort, NULL, facts);
}

static np_status check(bool cancelled) { return cancelled ? NP_RAISE(NP_ERROR_CANCELLED, "cancelled") : NP_OK; }

np_status np_network_measure_watched(const np_network *network, uint64_t effort, const np_watch *watch,
                                     np_network_facts *facts)
{
    bool cancelled = false;
    np_search search = {0};
    np_status st;
    *facts = (np_network_facts){0};
    formulas(network, facts);
    if (!effort)
        return NP_OK;
    if (effort < least_effort(network)) {
        note_large(network, facts);
        return NP_OK;
    }
    if ((st = np_search_init(&search, network)))
        goto out;
    search.watch = watch;
    search.cancelled = &cancelled;
    if (!(st = measure_distances(&search, effort, facts)) && !(st = check(cancelled)) &&
        !(st = np_bisection_measure(&search, effort, facts)) && !(st = check(cancelled)) &&
        !(st = np_symmetry_measure(&search, effort, facts)) && !(st = check(cancelled)) &&
        (!network->fabric || !(st = np_fabric_measure(&search, effort, &facts->fabric))))
        st = check(cancelled);
out:
    np_search_clear(&search);
    return st;
}

np_status np_network_check_connected(const np_network *network)
{
    np_search search = {0};
    uint32_t *part = NULL, parts = 0;
    np_status st;
    if (!network->family->given)
        return NP_OK;
    if (!(st = np_search_init(&search, network)) &&
        !(st = np_memory_array(&part, network->nodes, sizeof *part, "the parts of a network")) &&
        (parts = np_search_parts(&search, part)) > 1) {
        np_node to = first(part, network->nodes, 0, false);
        const char *from_name = NP_NODE_NAME(network, 0);
        const char *to_name = NP_NODE_NAME(network, to);
        st =
            NP_RAISE(NP_ERROR_INPUT,
                     "%s is not connected: it falls into %u parts, and no way joins node %s and node %s: try it with a "
                     "link from %s to %s",
                     network->spec, parts, from_name, to_name, from_name, to_name);
    }
    np_memory_free(part);
    np_search_clear(&search);
    return st;
}
