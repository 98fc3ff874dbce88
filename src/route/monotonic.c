/*
 * Theorem 2 of Ranade 1987a: from any run of the Router to a monotonic one.
 *
 * a delays b at a stage if both are in the same queue when a is served. An inconsistency (a, b, s1,
 * t1) is that a delays b at s1, b delays a at some s2 nearer to the inputs, and
 * neither delays the other in between. Being non-repeating, the network takes both
 * by the same queues from s2 to s1. The least one (by stage from the outputs, then
 * time) is removed by exchanging a and b between s2 and s1: the instants at
 * which they are served at s2 and at the stages after it, up to but without s1. At
 * s1 each is served when it was, so nobody's arrival changes; a and b have the same
 * priority, since each went before the other.
 *
 * Where we depart from the paper. Its proof says that removing the least inconsistency
 * makes none as small, so that one ascending pass would do. That is not so: lots among equals
 * on 2^3 to 2^5 terminals leave inconsistencies behind after one pass (the proof
 * takes two messages that delay each other for an inconsistency at the place in question, but they
 * may do so in between as well). The theorem stands: an exchange at s1 leaves all up to s1 alone
 * and puts a and b, at stage s1 + 1, in the order of s1, which takes away inversions between the
 * orders of these two stages. So there are finitely many at stage 1, between
 * them finitely many at stage 2, and so on. Passes are repeated until one finds nothing.
 */
#include "route/monotonic.h"

#include "base/memory.h"

/* One stage's queues. */
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

static void sweep_clear(sweep *s)
{
    np_memory_free(s->order);
    np_memory_free(s->row);
}

/*
 * The stage nearest above `stage` at which one of a and b delays the other while they share a queue; 0 if there is
 * none. *first = the one that delays the other there.
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

/* What a and b do at the stages from `above` down to one above `stage`. */
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
 * All inconsistencies at one queue, in order of time: a is served, the others wait. What is exchanged lies above this
 * stage: who is served here and when stays, but not who waits, so a's queue is looked through again.
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
    np_status st = sweep_init(&s, (np_router_run *)run); /* which is only read */
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
