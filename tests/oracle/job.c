/* See ranks.h. Everything is done by meeting: nobody goes on before all have come. */
#include "oracle/job.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

enum { RANKS_MAX = 16 };

typedef struct letter letter;

struct letter {
    letter *next;
    unsigned from;
    size_t bytes;
    char data[];
};

typedef struct world {
    unsigned count;
    pthread_barrier_t barrier;
    uint64_t *value[RANKS_MAX];
    np_status status[RANKS_MAX];
    char message[RANKS_MAX][512];
    letter *inbox[RANKS_MAX][RANKS_MAX], **end[RANKS_MAX][RANKS_MAX]; /* to, from */
    const np_job_part *out[RANKS_MAX];
    bool streams;
    void (*work)(void *context, const np_job *job);
    void *context;
} world;

typedef struct member {
    world *world;
    unsigned rank;
    unsigned streams;
    char *arrived[RANKS_MAX];
} member;

static void meet(const member *m) { pthread_barrier_wait(&m->world->barrier); }

static np_status agree(void *context, np_status own)
{
    member *m = context;
    world *w = m->world;
    np_status st = NP_OK;
    w->status[m->rank] = own;
    strncpy(w->message[m->rank], own ? np_last_error() : "", sizeof w->message[m->rank] - 1);
    meet(m);
    for (unsigned r = 0; r < w->count && !st; r++)
        if (w->status[r])
            st = np_status_raise(w->status[r], "%s", w->message[r]);
    meet(m);
    return st;
}

static np_status reduce(member *m, size_t count, uint64_t *value, bool most)
{
    world *w = m->world;
    uint64_t *result = calloc(count + 1, sizeof *result);
    w->value[m->rank] = value;
    meet(m);
    for (unsigned r = 0; r < w->count; r++)
        for (size_t i = 0; i < count; i++)
            if (!most)
                result[i] += w->value[r][i];
            else if (w->value[r][i] > result[i])
                result[i] = w->value[r][i];
    meet(m);
    if (count)
        memcpy(value, result, count * sizeof *value);
    free(result);
    return NP_OK;
}

static np_status sum(void *context, size_t count, uint64_t *value) { return reduce(context, count, value, false); }
static np_status most(void *context, size_t count, uint64_t *value) { return reduce(context, count, value, true); }

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
    meet(m);
    for (unsigned i = 0; i < ranks; i++) {
        unsigned r = m->streams % 2 ? (i + m->streams) % ranks : ranks - 1 - i;
        if (r != m->rank)
            take_all(m, stream, r);
    }
    meet(m);
    return reduce(m, count, value, false);
}

/* Parts are handed over where they are: all have taken theirs when they meet again. */
static np_status exchange(void *context, const np_job_part *out, np_job_part *in)
{
    member *m = context;
    world *w = m->world;
    w->out[m->rank] = out;
    for (unsigned r = 0; r < w->count; r++)
        free(m->arrived[r]);
    meet(m);
    for (unsigned r = 0; r < w->count; r++) {
        in[r] = w->out[r][m->rank];
        m->arrived[r] = malloc(in[r].bytes + 1);
        if (in[r].bytes)
            memcpy(m->arrived[r], in[r].data, in[r].bytes);
        in[r].data = m->arrived[r];
    }
    meet(m);
    return NP_OK;
}

static void *run_member(void *argument)
{
    member *m = argument;
    const np_job job = {.rank = m->rank,
                        .size = m->world->count,
                        .context = m,
                        .exchange = exchange,
                        .sum = sum,
                        .most = most,
                        .agree = agree,
                        .stream = m->world->streams ? stream_all : NULL};
    m->world->work(m->world->context, &job);
    for (unsigned r = 0; r < job.size; r++)
        free(m->arrived[r]);
    return NULL;
}

void oracle_job_run(unsigned count, bool streams, void (*work)(void *context, const np_job *job), void *context)
{
    static world w; /* one test at a time */
    pthread_t thread[RANKS_MAX];
    member members[RANKS_MAX];
    assert(count <= RANKS_MAX);
    w = (world){.count = count, .streams = streams, .work = work, .context = context};
    pthread_barrier_init(&w.barrier, NULL, count);
    for (unsigned r = 0; r < count; r++) {
        members[r] = (member){.world = &w, .rank = r};
        int failed = pthread_create(&thread[r], NULL, run_member, &members[r]);
        assert(!failed);
        (void)failed;
    }
    for (unsigned r = 0; r < count; r++)
        pthread_join(thread[r], NULL);
    pthread_barrier_destroy(&w.barrier);
}
