/*
 * Kernels of routers with virtual channels. Work is counted in flit-hops, links that flits cross; of a network that is
 * idle in cycles. The network fills while the clock runs.
 *
 * The checker: flits are neither lost nor doubled, and packets have crossed as many links as shortest paths have, on
 * average.
 */
#include <stdlib.h>

#include "base/threads.h"
#include "bench.h"
#include "engine/open/open_loop.h"
#include "model/relation/relation.h"

enum { CHANNELS = 4, BUFFER = 8 };

typedef struct flits_parameters {
    const char *network;
    double load;
    int64_t cycles; /* in a timed repeat */
    double hops;    /* mean distance of terminals, the sender included */
    bool idle;      /* no packet comes, and all have arrived */
} flits_parameters;

typedef struct flits_state {
    const flits_parameters *parameters;
    np_network *network;
    np_relation *relation;
    np_arrivals *arrivals;
    unsigned threads;
    uint64_t packets, hops; /* delivered, and the links that they crossed */
    np_open_counts counts;
} flits_state;

static int deliver(void *context, size_t count, const np_delivery *d)
{
    flits_state *s = context;
    s->packets += count;
    for (size_t i = 0; i < count; i++)
        s->hops += d[i].hops;
    return 0;
}

static np_status setup(const bench_kernel *kernel, unsigned threads, void **out)
{
    const flits_parameters *p = kernel->parameters;
    const np_arrivals_options drawn = {.traffic = "uniform", .process = "bernoulli", .rate = p->load, .seed = 1};
    flits_state *s = calloc(1, sizeof *s);
    np_status st;
    if (!s)
        return NP_ERROR_MEMORY;
    *out = s;
    s->parameters = p;
    if ((st = np_threads_choose(threads, threads, &s->threads)) || (st = np_network_create(p->network, &s->network)) ||
        (st = np_relation_create("dimension-order", s->network, &s->relation)))
        return st;
    return np_arrivals_create(s->network, &drawn, &s->arrivals);
}

static np_status run(void *context, bench_work *work)
{
    flits_state *s = context;
    const np_open_options o = {.network = s->network,
                               .relation = s->relation,
                               .arrivals = s->arrivals,
                               .draws = {.seed = 1},
                               .threads = s->threads,
                               .channels = CHANNELS,
                               .buffer_flits = BUFFER,
                               .allocation_delay = 1,
                               .switch_delay = 1,
                               .crossbar_delay = 1,
                               .link_delay = 1,
                               .credit_delay = 1,
                               .deliver = deliver,
                               .context = s};
    void *model;
    np_status st;
    s->packets = s->hops = 0;
    if ((st = np_open_flits.create(&o, &model)))
        return st;
    if (s->parameters->idle)
        np_open_flits.stop(model);
    st = np_open_flits.advance(model, s->parameters->cycles);
    np_open_flits.counts(model, &s->counts);
    np_open_flits.free(model);
    work->units = (double)(s->parameters->idle ? (uint64_t)s->parameters->cycles : s->counts.hops);
    return st;
}

static const char *check(const void *context)
{
    const flits_state *s = context;
    double packets = (double)s->packets, mean = packets ? (double)s->hops / packets : 0;
    if (s->counts.created - s->counts.ejected != s->counts.waiting || s->counts.ejected < s->packets)
        return "flits were lost or doubled";
    if (s->parameters->idle)
        return s->packets || s->counts.hops ? "an idle network moves" : NULL;
    /* those that have arrived first had shorter ways */
    return mean > 1.02 * s->parameters->hops || mean < 0.5 * s->parameters->hops
               ? "packets crossed more or fewer links than they must"
               : NULL;
}

static void describe(const void *context, json_t *line)
{
    const flits_state *s = context;
    json_object_set_new(line, "flit_hops", json_integer((json_int_t)s->counts.hops));
}

static void teardown(void *context)
{
    flits_state *s = context;
    np_arrivals_free(s->arrivals);
    np_relation_free(s->relation);
    np_network_free(s->network);
    free(s);
}

#define KERNEL(name_, help_, unit_, threads_, network_, load_, cycles_, hops_, ...)                                    \
    {                                                                                                                  \
        .name = name_, .help = help_, .unit = unit_, .threads = threads_,                                              \
        .parameters = &(const flits_parameters){network_, load_, cycles_, hops_, __VA_ARGS__}, .setup = setup,         \
        .run = run, .check = check, .describe = describe, .teardown = teardown                                         \
    }

/* Mean distances: d / 2 on the d-cube, and (n - 1 / n) / 3 in each dimension of a mesh of side n. */
const bench_kernel bench_flits_kernels[] = {
    KERNEL("flits-cube-2^10", "virtual channels on the 10-cube, load 0.15", "hops", 1, "hypercube:10", 0.15, 4000, 5,
           false),
    KERNEL("flits-cube-2^10-light", "virtual channels on the 10-cube, load 0.01", "hops", 1, "hypercube:10", 0.01,
           40000, 5, false),
    KERNEL("flits-mesh-32x32", "virtual channels on the 32 x 32 mesh at half of saturation", "hops", 1, "mesh:32x32",
           0.05, 3000, 2 * (32 - 1 / 32.0) / 3, false),
    KERNEL("flits-mesh-256x256", "virtual channels on the 256 x 256 mesh at half of saturation", "hops", 1,
           "mesh:256x256", 0.006, 1200, 2 * (256 - 1 / 256.0) / 3, false),
    KERNEL("flits-cube-2^16", "virtual channels on the 16-cube, load 0.15", "hops", 1, "hypercube:16", 0.15, 300, 8,
           false),
    KERNEL("flits-cube-2^16-2-threads", "virtual channels on the 16-cube, load 0.15", "hops", 2, "hypercube:16", 0.15,
           300, 8, false),
    KERNEL("flits-idle-2^16", "cycles of an idle 16-cube", "cycles", 1, "hypercube:16", 0.15, 100000, 0, true),
    {.name = NULL},
};
