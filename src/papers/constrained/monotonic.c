/*
 * Theorem 2 of Ranade 1987a: from any run of the Router to a monotonic one.
 *
 * a delays b at a stage if both are in the same queue when a is served. An
 * inconsistency (a, b, s1, t1) is this: a delays b at s1; b delays a at some s2 nearer
 * to the inputs; neither delays the other at a stage in between. The network is
 * non-repeating, so a and b take the same queues from s2 to s1.
 *
 * The least inconsistency (by stage from the outputs, then by time) is removed by an
 * exchange of a and b: they exchange the instants at which they are served at s2
 * and at the stages after s2, up to s1 but not at s1. At s1 each is served when it was
 * before, so no arrival changes. a and b have the same priority, because each of them
 * went before the other once.
 *
 * Where we depart from the paper. The paper's proof says that the removal of the least
 * inconsistency makes none that is as small, so one ascending pass would do. This is
 * not so: with lots among equals on 2^3 to 2^5 terminals, one pass leaves
 * inconsistencies behind. (The proof takes two messages that delay each other for an
 * inconsistency at the place in question. They may delay each other in between as well.)
 *
 * The theorem stands. An exchange at s1 changes nothing at the stages up to s1. At
 * stage s1 + 1 it puts a and b in the order of s1, and so removes inversions between
 * the orders of these two stages. So there are finitely many exchanges at stage 1,
 * between two of them finitely many at stage 2, and so on. Passes are repeated until
 * a pass finds nothing.
 */
#include "papers/constrained/monotonic.h"

#include "base/memory.h"

/* The queues of one stage. */
typedef struct sweep {
    np_router_run *run;
    uint32_t stage;
    np_packet *order;
    uint32_t *row;
} sweep;

static np_status sweep_init(sweep *s, np_router_run *run)
{
    np_status st;
    *s = (sweep){.run = run};
    if ((st = np_memory_array(&s->order, run->messages, sizeof *s->order, "a stage's queues")))
        return st;
    return np_memory_array(&s->row, ((size_t)1 << run->stages) + 1, sizeof *s->row, "a stage's queues");
}

static void sweep_clear(sweep *s) { NP_MEMORY_FREE(s->order, s->row); }

/*
 * The nearest stage above `stage` at which a and b share a queue and one delays the other. *first = the one that delays
 * the other there. 0: there is no such stage.
 */
static uint32_t met_before(const np_router_run *run, np_packet a, np_packet b, uint32_t stage, np_packet *first)
{
    for (uint32_t s = stage + 1; s <= run->stages; s++) {
        if (np_router_run_output(run, a, s) != np_router_run_output(run, b, s))
            return 0; /* their paths had not met */
        *first = np_router_run_delays(run, a, b, s) ? a : b;
        if (*first == a || np_router_run_delays(run, b, a, s))
            return s;
    }
    return 0;
}

/* Exchanges when a and b are served at the stages from `above` down to stage + 1. */
static void exchange(np_router_run *run, np_packet a, np_packet b, uint32_t above, uint32_t stage)
{
    for (uint32_t s = above; s > stage; s--) {
        np_step *x = &run->leave[(size_t)a * run->stages + (run->stages - s)];
        np_step *y = &run->leave[(size_t)b * run->stages + (run->stages - s)];
        np_step swap = *x;
        *x = *y;
        *y = swap;
    }
}

/*
 * Removes all inconsistencies at one queue, in order of time: a = order[i] is served, later ones may wait. An exchange
 * changes stages above this one only. So the order of service here stays, with its times, but other messages may wait
 * while a is served. After an exchange the queue behind a is therefore looked through again.
 */
static void settle_queue(sweep *s, const np_packet *order, uint32_t length, uint64_t *exchanges)
{
    np_router_run *run = s->run;
    for (uint32_t i = 0; i < length; i++)
        for (uint32_t j = i + 1; j < length; j++) {
            np_packet first;
            uint32_t above = 0;
            if (np_router_run_delays(run, order[i], order[j], s->stage))
                above = met_before(run, order[i], order[j], s->stage, &first);
            if (above && first == order[j]) {
                exchange(run, order[i], order[j], above, s->stage);
                ++*exchanges;
                j = i;
            }
        }
}

/* One ascending pass. */
static np_status pass(sweep *s, uint64_t *exchanges)
{
    np_status st = NP_OK;
    for (s->stage = 1; s->stage < s->run->stages && !st; s->stage++) {
        st = np_router_run_queues(s->run, s->stage, s->order, s->row);
        for (uint32_t p = 0; p < UINT32_C(1) << s->run->stages && !st; p++)
            settle_queue(s, s->order + s->row[p], s->row[p + 1] - s->row[p], exchanges);
    }
    return st;
}

np_status np_monotonic_make(np_router_run *run, uint64_t *exchanges, uint32_t *passes)
{
    sweep s;
    np_status st = sweep_init(&s, run);
    uint64_t before = UINT64_MAX;
    *exchanges = 0;
    for (*passes = 0; !st && *exchanges != before; ++*passes) {
        before = *exchanges;
        st = pass(&s, exchanges);
    }
    sweep_clear(&s);
    return st;
}

np_status np_monotonic_count(const np_router_run *run, uint64_t *pairs)
{
    sweep s;
    np_status st = sweep_init(&s, (np_router_run *)run); /* the run is only read */
    *pairs = 0;
    for (s.stage = 1; s.stage < run->stages && !st; s.stage++) {
        st = np_router_run_queues(run, s.stage, s.order, s.row);
        for (uint32_t p = 0; p < UINT32_C(1) << run->stages && !st; p++)
            for (uint32_t i = s.row[p]; i < s.row[p + 1]; i++)
                for (uint32_t j = i + 1; j < s.row[p + 1]; j++) {
                    np_packet first, a = s.order[i], b = s.order[j];
                    *pairs += np_router_run_delays(run, a, b, s.stage) && met_before(run, a, b, s.stage, &first) &&
                              first == b;
                }
    }
    sweep_clear(&s);
    return st;
}
