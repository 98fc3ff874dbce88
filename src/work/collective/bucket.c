/*
 * Gossip among ranks by rings along the dimensions of a grid, one after the other (Barnett, Littlefield, Payne & van de
 * Geijn 1995, "bucket"). Rank r is a number whose digits have the radices r_1, .., r_m, the first the lowest.
 *
 * In round t of phase j, 1 <= t < r_j, a rank sends to the next rank of its ring along dimension j what it got in the
 * round before, and first its own: all that the rank t - 1 places behind it knew when the phase began. Phases go from
 * dimension m to 1. In phase j, ranks know the packets of those that differ from them in dimensions j + 1, .., m only:
 * r_(j+1) .. r_m packets a message. Rounds: the sum of r_j - 1; steps: P - 1.
 *
 * With one dimension it is a ring of all ranks. With two, the ranks of a switch and the switches, it is what users of
 * accelerators call hierarchical. The direct exchange stands here too: one round in which all tell all.
 */
#include <stdio.h>

#include "work/collective/collective.h"

enum { RING, BUCKET, HIERARCHICAL, DIGITS_MAX = NP_MAX_DIMENSIONS + 1 };

typedef struct digits {
    uint32_t count, radix[DIGITS_MAX], weight[DIGITS_MAX + 1]; /* weight: the product of the radices before */
} digits;

typedef struct bucket {
    digits digits;
    uint32_t phase, t; /* phase: dimensions that are left */
} bucket;

static void add_digit(digits *d, uint32_t radix)
{
    if (radix < 2)
        return;
    d->weight[d->count + 1] = d->weight[d->count] * radix;
    d->radix[d->count++] = radix;
}

/* The node that a host hangs on. */
static np_node switch_of(const np_collective_job *job, uint32_t rank)
{
    const np_network *network = job->under;
    np_node host = job->host ? job->host[rank] : np_network_input(network, rank);
    for (np_port port = 0; port < network->ports; port++) {
        np_link link = np_network_link_at(network, host, port);
        if (link != NP_NONE)
            return np_network_link_head(network, link);
    }
    return NP_NONE;
}

/* How many ranks follow one another on each switch; 0: not the same number on all. */
static uint32_t ranks_a_switch(const np_collective_job *job)
{
    uint32_t ranks = job->network->nodes, group = 1;
    while (group < ranks && switch_of(job, group) == switch_of(job, 0))
        group++;
    for (uint32_t r = 0; r < ranks; r++)
        if ((r % group && switch_of(job, r) != switch_of(job, r - 1)) ||
            (r && r % group == 0 && switch_of(job, r) == switch_of(job, r - 1)))
            return 0;
    return ranks % group ? 0 : group;
}

static np_status find_groups(const np_collective_job *job, digits *d)
{
    uint32_t ranks = job->network->nodes;
    uint32_t group = job->under == job->network || np_network_all_terminals(job->under) ? 1 : ranks_a_switch(job);
    if (group < 2 || group == ranks)
        return NP_RAISE(NP_ERROR_APPLY, "algorithm '%s': the ranks of %s are not in groups on its switches, try 'ring'",
                        job->ops->info.name, np_network_spec(job->under));
    add_digit(d, group);
    add_digit(d, ranks / group);
    return NP_OK;
}

/* The coordinates of a grid, behind them the hosts of its nodes, if it has any. */
static np_status find_grid(const np_collective_job *job, digits *d)
{
    const np_network *grid = job->under->switches ? job->under->switches : job->under;
    np_axes axes = np_axes_of(grid);
    if (!axes.count)
        return NP_RAISE(NP_ERROR_APPLY, "algorithm '%s': %s has no dimensions, try 'ring'", job->ops->info.name,
                        np_network_spec(job->under));
    if (job->under->switches)
        add_digit(d, job->under->per_switch);
    for (uint32_t stride = 1, a; stride < grid->nodes;) { /* by ascending strides */
        for (a = 0; axes.stride[a] != stride || axes.side[a] < 2;)
            a++;
        add_digit(d, axes.side[a]);
        stride *= axes.side[a];
    }
    return NP_OK;
}

static np_status find_digits(const np_collective_job *job, digits *d)
{
    *d = (digits){.weight = {1}};
    if (job->ops->variant == HIERARCHICAL)
        return find_groups(job, d);
    if (job->ops->variant == BUCKET)
        return find_grid(job, d);
    add_digit(d, job->network->nodes);
    return NP_OK;
}

static np_status check(const np_collective_job *job)
{
    digits d;
    return find_digits(job, &d);
}

static void layout(void *object, np_arena *arena)
{
    np_collective_job *job = object;
    bucket counted;
    np_collective_own(job, arena, &counted, sizeof counted);
}

static np_status begin(np_collective_job *job)
{
    bucket *b = job->own;
    np_status st = find_digits(job, &b->digits);
    b->phase = b->digits.count;
    return st;
}

/* The rank whose digit j is that of `rank` and so many more, modulo the radix. */
static uint32_t turned(const digits *d, uint32_t rank, uint32_t j, uint32_t more)
{
    uint32_t digit = rank / d->weight[j] % d->radix[j], to = (digit + more) % d->radix[j];
    return rank + (to - digit) * d->weight[j];
}

/* What `rank` sends along dimension j: the packets of `of` and of those that differ from it in later dimensions. */
static np_status send(np_collective_job *job, const digits *d, uint32_t j, uint32_t rank, uint32_t of)
{
    np_link link = np_collective_link(job->network, rank, turned(d, rank, j, 1));
    uint32_t step = d->weight[j + 1];
    np_status st = NP_OK;
    for (uint32_t piece = of % step; piece < job->network->nodes && !st; piece += step)
        st = np_round_add(&job->round, link, piece);
    return st;
}

static np_status next(np_collective_job *job)
{
    bucket *b = job->own;
    const digits *d = &b->digits;
    np_status st = NP_OK;
    if (b->phase && ++b->t == d->radix[b->phase - 1]) {
        b->phase--;
        b->t = 1;
    }
    if (!b->phase)
        return NP_OK;
    uint32_t j = b->phase - 1;
    for (uint32_t rank = 0; rank < job->network->nodes && !st; rank++)
        st = send(job, d, j, rank, turned(d, rank, j, d->radix[j] - (b->t - 1)));
    return st;
}

/* The most packets of a message, those of the last phase, from each rank. */
static size_t transfers(const np_collective_job *job)
{
    digits d;
    if (find_digits(job, &d))
        return 1;
    return (size_t)job->network->nodes * (job->network->nodes / d.radix[0]);
}

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    digits d;
    np_status st = find_digits(job, &d);
    if (st)
        return st;
    for (uint32_t j = 0; j < d.count; j++)
        out->rounds += d.radix[j] - 1;
    out->steps = job->network->nodes - 1;
    snprintf(out->text, sizeof out->text, "c_v l (P - 1) + c_a %s",
             job->ops->variant == RING ? "(P - 1)" : "sum of (r_j - 1)");
    return NP_OK;
}

static np_status next_direct(np_collective_job *job)
{
    uint32_t nodes = job->network->nodes;
    np_status st = NP_OK;
    for (np_link link = 0; !job->count && link < nodes * (nodes - 1) && !st; link++)
        st = np_round_add(&job->round, link, link / (nodes - 1));
    job->count = 1;
    return st;
}

static size_t transfers_direct(const np_collective_job *job) { return job->network->links; }

static np_status formula_direct(const np_collective_job *job, np_collective_figure *out)
{
    (void)job;
    out->rounds = out->steps = 1;
    snprintf(out->text, sizeof out->text, "c_v l + c_a");
    return NP_OK;
}

#define PLAYS                                                                                                          \
    .kind = NP_GOSSIP, .ports = NP_ONE_PORT, .refuses = np_collective_but_complete, .check = check,                    \
    .transfers = transfers, .own = layout, .begin = begin, .next = next, .formula = formula

/* Played backwards alone: "ring" of gossip is ring_gossip.c, which is for all networks with such a cycle. */
const np_collective_ops np_bucket_ring = {
    .info = {"ring", "round a ring: P - 1", "", .operation = "gossip", .networks = "complete", .ports = "one-port"},
    .single = true,
    .variant = RING,
    PLAYS,
};

const np_collective_ops np_bucket_gossip = {
    .info = {"bucket", "rings along one dimension after the other", "Barnett et al. 1995", .operation = "gossip",
             .networks = "grids, among ranks", .ports = "one-port"},
    .variant = BUCKET,
    PLAYS,
};

const np_collective_ops np_bucket_gossip_hierarchical = {
    .info = {"hierarchical", "rings among switches, then of the hosts of a switch", "", .operation = "gossip",
             .networks = "hosts on switches, among ranks", .ports = "one-port"},
    .variant = HIERARCHICAL,
    PLAYS,
};

const np_collective_ops np_bucket_direct = {
    .info = {"direct", "all tell all at once: one round", "", .operation = "gossip", .networks = "complete",
             .ports = "full-port"},
    .kind = NP_GOSSIP,
    .ports = NP_FULL_PORT,
    .single = true,
    .refuses = np_collective_but_complete,
    .transfers = transfers_direct,
    .next = next_direct,
    .formula = formula_direct,
};
