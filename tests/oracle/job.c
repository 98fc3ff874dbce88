/* See job.h. Everything is done by meeting: nobody goes on before all have come. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getcpu */
#endif
#include "oracle/job.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

enum { RANKS_MAX = 16 };

typedef enum operation { MEET, MOVE, GATHER } operation;

/* What a rank shows the others. */
typedef struct shown {
    operation operation;
    size_t size;
    const void *from;
    const uint64_t *counts;
} shown;

typedef struct letter letter;

struct letter {
    letter *next;
    unsigned from;
    size_t bytes;
    char data[];
};

typedef struct world {
    unsigned count;
    atomic_uint arrived, meetings; /* at this meeting; meetings that are over */
    uint64_t *value[RANKS_MAX];
    np_status status[RANKS_MAX];
    char message[RANKS_MAX][512];
    letter *inbox[RANKS_MAX][RANKS_MAX], **end[RANKS_MAX][RANKS_MAX]; /* to, from */
    shown shown[RANKS_MAX];
    void (*work)(void *context, const np_job *job);
    void *context;
} world;

typedef struct member {
    world *world;
    unsigned rank;
    unsigned streams;
} member;

/* Ranks meet a million times, more of them than processors: a thread that slept would have to be woken each time. */
static void wait_for_all(const member *m)
{
    world *w = m->world;
    unsigned meeting = atomic_load(&w->meetings);
    if (atomic_fetch_add(&w->arrived, 1) + 1 < w->count) {
        while (atomic_load(&w->meetings) == meeting)
            sched_yield();
    } else {
        atomic_store(&w->arrived, 0);
        atomic_store(&w->meetings, meeting + 1);
    }
}

static np_status agree(void *context, np_status own)
{
    member *m = context;
    world *w = m->world;
    np_status st = NP_OK;
    w->status[m->rank] = own;
    strncpy(w->message[m->rank], own ? np_last_error() : "", sizeof w->message[m->rank] - 1);
    wait_for_all(m);
    for (unsigned r = 0; r < w->count && !st; r++)
        if (w->status[r])
            st = np_status_raise(w->status[r], "%s", w->message[r]);
    wait_for_all(m);
    return st;
}

static np_status reduce(void *context, np_job_reduction to, size_t count, uint64_t *value)
{
    member *m = context;
    world *w = m->world;
    uint64_t *result = calloc(count + 1, sizeof *result);
    w->value[m->rank] = value;
    wait_for_all(m);
    for (unsigned r = 0; r < w->count; r++)
        for (size_t i = 0; i < count; i++)
            if (to == NP_JOB_SUM)
                result[i] += w->value[r][i];
            else if (w->value[r][i] > result[i])
                result[i] = w->value[r][i];
    wait_for_all(m);
    if (count)
        memcpy(value, result, count * sizeof *value);
    free(result);
    return NP_OK;
}

/* A letter of all that the stream has for the rank. Rooms differ. */
static void send_all(member *m, const np_job_stream *stream, unsigned to)
{
    world *w = m->world;
    size_t room = NP_JOB_ROOM + 1000 * (m->streams % 7), bytes;
    letter ***end = &w->end[to][m->rank];
    w->inbox[to][m->rank] = NULL;
    *end = &w->inbox[to][m->rank];
    do {
        letter *l = malloc(sizeof *l + room);
        bytes = stream->fill(stream->object, to, l->data, room);
        assert(bytes <= room);
        l->bytes = bytes;
        l->from = m->rank;
        l->next = NULL;
        if (!bytes) {
            free(l);
            continue;
        }
        **end = l;
        *end = &l->next;
    } while (bytes);
}

static void take_all(const member *m, const np_job_stream *stream, unsigned from)
{
    for (letter *l = m->world->inbox[m->rank][from], *next; l; l = next) {
        next = l->next;
        stream->take(stream->object, l->from, l->data, l->bytes);
        free(l);
    }
}

static np_status stream_all(void *context, const np_job_stream *stream, size_t count, uint64_t *value)
{
    member *m = context;
    unsigned ranks = m->world->count;
    m->streams++;
    for (unsigned r = 0; r < ranks; r++)
        if (r != m->rank)
            send_all(m, stream, r);
    wait_for_all(m);
    for (unsigned i = 0; i < ranks; i++) {
        unsigned r = m->streams % 2 ? (i + m->streams) % ranks : ranks - 1 - i;
        if (r != m->rank)
            take_all(m, stream, r);
    }
    wait_for_all(m);
    return reduce(m, NP_JOB_SUM, count, value);
}

static void refuse(const member *m, uint32_t other, const char *what)
{
    fprintf(stderr, "ranks %u and %u: %s\n", m->rank, other, what);
    abort();
}

/* All ranks show what they have; none goes on before all do the same. */
static void show(member *m, shown mine)
{
    world *w = m->world;
    w->shown[m->rank] = mine;
    wait_for_all(m);
    for (uint32_t i = 0; i < w->count; i++)
        if (w->shown[i].operation != mine.operation || w->shown[i].size != mine.size)
            refuse(m, i, "different operations");
}

static np_status leave(member *m)
{
    wait_for_all(m);
    return NP_OK;
}

static np_status meet(void *context, size_t words, const uint64_t *say, uint64_t *hear)
{
    member *m = context;
    show(m, (shown){MEET, words, say, NULL});
    for (uint32_t i = 0; i < m->world->count; i++)
        memcpy(hear + i * words, (const uint64_t *)m->world->shown[i].from + m->rank * words, words * sizeof *hear);
    return leave(m);
}

static np_status move(void *context, size_t size, const void *send, const uint64_t *sends, void *receive,
                      const uint64_t *receives)
{
    member *m = context;
    char *to = receive;
    show(m, (shown){MOVE, size, send, sends});
    for (uint32_t i = 0; i < m->world->count; i++) {
        const shown *s = &m->world->shown[i];
        const char *from = s->from;
        for (uint32_t k = 0; k < m->rank; k++)
            from += s->counts[k] * size;
        if (s->counts[m->rank] != receives[i])
            refuse(m, i, "what is sent is not what is received");
        if (receives[i])
            memcpy(to, from, receives[i] * size);
        to += receives[i] * size;
    }
    return leave(m);
}

static np_status gather(void *context, size_t size, const void *mine, const uint64_t *counts, void *all)
{
    member *m = context;
    char *to = all;
    show(m, (shown){GATHER, size, mine, counts});
    for (uint32_t i = 0; i < m->world->count; i++) {
        const shown *s = &m->world->shown[i];
        if (memcmp(s->counts, counts, m->world->count * sizeof *counts) != 0)
            refuse(m, i, "different counts");
        if (counts[i])
            memcpy(to, s->from, counts[i] * size);
        to += counts[i] * size;
    }
    return leave(m);
}

static void sent(void *context, uint64_t *messages, uint64_t *bytes)
{
    (void)context;
    *messages = *bytes = 0;
}

static void *run_member(void *argument)
{
    member *m = argument;
    const np_job job = {.rank = m->rank,
                        .size = m->world->count,
                        .context = m,
                        .reduce = reduce,
                        .agree = agree,
                        .meet = meet,
                        .move = move,
                        .gather = gather,
                        .sent = sent,
                        .stream = stream_all};
    m->world->work(m->world->context, &job);
    return NULL;
}

/* All on one processor: they go on in turn, and it takes long to wake a thread on another one. */
static void share_processor(pthread_attr_t *attributes)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)sched_getcpu(), &set);
    pthread_attr_init(attributes);
    pthread_attr_setaffinity_np(attributes, sizeof set, &set);
}

void oracle_job_run(unsigned count, void (*work)(void *context, const np_job *job), void *context)
{
    static world w; /* one test at a time */
    pthread_t thread[RANKS_MAX];
    member members[RANKS_MAX];
    assert(count <= RANKS_MAX);
    w = (world){.count = count, .work = work, .context = context};
    pthread_attr_t here;
    share_processor(&here);
    for (unsigned r = 0; r < count; r++) {
        members[r] = (member){.world = &w, .rank = r};
        int failed = pthread_create(&thread[r], &here, run_member, &members[r]);
        assert(!failed);
        (void)failed;
    }
    for (unsigned r = 0; r < count; r++)
        pthread_join(thread[r], NULL);
    pthread_attr_destroy(&here);
}
