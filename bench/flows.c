/*
 * Kernels of flows that share links fairly. Work is counted in completions: a flow ends, another one starts between
 * other hosts, and the rates are max-min fair again.
 *
 * Paths and sizes are drawn before the clock starts, so that the engine alone is timed. The checker: no link carries
 * more than it can at the last moment, as many flows are active as at first, and the account of the engine is kept.
 */
#include <stdlib.h>

#include "base/account.h"
#include "base/random.h"
#include "bench.h"
#include "engine/flows/fair.h"
#include "model/path/routes.h"

#define UNIT ((uint64_t)1 << 50)
#define PACKET ((np_fair_size)UNIT << 30)

enum { HOPS_MOST = 6, DRAWN = 4 /* flows for each active one, which come round again */ };

typedef struct flows_parameters {
    const char *network;
    uint32_t each;        /* active flows a host */
    uint64_t completions; /* in a timed repeat, after those that begin */
    bool ring;            /* each host sends to the next one, again and again, as in a ring all-reduce */
} flows_parameters;

typedef struct flows_state {
    const flows_parameters *parameters;
    np_network *network;
    uint32_t links, active, drawn;
    uint64_t *capacity;
    np_node *from, *to;
    uint32_t *path; /* [drawn * HOPS_MOST] */
    size_t *hops;   /* [drawn] 0: to its own host */
    np_fair *fair;
    uint64_t next, left;
    uint64_t hash; /* of all finishes */
    np_fair_counts counts;
    uint64_t memory;
    const char *wrong;
} flows_state;

/* ---- Flows ---- */

static uint32_t draw(uint32_t i, uint32_t which, uint32_t bound)
{
    const np_draws draws = {.seed = 1, .purpose = NP_RANDOM_TRAFFIC};
    return np_random_below(&draws, i, which, bound);
}

/* Between different hosts. */
static np_status draw_flows(flows_state *s, const np_path *path)
{
    const np_draws draws = {.seed = 1, .purpose = NP_RANDOM_TICKET};
    const np_demand demand = {.draws = draws, .count = s->drawn, .from = s->from, .to = s->to};
    np_node hosts = np_network_terminals(s->network);
    np_path bound;
    np_routes *routes;
    for (uint32_t i = 0; i < s->drawn; i++) {
        uint32_t from = draw(i, 0, hosts);
        uint32_t to = (from + 1 + draw(i, 1, hosts - 1)) % hosts;
        if (s->parameters->ring) {
            from = i % hosts;
            to = (i + 1) % hosts;
        }
        s->from[i] = np_network_input(s->network, from);
        s->to[i] = np_network_output(s->network, to);
    }
    np_status st = np_routes_for(path, &demand, &bound, &routes);
    for (uint32_t i = 0; !st && i < s->drawn; i++)
        st = np_path_follow(&bound, &draws, i, s->from[i], s->to[i], HOPS_MOST, &s->path[(size_t)i * HOPS_MOST],
                            &s->hops[i]);
    np_routes_free(routes);
    return st;
}

static np_status start(flows_state *s, np_fair_time now)
{
    uint32_t i = (uint32_t)(s->next % s->drawn);
    np_fair_flow flow = {.name = s->next,
                         .path = &s->path[(size_t)i * HOPS_MOST],
                         .hops = (uint32_t)s->hops[i],
                         .start = now,
                         .size = PACKET};
    if (!s->parameters->ring)
        flow.size += PACKET / UINT32_MAX * draw((uint32_t)s->next, 2, UINT32_MAX);
    s->next++;
    return np_fair_add(s->fair, &flow);
}

static np_status finished(void *self, uint64_t name, np_fair_time now)
{
    flows_state *s = self;
    s->hash += np_random_mix(name ^ np_random_mix((uint64_t)now));
    if (!s->left)
        return NP_OK;
    s->left--;
    return start(s, now);
}

/* ---- A kernel ---- */

static np_status setup(const bench_kernel *kernel, unsigned threads, void **out)
{
    flows_state *s = calloc(1, sizeof *s);
    np_path *path = NULL;
    np_status st;
    (void)threads;
    if (!s)
        return NP_ERROR_MEMORY;
    *out = s;
    s->parameters = kernel->parameters;
    if ((st = np_network_create(s->parameters->network, &s->network)) ||
        (st = np_path_create("spray", s->network, &path)))
        goto out;
    s->links = np_network_link_numbers(s->network);
    s->active = np_network_terminals(s->network) * s->parameters->each;
    s->drawn = s->active * (s->parameters->ring ? 1 : DRAWN);
    s->capacity = malloc(s->links * sizeof *s->capacity);
    s->from = malloc(s->drawn * sizeof *s->from);
    s->to = malloc(s->drawn * sizeof *s->to);
    s->path = malloc((size_t)s->drawn * HOPS_MOST * sizeof *s->path);
    s->hops = malloc(s->drawn * sizeof *s->hops);
    if (!s->capacity || !s->from || !s->to || !s->path || !s->hops) {
        st = NP_ERROR_MEMORY;
        goto out;
    }
    for (uint32_t l = 0; l < s->links; l++)
        s->capacity[l] = UNIT;
    st = draw_flows(s, path);
out:
    np_path_free(path);
    return st;
}

/* When the last completion that is followed by a new flow is over: is no link overfull? */
static void look(flows_state *s)
{
    for (uint32_t l = 0; l < s->links; l++)
        if (np_fair_use(s->fair, l) > s->capacity[l])
            s->wrong = "a link carries more than it can";
    if (np_fair_active(s->fair) != s->active)
        s->wrong = "another number of flows is active than began";
}

static np_status settled(void *self, np_fair_time now)
{
    flows_state *s = self;
    (void)now;
    if (s->left)
        return NP_OK;
    look(s);
    return NP_ERROR_CANCELLED;
}

static np_status run(void *context, bench_work *work)
{
    flows_state *s = context;
    const np_fair_driver driver = {.self = s, .finished = finished, .settled = settled};
    np_account account = np_account_open(0, NULL);
    np_status st = np_fair_create(s->links, s->capacity, &s->fair);
    s->next = 0;
    s->hash = 0;
    s->left = s->parameters->completions;
    while (!st && s->next < s->active)
        st = start(s, 0);
    if (!st)
        st = np_fair_run(s->fair, &driver);
    if (st == NP_ERROR_CANCELLED && !s->left)
        st = NP_OK;
    s->counts = np_fair_counted(s->fair);
    s->memory = np_account_peak(account);
    np_fair_free(s->fair);
    np_account_close(&account);
    work->units += (double)s->parameters->completions;
    return st;
}

static const char *check(const void *context) { return ((const flows_state *)context)->wrong; }

static void describe(const void *context, json_t *line)
{
    const flows_state *s = context;
    double completions = (double)s->parameters->completions;
    json_object_set_new(line, "network", json_string(s->parameters->network));
    json_object_set_new(line, "active", json_integer(s->active));
    json_object_set_new(line, "engine_bytes", json_integer((json_int_t)s->memory));
    json_object_set_new(line, "changes_each", json_real((double)s->counts.changes / completions));
    json_object_set_new(line, "evaluations_each", json_real((double)s->counts.evaluations / completions));
    json_object_set_new(line, "hash", json_integer((json_int_t)(s->hash >> 1)));
}

static void teardown(void *context)
{
    flows_state *s = context;
    np_network_free(s->network);
    free(s->capacity);
    free(s->from);
    free(s->to);
    free(s->path);
    free(s->hops);
    free(s);
}

#define FLOWS                                                                                                          \
    .unit = "completions", .threads = 1, .setup = setup, .run = run, .check = check, .describe = describe,             \
    .teardown = teardown

const bench_kernel bench_flows_kernels[] = {
    {.name = "flows-1024-hosts",
     .help = "a flow for each of 1,024 hosts of a fat-tree of three levels",
     .parameters = &(const flows_parameters){"xgft:3:8,8,16:1,8,8", 1, 400000, false},
     FLOWS},
    {.name = "flows-1024-hosts-2-each",
     .help = "two flows for each host",
     .parameters = &(const flows_parameters){"xgft:3:8,8,16:1,8,8", 2, 150000, false},
     FLOWS},
    {.name = "flows-1024-hosts-4-each",
     .help = "four flows for each host",
     .parameters = &(const flows_parameters){"xgft:3:8,8,16:1,8,8", 4, 30000, false},
     FLOWS},
    {.name = "flows-1024-hosts-10-each",
     .help = "ten flows for each host",
     .parameters = &(const flows_parameters){"xgft:3:8,8,16:1,8,8", 10, 2500, false},
     FLOWS},
    {.name = "flows-65536-hosts",
     .help = "a flow for each of 65,536 hosts of a fat-tree of three levels",
     .parameters = &(const flows_parameters){"xgft:3:32,32,64:1,32,32", 1, 120000, false},
     FLOWS},
    {.name = "flows-ring-1024",
     .help = "2,046 rounds in which each of 1,024 hosts sends to the next one",
     .parameters = &(const flows_parameters){"xgft:3:8,8,16:1,8,8", 1, 1024 * 2045, true},
     FLOWS},
    {.name = NULL},
};
