/* See fabric.h. */
#include "model/family/fabric.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/format/builder.h"

static const char what[] = "the cables of a network";

np_status np_fabric_begin(np_fabric *fabric, const np_network *network, uint64_t switches, uint64_t hosts,
                          uint64_t cables)
{
    np_status st;
    *fabric = (np_fabric){.switches = (np_node)switches, .hosts = (np_node)hosts, .room = (size_t)cables};
    if (switches >= NP_NONE || hosts >= NP_NONE || switches + hosts >= NP_NONE || cables > (NP_NONE - 1) / 2)
        return NP_RAISE(
            NP_ERROR_LIMIT,
            "%.200s has %llu switches, %llu hosts and %llu cables: numbers of nodes and links have 32 bits, "
            "so at most %u cables can be there",
            network->spec, (unsigned long long)switches, (unsigned long long)hosts, (unsigned long long)cables,
            (NP_NONE - 1) / 2);
    if ((st = np_memory_array(&fabric->from, fabric->room, sizeof *fabric->from, what)) ||
        (st = np_memory_array(&fabric->to, fabric->room, sizeof *fabric->to, what))) {
        np_memory_free(fabric->from);
        fabric->from = NULL;
    }
    return st;
}

void np_fabric_join(np_fabric *fabric, np_node u, np_node v)
{
    assert(fabric->count < fabric->room);
    fabric->from[fabric->count] = u;
    fabric->to[fabric->count++] = v;
}

void np_fabric_hang(np_fabric *fabric, np_node at, uint32_t count)
{
    while (count--)
        np_fabric_join(fabric, at, fabric->switches + (np_node)fabric->hung++);
}

static np_status mark_hosts(np_network *network, np_node switches)
{
    uint8_t *mark;
    np_status st = np_memory_zeroed(&mark, network->nodes, sizeof *mark, "the hosts of a network");
    if (st)
        return st;
    memset(mark + switches, 1, network->nodes - switches);
    st = np_network_set_hosts(network, mark);
    np_memory_free(mark);
    return st;
}

static np_status name_switches(np_network *network, np_node switches)
{
    char name[NP_NAME_ROOM];
    uint32_t number;
    np_status st = np_memory_zeroed(&network->names, 1, sizeof *network->names, "the names of the nodes");
    for (np_node u = 0; u < switches && !st; u++)
        st = np_names_add(network->names, name, (size_t)snprintf(name, sizeof name, "%u", u), &number);
    return st;
}

/* sS.hK. hung: of each switch, its hosts so far */
static np_status name_host(np_network *network, np_node host, uint32_t *hung)
{
    char name[240];
    uint32_t number;
    np_node at = network->head[network->row[host]];
    int length = snprintf(name, sizeof name, "s%.200s.h%u", np_names_get(network->names, at), hung[at]++);
    np_status st = np_names_add(network->names, name, (size_t)length, &number);
    if (!st && number != host)
        st = NP_RAISE(NP_ERROR_INPUT, "%.200s: a host is to be called '%s', and so is another node", network->spec,
                      name);
    return st;
}

np_status np_fabric_name_hosts(np_network *network, np_node switches)
{
    uint32_t *hung;
    np_status st = mark_hosts(network, switches);
    if (!st && !network->names)
        st = name_switches(network, switches);
    if (st || (st = np_memory_zeroed(&hung, network->nodes, sizeof *hung, "the hosts of each switch")))
        return st;
    for (np_node host = switches; host < network->nodes && !st; host++)
        st = name_host(network, host, hung);
    np_memory_free(hung);
    return st;
}

void np_fabric_clear(np_fabric *fabric)
{
    NP_MEMORY_FREE(fabric->from, fabric->to);
    *fabric = (np_fabric){.switches = fabric->switches, .hosts = fabric->hosts};
}

np_status np_fabric_end(np_fabric *fabric, np_network *network)
{
    const np_link_lists lists = {fabric->count, fabric->from, fabric->to, NULL, !fabric->one_way};
    assert(fabric->count == fabric->room && fabric->hung == fabric->hosts);
    network->nodes = fabric->switches + fabric->hosts;
    np_status st = np_network_build_rows(network, &lists);
    np_fabric_clear(fabric);
    return st || !fabric->hosts ? st : np_fabric_name_hosts(network, fabric->switches);
}
