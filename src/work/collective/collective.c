/* The driver: an algorithm makes rounds, the executor plays them, and the figures are reported beside formula and
   bound.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/account.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/quantity.h"
#include "base/watch.h"
#include "work/collective/executor.h"
#include "work/collective/model.h"
#include "work/goal/write.h"
#include "model/network/read_node.h"
#include "model/path/path.h"

/* What a result owns. */
typedef struct collective_result {
    np_collective_result base;
    np_collective_schedule schedule;
    np_round_log log;
    char *network, *traffic, *root_name, *place;
    const np_rank_net *ranks; /* while it is made */
} collective_result;

/* Ours: the watch is asked once in so many rounds, or transfers if these come first. */
enum { ROUNDS_A_TELL = 64, TRANSFERS_A_TELL = 1 << 16 };

/* An amount that says bytes needs a rate, which may be given later: it is noted. */
static np_status set_data(void *object, const np_field *field, const char *text)
{
    np_collective_options *options = object;
    bool bytes;
    np_status st = np_size_set_bytes(object, field, text, &bytes);
    options->bytes |= !st && bytes;
    return st;
}

#define AT(member) offsetof(np_collective_options, member)

static const np_field rows[] = {
    {"root", NP_FIELD_TEXT, AT(root_name),
     .help =
         "Of broadcast, reduce, gather and scatter: its number, or its name where nodes have names (default: node 0); "
         "with --model the number of a rank",
     .placeholder = "NODE", .only = "broadcast, reduce, gather, scatter", .group = "What is sent:"},
    {"k", NP_FIELD_U32, AT(k), "packets", .help = "Packets that each node sends and receives in k-k and all-to-allv",
     .low = 1, .high = UINT32_MAX - 1, .preset = "4", .placeholder = "K", .only = "k-k, all-to-allv"},
    {"traffic", NP_FIELD_TEXT, AT(traffic),
     .help = "Of permutation, k-k and all-to-allv (default: random, h-relation:K)", .placeholder = "SPEC",
     .list = "traffic", .only = "permutation, k-k, all-to-allv"},
    {"seed", NP_FIELD_SEED, AT(seed), .help = "Where all random choices come from", .preset = "1", .placeholder = "N"},
    {"algorithm", NP_FIELD_TEXT, AT(algorithm),
     .help = "As 'netpram list collectives' has them (default: the first there that does it on the network; with "
             "--ports the cheapest under these ports)",
     .placeholder = "NAME", .list = "collectives", .group = "How:"},
    {"ports", NP_FIELD_TEXT, AT(ports), .help = "What a node may do in a round (default: what the algorithm needs)",
     .placeholder = "full-port|one-port|uni-axial|telephone"},
    {"flits", NP_FIELD_U64, AT(flits),
     .help = "Broadcast, reduce or all-reduce in F parts of l/F data (default: 1; the best number with --best)",
     .low = 1, .high = UINT32_MAX, .placeholder = "F"},
    {"rounds", NP_FIELD_U32, AT(rounds), "rounds",
     .help = "Of algorithm search: the fewest steps in at most N rounds (default: in the fewest)", .low = 1,
     .high = UINT32_MAX - 1, .placeholder = "N"},
    {"size", NP_FIELD_REAL, AT(data),
     .help =
         "Data in a packet, l, or in all that is broadcast or reduced; with --model the vector of a rank, the whole "
         "result, or what a rank sends, as in 1G (2^30) or 400kB",
     .least = 1e-9, .set = set_data, .preset = "1", .placeholder = "L",
     .group = "What it costs, c_v l steps + c_a rounds + c_i l bucketed:"},
    {"cv", NP_FIELD_REAL, AT(cv), .help = "c_v, for each datum", .preset = "1", .placeholder = "X"},
    {"ca", NP_FIELD_REAL, AT(ca), .help = "c_a, for each round; seconds with --link-rate", .preset = "0",
     .placeholder = "X"},
    {"ci", NP_FIELD_REAL, AT(ci), .help = "c_i, for each datum that is bucketed anew between phases", .preset = "0",
     .placeholder = "X"},
    {"model", NP_FIELD_TEXT, AT(model),
     .help = "Among ranks, the hosts: by formula, by flows that share links fairly, or packet by packet (default: "
             "rounds for all-reduce, "
             "reduce-scatter, scatter, scan and barrier; the others go over links)",
     .placeholder = "rounds|flows|steps",
     .only = "all-to-all, all-to-allv, broadcast, reduce, gather, gossip, all-gather, all-reduce, reduce-scatter, "
             "scatter, scan, "
             "barrier",
     .group = "Among ranks, on any network:"},
    {"link_rate", NP_FIELD_REAL, AT(link_rate), "bit/s", .help = "Data are bytes and times seconds, as in 100Gbit/s",
     .least = 1, .set = np_rate_set, .placeholder = "RATE"},
    {"place", NP_FIELD_TEXT, AT(place), .help = "Ranks on hosts: a file has a host a line (default: linear)",
     .placeholder = "linear|random|file:PATH"},
    {"paths", NP_FIELD_TEXT, AT(paths), .help = "Of models flows and steps (default: shortest ones)",
     .placeholder = "RULE", .list = "paths"},
    {"packet_size", NP_FIELD_REAL, AT(packet_size),
     .help = "Of model steps: the size of a packet (default: 1; 4096 with --link-rate)", .least = 1e-9, .set = set_data,
     .placeholder = "SIZE"},
    {"goal", NP_FIELD_TEXT, AT(goal), .help = "Write the messages to FILE as a GOAL schedule, for replay",
     .placeholder = "FILE"},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
};

const np_fields np_collective_options_fields =
    NP_OPTIONS("collective_options", "a collective operation", np_collective_options, rows, NULL);

void np_collective_result_free(np_collective_result *result)
{
    collective_result *r = (collective_result *)result;
    if (!r)
        return;
    np_round_log_clear(&r->log);
    NP_MEMORY_FREE(r->network, r->traffic, r->root_name, r->place, r);
}

const char *np_collective_but_complete(const np_network *network)
{
    return np_collective_complete(network) ? NULL : "it is no complete network";
}

const char *np_collective_but_grids(const np_network *network)
{
    np_axes axes = np_axes_of(network);
    return !axes.count ? "it has no dimensions" : axes.cube ? "it is a hypercube" : NULL;
}

const char *np_collective_but_terminals(const np_network *network)
{
    return np_network_all_terminals(network) && network->nodes > 1 ? NULL : "not all nodes send and receive";
}

np_link np_collective_link(const np_network *network, np_node from, np_node to)
{
    if (np_collective_complete(network))
        return from * network->ports + (to > from ? to - from : to + network->nodes - from) - 1;
    return np_network_link_between(network, from, to);
}

/* The root, if it is given as text. */
static np_status find_root(const np_network *network, np_collective_options *o)
{
    const np_text none = {.name = "root", .line = NP_TEXT_NO_LINE};
    if (!o->root_name)
        return NP_OK;
    return np_network_read_node(network, &none, (np_text_field){o->root_name, strlen(o->root_name)}, "node", &o->root);
}

np_status np_collective_heeds(const char *operation, const char *option)
{
    const np_field *field = np_fields_find(&np_collective_options_fields, option);
    np_collective_kind kind;
    np_status st = np_collective_kind_of(operation, &kind);
    if (st || !field || !field->only || np_field_listed(field->only, operation))
        return st;
    return NP_RAISE(NP_ERROR_APPLY, "is for %s, and not for %s", field->only, operation);
}

/* What the tables of fields do not tell: a root by number, and two ways to say what k-k sends. */
static np_status check_asked(np_collective_kind kind, const char *operation, const np_collective_options *o)
{
    if (o->root && !np_collective_rooted(kind))
        return np_status_prefix(np_collective_heeds(operation, "root"), "root ");
    if (o->data != 1 && kind == NP_BARRIER)
        return NP_RAISE(NP_ERROR_APPLY, "size: a barrier sends no data, leave it out");
    np_status st = o->packets ? np_collective_heeds(operation, "traffic") : NP_OK;
    if (st)
        return np_status_prefix(st, "traffic ");
    if (o->k != 4 && (o->traffic || o->packets))
        return NP_RAISE(NP_ERROR_INPUT, "k %u and traffic: what k-k sends is said by one of them", o->k);
    return np_options_heeded(&np_collective_options_fields, o, operation, np_collective_heeds);
}

static np_status check_options(const np_collective_job *job, const np_collective_options *o)
{
    np_node nodes = job->network->nodes;
    if (o->root >= nodes)
        return NP_RAISE(NP_ERROR_INPUT, "root %u: %s has nodes 0..%u, the nearest is %u", o->root,
                        np_network_spec(job->network), nodes - 1, nodes - 1);
    if (o->flits > 1 && !job->ops->flits)
        return NP_RAISE(NP_ERROR_APPLY, "algorithm '%s' of %s sends packets whole, not in %llu flits: try 1",
                        job->ops->info.name, job->ops->info.operation, (unsigned long long)o->flits);
    if (o->rounds && !job->ops->searches)
        return NP_RAISE(NP_ERROR_APPLY, "algorithm '%s' of %s is no search, so that --rounds %u cannot be heeded",
                        job->ops->info.name, job->ops->info.operation, o->rounds);
    return NP_OK;
}

/* The packets of the caller's traffic from rank to rank. */
static np_status rank_traffic(np_collective_job *job)
{
    const np_traffic *given = job->options.packets;
    uint32_t ranks = job->network->nodes, nodes = job->under->nodes;
    np_packet packets = np_traffic_packets(given);
    np_node *rank = NULL, *from = NULL, *to = NULL;
    np_status st;
    if (!(st = np_memory_zeroed(&rank, nodes, sizeof *rank, "the ranks of hosts")) &&
        !(st = np_memory_array(&from, packets, sizeof *from, "the packets of ranks")) &&
        !(st = np_memory_array(&to, packets, sizeof *to, "the packets of ranks"))) {
        for (uint32_t r = 0; r < ranks; r++)
            rank[np_ranks_host(job->under, job->host, r)] = r;
        for (np_packet i = 0; i < packets; i++) {
            from[i] = rank[np_traffic_sources(given)[i]];
            to[i] = rank[np_traffic_destinations(given)[i]];
        }
        st = np_traffic_from_arrays(job->network, packets, from, to, NULL, &job->own_traffic);
        job->traffic = job->own_traffic;
    }
    NP_MEMORY_FREE(rank, from, to);
    return st;
}

static np_status make_traffic(np_collective_job *job)
{
    char spec[32];
    const char *text = job->options.traffic;
    uint32_t most = job->ops->kind == NP_PERMUTATION ? 1 : job->options.k, h;
    np_status st;
    if (!text) {
        snprintf(spec, sizeof spec, job->ops->kind == NP_PERMUTATION ? "random" : "h-relation:%u", job->options.k);
        text = spec;
    }
    if (!(job->traffic = job->options.packets)) {
        if ((st = np_traffic_create(text, job->network, job->options.seed, 0, &job->own_traffic)))
            return st;
        job->traffic = job->own_traffic;
    } else if (job->among_ranks && (st = rank_traffic(job)))
        return st;
    if ((st = np_traffic_relation(job->traffic, job->network, &h)))
        return st;
    job->degree = h;
    if (job->ops->kind == NP_PERMUTATION && h > most)
        return NP_RAISE(NP_ERROR_APPLY,
                        "traffic '%s' is no permutation: some node sends or receives %u packets: try "
                        "k-k, or random",
                        text, h);
    if (job->options.traffic)
        job->options.k = h;
    job->pieces = np_traffic_packets(job->traffic);
    return job->pieces ? NP_OK : NP_RAISE(NP_ERROR_INPUT, "traffic '%s' has no packets", text);
}

/* Is there one thing, which may be cut into flits? If not, there is a piece of each node. */
static bool is_one(const np_collective_ops *ops)
{
    np_collective_kind of = ops->kind == NP_ALL_REDUCE && ops->mirrors ? ops->mirrors->kind : ops->kind;
    return of == NP_BROADCAST || of == NP_REDUCE || of == NP_SCAN || of == NP_ALL_REDUCE;
}

/* The data of a piece. What is combined is a vector, of which each piece is an equal part; a barrier has no data. */
static double part_of(const np_collective_job *job)
{
    np_collective_kind kind = job->ops->kind;
    double data = job->options.data;
    if (kind == NP_BARRIER)
        return 0;
    if (kind == NP_SCATTER || (job->shared && (kind == NP_GOSSIP || kind == NP_ALL_TO_ALL || kind == NP_GATHER)))
        return data / job->network->nodes;
    return is_one(job->ops) || np_collective_combines(kind) ? data / (double)job->pieces : data;
}

uint64_t np_collective_pieces(const np_collective_job *job)
{
    const np_collective_ops *ops = job->ops;
    uint64_t nodes = job->network->nodes;
    return ops->pieces                  ? ops->pieces(job)
           : ops->kind == NP_ALL_TO_ALL ? nodes * nodes
           : is_one(ops)                ? (ops->flits ? job->options.flits : 1)
                                        : nodes;
}

np_status np_collective_job_init(np_collective_job *job, const np_rank_net *ranks, const np_collective_ops *ops,
                                 const np_collective_options *options)
{
    const np_network *network = ranks->network;
    np_status st;
    *job = (np_collective_job){.network = network,
                               .under = ranks->under,
                               .host = ranks->host,
                               .model = ranks->model,
                               .among_ranks = ranks->played,
                               .core = ranks->core,
                               .shared = ranks->shared,
                               .ops = ops,
                               .options = *options,
                               .axes = np_axes_of(network)};
    if (options->packets)
        job->options.traffic = np_traffic_spec(options->packets);
    if ((st = find_root(network, &job->options)) || (st = check_options(job, &job->options)))
        return st;
    if (ops->flits && !job->options.flits)
        job->options.flits = ops->flits_unit ? ops->flits_unit : 1;
    job->ports = np_collective_ports_needed(network, ops);
    if (options->ports && (st = np_collective_ports_of(options->ports, &job->ports)))
        return st;
    if (ops->kind == NP_PERMUTATION || ops->kind == NP_K_K) {
        if ((st = make_traffic(job)))
            return st;
    } else
        job->pieces = np_collective_pieces(job);
    job->part = part_of(job);
    if (ops->check && (st = ops->check(job)))
        return st;
    return np_executor_fits(job);
}

void np_collective_job_clear(np_collective_job *job)
{
    np_traffic_free(job->own_traffic);
    np_memory_free(job->block);
}

size_t np_collective_transfers(const np_collective_job *job)
{
    return job->ops->transfers ? job->ops->transfers(job) : job->network->nodes;
}

void *np_collective_own(np_collective_job *job, np_arena *arena, void *counted, size_t size)
{
    np_arena_zeroed(arena, &job->own, 1, size, "a schedule");
    return job->own ? job->own : counted;
}

static void layout(void *object, np_arena *arena)
{
    np_collective_job *job = object;
    job->round.capacity = np_collective_transfers(job);
    np_round_layout(&job->round, arena);
    if (job->ops->own)
        job->ops->own(job, arena);
}

/* The transfers without which no schedule is complete: what a node learns comes over a link. 0: not known. */
static double needed(const np_collective_job *job)
{
    np_collective_kind kind = job->ops->kind;
    bool all_learn = kind == NP_GOSSIP || kind == NP_BROADCAST || kind == NP_REDUCE;
    return all_learn ? (double)job->pieces * (job->network->nodes - 1) : 0;
}

/* By a formula the rounds are known; else the share is that of the transfers. */
static np_status tell(const collective_result *r, const np_collective_job *job, uint64_t rounds, uint64_t transfers)
{
    uint64_t of = r->base.has_formula ? r->base.formula.rounds : 0;
    double all = of ? (double)of : needed(job), done = of ? (double)rounds : (double)transfers;
    return np_watch_check(&job->options.watch,
                          (np_progress){NULL, "rounds", rounds, of, all > done ? done / all : !!all});
}

/* Are the rounds kept? A model that is not by formula wants them, too. */
static bool keeps(const collective_result *r, const np_collective_job *job)
{
    return job->options.record || job->options.goal ||
           (r->ranks && r->ranks->played && r->ranks->model != NP_MODEL_ROUNDS);
}

static np_status play_rounds(collective_result *r, np_collective_job *job, np_executor *executor,
                             np_collective_log *log)
{
    const np_collective_options *o = &job->options;
    uint64_t transfers = 0, told = 0; /* told: transfers when the watch was asked */
    for (;;) {
        np_status st;
        job->round.count = 0;
        if ((st = job->ops->next(job)))
            return st;
        if (!job->round.count)
            return np_executor_finish(executor);
        if (job->new_phase)
            np_executor_bucket(executor);
        job->new_phase = false;
        if ((st = np_executor_play(executor, &job->round)) ||
            (keeps(r, job) && (st = np_round_log_add(&r->log, &job->round))) ||
            (o->observer && (st = np_collective_log_round(log, executor, &job->round))))
            return st;
        transfers += job->round.count;
        if (executor->rounds % ROUNDS_A_TELL && transfers - told < TRANSFERS_A_TELL)
            continue;
        told = transfers;
        if ((st = tell(r, job, executor->rounds, transfers)))
            return st;
    }
}

static np_status play(collective_result *r, np_collective_job *job)
{
    np_collective_log log = {.job = job};
    np_executor executor = {0};
    np_status st = np_arena_place(job, layout, "a schedule", &job->block);
    if (!st && job->ops->begin)
        st = job->ops->begin(job);
    if (!st && keeps(r, job))
        st = np_round_log_init(&r->log);
    if (!st && job->options.observer)
        st = np_collective_log_begin(&log);
    if (!st && !(st = np_executor_init(&executor, job, job->round.capacity)))
        st = play_rounds(r, job, &executor, &log);
    if (!st && job->options.observer)
        st = np_collective_log_tell(&log);
    r->base.rounds = executor.rounds;
    r->base.steps = executor.steps;
    r->base.transfers = executor.transfers;
    r->base.bucketed = executor.bucketed;
    np_executor_clear(&executor);
    np_collective_log_clear(&log);
    return st;
}

/* Formula and bound, and the job in words. */
static np_status describe(collective_result *r, np_collective_job *job)
{
    np_collective_result *out = &r->base;
    np_status st;
    if (!(r->network = np_memory_text(np_network_spec(job->under))))
        return np_status_last();
    if (job->options.place && !(r->place = np_memory_text(job->options.place)))
        return np_status_last();
    if (job->network->names && np_collective_rooted(job->ops->kind) &&
        !(r->root_name = np_memory_text(NP_NODE_NAME(job->network, job->options.root))))
        return np_status_last();
    const np_traffic *said = job->options.packets ? job->options.packets : job->traffic;
    if (said && !(r->traffic = np_memory_text(np_traffic_spec(said))))
        return np_status_last();
    if (job->ops->formula && (st = job->ops->formula(job, &out->formula)))
        return st;
    out->has_formula = *out->formula.text;
    out->formula_bucketed = job->ops->bucketed ? job->ops->bucketed(job) : 0;
    if ((st = np_collective_bound(job, &out->bound)))
        return st;
    out->network = r->network;
    out->root_name = r->root_name;
    out->traffic = r->traffic;
    out->operation = job->ops->info.operation;
    out->algorithm = job->ops->info.name;
    out->ports = np_collective_ports_name(job->ports);
    out->nodes = job->under->nodes;
    out->packets = job->ops->kind == NP_ALL_TO_ALL ? job->pieces - job->network->nodes : job->pieces;
    out->rooted = np_collective_rooted(job->ops->kind);
    out->root = job->options.root;
    out->size = job->options.data;
    out->cv = job->options.cv;
    out->ca = job->options.ca;
    out->ci = job->options.ci;
    out->flits = job->ops->flits ? job->options.flits : 0;
    out->seed = job->options.seed;
    out->bound_of_rounds = job->ops->kind == NP_GOSSIP;
    out->searched = job->ops->searches;
    out->routed = job->ops->route;
    return NP_OK;
}

/* What each rank must send at least, and by the best algorithm does, of `size`: as users of accelerators have it. */
static double bus_factor(np_collective_kind kind, double ranks)
{
    switch (kind) {
    case NP_ALL_REDUCE:
        return 2 * (ranks - 1) / ranks;
    case NP_BROADCAST:
    case NP_REDUCE:
    case NP_SCAN:
        return 1;
    default:
        return (ranks - 1) / ranks;
    }
}

/* The time by the model, and the bandwidths. */
static np_status find_time(collective_result *r, const np_collective_job *job)
{
    const np_collective_options *o = &job->options;
    np_collective_result *out = &r->base;
    double rate = o->link_rate / 8, unit = 1, steps;
    np_status st = NP_OK;
    out->model = np_model_name(r->ranks->model);
    out->ranks = job->network->nodes;
    out->part = job->part;
    out->place = r->place ? r->place : "linear";
    out->link_rate = o->link_rate;
    if (r->ranks->model == NP_MODEL_ROUNDS)
        steps = o->cv * job->part * (double)out->steps;
    else if ((st = np_model_time(job, &r->log, &steps)))
        return st;
    if (r->ranks->model == NP_MODEL_STEPS)
        unit = out->packet_size = np_model_packet(o->packet_size, o->link_rate);
    out->time = (rate > 0 ? steps * unit / rate : steps) + o->ca * (double)out->rounds;
    if (job->ops->kind != NP_BARRIER && job->ops->kind != NP_K_K && out->time > 0)
        out->algorithm_bandwidth = o->data / out->time;
    out->bus_bandwidth = out->algorithm_bandwidth * bus_factor(job->ops->kind, (double)out->ranks);
    return NP_OK;
}

static np_status write_goal(const collective_result *r, const np_collective_job *job)
{
    if (job->ops->route)
        return NP_RAISE(NP_ERROR_APPLY, "algorithm '%s' of %s makes no schedule that could be written: try another one",
                        job->ops->info.name, job->ops->info.operation);
    return np_goal_write(job->options.goal, job->network, &r->log, job->part);
}

static np_status do_it(collective_result *r, np_collective_job *job)
{
    np_collective_result *out = &r->base;
    np_status st = describe(r, job);
    if (!st)
        st = job->ops->route ? job->ops->route(job, out) : play(r, job);
    if (st)
        return st;
    out->optimal = job->optimal;
    out->optimal_of = job->optimal_of;
    out->cost = np_collective_cost(job, out->steps, out->rounds, out->bucketed);
    out->formula.cost = np_collective_cost(job, out->formula.steps, out->formula.rounds, out->formula_bucketed);
    if (r->ranks->played && (st = find_time(r, job)))
        return st;
    if (out->has_formula && (out->formula.rounds != out->rounds || out->formula.steps != out->steps))
        return NP_RAISE(NP_ERROR_INTERNAL, "%s by '%s' on %s: %llu rounds and %llu steps, but by formula %llu and %llu",
                        out->operation, out->algorithm, out->network, (unsigned long long)out->rounds,
                        (unsigned long long)out->steps, (unsigned long long)out->formula.rounds,
                        (unsigned long long)out->formula.steps);
    if (out->has_formula && out->formula_bucketed != out->bucketed)
        return NP_RAISE(NP_ERROR_INTERNAL, "%s by '%s' on %s: %llu packets are bucketed, but by formula %llu",
                        out->operation, out->algorithm, out->network, (unsigned long long)out->bucketed,
                        (unsigned long long)out->formula_bucketed);
    if (job->options.goal && (st = write_goal(r, job)))
        return st;
    if (!job->options.record || job->ops->route)
        return NP_OK;
    r->schedule = (np_collective_schedule){r->log.rounds, r->log.first, r->log.link, r->log.piece};
    out->schedule = &r->schedule;
    return NP_OK;
}

np_status np_collective_measure(const np_rank_net *ranks, const np_collective_ops *ops,
                                const np_collective_options *options, double *time)
{
    np_collective_options alone = *options;
    np_collective_job job;
    collective_result *r;
    np_status st = np_memory_zeroed(&r, 1, sizeof *r, "the result");
    if (st)
        return st;
    alone.record = false;
    alone.goal = NULL;
    alone.flits = 0;
    r->ranks = ranks;
    if (!(st = np_collective_job_init(&job, ranks, ops, &alone)))
        st = do_it(r, &job);
    *time = r->base.time;
    np_collective_job_clear(&job);
    np_collective_result_free(&r->base);
    return st;
}

/* Rounds, steps and cost of an algorithm: by its formula, else by playing it for nobody. */
static np_status price(const np_rank_net *ranks, const np_collective_ops *ops, const np_collective_options *options,
                       np_collective_figure *out)
{
    np_collective_options alone = *options;
    collective_result played = {0};
    np_collective_job job;
    alone.record = false;
    alone.goal = NULL;
    alone.observer = NULL;
    *out = (np_collective_figure){0};
    np_status st = np_collective_job_init(&job, ranks, ops, &alone);
    if (!st && ops->formula)
        st = ops->formula(&job, out);
    if (!st && *out->text)
        out->cost = np_collective_cost(&job, out->steps, out->rounds, ops->bucketed ? ops->bucketed(&job) : 0);
    else if (!st && !(st = ops->route ? ops->route(&job, &played.base) : play(&played, &job)))
        *out = (np_collective_figure){
            played.base.rounds, played.base.steps,
            np_collective_cost(&job, played.base.steps, played.base.rounds, played.base.bucketed), ""};
    np_collective_job_clear(&job);
    return st;
}

/* The algorithm that costs least under the ports that were asked for, of equals that of fewest rounds, of equals the
   first of the list. *ops: stays as it is if no other is cheaper, or none applies. */
static np_status cheapest(const np_rank_net *ranks, np_collective_kind kind, const np_collective_options *options,
                          const np_collective_ops **ops)
{
    const np_network *network = ranks->network;
    const np_collective_ops *next;
    np_collective_figure least = {.cost = (double)INFINITY}, figure;
    size_t place = 0;
    if (!np_collective_candidates(network, kind, options, &place) ||
        !np_collective_candidates(network, kind, options, &place))
        return NP_OK; /* nothing to choose from: it would be played for its price, and then again */
    for (place = 0; (next = np_collective_candidates(network, kind, options, &place));) {
        np_status st = price(ranks, next, options, &figure);
        if (st && st != NP_ERROR_APPLY)
            return st;
        if (st || figure.cost > least.cost || (figure.cost == least.cost && figure.rounds >= least.rounds))
            continue;
        least = figure;
        *ops = next;
    }
    return NP_OK;
}

static np_status choose(const np_rank_net *ranks, np_collective_kind kind, const np_collective_options *options,
                        const np_collective_ops **ops)
{
    np_status st = np_collective_choose(ranks->network, kind, options, ops);
    return st || options->algorithm || !options->ports ? st : cheapest(ranks, kind, options, ops);
}

/* Is there an algorithm for these ranks, and takes it the options? */
static np_status check_on(const np_rank_net *ranks, np_collective_kind kind, const np_collective_options *options)
{
    const np_collective_ops *ops;
    np_collective_job job;
    np_status st = choose(ranks, kind, options, &ops);
    if (st)
        return st;
    st = np_collective_job_init(&job, ranks, ops, options);
    np_collective_job_clear(&job);
    return !st && options->paths ? np_path_check(options->paths, ranks->under) : st;
}

/* Does it on these ranks. *r is made, and freed on an error. */
static np_status do_on(const np_rank_net *ranks, np_collective_kind kind, const np_collective_options *options,
                       collective_result **out)
{
    const np_collective_ops *ops;
    np_collective_job job;
    collective_result *r;
    np_status st = choose(ranks, kind, options, &ops);
    if (st || (st = np_memory_zeroed(&r, 1, sizeof *r, "the result")))
        return st;
    double begin = np_clock_seconds();
    r->ranks = ranks;
    if (!(st = np_collective_job_init(&job, ranks, ops, options)))
        st = do_it(r, &job);
    np_collective_job_clear(&job);
    r->base.wall_seconds = np_clock_seconds() - begin;
    r->ranks = NULL;
    if (st)
        np_collective_result_free(&r->base);
    else
        *out = r;
    return st;
}

/* out NULL: everything is looked at, and nothing is done. */
static np_status call(const np_network *network, const char *operation, const np_collective_options *given,
                      np_collective_result **out)
{
    np_collective_options options;
    np_collective_kind kind;
    collective_result *r = NULL;
    np_rank_net ranks;
    np_status st;
    if ((st = np_options_take(&np_collective_options_fields, given, &options)))
        return st;
    NP_ACCOUNT(options.memory_limit, "a smaller network or fewer flits");
    if ((st = np_collective_kind_of(operation, &kind)) || (st = check_asked(kind, operation, &options)))
        return st;
    if (!options.model && !strcmp(operation, "all-to-allv"))
        options.model = np_model_name(NP_MODEL_ROUNDS);
    if (!(st = np_rank_net_init(&ranks, network, operation, &options)))
        st = out ? do_on(&ranks, kind, &options, &r) : check_on(&ranks, kind, &options);
    np_rank_net_clear(&ranks);
    if (st || !out)
        return st;
    r->base.operation = np_collective_name(operation);
    *out = &r->base;
    return NP_OK;
}

np_status np_collective_check(const np_network *network, const char *operation, const np_collective_options *options)
{
    return call(network, operation, options, NULL);
}

np_status np_collective(const np_network *network, const char *operation, const np_collective_options *options,
                        np_collective_result **out)
{
    *out = NULL;
    return call(network, operation, options, out);
}
