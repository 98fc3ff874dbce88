/*
 * What is known of a curve without measuring.
 *
 * Loads of links on average. At the load 1 a link carries load[e] packets a step on average, if the routes do not
 * depend on what else is on its way. So no load above 1 / max load[e] is accepted. A packet that meets nobody takes a
 * step a link.
 *
 * In model flits a cable of a terminal takes one flit a cycle and brings one.
 *
 * Theorems on latency need Poisson arrivals, for then the packets that will take a link are created as a Poisson
 * process, of rho_e = load x load[e] a step. L(rho) = rho + rho^2 / (2 (1 - rho)) is the mean number of packets in a
 * queue M/D/1.
 *
 *   copies        Mitzenmacher 1994, after Stamoulis & Tsitsiklis 1991: let each packet put a copy into the queues of
 *                 all its links when it is created. What waits for link e in the network is at least what waits in that
 *                 queue. A packet waits for D links at most, so sum_e L(rho_e) / D <= the packets in the network, which
 *                 are (by Little) their rate times the mean latency
 *   product form  on arrays, in dimension order, to random destinations, the network has no more packets than one whose
 *                 links serve for exponential times: sum_e rho_e / (1 - rho_e) (Stamoulis & Tsitsiklis 1991,
 *                 Mitzenmacher 1994)
 *   cube          if all nodes' bits flip with probability p: stable exactly if rho = load x p < 1, and then the
 *                 mean is at most d p / (1 - rho) (Stamoulis & Tsitsiklis 1991). The queues of the first dimension are
 *                 M/D/1, so it is at least d p + p rho / (2 (1 - rho))
 *   one link      where no packet takes two links, queues are independent: M/D/1, and Geo/D/1 of Bernoulli arrivals,
 *                 in which nobody waits as a source creates a packet a step at most
 *   average case  on meshes, in dimension order, farthest first, at a load that is a fixed part of the one that fills
 *                 links, the mean is that without load and O(1) more (Leighton 1990). The proof states no constant, so
 *                 that there is no number to print: it never applies
 *   farthest first  on a line of n nodes (Kahale & Leighton 1995), in whole steps, as follows
 *
 * Of the packets that go right on a line, let S be those for node k + 1 and beyond. On the links up to that from k they
 * meet no others that go before them, and none of them leaves. A link that passes D(t) = min_s [A(s) + t - s] of
 * arrivals A, and adds arrivals to those of the next link, is, for the next one, the same as if all waited there: so
 * what waits of S at the links 0 .. k is what waits in one queue with the arrivals of nodes 0 .. k, V(k + 1), and at
 * link k alone V(k + 1) - V(k). With p = load (n - 1 - k) / n, E[A] = m p and one packet served a step, V(m) = E[A (A -
 * 1)] / (2 (1 - E[A])), where E[A (A - 1)] is m (m - 1) p^2 of Bernoulli and (m p)^2 of Poisson arrivals. The sum over
 * links, both ways, over n x load is the mean wait.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "engine/flits/flits.h"
#include "model/relation/cables.h"
#include "run/load/load.h"
#include "verdict/throughput/own_paths.h"

/* Of one curve, at load 1. */
typedef struct loads {
    double *load; /* [links] packets a step */
    np_link links;
    double most, sum, rate; /* rate: packets that are created in a step */
    bool known, exact;
} loads;

typedef struct view {
    const np_loading *l;
    const np_load_curve *curve;
    loads loads;
    double optimum; /* by np_throughput_find; NAN */
    double ends;    /* flits that the busiest cable of a terminal takes or brings in a cycle at load 1; NAN */
} view;

/* ---- Loads ---- */

static bool is_uniform(const np_loading *l) { return !strcmp(l->traffic, "uniform"); }

/* What links carry on average. *moving: packets that are created in a step for another node. */
static np_status add_loads(const np_loading *l, loads *x, double *moving)
{
    np_throughput_options options;
    np_problem problem = {.nodes = 0};
    np_traffic *traffic;
    char *rule = NULL;
    double weight;
    uint32_t draws = 0;
    np_throughput_options_init(&options);
    options.paths = l->rule;
    options.seed = l->options->seed;
    np_status st = np_arrivals_mean(l->arrivals, &traffic, &weight, &x->exact);
    if (st || (st = np_problem_init(&problem, l->network, traffic)))
        goto out;
    *moving = (double)problem.packets * weight;
    if (problem.packets)
        st = np_own_paths_load(&problem, &options, &rule, x->load, &draws);
    x->exact &= !draws;
    for (np_link e = 0; e < x->links; e++)
        x->load[e] *= weight;
out:
    np_problem_clear(&problem);
    np_traffic_free(traffic);
    np_memory_free(rule);
    return st;
}

/*
 * Routers with channels: a host's cable is no link. By valiant packets for their own node go by way of another one,
 * too. Of uniform traffic these make the loads of all others so much larger; of other traffic they are not known. Nor
 * are they where a host sends to one router and receives from another one.
 */
static void keep_to_routers(const np_loading *l, double moving, loads *x)
{
    const np_cables *cables = np_relation_cables(l->relation);
    bool some = x->rate - moving > 1e-9 * x->rate, stay = l->valiant && some;
    double times = stay ? x->rate / moving : 1;
    x->known &= (!stay || is_uniform(l)) && !(some && cables->apart && !cables->several);
    x->exact &= x->known;
    for (np_node u = 0; u < np_network_nodes(l->network); u++)
        for (np_link e = np_network_first_link(l->network, u); e < np_network_first_link(l->network, u + 1); e++)
            if (!(x->load[e] > 0))
                continue;
            else if (np_network_is_router(l->network, u) &&
                     np_network_is_router(l->network, np_network_link_head(l->network, e)))
                x->load[e] *= times;
            else
                x->load[e] = 0;
}

static np_status find_loads(const np_loading *l, loads *x)
{
    double moving;
    x->links = np_network_link_numbers(l->network);
    x->rate = np_arrivals_shares(l->arrivals);
    x->known = l->path;
    np_status st = np_memory_zeroed(&x->load, x->links, sizeof *x->load, "the loads of links");
    if (st || !x->known || (st = add_loads(l, x, &moving)))
        return st;
    if (l->relation)
        keep_to_routers(l, moving, x);
    for (np_link e = 0; e < x->links; e++) {
        x->sum += x->load[e];
        x->most = x->load[e] > x->most ? x->load[e] : x->most;
    }
    return NP_OK;
}

/*
 * Model flits: all stages of each router and the links behind it, the way into the first one, and the flits behind. A
 * packet that is longer than a buffer waits for its own credits where the buffer is full before the first is back: then
 * the latency is larger, depends on each packet's way, and *known becomes false.
 */
static double meets_nobody(const np_loading *l, const loads *x, bool *known)
{
    const np_open_options *o = &l->open;
    unsigned router = o->routing_delay + o->allocation_delay + o->switch_delay + o->crossbar_delay + o->link_delay;
    uint32_t back = np_flits_round_trip(o, 0);
    double more = 0; /* cycles of links with delays of their own */
    for (np_node u = 0; o->link_delays && u < np_network_nodes(l->network); u++)
        for (np_link e = np_network_first_link(l->network, u); e < np_network_first_link(l->network, u + 1); e++)
            if (x->load[e] > 0 && o->link_delays[e] && np_network_is_router(l->network, u) &&
                np_network_is_router(l->network, np_network_link_head(l->network, e))) {
                uint32_t own = np_flits_round_trip(o, o->link_delays[e]);
                back = own > back ? own : back;
                more += x->load[e] * ((double)o->link_delays[e] - o->link_delay);
            }
    *known = np_arrivals_length_max(l->arrivals) <= o->buffer_flits || back <= o->buffer_flits;
    return (x->sum / x->rate + 1) * router + more / x->rate + NP_FLITS_INJECTION + np_arrivals_length(l->arrivals) - 1;
}

/* Model steps: the steps on links. */
static double meets_no_queue(const np_loading *l, const loads *x)
{
    double sum = 0;
    if (!l->open.link_delays)
        return x->sum / x->rate;
    for (np_link e = 0; e < x->links; e++)
        sum += x->load[e] * l->open.link_delays[e];
    return sum / x->rate;
}

np_status np_load_ideal(const np_loading *l, np_load_curve *curve, double *about)
{
    loads x = {.load = NULL};
    bool known = true;
    *about = curve->zero_load_latency = curve->ideal_throughput = NAN;
    if (l->options->window || np_arrivals_trace(l->arrivals)) /* no load says how often packets are created */
        return NP_OK;
    np_status st = find_loads(l, &x);
    *about = !x.known ? NAN : l->relation ? meets_nobody(l, &x, &known) : meets_no_queue(l, &x);
    curve->zero_load_latency = known ? *about : NAN;
    curve->ideal_throughput = x.exact && x.most > 0 ? 1 / x.most : NAN;
    np_memory_free(x.load);
    return st;
}

/* ---- Theorems ---- */

static double mdone(double rho) { return rho + rho * rho / (2 * (1 - rho)); }

/* sum over links of `of` at a load, over the packets created in a step; NAN if some link is full. */
static double sum_of(const view *v, double load, double (*of)(double rho))
{
    double sum = 0;
    if (!(load * v->loads.most < 1))
        return NAN;
    for (np_link e = 0; e < v->loads.links; e++)
        sum += of(load * v->loads.load[e]);
    return sum / (load * v->loads.rate);
}

static double product_form(double rho) { return rho / (1 - rho); }

/* Theorems on arrivals are on queues at links, not on routers with channels. */
static bool is(const view *v, const char *process)
{
    return !v->l->relation && !strcmp(v->l->options->arrivals, process);
}
static bool is_plain(const view *v) { return !v->l->valiant && v->loads.exact; }

static bool on_cube(const view *v)
{
    return np_network_is(v->l->network, NP_KIND_HYPERCUBE) && !v->l->valiant &&
           v->l->path->rule->ascending_dimensions && (is_uniform(v->l) || !strcmp(v->l->traffic, "complement"));
}

static bool poisson_on_cube(const view *v) { return is(v, "poisson") && on_cube(v); }

static bool is_exact(const view *v) { return v->loads.exact; }
static bool has_optimum(const view *v) { return !isnan(v->optimum); }
static bool has_ends(const view *v) { return v->l->relation && v->ends > 0; }
static bool poisson_plain(const view *v) { return is_plain(v) && is(v, "poisson"); }
static bool has_longest(const view *v) { return poisson_plain(v) && np_path_longest(v->l->path); }

static bool on_array(const view *v)
{
    return poisson_plain(v) && is_uniform(v->l) && np_network_is(v->l->network, NP_KIND_OPEN_GRIDS) &&
           !strcmp(np_path_name(v->l->path), "dimension-order");
}

static bool one_link(const view *v)
{
    return is_plain(v) && np_network_is(v->l->network, NP_KIND_COMPLETE) && (is(v, "poisson") || is(v, "bernoulli"));
}

static bool on_line(const view *v)
{
    return is_plain(v) && is_uniform(v->l) && (is(v, "poisson") || is(v, "bernoulli")) &&
           np_network_is(v->l->network, NP_KIND_OPEN_GRIDS) && v->l->network->dimensions == 1 &&
           np_network_all_terminals(v->l->network) && !strcmp(v->l->options->queue, "farthest-first");
}

static bool states_no_constant(const view *v)
{
    (void)v;
    return false;
}

static double flips(const view *v) { return is_uniform(v->l) ? 0.5 : 1; }

static double links_full(const view *v, double load)
{
    (void)load;
    return 1 / v->loads.most;
}

static double optimum(const view *v, double load)
{
    (void)load;
    return v->optimum;
}

static double terminals_full(const view *v, double load)
{
    (void)load;
    return 1 / v->ends;
}

static double cube_stable(const view *v, double load)
{
    (void)load;
    return 1 / flips(v);
}

static double cube_most(const view *v, double load)
{
    double d = v->l->network->dimensions, p = flips(v);
    return load * p < 1 ? d * p / (1 - load * p) : NAN;
}

static double cube_least(const view *v, double load)
{
    double d = v->l->network->dimensions, p = flips(v), rho = load * p;
    return rho < 1 ? d * p + p * rho / (2 * (1 - rho)) : NAN;
}

static double array_most(const view *v, double load) { return sum_of(v, load, product_form); }

static double copies_least(const view *v, double load)
{
    double longest = np_path_longest(v->l->path), least = sum_of(v, load, mdone) / longest;
    return least > v->loads.sum / v->loads.rate ? least : isnan(least) ? NAN : v->loads.sum / v->loads.rate;
}

/* V(m): what waits in one queue of the packets of m nodes, each of which creates p in a step on average. */
static double waits(const view *v, double m, double p)
{
    double pairs = is(v, "poisson") ? m * p * (m * p) : m * (m - 1) * p * p;
    return pairs / (2 * (1 - m * p));
}

static double line_mean(const view *v, double load)
{
    double n = np_network_nodes(v->l->network), wait = 0;
    if (!(load * v->loads.most < 1))
        return NAN;
    for (double k = 0; k + 1 < n; k++) {
        double p = load * (n - 1 - k) / n;
        wait += waits(v, k + 1, p) - waits(v, k, p);
    }
    return v->loads.sum / v->loads.rate + 2 * wait / (load * n);
}

static double one_link_mean(const view *v, double load)
{
    return is(v, "poisson") ? sum_of(v, load, mdone) : v->loads.sum / v->loads.rate;
}

static const struct {
    const char *name, *source, *says, *needs;
    bool (*applies)(const view *v);
    double (*value)(const view *v, double load);
} theorems[] = {
    {"links", "", "accepted at most", "routes that do not depend on other packets, whose loads are known exactly",
     is_exact, links_full},
    {"terminals", "", "accepted at most",
     "model flits, where a terminal sends and receives a flit a cycle; traffic whose mean is known exactly", has_ends,
     terminals_full},
    {"optimum", "Shahrokhi & Matula 1990", "accepted at most", "traffic whose mean is known exactly; any routes",
     has_optimum, optimum},
    {"cube", "Stamoulis & Tsitsiklis 1991", "stable below",
     "a hypercube, dimensions in ascending order, traffic uniform or complement, Poisson arrivals", poisson_on_cube,
     cube_stable},
    {"cube", "Stamoulis & Tsitsiklis 1991", "mean at most",
     "a hypercube, dimensions in ascending order, traffic uniform or complement, Poisson arrivals", poisson_on_cube,
     cube_most},
    {"cube", "Stamoulis & Tsitsiklis 1991", "mean at least",
     "a hypercube, dimensions in ascending order, traffic uniform or complement, Poisson arrivals", poisson_on_cube,
     cube_least},
    {"product form", "Mitzenmacher 1994", "mean at most",
     "a mesh or array, dimension order, uniform traffic, Poisson arrivals", on_array, array_most},
    {"copies", "Mitzenmacher 1994", "mean at least",
     "routes that do not depend on other packets, whose loads are known exactly; Poisson arrivals", has_longest,
     copies_least},
    {"average case", "Leighton 1990", "mean at most",
     "constants, which the theorem does not state: on a mesh, in dimension order, farthest first, below the load that "
     "fills links, the mean is that without load and O(1) more",
     states_no_constant, NULL},
    {"farthest first", "Kahale & Leighton 1995", "mean",
     "a linear array, farthest-first queues, uniform traffic, Bernoulli or Poisson arrivals", on_line, line_mean},
    {"one link", "Bruneel & Kim 1993", "mean", "a complete network, Bernoulli or Poisson arrivals", one_link,
     one_link_mean},
};
enum { THEOREMS = sizeof theorems / sizeof *theorems };

/*
 * What the busiest cable of a terminal sends or receives at load 1, if all cables of a terminal share it evenly: flits
 * are counted at the nodes of terminals.
 */
static np_status find_ends(const np_loading *l, const np_traffic *traffic, double weight, double *out)
{
    const np_cables *c = l->relation ? np_relation_cables(l->relation) : NULL;
    uint32_t *received;
    *out = 0;
    if (!c)
        return NP_OK;
    np_status st = np_memory_zeroed(&received, np_network_nodes(l->network), sizeof *received, "flits of terminals");
    if (st)
        return st;
    for (size_t p = 0; p < traffic->count; p++)
        received[traffic->destination[p]]++;
    for (np_node i = 0; i < np_network_terminals(l->network); i++) {
        double sent = np_arrivals_share(l->arrivals, i) / (c->first_entry[i + 1] - c->first_entry[i]);
        double got = weight * received[np_network_output(l->network, i)] / (c->first_exit[i + 1] - c->first_exit[i]);
        *out = sent > *out ? sent : *out;
        *out = got > *out ? got : *out;
    }
    np_memory_free(received);
    return NP_OK;
}

static np_status find_optimum(view *v)
{
    const np_loading *l = v->l;
    np_throughput_options options;
    np_throughput *throughput;
    np_traffic *traffic;
    double weight;
    bool exact;
    np_throughput_options_init(&options);
    options.threads = l->threads;
    options.watch = l->options->watch;
    np_status st = np_arrivals_mean(l->arrivals, &traffic, &weight, &exact);
    v->optimum = v->ends = NAN;
    if (st || !exact || (st = find_ends(l, traffic, weight, &v->ends))) {
        np_traffic_free(traffic);
        return st;
    }
    if (!(st = np_throughput_find(l->network, traffic, &options, &throughput)) && throughput->moves)
        v->optimum = throughput->factor.high / weight;
    np_throughput_free(throughput);
    np_traffic_free(traffic);
    return st;
}

/* Nine decimals: sums of doubles have no more that mean anything. */
static double shown(double value) { return floor(value * 1e9 + 0.5) / 1e9; }

static void fill(const view *v, np_load_made *made)
{
    for (size_t i = 0; i < THEOREMS; i++) {
        double *value = made->value + i * v->curve->count;
        made->theorem[i] = (np_load_theorem){.name = theorems[i].name,
                                             .source = theorems[i].source,
                                             .says = theorems[i].says,
                                             .needs = theorems[i].needs,
                                             .applies = theorems[i].applies(v)};
        if (!made->theorem[i].applies)
            continue;
        made->theorem[i].count = v->curve->count;
        made->theorem[i].value = value;
        for (size_t k = 0; k < v->curve->count; k++)
            value[k] = shown(theorems[i].value(v, v->curve->points[k].offered));
    }
    made->curve.theorems = THEOREMS;
    made->curve.theorem = made->theorem;
}

np_status np_load_theorems(const np_loading *l, np_load_made *made)
{
    view v = {.l = l, .curve = &made->curve};
    np_status st;
    if (!(st = find_loads(l, &v.loads)) && !(st = find_optimum(&v)) &&
        !(st = np_memory_array(&made->theorem, THEOREMS, sizeof *made->theorem, "theorems")) &&
        !(st = np_memory_array(&made->value, THEOREMS * made->curve.count + 1, sizeof *made->value, "theorems")))
        fill(&v, made);
    np_memory_free(v.loads.load);
    return st;
}
