/*
 * The scheme `locked`: packets lock down whole paths, q to a link, and those that fail try again in the next round.
 * Nothing is queued beyond q packets, and there are no ghosts, ranks that packets carry, or tokens.
 *
 * Source: Maggs & Sitaraman, "Simple algorithms for routing on butterfly networks with bounded queues" (STOC 1992; SIAM
 * J. Comput. 28(3), 1999), after Koch 1988. We had the abstract alone: if each wire supports q messages, then for any
 * permutation the expected number of messages that lock down their paths in back-to-back butterflies, by way of random
 * intermediate destinations, is Omega(N / (log N)^(1/q)). That is our first round on `benes:N` with the paths `spray`,
 * and on `butterfly-io:n` with one random packet an input. Rounds until all have arrived are ours.
 *
 * A round. All packets that are left send their heads, level by level, a level a step; a link takes the heads of q
 * packets and refuses the rest, in an order that is drawn anew in each round. What a refused head has locked stays
 * locked in this round: nobody else comes to a lower level. Heads are signals: q of them cross a link in one step, and
 * the answers come back in as many steps as the heads took. Then the packets with whole paths move, first come first
 * served at each link. A queue holds at most q of them, since no more lock its link.
 *
 * Every round delivers q packets, or all that are left: of the heads that come to a link q go on, or all, so of those
 * on a level, too. Paths of these networks have one length and pass a link on one level. So there are at most N / q
 * rounds, rounded up.
 *
 * The expected number of a first round with random destinations, a packet an input, is exact: packets of the two links
 * into a switch come from different inputs, so their counts are independent, and each takes either way out with
 * probability 1/2 (Patel 1981 for q = 1: p' = 1 - (1 - p/2)^2). tests/unit/test_locked.c computes it.
 *
 * Symbols: q, N as above; d links of a path.
 */
#include "papers/resampled/schedule.h"

#include "base/memory.h"
#include "base/order.h"

#include <stdlib.h>

typedef struct locks {
    np_schedule *s;
    np_keyed *left;             /* [packets] not at home yet: `count`, in the order of a round */
    np_packet *going, *scratch; /* [packets] those whose heads go on, or that move */
    uint32_t *after, *came; /* [packets] of those: the step in which each came, from the beginning of the moves on */
    uint32_t *row;          /* [hops + 2] scratch */
    uint32_t *item;         /* [packets] scratch */
    uint32_t *taken;        /* [links] heads that locked it in this round */
    np_packet count;
} locks;

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "packets that lock their paths";
    locks *l = object;
    const np_path_list *paths = l->s->paths;
    np_arena_array(arena, &l->left, paths->packets, sizeof *l->left, what);
    np_arena_array(arena, &l->row, (size_t)paths->hops + 2, sizeof *l->row, what);
    for (np_packet **list = &l->going; list <= &l->scratch; list++)
        np_arena_array(arena, list, paths->packets, sizeof **list, what);
    NP_ARENA_WORDS(arena, paths->packets, what, &l->after, &l->came, &l->item);
    np_arena_zeroed(arena, &l->taken, paths->links, sizeof *l->taken, what);
}

static np_link link_of(const locks *l, np_packet packet, uint32_t level)
{
    return l->s->paths->link[l->s->paths->first[packet] + level];
}

/* ---- A round ---- */

static void draw_order(locks *l, np_draws base, uint32_t round)
{
    const np_draws draws = np_draws_for(base, NP_RANDOM_RANK);
    for (np_packet i = 0; i < l->count; i++)
        l->left[i].key = np_random_u64(&draws, l->left[i].item, round);
    qsort(l->left, l->count, sizeof *l->left, np_order_keyed);
}

/* Sends the heads. Those of the packets in `going` lock whole paths; returns how many. */
static np_packet lock(locks *l)
{
    np_packet going = l->count;
    for (np_packet i = 0; i < going; i++)
        l->going[i] = l->left[i].item;
    for (uint32_t level = 0; level < l->s->paths->dilation; level++) {
        np_packet heads = going;
        going = 0;
        for (np_packet i = 0; i < heads; i++) {
            uint32_t *taken = &l->taken[link_of(l, l->going[i], level)];
            if (*taken == l->s->queue_size)
                continue;
            ++*taken;
            l->going[going++] = l->going[i];
        }
    }
    return going;
}

/* Unlocks all links, and takes the packets that have arrived from those that are left. */
static void unlock(locks *l, np_packet arrived)
{
    const np_path_list *paths = l->s->paths;
    np_packet kept = 0;
    for (np_packet i = 0; i < l->count; i++)
        for (uint32_t level = 0; level < paths->dilation; level++)
            l->taken[link_of(l, l->left[i].item, level)] = 0;
    for (np_packet i = 0; i < arrived; i++)
        l->s->last[l->going[i]] = 1;
    for (np_packet i = 0; i < l->count; i++)
        if (!l->s->last[l->left[i].item])
            l->left[kept++] = l->left[i];
    l->count = kept;
}

/* The packets in order of the steps in which they came; those of one step stay in their order. */
static void sort_by_coming(locks *l, np_packet moving, uint32_t latest)
{
    np_packet *sorted = l->scratch;
    uint32_t *came = l->came;
    np_order_rows((size_t)latest + 1, moving, l->after, l->row, l->item);
    for (np_packet i = 0; i < moving; i++) {
        sorted[i] = l->going[l->item[i]];
        came[i] = l->after[l->item[i]];
    }
    l->scratch = l->going;
    l->going = sorted;
    l->came = l->after;
    l->after = came;
}

/* Moves the packets in `going` along their paths, from step `begin` on. Returns the last step. */
static np_step move(locks *l, np_packet moving, np_step begin)
{
    const np_path_list *paths = l->s->paths;
    np_step *busy = l->s->count; /* the last crossing of a link, from `begin` on */
    uint32_t latest = 0;
    for (np_packet i = 0; i < moving; i++)
        l->after[i] = 0;
    for (uint32_t level = 0; level < paths->dilation; level++) {
        for (np_packet i = 0; i < moving; i++) {
            uint32_t hop = paths->first[l->going[i]] + level;
            np_step *link = &busy[paths->link[hop]];
            *link = (*link > l->after[i] ? *link : l->after[i]) + 1;
            l->after[i] = *link;
            l->s->step[hop] = begin + *link;
            latest = *link > latest ? *link : latest;
        }
        for (np_packet i = 0; i < moving; i++)
            busy[link_of(l, l->going[i], level)] = 0;
        sort_by_coming(l, moving, latest);
    }
    return begin + latest;
}

/* ---- The scheme ---- */

static np_status play_rounds(locks *l, const np_runner_job *job)
{
    np_schedule *s = l->s;
    const np_path_list *paths = s->paths;
    np_step step = 0;
    np_status st;
    for (np_packet i = 0; i < paths->packets; i++)
        l->left[i].item = i;
    for (l->count = paths->packets; l->count;) {
        draw_order(l, job->draws, s->out->rounds);
        np_packet before = l->count, arrived = lock(l);
        step = move(l, arrived, step + 2 * paths->dilation);
        unlock(l, arrived);
        s->out->blocked += l->count;
        if (!s->out->rounds++)
            s->out->locked = arrived;
        if (l->count == before)
            return NP_RAISE(NP_ERROR_INTERNAL, "no packet locks its path in round %u", s->out->rounds);
        if ((st = np_watch_share(np_runner_watch(job), NULL, 1 - (double)l->count / paths->packets)))
            return st;
    }
    s->out->steps = step;
    return NP_OK;
}

static np_status find(np_schedule *s, const np_runner_job *job)
{
    locks l = {.s = s};
    void *block;
    np_status st = np_arena_place(&l, layout, "packets that lock their paths", &block);
    if (st)
        return st;
    st = play_rounds(&l, job);
    np_memory_free(block);
    return st;
}

/* In each of at most N / q rounds heads and answers take 2 d steps, and in every other step a packet moves. */
static uint64_t keys(const np_schedule *of)
{
    const uint64_t q = of->queue_size, rounds = (of->paths->packets + q - 1) / q;
    return 2 * rounds * of->paths->dilation + of->paths->hops;
}

static uint64_t bytes(const np_schedule *of)
{
    np_schedule s = *of;
    locks l = {.s = &s};
    return np_arena_bytes(&l, 0, layout);
}

/* By way of a random switch in the middle, on a Benes network. */
static const char *paths(const np_network *network) { return np_network_is(network, NP_KIND_BENES) ? "spray" : NULL; }

static const np_only only = {NP_KIND_BUTTERFLY_IO | NP_KIND_OMEGA | NP_KIND_INVERSE_OMEGA | NP_KIND_BENES,
                             "its paths must have one length and pass each link on one level"};

const np_scheme np_scheme_locked = {
    .info = {"locked", "in rounds: packets that lock whole paths, q to a link, move; the others try again",
             "Maggs & Sitaraman 1999, after Koch 1988", .networks = "butterfly-io, omega, inverse-omega, benes"},
    .only = &only,
    .runner = &np_schedule_runner,
    .parameters =
        &(const np_scheduler){"locked", .in_rounds = true, .paths = paths, .keys = keys, .bytes = bytes, .find = find},
    .heeds = NP_NAMES("queue_size", "paths", "trace"),
};
