/*
 * The distinguished path (Ranade 1987a, section 7) of a monotonic run.
 *
 * DS(M, s), the delaying set of message M at switch s, holds the messages that delay
 * M in its queue at s, the messages that delay one of these there, and so on. From
 * the time at which the first message of the set joined to the time before M is
 * served, the queue serves a message of the set at every instant. So DS(M, s) is
 * what the queue serves from tau on, before M. tau is the largest fixed point of
 * "tau = the first time at which M, or a message served from tau on and before M,
 * joined".
 *
 * The path is read from the output to the inputs:
 *   - M_p is the message that arrives last, s_p its last switch.
 *   - Q_i goes from s_i towards the inputs. It ends at s'_i, the first switch where
 *     DS(M_i, s'_i) holds a message of higher priority than M_i, or else at the input.
 *   - M_j is the most urgent message of DS(M_i, s'_i); of equally urgent messages, the
 *     one served first. So nothing delays M_j at s'_i. Q_j begins one switch nearer
 *     to the inputs.
 *
 * Theorem 3: for M' in DS(M, s_i) and j <= i,
 *   |DS(M, s_i) u .. u DS(M, s_j)| + D(M', s_(i+1)) >= D(M, s_j).
 * Corollary 1: |DS(M, s_n) u .. u DS(M, s_i)| >= D(M, s_i).
 *
 * With overlap messages enter the Router one set after the other. Section 6 leaves this out to "simplify the argument".
 * The argument stands if D counts from the first step of all: the time until a message M is there, r(M), is a delay
 * before stage n, of which no queue is the cause. The proof of Theorem 3 does not ask where D(M', s_(i+1)) comes from.
 * Corollary 1 is about D(M, s_i) - r(M), since M itself may be M' in the theorem. The messages of the path are at least
 * D(M_p, s_1) - r(M_1), where M_1 is the message at the path's end. The most urgent set comes first, so r(M_1) <=
 * r(M_p), and they are at least as many as M_p waits.
 */
#include "papers/constrained/monotonic.h"

#include "base/arena.h"
#include "base/memory.h"

typedef struct tracer {
    const np_router_run *run;
    void *block;
    np_packet **order; /* order and row are [stages + 1]: np_router_run_queues of each stage, from 1 */
    uint32_t **row;
    uint32_t *mark;      /* [messages] the round in which count_new last saw the message */
    uint32_t *path_mark; /* [messages] the round of the last segment that the message delays; 0: none yet */
    uint32_t round;
} tracer;

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "the queues of a run";
    tracer *t = object;
    size_t messages = t->run->messages, rows = ((size_t)1 << t->run->stages) + 1;
    np_arena_zeroed(arena, &t->order, (size_t)t->run->stages + 1, sizeof *t->order, what);
    np_arena_zeroed(arena, &t->row, (size_t)t->run->stages + 1, sizeof *t->row, what);
    np_arena_zeroed(arena, &t->mark, messages, sizeof *t->mark, what);
    np_arena_zeroed(arena, &t->path_mark, messages, sizeof *t->path_mark, what);
    for (uint32_t s = 1; s <= t->run->stages; s++) {
        np_packet *order;
        uint32_t *row;
        np_arena_array(arena, t->order ? &t->order[s] : &order, messages, sizeof *order, what);
        np_arena_array(arena, t->row ? &t->row[s] : &row, rows, sizeof *row, what);
    }
}

/* The caller frees t->block. */
static np_status tracer_init(tracer *t, const np_router_run *run)
{
    *t = (tracer){.run = run};
    np_status st = np_arena_place(t, layout, "the queues of a run", &t->block);
    for (uint32_t s = 1; s <= run->stages && !st; s++)
        st = np_router_run_queues(run, s, t->order[s], t->row[s]);
    return st;
}

/* *set = DS(m, s) in the order of service; returns its length. */
static uint32_t delaying_set(const tracer *t, np_packet m, uint32_t stage, const np_packet **set)
{
    const np_router_run *run = t->run;
    uint32_t queue = np_router_run_output(run, m, stage), low = t->row[stage][queue], high = t->row[stage][queue + 1];
    const np_packet *order = t->order[stage];
    np_step served = np_router_run_served(run, m, stage), tau = np_router_run_joins(run, m, stage);
    while (high - low > 1) { /* ends at the last one served no later than m: m itself */
        uint32_t middle = low + (high - low) / 2;
        if (np_router_run_served(run, order[middle], stage) <= served)
            low = middle;
        else
            high = middle;
    }
    uint32_t first = low;
    for (uint32_t begin = t->row[stage][queue]; first > begin; first--) {
        np_packet before = order[first - 1];
        if (np_router_run_served(run, before, stage) < tau)
            break;
        np_step joins = np_router_run_joins(run, before, stage);
        tau = joins < tau ? joins : tau;
    }
    *set = order + first;
    return low - first;
}

/* How many messages of the set are new in this round. */
static uint32_t count_new(uint32_t *mark, uint32_t round, const np_packet *set, uint32_t length)
{
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < length; i++) {
        fresh += mark[set[i]] != round;
        mark[set[i]] = round;
    }
    return fresh;
}

/*
 * Checks theorem 3 and corollary 1 for m. For every stage i it unites the sets of stages i, i-1, .., 1 and compares the
 * union with the delay. Theorem 3 is checked with the least D(M', s_(i+1)) of all M' in DS(M, s_i).
 */
static void check_message(tracer *t, np_packet m, np_constrained_explanation *out)
{
    const np_router_run *run = t->run;
    for (uint32_t i = run->stages; i >= 1; i--) {
        const np_packet *set;
        uint32_t united = 0, least = UINT32_MAX, length = delaying_set(t, m, i, &set);
        for (uint32_t k = 0; k < length; k++) {
            uint32_t total = np_router_run_total(run, set[k], i + 1);
            least = total < least ? total : least;
        }
        t->round++;
        for (uint32_t j = i; j >= 1; j--) {
            length = delaying_set(t, m, j, &set);
            united += count_new(t->mark, t->round, set, length);
            uint32_t delay = np_router_run_total(run, m, j);
            if (least != UINT32_MAX && (uint64_t)united + least < delay)
                out->theorem3 = false;
            if (i == run->stages && united < delay - run->release[m])
                out->corollary1 = false;
        }
    }
}

/* The most urgent message of the set; of equally urgent ones, the one served first. */
static np_packet most_urgent(const np_router_run *run, const np_packet *set, uint32_t length)
{
    np_packet best = set[0];
    for (uint32_t i = 1; i < length; i++)
        if (run->set[set[i]] > run->set[best])
            best = set[i];
    return best;
}

/* Q_i for m from stage `first` on. *next = the message M_j at which Q_i ends; NP_NONE if Q_i ends at the inputs. */
static np_constrained_segment trace(tracer *t, np_packet m, uint32_t first, np_packet *next, bool *disjoint)
{
    const np_router_run *run = t->run;
    np_constrained_segment q = {.priority = run->set[m],
                                .message = m,
                                .entered = run->from[m],
                                .destination = run->destination[m],
                                .first = first,
                                .delay = np_router_run_total(run, m, first) - run->release[m]};
    *next = NP_NONE;
    t->round++;
    for (uint32_t stage = first; stage <= run->stages && *next == NP_NONE; stage++) {
        const np_packet *set;
        uint32_t length = delaying_set(t, m, stage, &set);
        q.last = stage;
        q.delaying += count_new(t->mark, t->round, set, length);
        for (uint32_t k = 0; k < length; k++) {
            *disjoint &= !t->path_mark[set[k]] || t->path_mark[set[k]] == t->round;
            t->path_mark[set[k]] = t->round;
        }
        if (length && run->set[most_urgent(run, set, length)] > run->set[m])
            *next = most_urgent(run, set, length);
    }
    return q;
}

/* The one that arrives last. */
static np_packet slowest(const np_router_run *run)
{
    np_packet best = 0;
    for (np_packet m = 1; m < run->messages; m++)
        if (np_router_run_total(run, m, 1) > np_router_run_total(run, best, 1))
            best = m;
    return best;
}

static void follow(tracer *t, np_constrained_explanation *out)
{
    np_packet m = out->message, next;
    for (uint32_t stage = 1; stage <= t->run->stages && m != NP_NONE; m = next) {
        np_constrained_segment q = trace(t, m, stage, &next, &out->disjoint);
        out->segment[out->segments++] = q;
        out->described += q.delaying;
        stage = q.last + 1;
        out->released = t->run->release[next == NP_NONE ? m : next];
    }
    out->needed = np_router_run_total(t->run, out->message, 1) - out->released;
    for (size_t i = 0; i < out->segments; i++)
        check_message(t, out->segment[i].message, out);
}

np_status np_distinguished_path(const np_router_run *run, np_constrained_explanation *out)
{
    tracer t;
    size_t most = run->stages < run->sets ? run->stages : run->sets;
    np_status st = tracer_init(&t, run);
    if (!st && !(st = np_memory_array(&out->segment, most, sizeof *out->segment, "the distinguished path"))) {
        out->stages = run->stages;
        out->sets = run->sets;
        out->message = slowest(run);
        out->delay = np_router_run_total(run, out->message, 1) - run->release[out->message];
        out->disjoint = out->theorem3 = out->corollary1 = true;
        follow(&t, out);
    }
    np_memory_free(t.block);
    return st;
}
