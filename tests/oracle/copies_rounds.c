#include "oracle/copies_rounds.h"

#include <string.h>

#include "base/random.h"

enum { MOST = 512, COPIES = 15 };

typedef struct world {
    const oracle_copies_case *c;
    bool has[MOST][COPIES];  /* the request has reached the copy */
    bool asks[MOST][COPIES]; /* in this round */
    bool gets[MOST][COPIES]; /* in this round */
    uint64_t answered[MOST]; /* [modules] cells, in all rounds */
    oracle_copies_outcome out;
} world;

static uint32_t module_of(const world *w, uint32_t i, uint32_t k) { return w->c->module[i * w->c->copies + k]; }

static bool is_done(const world *w, uint32_t i)
{
    uint32_t reached = 0;
    for (uint32_t k = 0; k < w->c->copies; k++)
        reached += w->has[i][k];
    return reached >= w->c->quorum;
}

/* The module serves one more of those that ask it, that of the least lot. */
static bool serve_by_lot(world *w, uint32_t module)
{
    const np_draws draws = {w->c->seed, w->c->batch, (uint16_t)w->out.rounds, NP_RANDOM_TURN};
    bool *best = NULL;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < w->c->requests; i++)
        for (uint32_t k = 0; k < w->c->copies; k++)
            if (w->asks[i][k] && !w->gets[i][k] && module_of(w, i, k) == module &&
                np_random_u64(&draws, i, k) <= least) {
                least = np_random_u64(&draws, i, k);
                best = &w->gets[i][k];
            }
    if (best)
        *best = true;
    return best;
}

static uint32_t ask_count(const world *w, uint32_t module)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->c->requests; i++)
        for (uint32_t k = 0; k < w->c->copies; k++)
            count += w->asks[i][k] && module_of(w, i, k) == module;
    return count;
}

/* Returns how many cells the module serves in the round. */
static uint32_t serve(world *w, uint32_t module, bool collision)
{
    const uint32_t asked = ask_count(w, module);
    uint32_t served = 0;
    if (collision && asked > w->c->serves)
        return 0;
    while (served < w->c->serves && serve_by_lot(w, module))
        served++;
    w->answered[module] += served;
    return served;
}

/* How many of these messages are between a processor and a module: of the two that have most, at different nodes. */
static uint32_t busiest_pair(const world *w, bool message[MOST][COPIES])
{
    uint32_t most = 0;
    for (uint32_t processor = 0; processor < w->c->modules; processor++)
        for (uint32_t module = 0; module < w->c->modules; module++) {
            uint32_t count = 0;
            for (uint32_t i = processor * w->c->each; i < (processor + 1) * w->c->each && i < w->c->requests; i++)
                for (uint32_t k = 0; k < w->c->copies; k++)
                    count += message[i][k] && module_of(w, i, k) == module && module != processor;
            most = count > most ? count : most;
        }
    return most;
}

static uint32_t share_of(const oracle_copies_case *c, uint32_t i)
{
    return c->slack ? i % c->each / c->slack : i / c->together;
}

/* Returns whether a module served any request of the share. */
static bool play_round(world *w, uint32_t share, bool collision)
{
    uint32_t most = 0;
    memset(w->asks, 0, sizeof w->asks);
    memset(w->gets, 0, sizeof w->gets);
    for (uint32_t i = 0; i < w->c->requests; i++)
        for (uint32_t k = 0; k < w->c->copies && share_of(w->c, i) == share && !is_done(w, i); k++)
            w->asks[i][k] = !w->has[i][k];
    for (uint32_t module = 0; module < w->c->modules; module++) {
        const uint32_t served = serve(w, module, collision);
        most = served > most ? served : most;
    }
    w->out.steps += busiest_pair(w, w->asks) + most + busiest_pair(w, w->gets);
    for (uint32_t i = 0; i < w->c->requests; i++)
        for (uint32_t k = 0; k < w->c->copies; k++) {
            w->out.refused += w->asks[i][k] && !w->gets[i][k];
            w->has[i][k] |= w->gets[i][k];
        }
    w->out.rounds++;
    return most;
}

static void play_share(world *w, uint32_t share)
{
    bool collision = w->c->collision, left = true;
    while (left) {
        left = false;
        for (uint32_t i = 0; i < w->c->requests; i++)
            left |= share_of(w->c, i) == share && !is_done(w, i);
        if (!left)
            return;
        if (play_round(w, share, collision)) {
            collision = w->c->collision;
        } else {
            collision = false; /* in the next round */
            w->out.stalled++;
        }
    }
}

oracle_copies_outcome oracle_copies_rounds(const oracle_copies_case *c)
{
    static world w;
    memset(&w, 0, sizeof w);
    w.c = c;
    for (uint32_t share = 0; share < c->requests; share++)
        play_share(&w, share); /* those behind the last one have no requests */
    for (uint32_t module = 0; module < c->modules; module++)
        w.out.busiest = w.answered[module] > w.out.busiest ? w.answered[module] : w.out.busiest;
    return w.out;
}
