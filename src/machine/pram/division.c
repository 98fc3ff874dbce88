/* What is divided over ranks: where cells are, how ranks meet, and which of their errors counts. */
#include "machine/pram/division.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

enum {
    FINE = 0,        /* words of a meeting: 0, or 1 more than the moment of an error; */
    AT = 1,          /* where in the moment; */
    EACH = 2,        /* what is said to the one; */
    ALL = 3,         /* and to all */
    CHUNK = 1 << 16, /* cells that are read from outside at once (ours) */
    MESSAGE = 512
};

/* ---- Made ---- */

np_status np_division_create(const np_job *job, uint64_t seed, np_division **out)
{
    np_division *d;
    const size_t ranks = job->size, words = ranks * NP_MEETING;
    np_status st = np_memory_zeroed(&d, 1, sizeof *d, "a divided PRAM");
    *out = d;
    if (st)
        return st;
    d->job = job;
    d->seed = seed;
    d->magic = ranks > 1 ? UINT64_MAX / ranks + 1 : 0;
    np_traffic *t = &d->traffic;
    if ((st = np_memory_zeroed(&d->say, words, sizeof *d->say, "a meeting of ranks")) ||
        (st = np_memory_zeroed(&d->hear, words, sizeof *d->hear, "a meeting of ranks")) ||
        (st = np_memory_zeroed(&t->sends, ranks, sizeof *t->sends, "a meeting of ranks")) ||
        (st = np_memory_zeroed(&t->receives, ranks, sizeof *t->receives, "a meeting of ranks")) ||
        (st = np_memory_zeroed(&t->next, ranks, sizeof *t->next, "a meeting of ranks")))
        return st;
    return NP_OK;
}

void np_division_free(np_division *d)
{
    if (!d)
        return;
    np_traffic *t = &d->traffic;
    void *const blocks[] = {d->replies,  d->say,        d->hear,      t->sends,   t->receives,
                            t->next,     t->entry,      t->slot,      t->owner,   t->cell,
                            t->cell_out, t->number_out, t->value_out, t->cell_in, t->number_in,
                            t->value_in, t->address_in, t->seen,      t->joined,  t->winner};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        np_memory_free(blocks[i]);
    np_check_clear(&d->own);
    np_memory_free(d);
}

/* ---- Places ---- */

np_address np_division_address(const np_division *d, np_address cell)
{
    const uint32_t ranks = d->job->size;
    const uint64_t row = cell >> NP_DIVISION_BLOCK;
    const uint32_t turn = np_division_turn(d, row), rank = d->job->rank;
    const uint64_t block = row * ranks + (rank >= turn ? rank - turn : rank + ranks - turn);
    return block << NP_DIVISION_BLOCK | (cell & ((1 << NP_DIVISION_BLOCK) - 1));
}

uint64_t np_division_share(const np_division *d, uint64_t cells)
{
    const uint64_t row = (uint64_t)d->job->size << NP_DIVISION_BLOCK;
    return (cells / row + (cells % row != 0)) << NP_DIVISION_BLOCK;
}

np_range np_division_range(const np_division *d, uint64_t count)
{
    const np_job *job = d->job;
    return (np_range){np_job_share(count, job->rank, job->size), np_job_share(count, job->rank + 1, job->size)};
}

/* ---- Meetings ---- */

/* What goes from the rank whose error counts to all. */
typedef struct failure {
    np_status status;
    char message[MESSAGE], note[NP_DIVISION_NOTE];
} failure;

/* Is the error of rank a that which one process would have come to before that of rank b? */
static bool is_before(const np_division *d, uint32_t a, uint32_t b)
{
    const uint64_t *x = d->hear + a * NP_MEETING, *y = d->hear + b * NP_MEETING;
    if (x[FINE] != y[FINE])
        return x[FINE] < y[FINE];
    return x[AT] < y[AT];
}

/* The rank whose error counts; `ranks`: there is none. */
static uint32_t find_failure(const np_division *d)
{
    uint32_t first = d->job->size;
    for (uint32_t r = 0; r < d->job->size; r++)
        if (d->hear[r * NP_MEETING + FINE] && (first == d->job->size || is_before(d, r, first)))
            first = r;
    return first;
}

/* The error of rank `from` becomes that of all. sends: counts of ranks, free to use. */
static np_status take_failure(np_division *d, uint32_t from, np_status own)
{
    const np_job *job = d->job;
    uint64_t *counts = d->traffic.sends;
    failure mine = {.status = own}, all;
    d->over = true;
    snprintf(mine.message, sizeof mine.message, "%s", own ? np_last_error() : "");
    memcpy(mine.note, d->note_bytes ? d->note : "", d->note_bytes);
    memset(counts, 0, job->size * sizeof *counts);
    counts[from] = 1;
    np_status st = job->gather(job->context, sizeof mine, &mine, counts, &all);
    if (st)
        return st;
    memcpy(d->note_bytes ? d->note : mine.note, all.note, d->note_bytes);
    return np_status_raise(all.status, "%s", all.message);
}

np_status np_division_meet(np_division *d, np_status status, const uint64_t *each, uint64_t all)
{
    const np_job *job = d->job;
    for (uint32_t r = 0; r < job->size; r++) {
        uint64_t *say = d->say + r * NP_MEETING;
        say[FINE] = status ? d->moment + 1 : 0;
        say[AT] = d->at;
        say[EACH] = each ? each[r] : 0;
        say[ALL] = all;
    }
    np_status st = job->meet(job->context, NP_MEETING, d->say, d->hear);
    if (st) {
        d->over = true;
        return st;
    }
    const uint32_t failed = find_failure(d);
    return failed < job->size ? take_failure(d, failed, status) : NP_OK;
}

np_status np_division_agree(const np_job *job, np_status status)
{
    enum { FEW = 128 }; /* ranks: a failure to take memory must be told without taking any (ours) */
    uint64_t words[FEW * (2 * NP_MEETING + 1)];
    if (!job)
        return status;
    if (job->size > FEW)
        return np_job_agree(job, status);
    np_division d = {.job = job, .say = words, .hear = words + FEW * NP_MEETING};
    d.traffic.sends = words + 2 * FEW * NP_MEETING;
    return np_division_meet(&d, status, NULL, 0);
}

uint64_t np_division_sum(const np_division *d, uint32_t end)
{
    uint64_t sum = 0;
    for (uint32_t r = 0; r < end; r++) {
        const uint64_t more = np_division_all(d, r);
        sum = more > UINT64_MAX - sum ? UINT64_MAX : sum + more;
    }
    return sum;
}

np_status np_division_end(np_division *d, np_status status)
{
    return d && !d->over ? np_division_meet(d, status, NULL, 0) : status;
}

np_status np_division_begin(np_division *d, np_status status)
{
    if (!d || (status = np_division_end(d, status)))
        return status;
    d->job->sent(d->job->context, &d->messages, &d->bytes);
    d->begun = np_clock_seconds();
    return NP_OK;
}

np_status np_division_finish(np_division *d, np_status status)
{
    if (!d || (status = np_division_end(d, status)))
        return status;
    const uint32_t ranks = d->job->size;
    uint64_t messages, bytes;
    d->cost = (np_pram_shared){.ranks = ranks, .seconds = np_clock_seconds() - d->begun};
    d->job->sent(d->job->context, &messages, &bytes);
    for (uint32_t r = 0; r < ranks; r++)
        d->traffic.next[r] = messages - d->messages;
    if ((status = np_division_meet(d, NP_OK, d->traffic.next, bytes - d->bytes)))
        return status;
    d->cost.bytes = np_division_sum(d, ranks);
    for (uint32_t r = 0; r < ranks; r++)
        d->cost.messages += np_division_each(d, r);
    return NP_OK;
}

np_status np_division_collect(np_division *d, np_status status, const char *bytes, size_t count, char **out,
                              size_t *all)
{
    const np_job *job = d->job;
    np_traffic *t = &d->traffic;
    *out = NULL;
    *all = 0;
    np_status st = np_division_meet(d, status, NULL, count);
    if (st)
        return st;
    memset(t->sends, 0, job->size * sizeof *t->sends);
    memset(t->receives, 0, job->size * sizeof *t->receives);
    t->sends[0] = count;
    for (uint32_t r = 0; r < job->size && !job->rank; r++)
        *all += t->receives[r] = np_division_all(d, r);
    if (!job->rank)
        st = np_memory_array(out, *all + 1, 1, "what all ranks say");
    if ((st = np_division_meet(d, st, NULL, 0)))
        return st;
    return job->move(job->context, 1, bytes, t->sends, *out, t->receives);
}

/* ---- From outside ---- */

/* The cells from `address` on that are in one block, before `end`. */
static uint64_t piece_of(np_address address, np_address end)
{
    const np_address next = (address | ((1 << NP_DIVISION_BLOCK) - 1)) + 1;
    return (next < end ? next : end) - address;
}

void np_division_put(const np_division *d, np_store *store, np_address base, uint64_t count, const np_word *value)
{
    np_address cell;
    for (np_address a = base; a < base + count;) {
        const uint64_t piece = piece_of(a, base + count);
        if (np_division_owner(d, a, &cell) == d->job->rank)
            memcpy(store->words + cell, value + (a - base), piece * sizeof *value);
        a += piece;
    }
}

/* Cells base .. base+count-1: `own` receives those of this rank, counts[r]: how many rank r has. */
static void take_own(const np_division *d, const np_store *store, np_address base, uint64_t count, np_word *own,
                     uint64_t *counts)
{
    np_address cell;
    memset(counts, 0, d->job->size * sizeof *counts);
    for (np_address a = base; a < base + count;) {
        const uint64_t piece = piece_of(a, base + count);
        const uint32_t owner = np_division_owner(d, a, &cell);
        if (owner == d->job->rank)
            memcpy(own + counts[owner], store->words + cell, piece * sizeof *own);
        counts[owner] += piece;
        a += piece;
    }
}

/* Puts what the ranks have, one after the other, into the order of addresses. */
static void order(np_division *d, np_address base, uint64_t count, const np_word *all, const uint64_t *counts,
                  np_word *value)
{
    np_address cell;
    uint64_t *next = d->traffic.next, before = 0;
    for (uint32_t r = 0; r < d->job->size; before += counts[r++])
        next[r] = before;
    for (np_address a = base; a < base + count;) {
        const uint64_t piece = piece_of(a, base + count);
        const uint32_t owner = np_division_owner(d, a, &cell);
        memcpy(value + (a - base), all + next[owner], piece * sizeof *value);
        next[owner] += piece;
        a += piece;
    }
}

static np_status get_chunk(np_division *d, np_store *store, np_address base, uint64_t count, bool everywhere,
                           np_word *room, np_word *value)
{
    const np_job *job = d->job;
    np_traffic *t = &d->traffic;
    np_word *own = room + CHUNK;
    uint64_t *counts = t->receives;
    np_status st;
    take_own(d, store, base, count, own, counts);
    if (everywhere)
        st = job->gather(job->context, sizeof *own, own, counts, room);
    else {
        memset(t->sends, 0, job->size * sizeof *t->sends);
        t->sends[0] = counts[job->rank];
        if (job->rank)
            memset(counts, 0, job->size * sizeof *counts);
        st = job->move(job->context, sizeof *own, own, t->sends, room, counts);
    }
    if (!st && (everywhere || !job->rank))
        order(d, base, count, room, counts, value);
    return st;
}

np_status np_division_get(np_division *d, np_store *store, np_address base, uint64_t count, bool everywhere,
                          np_word *value)
{
    np_word *room;
    np_status st = np_memory_array(&room, 2 * CHUNK, sizeof *room, "cells of all ranks");
    st = np_division_meet(d, st, NULL, 0);
    for (uint64_t at = 0; at < count && !st; at += CHUNK)
        st = get_chunk(d, store, base + at, count - at < CHUNK ? count - at : CHUNK, everywhere, room,
                       value ? value + at : NULL);
    np_memory_free(room);
    return st;
}
