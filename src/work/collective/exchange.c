/*
 * All-to-all on a complete network whose nodes send and receive one message a round (Sibeyn): directly, in P - 1
 * permutations; or with fewer, longer messages, as on a mesh whose dimensions are the digits of the nodes' numbers.
 *
 * P = r_1 r_2 .. r_m. In round t of phase j, 1 <= t < r_j, a node sends to the node whose digit j is greater by t
 * modulo r_j. It sends all that it has for nodes with this digit j: P / r_j packets. Total: sum (r_j - 1) (c_v l P /
 * r_j + c_a):
 *
 *     direct       m = 1               c_v l (P - 1) + c_a (P - 1)
 *     two-phase    r = sqrt P          2 c_v l (P - sqrt P) + 2 c_a (sqrt P - 1)
 *     three-phase  r = cube root of P  3 c_v l (P - P^(2/3)) + 3 c_a (P^(1/3) - 1)
 *     logarithmic  r = 2               c_v log P l P/2 + c_a log P
 *
 * Between phases a node takes apart what it has received and puts it together for the next phase: of its P packets all
 * but the r_1 .. r_j that have come to their destination. That costs c_i l each.
 *
 * Sibeyn's notes take P to be a square. Where it is not, the factors with the least sum are taken: the fewest rounds.
 */
#include <stdio.h>

#include "work/collective/collective.h"

enum { DIGITS_MAX = 32 };

typedef struct exchange {
    uint32_t digits, radix[DIGITS_MAX];
    uint32_t phase, t, weight; /* weight: product of the radices before */
    bool turns;                /* the next round is the first of a phase, and not of all */
} exchange;

/* The largest divisor of n from `low` up to its square root; 0 if there is none. */
static uint32_t divisor(uint32_t n, uint32_t low)
{
    uint32_t best = 0;
    for (uint32_t a = low; (uint64_t)a * a <= n; a++)
        if (n % a == 0)
            best = a;
    return best;
}

static bool split_three(uint32_t n, uint32_t radix[3])
{
    uint32_t least = UINT32_MAX;
    for (uint32_t a = 2; (uint64_t)a * a * a <= n; a++) {
        uint32_t b = n % a ? 0 : divisor(n / a, 2);
        if (!b || a + b + n / a / b > least)
            continue;
        least = a + b + n / a / b;
        radix[0] = a;
        radix[1] = b;
        radix[2] = n / a / b;
    }
    return least < UINT32_MAX;
}

/* digits = 1, 2, 3, or 0: as many as there are bits. */
static bool split(uint32_t n, uint32_t digits, exchange *x)
{
    *x = (exchange){.digits = digits ? digits : np_log2_up(n), .t = 1, .weight = 1};
    if (digits == 1)
        x->radix[0] = n;
    if (digits == 3)
        return split_three(n, x->radix);
    if (digits == 2) {
        x->radix[0] = divisor(n, 2);
        x->radix[1] = x->radix[0] ? n / x->radix[0] : 0;
        return x->radix[0] > 0;
    }
    for (uint32_t i = 0; !digits && i < x->digits; i++)
        x->radix[i] = 2;
    return digits || !(n & (n - 1));
}

static np_status check(const np_collective_job *job)
{
    uint32_t n = job->network->nodes, digits = job->ops->variant;
    exchange x;
    if (split(n, digits, &x))
        return NP_OK;
    for (uint32_t away = 1;; away++) {
        uint32_t nearest = away + 2 <= n && split(n - away, digits, &x) ? n - away : n + away;
        if (split(nearest, digits, &x))
            return NP_RAISE(NP_ERROR_APPLY,
                            "algorithm '%s' does no all-to-all on %s because %u is no %s: the nearest is "
                            "complete:%u",
                            job->ops->info.name, np_network_spec(job->network), n,
                            digits == 2   ? "product of two numbers from 2 up"
                            : digits == 3 ? "product of three numbers from 2 up"
                                          : "power of two",
                            nearest);
    }
}

static void layout(void *object, np_arena *arena) { np_collective_own(object, arena, NULL, sizeof(exchange)); }

static np_status begin(np_collective_job *job)
{
    split(job->network->nodes, job->ops->variant, job->own);
    return NP_OK;
}

/* A node sends P / r packets in a round. */
static size_t transfers(const np_collective_job *job)
{
    uint32_t n = job->network->nodes, least = n;
    exchange x;
    split(n, job->ops->variant, &x);
    for (uint32_t i = 0; i < x.digits; i++)
        least = x.radix[i] < least ? x.radix[i] : least;
    return (size_t)n * (n / least);
}

/* u has the packets from nodes with the same digits as u from the phase's digit on, for nodes with the same digits as u
   before it. */
static np_status send(np_collective_job *job, const exchange *x, np_node u)
{
    uint32_t n = job->network->nodes, w = x->weight, radix = x->radix[x->phase], above = w * radix;
    uint32_t digit = (u / w % radix + x->t) % radix;
    np_node v = u - u / w % radix * w + digit * w;
    np_link link = u * (n - 1) + (v > u ? v - u : v + n - u) - 1;
    for (uint32_t low = 0; low < w; low++)
        for (uint32_t high = 0; high < n / above; high++) {
            np_status st = np_round_add(&job->round, link, (u / w * w + low) * n + u % w + digit * w + high * above);
            if (st)
                return st;
        }
    return NP_OK;
}

static np_status next(np_collective_job *job)
{
    exchange *x = job->own;
    if (x->phase == x->digits)
        return NP_OK;
    job->new_phase = x->turns;
    x->turns = false;
    for (np_node u = 0; u < job->network->nodes; u++) {
        np_status st = send(job, x, u);
        if (st)
            return st;
    }
    if (++x->t == x->radix[x->phase]) {
        x->weight *= x->radix[x->phase++];
        x->t = 1;
        x->turns = true;
    }
    return NP_OK;
}

static uint64_t bucketed(const np_collective_job *job)
{
    uint64_t n = job->network->nodes, arrived = 1, sum = 0;
    exchange x;
    split(job->network->nodes, job->ops->variant, &x);
    for (uint32_t i = 0; i + 1 < x.digits; i++)
        sum += n - (arrived *= x.radix[i]);
    return sum;
}

static np_status formula(const np_collective_job *job, np_collective_figure *out)
{
    static const char *const text[] = {"c_v log P l P/2 + c_a log P", "c_v l (P - 1) + c_a (P - 1)",
                                       "2 c_v l (P - sqrt P) + 2 c_a (sqrt P - 1)",
                                       "3 c_v l (P - P^(2/3)) + 3 c_a (P^(1/3) - 1)"};
    uint32_t n = job->network->nodes, digits = job->ops->variant, shortest = UINT32_MAX, longest = 0;
    exchange x;
    split(n, digits, &x);
    for (uint32_t i = 0; i < x.digits; i++) {
        out->rounds += x.radix[i] - 1;
        out->steps += (uint64_t)(x.radix[i] - 1) * (n / x.radix[i]);
        shortest = x.radix[i] < shortest ? x.radix[i] : shortest;
        longest = x.radix[i] > longest ? x.radix[i] : longest;
    }
    snprintf(out->text, sizeof out->text, "%s",
             shortest == longest ? text[digits] : "sum over the digits, r of them, of (r - 1) (c_v l P/r + c_a)");
    return NP_OK;
}

/*
 * Telephone: every pair meets once, as in a tournament. With P even, node P - 1 stays and the others go round. In round
 * t the nodes whose numbers add up to 2 t modulo P - 1 meet, and the node that would meet itself meets node P - 1. With
 * P odd, the numbers add up to 2 t modulo P, and the node that would meet itself is idle.
 */
static np_status next_tournament(np_collective_job *job)
{
    uint32_t nodes = job->network->nodes, ring = nodes - 1 + nodes % 2, t = job->count++;
    np_status st = NP_OK;
    for (uint32_t i = 0; t < ring && i < nodes && !st; i++) {
        uint32_t j = (uint32_t)((2 * (uint64_t)t + ring - i) % ring); /* i + j = 2 t */
        if (i == ring)
            j = t;
        else if (j == i)
            j = nodes % 2 ? i : ring;
        if (j != i)
            st = np_round_add(&job->round, np_collective_link(job->network, i, j), i * nodes + j);
    }
    return st;
}

static np_status formula_tournament(const np_collective_job *job, np_collective_figure *out)
{
    uint32_t nodes = job->network->nodes;
    out->rounds = out->steps = nodes - 1 + nodes % 2;
    snprintf(out->text, sizeof out->text, nodes % 2 ? "c_v l P + c_a P" : "c_v l (P - 1) + c_a (P - 1)");
    return NP_OK;
}

/* All links at once. */
static np_status next_at_once(np_collective_job *job)
{
    uint32_t nodes = job->network->nodes;
    np_status st = NP_OK;
    for (uint32_t i = 0; !job->count && i < nodes; i++)
        for (uint32_t j = 0; j < nodes && !st; j++)
            if (j != i)
                st = np_round_add(&job->round, np_collective_link(job->network, i, j), i * nodes + j);
    job->count = 1;
    return st;
}

static size_t transfers_at_once(const np_collective_job *job) { return job->network->links; }

static np_status formula_at_once(const np_collective_job *job, np_collective_figure *out)
{
    out->rounds = out->steps = job->network->nodes > 1;
    snprintf(out->text, sizeof out->text, "c_v l + c_a");
    return NP_OK;
}

#define PLAYS                                                                                                          \
    .kind = NP_ALL_TO_ALL, .refuses = np_collective_but_complete, .transfers = transfers, .own = layout,               \
    .begin = begin, .next = next, .formula = formula, .bucketed = bucketed

const np_collective_ops np_exchange_all_to_all_direct = {
    .info = {"direct", "P - 1 permutations, a packet to each", "Sibeyn, lecture notes", .operation = "all-to-all",
             .networks = "complete", .ports = "one-port"},
    .ports = NP_ONE_PORT,
    .check = check,
    .variant = 1,
    PLAYS,
};

const np_collective_ops np_exchange_all_to_all_two_phase = {
    .info = {"two-phase", "rows, then columns of a grid of the nodes", "Sibeyn, lecture notes",
             .operation = "all-to-all", .networks = "complete", .ports = "one-port"},
    .ports = NP_ONE_PORT,
    .check = check,
    .variant = 2,
    PLAYS,
};

const np_collective_ops np_exchange_all_to_all_three_phase = {
    .info = {"three-phase", "the same in three dimensions", "Sibeyn, lecture notes", .operation = "all-to-all",
             .networks = "complete", .ports = "one-port"},
    .ports = NP_ONE_PORT,
    .check = check,
    .variant = 3,
    PLAYS,
};

const np_collective_ops np_exchange_all_to_all_logarithmic = {
    .info = {"logarithmic", "the hypercube's: half of what a node has, k times", "Sibeyn, lecture notes",
             .operation = "all-to-all", .networks = "complete, 2^k nodes", .ports = "telephone"},
    .ports = NP_TELEPHONE,
    .check = check,
    .variant = 0,
    PLAYS,
};

const np_collective_ops np_exchange_all_to_all_tournament = {
    .info = {"tournament", "all pairs once: P - 1 rounds, P if P is odd", "", .operation = "all-to-all",
             .networks = "complete", .ports = "telephone"},
    .kind = NP_ALL_TO_ALL,
    .ports = NP_TELEPHONE,
    .single = true,
    .refuses = np_collective_but_complete,
    .next = next_tournament,
    .formula = formula_tournament,
};

const np_collective_ops np_exchange_all_to_all_at_once = {
    .info = {"at-once", "all links at once: one round", "", .operation = "all-to-all", .networks = "complete",
             .ports = "full-port"},
    .kind = NP_ALL_TO_ALL,
    .ports = NP_FULL_PORT,
    .single = true,
    .refuses = np_collective_but_complete,
    .transfers = transfers_at_once,
    .next = next_at_once,
    .formula = formula_at_once,
};
