/*
 * Hosts that hang on the switches of any network: NETWORK@P hangs P hosts on every node of NETWORK, each by a cable of
 * width 1. Packets then go from host to host, and the nodes of NETWORK forward.
 *
 * Switches keep their numbers, their names and their ports; the ports of its hosts come after these. Hosts follow,
 * switch by switch, and are called sS.hK. The links of switch u are NETWORK's, moved by u P.
 *
 * Degree: that of NETWORK and P more. Diameter: two hosts of the two switches that are farthest apart are 2 hops
 * farther apart; of two hosts of one switch, or of a single switch with one host, it is no more.
 *
 * flattened-butterfly:KxN (Kim, Dally & Abts 2007) is of this kind: K^(N-1) routers in N - 1 dimensions, each row a
 * complete network, and K hosts on each.
 */
#include "model/family/hosted.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "model/family/fabric.h"
#include "model/network/names.h"
#include "model/network/attributes.h"

enum { MARK = '@', PER_MAX = 1 << 20 }; /* ours */

/* ---- The network ---- */

static np_status check_switches(const np_network *network, const np_network *switches, uint32_t per)
{
    uint64_t numbers = switches->link_numbers + 2 * (uint64_t)per * switches->nodes;
    if (switches->host)
        return NP_RAISE(NP_ERROR_APPLY, "%.200s has hosts of its own: leave out '@%u'", switches->spec, per);
    if (!np_network_all_terminals(switches) || switches->family->input || switches->family->one_way)
        return NP_RAISE(NP_ERROR_APPLY,
                        "hosts cannot hang on %.200s: its packets go from inputs to outputs only; try mesh, torus or "
                        "hyperx",
                        switches->spec);
    if (numbers >= NP_NONE || switches->nodes * (uint64_t)(per + 1) >= NP_NONE)
        return NP_RAISE(NP_ERROR_LIMIT, "%.200s has %llu link numbers: at most %u fit 32 bits", network->spec,
                        (unsigned long long)numbers, NP_NONE - 1);
    return NP_OK;
}

/* Rows of the switches: those that they had, then their hosts; then the hosts. */
static void fill_rows(np_network *network)
{
    const np_network *switches = network->switches;
    uint32_t per = network->per_switch, at = 0;
    for (np_node u = 0; u < switches->nodes; u++) {
        np_link end = np_network_first_link(switches, u + 1);
        network->row[u] = at;
        for (np_link link = np_network_first_link(switches, u); link < end; link++)
            network->head[at++] = np_network_link_head(switches, link);
        for (uint32_t k = 0; k < per; k++)
            network->head[at++] = switches->nodes + u * per + k;
    }
    for (np_node host = switches->nodes; host < network->nodes; host++) {
        network->row[host] = at;
        network->head[at++] = (host - switches->nodes) / per;
    }
    network->row[network->nodes] = at;
    for (np_node u = 0; u < network->nodes; u++)
        for (np_link link = network->row[u]; link < network->row[u + 1]; link++)
            network->tail[link] = u;
}

/* Names, and what was assumed of a file, are those of the switches. */
static np_status take_texts(np_network *network, np_network *switches)
{
    np_status st = NP_OK;
    network->note = switches->note;
    network->notes = switches->notes;
    switches->note = NULL;
    switches->notes = NULL;
    if (switches->names &&
        !(st = np_memory_zeroed(&network->names, 1, sizeof *network->names, "the names of the nodes")))
        st = np_names_copy(switches->names, network->names);
    return st;
}

/* The links of hosts have no attributes. */
static np_status spread_attributes(np_network *network)
{
    const np_network *switches = network->switches;
    np_status st = np_attributes_begin(switches, network);
    for (size_t i = 0; i < switches->attributes && !st; i++) {
        const double *from = switches->attribute[i].value;
        double *value = (double *)network->attribute[i].value;
        for (np_link link = 0; link < network->link_numbers; link++) {
            np_node u = network->tail[link];
            bool own = u < switches->nodes && network->head[link] < switches->nodes;
            value[link] = own ? from[link - u * network->per_switch] : (double)NAN;
        }
    }
    return st;
}

np_status np_network_hang(np_network *network, np_network *switches, uint32_t per)
{
    np_status st;
    network->switches = switches;
    network->per_switch = per;
    network->fabric = true;
    if ((st = check_switches(network, switches, per)))
        return st;
    network->nodes = switches->nodes * (per + 1);
    network->ports = switches->ports + per;
    network->links = switches->links + 2 * (uint64_t)per * switches->nodes;
    if ((st = np_network_take_rows(network, switches->link_numbers + 2 * (uint64_t)per * switches->nodes)) ||
        (st = take_texts(network, switches)))
        return st;
    fill_rows(network);
    st = np_fabric_name_hosts(network, switches->nodes);
    return st ? st : spread_attributes(network);
}

static uint64_t degree(const np_network *network)
{
    const np_network *switches = network->switches;
    const np_network_family *family = switches->family;
    return (family->degree ? family->degree(switches) : switches->ports) + network->per_switch;
}

static bool diameter(const np_network *network, uint64_t *out)
{
    const np_network *switches = network->switches;
    uint64_t own = 0;
    if (switches->nodes > 1 && !np_network_diameter_by_formula(switches, &own))
        return false;
    *out = own + (switches->nodes > 1 || network->per_switch > 1 ? 2 : 1);
    return true;
}

static np_status create_nothing(np_network *network, const char *parameters)
{
    (void)parameters;
    return NP_RAISE(NP_ERROR_INTERNAL, "%s is not made by its family's name", network->spec);
}

#define HOSTED .kind = NP_KIND_FABRIC, .degree = degree, .diameter = diameter

/* Not listed: made by the suffix alone, and by the word per-switch of files. */
const np_network_family np_hosted = {.info = {"hosts", "", ""}, .create = create_nothing, HOSTED};
const np_network_family np_hosted_given = {.info = {"hosts", "", ""}, .create = create_nothing, .given = true, HOSTED};

/* ---- The suffix ---- */

const char *np_network_find_hosts(const char *spec)
{
    const char *mark = strrchr(spec, MARK), *failure = np_network_find_failure(spec);
    if (!mark || !mark[1] || mark[1 + strspn(mark + 1, "0123456789")] || !strncmp(spec, "file:", 5) ||
        !strncmp(spec, "planes:", 7)) /* it belongs to the network of the planes */
        return NULL;
    if (failure && strstr(failure, "file:")) /* the mark belongs to the path */
        return NULL;
    return mark;
}

static np_status read_count(const char *mark, uint32_t *per)
{
    uint64_t value;
    if (!np_parse_whole(mark + 1, 1, PER_MAX, &value))
        return NP_RAISE(NP_ERROR_INPUT, "'%.60s': on each switch there are 1..%d hosts, as in torus:8x8@4", mark,
                        PER_MAX);
    *per = (uint32_t)value;
    return NP_OK;
}

/* The switches; *per = the hosts on each. */
static np_status make_switches(const char *spec, uint32_t *per, np_network **switches)
{
    const char *mark = np_network_find_hosts(spec);
    char *own;
    np_status st = read_count(mark, per);
    if (st)
        return st;
    if (!(own = np_memory_text(spec)))
        return np_status_last();
    own[mark - spec] = 0;
    st = np_network_create(own, switches);
    np_memory_free(own);
    return st;
}

np_status np_network_create_hosted(const char *spec, np_network **out)
{
    np_network *network = NULL, *switches = NULL;
    uint32_t per = 0;
    np_status st = make_switches(spec, &per, &switches);
    *out = NULL;
    if (!st && (st = np_memory_zeroed(&network, 1, sizeof *network, "a network")))
        np_network_free(switches);
    if (st)
        return st;
    network->family = switches->family->given ? &np_hosted_given : &np_hosted;
    network->spec = np_memory_text(spec);
    st = np_network_hang(network, switches, per);
    if (!st && !network->spec)
        st = np_status_last();
    if (st)
        np_network_free(network);
    else
        *out = network;
    return st;
}

/* ---- Flattened butterflies ---- */

static np_status create_flattened(np_network *network, const char *parameters)
{
    char spec[200] = "hyperx:";
    size_t length = strlen(spec);
    uint64_t side[2];
    np_network *switches;
    np_status st;
    if (np_parse_sides(parameters, 2, side) != 2 || side[0] < 2 || side[0] > PER_MAX || side[1] < 2 || side[1] > 16)
        return NP_RAISE(NP_ERROR_INPUT,
                        "flattened-butterfly:%.60s: write KxN, with K at least 2 and N in 2..16, as in %s", parameters,
                        network->family->info.example);
    for (uint64_t i = 1; i < side[1]; i++)
        length += (size_t)snprintf(spec + length, sizeof spec - length, "%s%u", i > 1 ? "x" : "", (unsigned)side[0]);
    st = np_network_create(spec, &switches);
    return st ? st : np_network_hang(network, switches, (uint32_t)side[0]);
}

const np_network_family np_flattened_butterfly = {
    .info = {"flattened-butterfly", "K^(N-1) routers in N - 1 dimensions, each row complete, with K hosts each",
             "Kim, Dally & Abts 2007", .parameters = "KxN", .example = "flattened-butterfly:4x3",
             .takes = "K 2..37837, N 2..16"},
    .create = create_flattened,
    HOSTED,
};
