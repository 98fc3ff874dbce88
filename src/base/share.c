/* See share.h. Items are sent in pieces, each sorted by the ranks that own them, so that buffers stay small. */
#include "base/share.h"

#include <string.h>

#include "base/memory.h"

enum { PIECE = 1 << 16 }; /* ours: items that a rank sends in one exchange */

typedef struct piece {
    const np_share *share;
    uint32_t *count;
    uint32_t *item; /* [PIECE] by owner */
    size_t *at;     /* [ranks + 1] where those of an owner begin; as they are sent, the next one */
    size_t *end;    /* [ranks] */
} piece;

static size_t fill(void *object, unsigned to, void *data, size_t room)
{
    piece *p = object;
    size_t left = p->end[to] - p->at[to], some = left < room / sizeof *p->item ? left : room / sizeof *p->item;
    memcpy(data, p->item + p->at[to], some * sizeof *p->item);
    p->at[to] += some;
    return some * sizeof *p->item;
}

static void take(void *object, unsigned from, const void *data, size_t bytes)
{
    const piece *p = object;
    (void)from;
    for (size_t i = 0; i < bytes / sizeof *p->item; i++) {
        uint32_t item;
        memcpy(&item, (const char *)data + i * sizeof item, sizeof item);
        p->count[item - p->share->first]++;
    }
}

/* Sorts the items by owner; this rank's are counted. */
static void sort_piece(piece *p, const np_job *job, size_t items, const uint32_t *item)
{
    memset(p->end, 0, job->size * sizeof *p->end);
    for (size_t i = 0; i < items; i++)
        p->end[np_share_owner(p->share, item[i])]++;
    for (size_t r = 0, sum = 0; r < job->size; r++) {
        p->at[r] = sum;
        sum += p->end[r];
        p->end[r] = p->at[r];
    }
    for (size_t i = 0; i < items; i++)
        p->item[p->end[np_share_owner(p->share, item[i])]++] = item[i];
    take(p, job->rank, p->item + p->at[job->rank], (p->end[job->rank] - p->at[job->rank]) * sizeof *p->item);
}

np_status np_share_count(const np_share *share, const np_job *job, size_t items, const uint32_t *item, uint32_t *count)
{
    piece p = {.share = share, .count = count};
    np_job_stream stream = {&p, fill, take};
    uint64_t more = 1;
    np_status st;
    if ((st = np_memory_array(&p.item, PIECE, sizeof *p.item, "what ranks send")) ||
        (st = np_memory_array(&p.at, job->size, sizeof *p.at, "what ranks send")))
        goto out;
    st = np_memory_array(&p.end, job->size, sizeof *p.end, "what ranks send");
out:
    st = np_job_agree(job, st);
    for (size_t done = 0, some; !st && more; done += some) {
        some = items - done < PIECE ? items - done : PIECE;
        more = done + some < items;
        sort_piece(&p, job, some, item + done);
        st = np_job_stream_all(job, &stream, 1, &more);
    }
    NP_MEMORY_FREE(p.item, p.at, p.end);
    return st;
}
