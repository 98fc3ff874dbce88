#include "oracle/ranks.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { RANKS = 16 };

typedef enum operation { MEET, MOVE, GATHER } operation;

/* What a rank shows the others. */
typedef struct shown {
    operation operation;
    size_t size;
    const void *from;
    const uint64_t *counts;
} shown;

typedef struct world {
    uint32_t ranks;
    pthread_barrier_t barrier;
    shown shown[RANKS];
    void (*work)(void *context, const np_job *job);
    void *context;
} world;

typedef struct rank {
    world *world;
    np_job job;
    uint64_t messages, bytes;
    pthread_t thread;
} rank;

static void refuse(const rank *r, uint32_t other, const char *what)
{
    fprintf(stderr, "ranks %u and %u: %s\n", r->job.rank, other, what);
    abort();
}

/* All ranks show what they have; none goes on before all do the same. */
static void show(rank *r, shown mine)
{
    world *w = r->world;
    w->shown[r->job.rank] = mine;
    pthread_barrier_wait(&w->barrier);
    for (uint32_t i = 0; i < w->ranks; i++)
        if (w->shown[i].operation != mine.operation || w->shown[i].size != mine.size)
            refuse(r, i, "different operations");
}

static np_status leave(rank *r)
{
    pthread_barrier_wait(&r->world->barrier);
    return NP_OK;
}

static np_status meet(void *context, size_t words, const uint64_t *say, uint64_t *hear)
{
    rank *r = context;
    show(r, (shown){MEET, words, say, NULL});
    for (uint32_t i = 0; i < r->world->ranks; i++)
        memcpy(hear + i * words, (const uint64_t *)r->world->shown[i].from + r->job.rank * words, words * sizeof *hear);
    return leave(r);
}

static np_status move(void *context, size_t size, const void *send, const uint64_t *sends, void *receive,
                      const uint64_t *receives)
{
    rank *r = context;
    char *to = receive;
    show(r, (shown){MOVE, size, send, sends});
    for (uint32_t i = 0; i < r->world->ranks; i++) {
        const shown *s = &r->world->shown[i];
        const char *from = s->from;
        for (uint32_t k = 0; k < r->job.rank; k++)
            from += s->counts[k] * size;
        if (s->counts[r->job.rank] != receives[i])
            refuse(r, i, "what is sent is not what is received");
        if (receives[i])
            memcpy(to, from, receives[i] * size);
        to += receives[i] * size;
    }
    return leave(r);
}

static np_status gather(void *context, size_t size, const void *mine, const uint64_t *counts, void *all)
{
    rank *r = context;
    char *to = all;
    show(r, (shown){GATHER, size, mine, counts});
    for (uint32_t i = 0; i < r->world->ranks; i++) {
        const shown *s = &r->world->shown[i];
        if (memcmp(s->counts, counts, r->world->ranks * sizeof *counts) != 0)
            refuse(r, i, "different counts");
        if (counts[i])
            memcpy(to, s->from, counts[i] * size);
        to += counts[i] * size;
    }
    return leave(r);
}

static void sent(void *context, uint64_t *messages, uint64_t *bytes)
{
    (void)context;
    *messages = *bytes = 0;
}

static void *run(void *argument)
{
    const rank *r = argument;
    r->world->work(r->world->context, &r->job);
    return NULL;
}

void oracle_ranks_run(uint32_t ranks, void (*work)(void *context, const np_job *job), void *context)
{
    static rank of[RANKS];
    world w = {.ranks = ranks, .work = work, .context = context};
    assert_int_equal(pthread_barrier_init(&w.barrier, NULL, ranks), 0);
    for (uint32_t i = 0; i < ranks; i++)
        of[i] = (rank){.world = &w,
                       .job = {.rank = i,
                               .size = ranks,
                               .context = &of[i],
                               .meet = meet,
                               .move = move,
                               .gather = gather,
                               .sent = sent}};
    for (uint32_t i = 0; i < ranks; i++)
        assert_int_equal(pthread_create(&of[i].thread, NULL, run, &of[i]), 0);
    for (uint32_t i = 0; i < ranks; i++)
        pthread_join(of[i].thread, NULL);
    pthread_barrier_destroy(&w.barrier);
}
