/* A traffic object: making its packets from its spec, and the queries. */
#include "model/traffic/traffic.h"

#include <stdio.h>
#include <string.h>

#include "base/account.h"
#include "base/memory.h"
#include "model/network/read_node.h"

np_status np_traffic_plan_number(np_traffic_plan *plan, const char *what, uint64_t low, uint64_t high)
{
    const char *rest = plan->parameters;
    uint64_t value;
    if (!rest)
        return NP_RAISE(NP_ERROR_INPUT, "traffic '%s' lacks %s: write %s:%llu", plan->name, what, plan->name,
                        (unsigned long long)low);
    if (!np_parse_u64(&rest, &value) || *rest)
        return NP_RAISE(NP_ERROR_INPUT, "traffic '%s:%s': %s must be a whole number in %llu..%llu, as in %s:%llu",
                        plan->name, plan->parameters, what, (unsigned long long)low, (unsigned long long)high,
                        plan->name, (unsigned long long)low);
    if (value < low || value > high)
        return NP_RAISE(NP_ERROR_INPUT, "traffic '%s:%s': %s must be %llu..%llu on %s (%u %s): try %s:%llu", plan->name,
                        plan->parameters, what, (unsigned long long)low, (unsigned long long)high,
                        np_network_spec(plan->network), plan->terminals, plan->ends, plan->name,
                        (unsigned long long)(value < low ? low : high));
    plan->number = value;
    return NP_OK;
}

static np_status read_terminal(np_traffic_plan *plan, const char *end)
{
    char where[48];
    const np_text none = {.name = where, .line = NP_TEXT_NO_LINE};
    const char *name = plan->parameters;
    np_node number;
    snprintf(where, sizeof where, "traffic '%.32s'", plan->name);
    np_status st =
        np_network_read_terminal(plan->network, &none, (np_text_field){name, (size_t)(end - name)}, "node", &number);
    plan->number = number;
    return st;
}

/* Where nodes have names or hosts are told from switches. A name may end like NODE:MORE. */
static np_status read_named(np_traffic_plan *plan, const char **rest)
{
    const char *colon = strrchr(plan->parameters, ':'), *end = plan->parameters + strlen(plan->parameters);
    bool more = colon && colon[1 + strspn(colon + 1, "0123456789.")] == 0;
    bool whole = more && !read_terminal(plan, end);
    uint64_t number = plan->number;
    *rest = more ? colon : end;
    np_status st = read_terminal(plan, *rest);
    if (!whole)
        return st;
    if (!st)
        return NP_RAISE(NP_ERROR_INPUT, "traffic '%s:%s': is this node '%s', or node '%.*s' and '%s'? Both are there",
                        plan->name, plan->parameters, plan->parameters, (int)(colon - plan->parameters),
                        plan->parameters, colon + 1);
    plan->number = number;
    *rest = end;
    return NP_OK;
}

np_status np_traffic_plan_node(np_traffic_plan *plan, const char *more, const char **rest)
{
    np_node nodes = plan->terminals;
    *rest = plan->parameters;
    if (plan->network->host || plan->network->names)
        return read_named(plan, rest);
    if (!np_parse_u64(rest, &plan->number) || (**rest && **rest != ':'))
        return NP_RAISE(NP_ERROR_INPUT, "traffic '%s:%s': write a node in 0..%u and, if you like, %s", plan->name,
                        plan->parameters, nodes - 1, more);
    if (plan->number >= nodes)
        return NP_RAISE(NP_ERROR_INPUT, "traffic '%s:%s': %s has %s 0..%u: try %s:%u", plan->name, plan->parameters,
                        np_network_spec(plan->network), plan->ends, nodes - 1, plan->name, nodes - 1);
    return NP_OK;
}

np_status np_traffic_plan_share(np_traffic_plan *plan, const char *text)
{
    uint64_t share;
    if (!np_parse_decimal(text, &share))
        return NP_RAISE(NP_ERROR_INPUT,
                        "traffic '%s:%s': the share '%s' must be a number in 0..1 with at most 9 decimals, as in 0.5",
                        plan->name, plan->parameters, text);
    if (share > NP_TRAFFIC_WHOLE)
        return NP_RAISE(NP_ERROR_INPUT, "traffic '%s:%s': the share %s is above 1: try 1", plan->name, plan->parameters,
                        text);
    plan->share = share;
    return NP_OK;
}

np_status np_traffic_plan_of(const char *spec, const np_network *network, const np_traffic_generator **generator,
                             np_traffic_plan *plan)
{
    np_status st = np_registry_find_spec(&np_traffic_generators, spec, generator);
    if (st)
        return st;
    const np_entry *info = &(*generator)->info;
    const char *colon = strchr(spec, ':');
    *plan = (np_traffic_plan){.network = network,
                              .terminals = np_network_terminals(network),
                              .ends = network->host                       ? "hosts"
                                      : np_network_all_terminals(network) ? "nodes"
                                                                          : "terminals",
                              .name = info->name,
                              .parameters = colon ? colon + 1 : NULL,
                              .packets = np_network_terminals(network)};
    if (plan->parameters && !*info->parameters)
        return NP_RAISE(NP_ERROR_INPUT, "traffic '%s': %s takes no parameters: write %s", spec, plan->name, plan->name);
    if ((*generator)->plan && (st = (*generator)->plan(plan)))
        return st;
    if (plan->packets > NP_PACKETS_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "traffic '%s' on %s has %llu packets: at most %d can be routed", spec,
                        np_network_spec(network), (unsigned long long)plan->packets, NP_PACKETS_MAX);
    return NP_OK;
}

np_status np_traffic_allocate(np_traffic *traffic, uint64_t packets, bool priorities)
{
    np_status st;
    traffic->packets = traffic->count = (np_packet)packets;
    if ((st = np_memory_array(&traffic->source, packets, sizeof(np_node), "the sources of the packets")) ||
        (st = np_memory_array(&traffic->destination, packets, sizeof(np_node), "the destinations of the packets")) ||
        !priorities)
        return st;
    return np_memory_array(&traffic->priority, packets, sizeof(uint32_t), "the priorities of the packets");
}

/* What a registered generator makes is not trusted. */
static np_status check_made(const np_traffic_plan *plan, const np_traffic *traffic)
{
    for (np_packet i = 0; i < traffic->count; i++)
        if (traffic->source[i] >= plan->terminals || traffic->destination[i] >= plan->terminals)
            return NP_RAISE(NP_ERROR_INPUT, "traffic '%s': packet %u goes from %u to %u: %s has %s 0..%u", plan->name,
                            traffic->first + i, traffic->source[i], traffic->destination[i],
                            np_network_spec(plan->network), plan->ends, plan->terminals - 1);
    return NP_OK;
}

/* Makes `count` packets alone, from the first one on. */
static np_status fill_part(const np_traffic_generator *generator, const np_traffic_plan *plan, const np_draws *draws,
                           np_packet first, np_packet count, np_traffic *traffic)
{
    np_status st = np_traffic_allocate(traffic, count, false);
    traffic->packets = (np_packet)plan->packets;
    traffic->first = first;
    if (st)
        return st;
    if (generator->image)
        for (np_packet i = 0; i < count; i++) {
            traffic->source[i] = first + i;
            traffic->destination[i] = generator->image(plan, first + i);
        }
    else if (generator->make && count == plan->packets)
        st = generator->make(plan, draws, traffic->source, traffic->destination);
    else
        st = generator->part(plan, draws, first, count, traffic->source, traffic->destination);
    if (st || np_registry_built_in(&np_traffic_generators, &generator->info))
        return st;
    return check_made(plan, traffic);
}

static np_status fill(const np_traffic_generator *generator, const np_traffic_plan *plan, const np_draws *draws,
                      np_traffic *traffic)
{
    if (!generator->build)
        return fill_part(generator, plan, draws, 0, (np_packet)plan->packets, traffic);
    np_status st = generator->build(plan, draws, traffic);
    traffic->count = traffic->packets;
    return st;
}

/* ---- A part ---- */

/* *part = a copy of the share's items of an array that has an item a packet. NULL stays. */
static np_status copy_part(const uint32_t *all, const np_share *share, uint32_t **part)
{
    np_status st;
    *part = NULL;
    if (!all || (st = np_memory_array(part, np_share_items(share), sizeof **part, "the packets of a rank")))
        return all ? st : NP_OK;
    memcpy(*part, all + share->first, np_share_items(share) * sizeof **part);
    return NP_OK;
}

/* *array loses what is not of the share. */
static np_status keep_part(uint32_t **array, const np_share *share)
{
    uint32_t *part;
    np_status st = copy_part(*array, share, &part);
    if (st)
        return st;
    np_memory_free(*array);
    *array = part;
    return NP_OK;
}

static np_status fill_and_keep(const np_traffic_generator *generator, const np_traffic_plan *plan,
                               const np_draws *draws, const np_job *job, np_traffic *traffic)
{
    np_status st = fill(generator, plan, draws, traffic);
    np_share share = np_share_of(job, traffic->packets);
    if (st || (st = keep_part(&traffic->source, &share)) || (st = keep_part(&traffic->destination, &share)) ||
        (st = keep_part(&traffic->priority, &share)))
        return st;
    traffic->first = share.first;
    traffic->count = np_share_items(&share);
    return NP_OK;
}

static np_status fill_for(const np_traffic_generator *generator, const np_traffic_plan *plan, const np_draws *draws,
                          const np_job *job, np_traffic *traffic)
{
    /* A generator of a program may end before the member `part`. */
    bool built_in = np_registry_built_in(&np_traffic_generators, &generator->info);
    np_share share = np_share_of(job, (uint32_t)plan->packets);
    if (!job)
        return fill(generator, plan, draws, traffic);
    if (generator->image || (built_in && generator->part))
        return fill_part(generator, plan, draws, share.first, share.last - share.first, traffic);
    return fill_and_keep(generator, plan, draws, job, traffic);
}

np_status np_traffic_register(const np_traffic_generator *generator)
{
    const np_member members[] = {{"info.parameters", NP_REQUIRED, generator->info.parameters},
                                 {"image (or make)", NP_REQUIRED, generator->image || generator->make},
                                 {"image beside make", NP_RESERVED, generator->image && generator->make},
                                 {"build", NP_RESERVED, generator->build},
                                 {"places_itself", NP_RESERVED, generator->places_itself},
                                 {NULL}};
    return np_registry_add(&np_traffic_generators, &generator->info, members);
}

/* From terminal numbers to node numbers. */
static void place_ends(const np_network *network, np_traffic *traffic)
{
    if (np_network_all_terminals(network))
        return;
    for (np_packet i = 0; i < traffic->count; i++) {
        traffic->source[i] = np_network_input(network, traffic->source[i]);
        traffic->destination[i] = np_network_output(network, traffic->destination[i]);
    }
}

bool np_traffic_notes(const char *spec)
{
    const np_traffic_generator *generator;
    return !np_registry_find_spec(&np_traffic_generators, spec, &generator) &&
           np_registry_built_in(&np_traffic_generators, &generator->info) && generator->notes;
}

np_status np_traffic_create(const char *spec, const np_network *network, uint64_t seed, uint32_t run, np_traffic **out)
{
    return np_traffic_create_part(spec, network, seed, run, NULL, out);
}

np_status np_traffic_create_part(const char *spec, const np_network *network, uint64_t seed, uint32_t run,
                                 const np_job *job, np_traffic **out)
{
    NP_ACCOUNT(0, "less traffic");
    const np_traffic_generator *generator;
    np_traffic_plan plan;
    np_traffic *traffic = NULL;
    np_draws draws = {seed, run, 0, NP_RANDOM_TRAFFIC};
    np_status st;
    *out = NULL;
    if ((st = np_traffic_plan_of(spec, network, &generator, &plan)))
        return st;
    if ((st = np_memory_zeroed(&traffic, 1, sizeof *traffic, "a traffic")))
        return st;
    traffic->spec = np_memory_text(spec);
    st = traffic->spec ? fill_for(generator, &plan, &draws, job, traffic) : np_status_last();
    if (st) {
        np_traffic_free(traffic);
        return st;
    }
    if (!generator->places_itself)
        place_ends(network, traffic);
    *out = traffic;
    return NP_OK;
}

np_status np_traffic_estimate(const char *spec, const np_network *network, uint64_t *packets, bool *random)
{
    const np_traffic_generator *generator;
    np_traffic_plan plan;
    np_status st = np_traffic_plan_of(spec, network, &generator, &plan);
    if (st)
        return st;
    *packets = plan.packets;
    *random = plan.random;
    return NP_OK;
}

static np_status refuse_ends(const np_network *network, size_t packet, np_node from, np_node to)
{
    if (network->host)
        return NP_RAISE(NP_ERROR_INPUT, "packet %zu goes from %.80s to %.80s: on %s packets go from host to host",
                        packet, NP_NODE_NAME(network, from), NP_NODE_NAME(network, to), np_network_spec(network));
    return NP_RAISE(NP_ERROR_INPUT,
                    "packet %zu goes from %s to %s: the inputs of %s are nodes 0..%u, its outputs %u..%u", packet,
                    NP_NODE_NAME(network, from), NP_NODE_NAME(network, to), np_network_spec(network),
                    network->input_nodes - 1, network->output_first, network->output_first + network->terminals - 1);
}

static np_status check_arrays(const np_network *network, size_t packets, const np_node *source,
                              const np_node *destination)
{
    np_node nodes = np_network_nodes(network);
    if (packets > NP_PACKETS_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%zu packets: at most %d can be routed", packets, NP_PACKETS_MAX);
    for (size_t i = 0; i < packets; i++)
        if (source[i] >= nodes || destination[i] >= nodes)
            return NP_RAISE(NP_ERROR_INPUT, "packet %zu goes from %u to %u: %s has nodes 0..%u", i, source[i],
                            destination[i], np_network_spec(network), nodes - 1);
        else if (!np_network_serves(network, source[i], destination[i]))
            return refuse_ends(network, i, source[i], destination[i]);
    return NP_OK;
}

np_status np_traffic_check(const np_traffic *traffic, const np_network *network)
{
    return check_arrays(network, traffic->count, traffic->source, traffic->destination);
}

static np_status copy_arrays(np_traffic *traffic, size_t packets, const np_node *source, const np_node *destination,
                             const uint32_t *priority)
{
    np_status st;
    if (!(traffic->spec = np_memory_text("arrays")))
        return np_status_last();
    if ((st = np_traffic_allocate(traffic, packets, priority)))
        return st;
    if (!packets)
        return NP_OK; /* the caller's pointers may be NULL */
    memcpy(traffic->source, source, packets * sizeof *source);
    memcpy(traffic->destination, destination, packets * sizeof *destination);
    if (priority)
        memcpy(traffic->priority, priority, packets * sizeof *priority);
    return NP_OK;
}

np_status np_traffic_from_arrays(const np_network *network, size_t packets, const np_node *source,
                                 const np_node *destination, const uint32_t *priority, np_traffic **out)
{
    np_traffic *traffic;
    np_status st;
    *out = NULL;
    if ((st = check_arrays(network, packets, source, destination)))
        return st;
    if ((st = np_memory_zeroed(&traffic, 1, sizeof *traffic, "a traffic")))
        return st;
    if ((st = copy_arrays(traffic, packets, source, destination, priority))) {
        np_traffic_free(traffic);
        return st;
    }
    *out = traffic;
    return NP_OK;
}

np_status np_traffic_take_part(const np_traffic *all, const np_job *job, np_traffic **out)
{
    np_share share = np_share_of(job, all->packets);
    np_traffic *part;
    np_status st;
    *out = NULL;
    if ((st = np_memory_zeroed(&part, 1, sizeof *part, "a traffic")))
        return st;
    part->packets = all->packets;
    part->first = share.first;
    part->count = np_share_items(&share);
    part->spec = np_memory_text(all->spec);
    st = part->spec ? copy_part(all->source, &share, &part->source) : np_status_last();
    if (st || (st = copy_part(all->destination, &share, &part->destination)) ||
        (st = copy_part(all->priority, &share, &part->priority))) {
        np_traffic_free(part);
        return st;
    }
    *out = part;
    return NP_OK;
}

void np_traffic_free(np_traffic *traffic)
{
    if (!traffic)
        return;
    NP_MEMORY_FREE(traffic->source, traffic->destination, traffic->priority, traffic->note, traffic->spec, traffic);
}

const char *np_traffic_spec(const np_traffic *traffic) { return traffic->spec; }
np_packet np_traffic_packets(const np_traffic *traffic) { return traffic->packets; }
const char *np_traffic_note(const np_traffic *traffic) { return traffic->note; }
const np_node *np_traffic_sources(const np_traffic *traffic) { return traffic->source; }
const np_node *np_traffic_destinations(const np_traffic *traffic) { return traffic->destination; }
const uint32_t *np_traffic_priorities(const np_traffic *traffic) { return traffic->priority; }

/*
 * How often the most frequent node occurs in the list. count: [nodes of the share], zero before. With ranks: in the
 * lists of all.
 */
static np_status most_often(const np_job *job, const np_share *share, np_packet packets, const np_node *node,
                            uint32_t *count, uint32_t *out)
{
    uint64_t most = 0;
    np_status st = NP_OK;
    if (job)
        st = np_share_count(share, job, packets, node, count);
    for (np_packet i = 0; i < packets && !job; i++)
        count[node[i]]++;
    for (np_node u = 0; u < share->last - share->first; u++)
        most = count[u] > most ? count[u] : most;
    if (!st && job)
        st = np_job_most(job, 1, &most);
    *out = (uint32_t)most;
    return st;
}

np_status np_traffic_relation_of(const np_traffic *traffic, const np_network *network, const np_job *job, uint32_t *h)
{
    np_share share = np_share_of(job, np_network_nodes(network));
    size_t nodes = share.last - share.first;
    uint32_t *count = NULL, sent, received, sharing = network->terminals / network->input_nodes;
    np_status st = np_traffic_check(traffic, network);
    if (!st)
        st = np_memory_zeroed(&count, nodes, sizeof *count, "packets a node");
    if ((st = np_job_agree(job, st)) || (st = most_often(job, &share, traffic->count, traffic->source, count, &sent)))
        goto out;
    memset(count, 0, nodes * sizeof *count);
    st = most_often(job, &share, traffic->count, traffic->destination, count, &received);
out:
    np_memory_free(count);
    if (st)
        return st;
    sent = (sent + sharing - 1) / sharing;
    *h = sent > received ? sent : received;
    return NP_OK;
}

np_status np_traffic_relation(const np_traffic *traffic, const np_network *network, uint32_t *h)
{
    return np_traffic_relation_of(traffic, network, NULL, h);
}
