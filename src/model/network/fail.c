/*
 * Networks with links that are down.
 *
 * A link goes down with one that leads back, if there is one: the i-th link
 * from u to v with the i-th from v to u. We call them a cable. Cables are in
 * the order of their ends, then of their links.
 *
 * The spec of such a network is that of the whole one and behind it ":fail=SHARE:seed=SEED" or ":fail=file:PATH". The
 * last ":fail=" of a spec counts, so that links of a network can fail twice. ":fail-switches=" is the same for
 * switches, the nodes that are no hosts: one that is down takes all its cables down.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/random.h"
#include "model/network/attributes.h"
#include "model/network/names.h"
#include "model/network/read_node.h"

extern const np_network_family np_links;

static const char fail_mark[] = ":fail=", switches_mark[] = ":fail-switches=", seed_mark[] = ":seed=",
                  file_mark[] = "file:";

typedef struct cable {
    uint64_t ends;   /* the smaller node above, the larger in the low half */
    np_link link[2]; /* the second is NP_NONE if no link leads back */
    uint64_t draw;
    bool down;
} cable;

/* A link, as cables are made of them. */
typedef struct end {
    uint64_t ends;
    np_link link;
    bool back; /* from the larger node */
} end;

typedef struct failure {
    const np_network *network;
    np_node *head, *tail; /* [link_numbers] */
    end *end;             /* [links] */
    cable *cable;         /* [cables] */
    size_t links, cables, down;
    uint8_t *dead; /* [nodes] switches that are down; NULL: cables fail */
    const char *mark;
    bool spares; /* cables of hosts are not among those that fail */
} failure;

static int by_ends(const void *a, const void *b)
{
    const end *x = a, *y = b;
    return x->ends != y->ends ? np_order(x->ends, y->ends) : np_order_pair(x->back, y->back, x->link, y->link);
}

static int by_draw(const void *a, const void *b)
{
    const cable *x = a, *y = b;
    return np_order_pair(x->draw, y->draw, x->link[0], y->link[0]);
}

static np_status list_links(failure *f)
{
    const np_network *network = f->network;
    size_t numbers = network->link_numbers;
    np_status st;
    if ((st = np_memory_array(&f->head, numbers, sizeof *f->head, "the heads of the links")) ||
        (st = np_memory_array(&f->tail, numbers, sizeof *f->tail, "the tails of the links")) ||
        (st = np_memory_array(&f->end, numbers, sizeof *f->end, "the links")) ||
        (st = np_memory_array(&f->cable, numbers, sizeof *f->cable, "the cables")))
        return st;
    for (np_link link = 0; link < numbers; link++) {
        np_node v = f->head[link] = np_network_link_head(network, link);
        np_node u = f->tail[link] = np_network_link_tail(network, link);
        if (v != NP_NONE)
            f->end[f->links++] = (end){u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u, link, u > v};
    }
    qsort(f->end, f->links, sizeof *f->end, by_ends);
    return NP_OK;
}

static bool is_of_host(const np_network *network, uint64_t ends)
{
    return network->host &&
           (network->host_number[ends >> 32] != NP_NONE || network->host_number[(np_node)ends] != NP_NONE);
}

/* Makes cables of the links with the same ends, from `first` on; returns where the next ones begin. */
static size_t join(failure *f, size_t first)
{
    size_t last = first, back, pairs;
    while (last < f->links && f->end[last].ends == f->end[first].ends)
        last++;
    if (f->spares && is_of_host(f->network, f->end[first].ends))
        return last;
    for (back = first; back < last && !f->end[back].back; back++)
        continue;
    pairs = back - first > last - back ? back - first : last - back;
    for (size_t i = 0; i < pairs; i++) {
        np_link there = first + i < back ? f->end[first + i].link : NP_NONE;
        np_link here = back + i < last ? f->end[back + i].link : NP_NONE;
        f->cable[f->cables++] = (cable){.ends = f->end[first].ends,
                                        .link = {there != NP_NONE ? there : here, there != NP_NONE ? here : NP_NONE}};
    }
    return last;
}

/* Takes a share of the cables down, in units of 1e-9. */
static void draw(failure *f, uint64_t share, uint64_t seed)
{
    const np_draws draws = {seed, 0, 0, NP_RANDOM_FAILURE};
    for (size_t i = 0; i < f->cables; i++)
        f->cable[i].draw = np_random_u64(&draws, (uint32_t)i, 0);
    qsort(f->cable, f->cables, sizeof *f->cable, by_draw);
    f->down = (f->cables * share + NP_PARSE_WHOLE / 2) / NP_PARSE_WHOLE;
    for (size_t i = 0; i < f->down; i++)
        f->cable[i].down = true;
}

static np_status read_line(failure *f, const np_text *text)
{
    const np_network *network = f->network;
    np_node u, v;
    uint64_t ends;
    np_status st;
    if ((st = np_text_count(text, 2, 2, text->separator == ',' ? "from,to" : "from to")) ||
        (st = np_network_read_node(network, text, text->field[0], "node", &u)) ||
        (st = np_network_read_node(network, text, text->field[1], "node", &v)))
        return st;
    ends = u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u;
    for (size_t i = np_order_keys_below(f->cables, f->cable, sizeof *f->cable, ends);
         i < f->cables && f->cable[i].ends == ends; i++)
        if (!f->cable[i].down) {
            f->cable[i].down = true;
            f->down++;
            return NP_OK;
        }
    return np_text_raise(text, NP_ERROR_INPUT, "no link between node %.60s and node %.60s is left to fail",
                         NP_NODE_NAME(network, u), NP_NODE_NAME(network, v));
}

/* ---- Switches ---- */

static np_status draw_switches(failure *f, uint64_t share, uint64_t seed)
{
    const np_network *network = f->network;
    const np_draws draws = {seed, 0, 1, NP_RANDOM_FAILURE};
    np_keyed *list;
    uint64_t count = 0;
    np_status st = np_memory_array(&list, network->nodes, sizeof *list, "the switches of a network");
    if (st)
        return st;
    for (np_node u = 0; u < network->nodes; u++)
        if (np_network_is_switch(network, u))
            list[count++] = (np_keyed){np_random_u64(&draws, u, 0), u};
    qsort(list, count, sizeof *list, np_order_keyed);
    for (uint64_t i = 0; i < (count * share + NP_PARSE_WHOLE / 2) / NP_PARSE_WHOLE; i++)
        f->dead[list[i].item] = 1;
    np_memory_free(list);
    return NP_OK;
}

static np_status read_switch(failure *f, const np_text *text)
{
    np_node u;
    np_status st;
    if ((st = np_text_count(text, 1, 1, "switch")) ||
        (st = np_network_read_node(f->network, text, text->field[0], "switch", &u)))
        return st;
    if (!np_network_is_switch(f->network, u))
        return np_text_raise(text, NP_ERROR_INPUT, "node %.60s is a host, not a switch", NP_NODE_NAME(f->network, u));
    f->dead[u] = 1;
    return NP_OK;
}

/* The cables of switches that are down are down. */
static void take_down(failure *f)
{
    for (size_t i = 0; i < f->cables; i++)
        f->cable[i].down |= f->dead[f->cable[i].ends >> 32] || f->dead[(np_node)f->cable[i].ends];
}

static bool is_file(const char *which) { return !strncmp(which, file_mark, strlen(file_mark)); }

static np_status read_file(failure *f, const char *path)
{
    np_text text;
    NP_TEXT_FILE(file, path);
    np_status st = file.status ? file.status : np_text_open(&text, path, file.data, file.length);
    if (!st)
        text.separator = np_text_separator(text, path);
    while (!st && np_text_next(&text))
        st = f->dead ? read_switch(f, &text) : read_line(f, &text);
    return st;
}

static np_status choose(failure *f, const char *which, uint64_t seed)
{
    const char *what = f->dead ? "switches" : "links";
    uint64_t share;
    if (np_network_find_failure(which))
        return NP_RAISE(NP_ERROR_INPUT, "failing %s '%.80s': '%s' ends the spec of a network: rename the file", what,
                        which, strstr(which, fail_mark) ? fail_mark : switches_mark);
    if (is_file(which))
        return read_file(f, which + strlen(file_mark));
    if (!np_parse_decimal(which, &share) || share > NP_PARSE_WHOLE)
        return NP_RAISE(NP_ERROR_INPUT, "failing %s '%.80s': write a share of the %s in 0..1, as in 0.01, or file:PATH",
                        what, which, what);
    if (f->dead)
        return draw_switches(f, share, seed);
    draw(f, share, seed);
    return NP_OK;
}

/* The spec that makes the network again: a draw is known by its seed. */
static np_status write_spec(const failure *f, const char *which, uint64_t seed, char **out)
{
    const np_network *whole = f->network;
    size_t room = strlen(whole->spec) + strlen(which) + 60;
    np_status st = np_memory_array(out, room, 1, "a string");
    if (st)
        return st;
    if (is_file(which))
        snprintf(*out, room, "%s%s%s", whole->spec, f->mark, which);
    else
        snprintf(*out, room, "%s%s%s%s%" PRIu64, whole->spec, f->mark, which, seed_mark, seed);
    return NP_OK;
}

/* The network of the links that are left. Takes head and tail. */
static np_status make(failure *f, np_network *network)
{
    const np_network *whole = f->network;
    size_t lost = 0;
    np_status st;
    if ((st = np_memory_array(&network->row, (size_t)whole->nodes + 1, sizeof(uint32_t), "the rows of a network")))
        return st;
    for (uint64_t u = 0; u <= whole->nodes; u++)
        network->row[u] = whole->row ? whole->row[u] : (uint32_t)(u * whole->ports);
    for (size_t i = 0; i < f->cables; i++)
        for (int k = 0; k < 2 && f->cable[i].down; k++)
            if (f->cable[i].link[k] != NP_NONE) {
                f->head[f->cable[i].link[k]] = NP_NONE;
                lost++;
            }
    network->family = &np_links;
    network->fabric = whole->fabric;
    network->nodes = whole->nodes;
    network->ports = whole->ports;
    network->link_numbers = whole->link_numbers;
    network->links = f->links - lost;
    network->by_ports = np_divider_of(1); /* not used: rows carry the numbering */
    network->terminals = network->input_nodes = whole->nodes;
    network->head = f->head;
    network->tail = f->tail;
    f->head = f->tail = NULL;
    return NP_OK;
}

/* Hosts, names and what was assumed about a file are those of the whole network. */
static np_status copy_nodes(const np_network *whole, np_network *network)
{
    np_status st;
    if (whole->note && !(network->note = np_memory_text(whole->note)))
        return np_status_last();
    if (whole->host) {
        if ((st = np_memory_array(&network->host, whole->terminals, sizeof *whole->host, "the hosts of a network")) ||
            (st = np_memory_array(&network->host_number, whole->nodes, sizeof *whole->host_number,
                                  "the hosts of a network")))
            return st;
        memcpy(network->host, whole->host, whole->terminals * sizeof *whole->host);
        memcpy(network->host_number, whole->host_number, whole->nodes * sizeof *whole->host_number);
        network->terminals = network->input_nodes = whole->terminals;
    }
    if (!whole->names)
        return NP_OK;
    st = np_memory_zeroed(&network->names, 1, sizeof *network->names, "the names of the nodes");
    return st ? st : np_names_copy(whole->names, network->names);
}

static np_status fail(failure *f, const char *which, uint64_t seed, np_network **out)
{
    const np_network *network = f->network;
    np_status st = list_links(f);
    for (size_t first = 0; first < f->links && !st;)
        first = join(f, first);
    if (st || (st = choose(f, which, seed)))
        return st;
    if (f->dead)
        take_down(f);
    if ((st = np_memory_zeroed(out, 1, sizeof **out, "a network")) ||
        (st = write_spec(f, which, seed, &(*out)->spec)) || (st = make(f, *out)) || (st = copy_nodes(network, *out)))
        return st;
    return np_attributes_copy(network, *out);
}

static np_status fail_all(failure *f, const char *which, uint64_t seed, np_network **out)
{
    const np_network *network = f->network;
    np_status st;
    *out = NULL;
    if (!network->host && (!np_network_all_terminals(network) || network->family->input))
        st = NP_RAISE(NP_ERROR_APPLY, "links of %s cannot fail: packets go from its inputs to its outputs only",
                      network->spec);
    else
        st = fail(f, which, seed, out);
    if (st) {
        np_network_free(*out);
        *out = NULL;
    }
    NP_MEMORY_FREE(f->head, f->tail, f->end, f->cable, f->dead);
    return st;
}

np_status np_network_fail(const np_network *network, const char *which, uint64_t seed, np_network **out)
{
    failure f = {.network = network, .mark = fail_mark};
    return fail_all(&f, which, seed, out);
}

np_status np_network_fail_between(const np_network *network, const char *which, uint64_t seed, np_network **out)
{
    failure f = {.network = network, .mark = fail_mark, .spares = true};
    return fail_all(&f, which, seed, out);
}

np_status np_network_fail_switches(const np_network *network, const char *which, uint64_t seed, np_network **out)
{
    failure f = {.network = network, .mark = switches_mark};
    np_status st = np_memory_zeroed(&f.dead, network->nodes, 1, "the switches of a network");
    *out = NULL;
    return st ? st : fail_all(&f, which, seed, out);
}

/* ---- Specs ---- */

const char *np_network_find_failure(const char *spec)
{
    const char *last = NULL, *of_switches = NULL;
    for (const char *at = spec; (at = strstr(at, fail_mark)); at++)
        last = at;
    for (const char *at = spec; (at = strstr(at, switches_mark)); at++)
        of_switches = at;
    return !last || of_switches > last ? of_switches : last;
}

/* The share and the seed, or the file, behind fail_mark. `which` is cut where the share ends. */
static np_status read_failure(char *which, uint64_t *seed)
{
    char *mark = is_file(which) ? NULL : strstr(which, seed_mark);
    *seed = 1;
    if (!mark)
        return NP_OK;
    *mark = 0;
    if (!np_parse_whole(mark + strlen(seed_mark), 0, UINT64_MAX, seed))
        return NP_RAISE(NP_ERROR_INPUT, "failing links '%.40s%s%.40s': the seed is a whole number, as in %s0.01%s1",
                        which, seed_mark, mark + strlen(seed_mark), fail_mark, seed_mark);
    return NP_OK;
}

/* Links that fail in a network with failed links, and so on: each is made inside the other. */
static np_status check_failures(const char *spec)
{
    enum { FAILURES_MAX = 16 }; /* ours */
    unsigned failures = 0;
    for (const char *at = spec; (at = strstr(at, ":fail")); at++)
        failures += !strncmp(at, fail_mark, strlen(fail_mark)) || !strncmp(at, switches_mark, strlen(switches_mark));
    if (failures > FAILURES_MAX)
        return NP_RAISE(NP_ERROR_INPUT, "'%.40s...': links fail more than %d times: put them into one file", spec,
                        FAILURES_MAX);
    return NP_OK;
}

np_status np_network_create_failed(const char *spec, np_network **out)
{
    char *parts = NULL, *as_given = NULL;
    np_network *whole = NULL;
    np_status st = check_failures(spec);
    *out = NULL;
    if (!st && (!(parts = np_memory_text(spec)) || !(as_given = np_memory_text(spec))))
        st = np_status_last();
    if (!st) {
        char *mark = parts + (np_network_find_failure(spec) - spec), *which;
        bool links = !strncmp(mark, fail_mark, strlen(fail_mark));
        uint64_t seed;
        which = mark + strlen(links ? fail_mark : switches_mark);
        *mark = 0;
        if (!(st = read_failure(which, &seed)) && !(st = np_network_create(parts, &whole)))
            st = links ? np_network_fail(whole, which, seed, out) : np_network_fail_switches(whole, which, seed, out);
    }
    if (!st) {
        np_memory_free((*out)->spec);
        (*out)->spec = as_given;
        as_given = NULL;
    }
    np_network_free(whole);
    NP_MEMORY_FREE(parts, as_given);
    return st;
}
