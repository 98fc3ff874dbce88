/*
 * Topologies of htsim (Handley et al. 2017), which are fat trees of two or three tiers:
 *
 *   Nodes 432
 *   Tiers 3
 *   Podsize 36
 *   Tier 0                    top-of-rack switches; 1: aggregation, 2: core
 *   Downlink_speed_Gbps 100
 *   Radix_Down 6
 *   Radix_Up 6
 *   Downlink_Latency_ns 1000
 *   Tier 1 ...
 *
 * Bundle says how many parallel links join two switches, Oversubscribed how much more goes down than up. The file has
 * more numbers than needed: they must agree. Names are those of htsim: hosts are numbers, switches LS (lower), US
 * (upper) and CS (core). The wiring is that of htsim: a lower switch is joined with all upper ones of its pod, and the
 * upper switch at place p of its pod with the core switches p, p + A, p + 2A, ..., where A upper switches are in a pod.
 */
#include <stdio.h>
#include <string.h>

#include "model/format/format.h"
#include "model/format/scan.h"

enum { TIERS = 3, RADIX_MAX = 1 << 10, HOSTS_MAX = 1 << 20, CABLES_MAX = 1 << 24 }; /* but for TIERS, ours */

static const char what[] = "an htsim topology";

typedef struct tier {
    bool given;
    uint64_t speed, down, up, latency, bundle, oversubscribed;
    char speed_text[32], latency_text[32];
} tier;

typedef struct topology {
    uint64_t nodes, tiers, pod;
    tier tier[TIERS];
    np_node lower, upper, core; /* the first of each kind; hosts are from 0 on */
    uint64_t lowers, uppers;    /* in a pod */
} topology;

/* ---- The file ---- */

static bool recognizes(np_text text)
{
    np_scan scan = np_scan_begin(&text, what);
    uint64_t number;
    while (np_scan_line(&scan)) {
        if (np_scan_is(&scan, "Tiers") || np_scan_is(&scan, "Connections"))
            return np_scan_whole(&scan, "", &number) && np_scan_at_end(&scan);
        if ((!np_scan_is(&scan, "Nodes") && !np_scan_is(&scan, "Podsize")) || !np_scan_whole(&scan, "", &number) ||
            !np_scan_at_end(&scan))
            return false;
    }
    return false;
}

/* *out = the number behind a key, unless it is given already. */
static np_status read_number(np_scan *scan, const char *key, uint64_t low, uint64_t high, uint64_t *out)
{
    uint64_t value;
    if (!np_scan_whole(scan, "", &value))
        return np_scan_refuse(scan, "a whole number for '%s'", key);
    if (value < low || value > high)
        return np_text_raise(scan->text, NP_ERROR_INPUT, "%s %llu in %s: it is %llu..%llu", key,
                             (unsigned long long)value, what, (unsigned long long)low, (unsigned long long)high);
    if (*out)
        return np_text_raise(scan->text, NP_ERROR_INPUT, "%s is given twice in %s", key, what);
    *out = value;
    return np_scan_end_line(scan);
}

static np_status read_tier(np_scan *scan, topology *t, tier **present)
{
    np_scan before = *scan;
    uint64_t number;
    np_status st;
    if (!np_scan_whole(scan, "", &number) || number >= t->tiers || t->tier[number].given)
        return np_scan_refuse(&before, "the number of a tier below %llu, each once", (unsigned long long)t->tiers);
    if ((st = np_scan_end_line(scan)))
        return st;
    *present = &t->tier[number];
    (*present)->given = true;
    return NP_OK;
}

/* A line of a tier. Sizes of queues and latencies of switches are not used. */
static np_status read_key(np_scan *scan, tier *t)
{
    uint64_t unused = 0;
    const struct {
        const char *key;
        uint64_t *out, high;
    } keys[] = {{"Downlink_speed_Gbps", &t->speed, 1000000},
                {"Radix_Down", &t->down, RADIX_MAX},
                {"Radix_Up", &t->up, RADIX_MAX},
                {"Bundle", &t->bundle, RADIX_MAX},
                {"Oversubscribed", &t->oversubscribed, RADIX_MAX},
                {"Downlink_Latency_ns", &t->latency, UINT32_MAX},
                {"Switch_Latency_ns", &unused, UINT32_MAX},
                {"Queue_Down", &unused, UINT32_MAX},
                {"Queue_Up", &unused, UINT32_MAX}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (np_scan_is(scan, keys[i].key))
            return read_number(scan, keys[i].key, keys[i].out != &unused, keys[i].high, keys[i].out);
    return np_scan_refuse(scan, "a key of a tier, such as Radix_Down");
}

static np_status read_header(np_scan *scan, topology *t)
{
    np_status st = NP_OK;
    while (!st && (!t->nodes || !t->tiers || !t->pod)) {
        if (!np_scan_line(scan))
            return np_scan_refuse(scan, "Nodes, Tiers and Podsize");
        if (np_scan_is(scan, "Nodes"))
            st = read_number(scan, "Nodes", 2, HOSTS_MAX, &t->nodes);
        else if (np_scan_is(scan, "Tiers"))
            st = read_number(scan, "Tiers", 2, TIERS, &t->tiers);
        else if (np_scan_is(scan, "Podsize"))
            st = read_number(scan, "Podsize", 1, HOSTS_MAX, &t->pod);
        else if (np_scan_is(scan, "Connections"))
            return np_text_raise(scan->text, NP_ERROR_INPUT,
                                 "an htsim connection matrix is no network: it is traffic (--traffic file:PATH)");
        else
            return np_scan_refuse(scan, "Nodes, Tiers and Podsize");
    }
    return st;
}

static np_status read_tiers(np_scan *scan, topology *t)
{
    tier *present = NULL;
    np_status st = NP_OK;
    while (!st && np_scan_line(scan)) {
        if (np_scan_is(scan, "Tier"))
            st = read_tier(scan, t, &present);
        else
            st = present ? read_key(scan, present) : np_scan_refuse(scan, "'Tier 0'");
    }
    return st;
}

/* ---- The tree ---- */

static np_status disagree(const np_text *text, const char *why)
{
    return np_text_raise(text, NP_ERROR_INPUT, "the numbers of %s disagree: %s", what, why);
}

static np_status check_tier(const np_text *text, tier *t, bool top)
{
    if (!t->given || !t->speed || !t->down || (!t->up && !top))
        return np_text_raise(
            text, NP_ERROR_INPUT,
            "%s needs Downlink_speed_Gbps, Radix_Down and (but for the top) Radix_Up for each tier: is "
            "the file cut short?",
            what);
    t->bundle = t->bundle ? t->bundle : 1;
    t->oversubscribed = t->oversubscribed ? t->oversubscribed : 1;
    snprintf(t->speed_text, sizeof t->speed_text, "%lluGbps", (unsigned long long)t->speed);
    if (t->latency)
        snprintf(t->latency_text, sizeof t->latency_text, "%lluns", (unsigned long long)t->latency);
    return NP_OK;
}

/* What goes into a tier of switches from below, and what goes out of it upwards. */
static bool agrees(const tier *low, const tier *high)
{
    return low->down * low->speed == low->up * high->speed * low->oversubscribed;
}

static np_status check(const np_text *text, topology *t)
{
    tier *low = &t->tier[0], *middle = &t->tier[1], *high = &t->tier[2];
    np_status st = NP_OK;
    for (size_t i = 0; i < t->tiers && !st; i++)
        st = check_tier(text, &t->tier[i], i + 1 == t->tiers);
    if (st)
        return st;
    if (t->nodes % t->pod || t->pod % low->down || (t->tiers == 2 && t->nodes != t->pod))
        return disagree(text, "Nodes, Podsize and Radix_Down of tier 0");
    if (low->bundle != 1 || low->up % middle->bundle || middle->down != t->pod / low->down * middle->bundle)
        return disagree(text, "Radix_Up of tier 0, Radix_Down of tier 1 and their bundles");
    t->lowers = t->pod / low->down;
    t->uppers = low->up / middle->bundle;
    if (!agrees(low, middle))
        return disagree(text, "speeds, radices and oversubscription of tiers 0 and 1");
    if (t->tiers == 2)
        return NP_OK;
    if (middle->up % high->bundle || high->down != t->nodes / t->pod * high->bundle)
        return disagree(text, "Radix_Up of tier 1, Radix_Down of tier 2 and their bundles");
    return agrees(middle, high) ? NP_OK : disagree(text, "speeds, radices and oversubscription of tiers 1 and 2");
}

static uint64_t cores(const topology *t) { return t->tiers == 3 ? t->uppers * (t->tier[1].up / t->tier[2].bundle) : 0; }

/* How many cables there will be, bundles counted once. */
static uint64_t cables(const topology *t)
{
    uint64_t pods = t->nodes / t->pod, uppers = pods * t->uppers;
    return t->nodes + pods * t->lowers * t->uppers + (t->tiers == 3 ? uppers * (t->tier[1].up / t->tier[2].bundle) : 0);
}

static np_status add_nodes(np_builder *graph, const np_text *text, const char *prefix, uint64_t count, np_node *first)
{
    char name[32];
    np_node node;
    np_status st = NP_OK;
    *first = (np_node)graph->nodes;
    for (uint64_t i = 0; i < count && !st; i++) {
        int length = snprintf(name, sizeof name, "%s%llu", prefix, (unsigned long long)i);
        if (!(st = np_builder_node(graph, text, (np_text_field){name, (size_t)length}, &node)) && !*prefix)
            st = np_builder_host(graph, node);
    }
    return st;
}

/* A cable between two tiers, with the bundle of the upper one. */
static np_status add_cable(np_builder *graph, np_scan *scan, const tier *upper, np_node from, np_node to)
{
    const np_scan_attribute attribute[] = {{"speed", {upper->speed_text, strlen(upper->speed_text)}},
                                           {"latency", {upper->latency_text, strlen(upper->latency_text)}}};
    np_status st = NP_OK;
    for (uint64_t i = 0; i < upper->bundle && !st; i++)
        st = np_scan_link(scan, graph, from, to, attribute, 2);
    return st;
}

static np_status add_pod(np_builder *graph, np_scan *scan, const topology *t, uint64_t pod)
{
    np_status st = NP_OK;
    for (uint64_t i = 0; i < t->lowers && !st; i++) {
        uint64_t lower = pod * t->lowers + i;
        for (uint64_t k = 0; k < t->tier[0].down && !st; k++)
            st = add_cable(graph, scan, &t->tier[0], (np_node)(lower * t->tier[0].down + k), t->lower + (np_node)lower);
        for (uint64_t k = 0; k < t->uppers && !st; k++)
            st = add_cable(graph, scan, &t->tier[1], t->lower + (np_node)lower,
                           t->upper + (np_node)(pod * t->uppers + k));
    }
    for (uint64_t i = 0; i < t->uppers && t->tiers == 3 && !st; i++)
        for (uint64_t k = 0; k < t->tier[1].up / t->tier[2].bundle && !st; k++)
            st = add_cable(graph, scan, &t->tier[2], t->upper + (np_node)(pod * t->uppers + i),
                           t->core + (np_node)(i + k * t->uppers));
    return st;
}

static np_status add_tree(np_builder *graph, np_scan *scan, topology *t)
{
    uint64_t pods = t->nodes / t->pod;
    np_node hosts;
    np_status st;
    if (cables(t) > CABLES_MAX)
        return np_text_raise(scan->text, NP_ERROR_LIMIT, "%llu cables: at most %d are read",
                             (unsigned long long)cables(t), CABLES_MAX);
    if ((st = add_nodes(graph, scan->text, "", t->nodes, &hosts)) ||
        (st = add_nodes(graph, scan->text, "LS", pods * t->lowers, &t->lower)) ||
        (st = add_nodes(graph, scan->text, "US", pods * t->uppers, &t->upper)) ||
        (st = add_nodes(graph, scan->text, "CS", cores(t), &t->core)))
        return st;
    for (uint64_t pod = 0; pod < pods && !st; pod++)
        st = add_pod(graph, scan, t, pod);
    return st;
}

static np_status read(np_builder *graph, np_text *text)
{
    np_scan scan = np_scan_begin(text, what);
    topology t = {.nodes = 0};
    np_status st;
    graph->naming = NP_GRAPH_NAMED;
    graph->direction = NP_GRAPH_UNDIRECTED;
    graph->mutual = true;
    if ((st = read_header(&scan, &t)) || (st = read_tiers(&scan, &t)) || (st = check(text, &t)))
        return st;
    return add_tree(graph, &scan, &t);
}

const np_graph_format np_format_htsim = {
    .info = {"htsim", what, "Handley et al. 2017"},
    .recognizes = recognizes,
    .read = read,
};
