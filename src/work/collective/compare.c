/*
 * Which algorithm is cheapest? With f flits an algorithm takes a f + b rounds, so it costs (c_v l/f + c_a) (a f + b)
 * = c_v l a + c_a b + c_v l b / f + c_a a f. The cost is least at f = sqrt(c_v l b / (c_a a)), so the best f is one of
 * the two whole numbers next to this value. What is bucketed between phases costs c_i l each; such algorithms have no
 * flits.
 */
#include <math.h>

#include "work/collective/collective.h"

enum { RANKS_FLITS = 4096 }; /* ours: more are many messages, and save next to nothing */

/* The figures of one algorithm with `flits` flits. If it fails, for example with NP_ERROR_APPLY, the algorithm is left
   out of the comparison. */
static np_status figure_of(const np_rank_net *ranks, const np_collective_ops *ops, const np_collective_options *options,
                           uint64_t flits, np_collective_figure *out, uint64_t *bucketed, double *part)
{
    np_collective_options with = *options;
    np_collective_job job;
    with.flits = flits;
    np_status st = np_collective_job_init(&job, ranks, ops, &with);
    *out = (np_collective_figure){0};
    *bucketed = 0;
    if (!st)
        st = ops->formula(&job, out);
    *part = st ? 0 : job.part / options->data * (ops->flits ? (double)flits : 1);
    if (!st && ops->bucketed)
        *bucketed = ops->bucketed(&job);
    np_collective_job_clear(&job);
    return st;
}

static np_status add_model(const np_rank_net *ranks, const np_collective_ops *ops, const np_collective_options *options,
                           np_collective_model *model, size_t *count)
{
    np_collective_figure one, two;
    uint64_t bucketed, unit = ops->flits_unit ? ops->flits_unit : 1;
    double part;
    np_status st = figure_of(ranks, ops, options, unit, &one, &bucketed, &part);
    if (st || !*one.text)
        return st;
    np_collective_model m = {ops->info.name, ops->flits, one.rounds, one.steps, 0, bucketed, part, ops->flits_unit, 0};
    if (ranks->played && ranks->model != NP_MODEL_ROUNDS && (st = np_collective_measure(ranks, ops, options, &m.time)))
        return st;
    if (m.flits) {
        if ((st = figure_of(ranks, ops, options, 2 * unit, &two, &bucketed, &part)))
            return st;
        m.per_flit = two.rounds - one.rounds;
    }
    model[(*count)++] = m;
    return NP_OK;
}

/* The models on the network on which algorithms play. */
static np_status find_models(const np_rank_net *ranks, np_collective_kind kind, const np_collective_options *options,
                             np_collective_model *model, size_t *count)
{
    const np_network *network = ranks->network;
    bool crossbar = np_collective_complete(network) && ranks->model == NP_MODEL_ROUNDS;
    np_ports asked = crossbar ? NP_ONE_PORT : NP_FULL_PORT;
    np_status st, refused = NP_OK;
    if (options->ports && (st = np_collective_ports_of(options->ports, &asked)))
        return st;
    const np_collective_ops *ops;
    for (size_t i = 0; (ops = np_registry_entry(&np_collective_algorithms, i)) && *count < NP_COLLECTIVE_MODELS; i++) {
        if (ops->kind != kind || !ops->formula || (ops->flits_unit && !ranks->played) ||
            np_collective_refuses(ops, network) || !np_collective_ports_allow(asked, network, ops))
            continue;
        if ((st = add_model(ranks, ops, options, model, count)) && st != NP_ERROR_APPLY)
            return st;
        refused = st ? st : refused;
    }
    if (*count)
        return NP_OK;
    if (refused)
        return refused; /* the last message says why */
    return NP_RAISE(NP_ERROR_APPLY,
                    "no algorithm with a formula does %s on %s with ports %s: do it without a comparison",
                    np_collective_operation(kind), np_network_spec(ranks->under), np_collective_ports_name(asked));
}

np_status np_collective_models(const np_network *network, const char *operation, const np_collective_options *given,
                               np_collective_model *model, size_t *count)
{
    np_collective_options options;
    np_collective_kind kind;
    np_rank_net ranks;
    np_status st;
    *count = 0;
    if ((st = np_options_take(&np_collective_options_fields, given, &options)) ||
        (st = np_collective_kind_of(operation, &kind)))
        return st;
    if (!(st = np_rank_net_init(&ranks, network, operation, &options)))
        st = find_models(&ranks, kind, &options, model, count);
    np_rank_net_clear(&ranks);
    return st;
}

static uint64_t unit_of(const np_collective_model *model) { return model->flits_unit ? model->flits_unit : 1; }

/* flits: a multiple of the unit. */
static np_collective_candidate price(const np_collective_model *model, const np_collective_options *o, uint64_t flits)
{
    uint64_t unit = unit_of(model);
    np_collective_candidate c = {
        model->algorithm, model->flits ? flits : 0, model->rounds, model->steps, 0, model->bucketed, model->time};
    c.rounds += (flits / unit - 1) * model->per_flit;
    c.steps += (flits / unit - 1) * model->per_flit;
    c.cost = o->cv * (o->data * model->part / (double)(model->flits ? flits : 1)) * (double)c.steps +
             np_collective_latency(o) * (double)c.rounds + o->ci * o->data * (double)model->bucketed;
    return c;
}

np_collective_candidate np_collective_price(const np_collective_model *model, const np_collective_options *options)
{
    np_collective_options defaults;
    np_collective_options_init(&defaults);
    const np_collective_options *o = options ? options : &defaults;
    uint64_t unit = unit_of(model);
    if (!model->flits || o->flits)
        return price(model, o, model->flits ? (o->flits + unit - 1) / unit * unit : 1);
    double limit = o->model ? RANKS_FLITS : UINT32_MAX, most = o->data > limit ? limit : floor(o->data);
    most = floor(most / (double)unit) < 1 ? 1 : floor(most / (double)unit); /* from here on in units */
    double a = (double)model->per_flit, b = (double)model->rounds - a;
    double ca = np_collective_latency(o), data = o->data * model->part / (double)unit;
    double best = ca > 0 && a > 0 ? sqrt(o->cv * data * (b > 0 ? b : 0) / (ca * a)) : most;
    best = best < 1 ? 1 : best > most ? most : floor(best);
    np_collective_candidate low = price(model, o, unit * (uint64_t)best);
    np_collective_candidate high = price(model, o, unit * (uint64_t)(best + 1 > most ? most : best + 1));
    return high.cost < low.cost ? high : low;
}

static bool before(const np_collective_candidate *a, const np_collective_candidate *b, bool timed)
{
    return timed ? a->time < b->time : a->cost < b->cost;
}

void np_collective_compare(size_t count, const np_collective_model *model, const np_collective_options *options,
                           np_collective_candidate *candidate)
{
    bool timed = count && model->time > 0;
    for (size_t i = 0; i < count; i++) { /* insertion sort, which keeps the order of equal ones */
        np_collective_candidate c = np_collective_price(&model[i], options);
        size_t place = i;
        for (; place && before(&c, &candidate[place - 1], timed); place--)
            candidate[place] = candidate[place - 1];
        candidate[place] = c;
    }
}
