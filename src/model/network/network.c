/* A network object: making it from its spec, its counts, and the queries that are the same for every family. */
#include "model/network/network.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/account.h"
#include "base/memory.h"
#include "model/network/attributes.h"
#include "model/network/names.h"

static np_status find_family(const char *spec, const np_network_family **out)
{
    np_status st = np_registry_find_spec(&np_network_families, spec, out);
    if (st || strchr(spec, ':'))
        return st;
    const np_entry *info = &(*out)->info;
    return NP_RAISE(NP_ERROR_INPUT, "network '%s' lacks parameters: write %s:%s, as in %s", spec, info->name,
                    info->parameters, info->example);
}

/* Derives link numbers and counts from nodes and ports. */
static np_status derive(np_network *network)
{
    if (!network->nodes || (!network->ports && !network->row && network->nodes > 1))
        return NP_RAISE(NP_ERROR_INTERNAL, "network '%s' has %u nodes of %u ports: its family sets no shape",
                        network->spec, network->nodes, network->ports);
    network->fabric = np_network_is(network, NP_KIND_FABRIC);
    if (!network->terminals)
        network->terminals = network->input_nodes = network->nodes;
    if (network->row)
        return NP_OK; /* rows carry their own numbering */
    uint64_t numbers = (uint64_t)network->nodes * network->ports;
    if (numbers >= NP_NONE)
        return NP_RAISE(NP_ERROR_LIMIT, "network '%s' has %llu link numbers: at most %u fit 32 bits", network->spec,
                        (unsigned long long)numbers, NP_NONE - 1);
    network->link_numbers = (uint32_t)numbers;
    network->by_ports = np_divider_of(network->ports ? network->ports : 1);
    network->links = network->family->count_links ? network->family->count_links(network) : numbers;
    return NP_OK;
}

np_status np_network_create(const char *spec, np_network **out)
{
    NP_ACCOUNT(0, "a smaller network");
    const np_network_family *family;
    np_network *network = NULL;
    np_status st;
    *out = NULL;
    if (np_network_find_hosts(spec))
        return np_network_create_hosted(spec, out);
    if (np_network_find_failure(spec))
        return np_network_create_failed(spec, out);
    if ((st = find_family(spec, &family)))
        return st;
    if ((st = np_memory_zeroed(&network, 1, sizeof *network, "a network")))
        return st;
    network->family = family;
    network->spec = np_memory_text(spec);
    st = network->spec ? family->create(network, strchr(spec, ':') + 1) : np_status_last();
    if (!st)
        st = derive(network);
    if (st) {
        np_network_free(network);
        return st;
    }
    *out = network;
    return NP_OK;
}

np_status np_network_make(np_network **out, const char *format, ...)
{
    char spec[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(spec, sizeof spec, format, arguments);
    va_end(arguments);
    return np_network_create(spec, out);
}

np_status np_network_register(const np_network_family *family)
{
    const np_member members[] = {{"create", NP_REQUIRED, family->create},
                                 {"heads", NP_REQUIRED, family->heads},
                                 {"info.parameters", NP_REQUIRED, family->info.parameters},
                                 {"info.example", NP_REQUIRED, family->info.example},
                                 {"kind", NP_RESERVED, family->kind},
                                 {"given", NP_RESERVED, family->given},
                                 {"input", NP_RESERVED, family->input},
                                 {NULL}};
    return np_registry_add(&np_network_families, &family->info, members);
}

void np_network_shape(np_network *network, np_node nodes, np_port ports)
{
    network->nodes = nodes;
    network->ports = ports;
}

void np_network_set_sides(np_network *network, size_t count, const uint64_t *side)
{
    uint32_t stride = 1;
    for (size_t i = count; i--; stride *= (uint32_t)side[i]) {
        network->side[i] = (uint32_t)side[i];
        network->stride[i] = stride;
        network->by_side[i] = np_divider_of(network->side[i]);
        network->by_stride[i] = np_divider_of(stride);
    }
    network->dimensions = (uint32_t)count;
    network->nodes = stride;
}

np_status np_network_allocate(np_network *network, size_t bytes, void *out)
{
    np_status st = np_memory_zeroed(&network->own, bytes, 1, "a network");
    memcpy(out, &network->own, sizeof network->own);
    return st;
}

const void *np_network_own(const np_network *network) { return network->own; }

static void clear_one(np_network *network)
{
    NP_MEMORY_FREE(network->row, network->head, network->tail, network->word, network->slot, network->own,
                   network->host, network->host_number, network->note);
    np_attributes_clear(network);
    if (network->notes)
        np_names_clear(network->notes);
    np_memory_free(network->notes);
    if (network->names)
        np_names_clear(network->names);
    NP_MEMORY_FREE(network->names, network->spec);
}

/* Frees what a network in the caller's memory holds. */
static void network_clear(np_network *network)
{
    for (uint32_t i = 0; i < network->factors; i++)
        if (network->factor[i]) {
            clear_one(network->factor[i]);
            np_memory_free(network->factor[i]);
        }
    np_memory_free(network->factor);
    np_network_free(network->switches);
    clear_one(network);
}

void np_network_free(np_network *network)
{
    if (!network)
        return;
    network_clear(network);
    np_memory_free(network);
}

const char *np_network_spec(const np_network *network) { return network->spec; }
const char *np_network_family_name(const np_network *network)
{
    const np_network_family *family = network->family;
    return (*family->info.help ? family : network->switches->family)->info.name;
}
np_node np_network_nodes(const np_network *network) { return network->nodes; }
uint64_t np_network_links(const np_network *network) { return network->links; }
np_link np_network_link_numbers(const np_network *network) { return network->link_numbers; }
np_port np_network_ports(const np_network *network) { return network->ports; }

unsigned np_network_dimensions(const np_network *network)
{
    return np_network_is(network, NP_KIND_GRIDS) ? network->dimensions : 0;
}

uint32_t np_network_side(const np_network *network, unsigned i) { return network->side[i]; }

np_node np_network_terminals(const np_network *network) { return network->terminals; }

np_node np_network_input(const np_network *network, np_node i)
{
    if (network->host)
        return network->host[i];
    return network->family->input ? network->family->input(network, i) : i;
}

np_node np_network_output(const np_network *network, np_node i)
{
    return network->host ? network->host[i] : network->output_first + i;
}

bool np_network_serves(const np_network *network, np_node from, np_node to)
{
    if (network->host)
        return network->host_number[from] != NP_NONE && network->host_number[to] != NP_NONE;
    return from < network->input_nodes && to >= network->output_first &&
           to - network->output_first < network->terminals;
}

bool np_network_has_hosts(const np_network *network) { return network->host != NULL; }

bool np_network_is_host(const np_network *network, np_node node)
{
    return !network->host || network->host_number[node] != NP_NONE;
}

const char *np_network_note(const np_network *network) { return network->note; }

np_link np_network_first_link(const np_network *network, np_node node)
{
    return network->row ? network->row[node] : node * network->ports;
}

np_node np_network_link_head(const np_network *network, np_link link)
{
    np_node head;
    np_network_heads(network, 1, &link, &head);
    return head;
}

np_node np_network_link_tail(const np_network *network, np_link link)
{
    np_node tail;
    np_network_tails(network, 1, &link, &tail);
    return tail;
}

np_link np_network_link_at(const np_network *network, np_node node, np_port port)
{
    np_link first = np_network_first_link(network, node);
    if (port >= np_network_first_link(network, node + 1) - first)
        return NP_NONE;
    if (network->family->regular && !network->row)
        return first + port;
    return np_network_link_head(network, first + port) == NP_NONE ? NP_NONE : first + port;
}

np_link np_network_link_between(const np_network *network, np_node from, np_node to)
{
    np_link link = np_network_first_link(network, from), end = np_network_first_link(network, from + 1);
    while (link < end && np_network_link_head(network, link) != to)
        link++;
    return link < end ? link : NP_NONE;
}

void np_network_heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    if (network->family->heads) {
        network->family->heads(network, count, link, head);
        return;
    }
    for (size_t i = 0; i < count; i++)
        head[i] = network->head[link[i]];
}

void np_network_tails(const np_network *network, size_t count, const np_link *link, np_node *tail)
{
    if (network->row) {
        for (size_t i = 0; i < count; i++)
            tail[i] = network->tail[link[i]];
        return;
    }
    np_divider by_ports = network->by_ports;
    for (size_t i = 0; i < count; i++)
        tail[i] = np_divide(link[i], by_ports);
}

void np_network_link_numbers_of(const np_network *network, size_t count, const np_node *node, const np_port *port,
                                np_link *link)
{
    if (network->row) {
        for (size_t i = 0; i < count; i++)
            link[i] = port[i] == NP_NONE ? NP_NONE : network->row[node[i]] + port[i];
        return;
    }
    uint32_t ports = network->ports;
    for (size_t i = 0; i < count; i++)
        link[i] = port[i] == NP_NONE ? NP_NONE : node[i] * ports + port[i];
}

bool np_network_diameter_by_formula(const np_network *network, uint64_t *out)
{
    const np_network_family *family = network->family;
    if (family->diameter)
        return family->diameter(network, out);
    if (!np_registry_built_in(&np_network_families, &family->info) || !family->linear)
        return false;
    const int64_t times = family->linear->times, plus = family->linear->plus, by = family->linear->by;
    *out = (uint64_t)((times * network->dimensions + plus) / by);
    return true;
}

const char *np_only_refuses(const np_only *only, const char *(*refuses)(const np_network *network),
                            const np_network *network)
{
    if (refuses)
        return refuses(network);
    return only && !np_network_is(network, only->kinds) ? only->otherwise : NULL;
}
