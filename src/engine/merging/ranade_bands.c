/*
 * The steps of the six phases in an order that the caches and several threads like.
 *
 * Column c is idle before step c, since nothing can have come to it. In step c + f it needs what column c - 1 sent in
 * its own step (c - 1) + f, and what column c + 1 said in its step (c + 1) + f - 1. So the steps of a band, all c + f
 * with f in a range, need nothing of later bands. A band does BAND steps of each column. It ends with the steps of the
 * last column, or where the limit is.
 *
 * In a band, step t with f needs step t - 1 with f, and steps t and t - 1 with f - 1: nothing that is later in t or in
 * f. So a band may be cut at any t, and a step at any f; of two pieces the one with the lower t, or f, comes first. It
 * is cut into tiles. The columns of a tile exchange words among few blocks of rows only: along rows and across low bits
 * a block depends on no other block. So a tile does all its steps for some blocks, which stay in the cache, and then
 * for the next ones. These parts of a tile depend on one another in nothing, so threads share them.
 *
 * Which step is the last one is known when all messages are taken: ghosts are counted by steps until then. Later bands
 * have none to add. A ghost passes a column in each step, so its f does not change, and its message is selected with
 * this f or a greater one, and is taken with a greater one still, or the same.
 */
#include <string.h>

#include "base/watch.h"
#include "base/threads.h"
#include "engine/merging/ranade_inside.h"

np_status np_ranade_check_patience(const np_ranade *ranade, uint64_t now)
{
    if (now <= 2 * ((uint64_t)ranade->job->begin[ranade->job->tags] + 1) * (ranade->columns + 1))
        return NP_OK;
    return NP_RAISE(NP_ERROR_INTERNAL, "butterfly:%u: %llu messages not delivered after %llu steps", ranade->n,
                    (unsigned long long)ranade->messages, (unsigned long long)now);
}

np_status np_ranade_tell_share(const np_ranade *ranade, uint64_t steps)
{
    double passed = steps < ranade->columns ? (double)steps / ranade->columns : 1;
    double taken = ranade->messages ? (double)ranade->taken / (double)ranade->messages : 1;
    return np_watch_share(ranade->job->watch, NULL, (passed + taken) / 2);
}

enum { BLOCK = NP_COLUMN_BLOCK, BAND = NP_RANADE_BAND };

enum {
    TILE_BYTES = 512 << 10, /* of switches that steps come back to: ours, half a second-level cache */
    PARTS_OF_A_THREAD = 2,  /* of a tile: ours */
    ROWS_OF_A_THREAD = 512  /* ours; a step of so few rows takes as long as some tasks to begin */
};

/* Steps begin .. end - 1 with low <= f < high. */
typedef struct area {
    uint64_t begin, end, low, high;
} area;

/* A batch on its way. */
typedef struct bands {
    np_ranade *ranade;
    unsigned threads;
    uint64_t limit;  /* steps at most */
    uint64_t ghosts; /* of the steps before the last band that was begun */
    uint64_t over;   /* where the bands end; UINT64_MAX: not known yet */
    np_status status;
} bands;

/* The way through the bands. */
typedef struct walk {
    bands *of;
    uint64_t band;     /* the first step of the band */
    area tile;         /* the present one, */
    uint32_t mask;     /* ... and the bits by which the numbers of blocks differ that depend on one another in it */
    uint64_t band_end; /* the first step of the next band */
} walk;

/* The bits of a block's number by which edges cross between columns first .. last. */
static uint32_t crossing_blocks(const np_ranade *ranade, uint64_t first, uint64_t last)
{
    uint32_t mask = 0;
    for (uint64_t c = first; c < last && c < ranade->columns; c++)
        mask |= ranade->column[c].out_cross / BLOCK;
    return mask;
}

/* The bits by which the numbers of blocks differ that depend on one another in the area. */
static uint32_t mask_of(const np_ranade *ranade, area a)
{
    return crossing_blocks(ranade, a.begin + 1 > a.high ? a.begin + 1 - a.high : 0, a.end - 1 - a.low);
}

/* Are there enough parts for the threads? */
static bool has_parts(const bands *b, uint32_t mask)
{
    unsigned threads = b->threads;
    return threads == 1 || b->ranade->blocks >> __builtin_popcount(mask) >= PARTS_OF_A_THREAD * threads;
}

/* Does a part of the area fit the cache? */
static bool fits(const np_ranade *ranade, area a, uint32_t mask)
{
    uint64_t first = a.begin + 1 > a.high ? a.begin + 1 - a.high : 0, columns = a.end - a.low - first;
    size_t block_bytes = ranade->arrays * BLOCK * sizeof *ranade->state;
    return columns * block_bytes << __builtin_popcount(mask) <= TILE_BYTES;
}

/*
 * The first tile of the area: as many steps as the cache holds switches for, at least one. One step with too few parts
 * is cut in f. *mask: its mask.
 */
static area first_tile(const bands *b, area a, uint32_t *mask)
{
    area tile = a, wider;
    tile.end = a.begin + 1;
    *mask = mask_of(b->ranade, tile);
    while (tile.high > tile.low + 1 && !has_parts(b, *mask)) {
        tile.high--;
        *mask = mask_of(b->ranade, tile);
    }
    for (wider = tile; tile.high == a.high && wider.end++ < a.end; tile = wider) {
        uint32_t of_wider = mask_of(b->ranade, wider);
        if (!has_parts(b, of_wider) || !fits(b->ranade, wider, of_wider))
            break;
        *mask = of_wider;
    }
    return tile;
}

/* The number whose bits are those of `bits`, put where the mask has bits, the lowest first. */
static uint32_t spread(uint32_t bits, uint32_t mask)
{
    uint32_t sum = 0;
    for (; bits; bits >>= 1, mask &= mask - 1)
        if (bits & 1)
            sum |= mask & -mask;
    return sum;
}

/* A part of a tile: its steps, each from the last column to the first, as far as there are such columns. */
static void run_part(void *context, unsigned thread, uint32_t part)
{
    const walk *w = context;
    np_ranade *ranade = w->of->ranade;
    np_ranade_worker *worker = &ranade->worker[thread];
    const area a = w->tile;
    worker->part_mask = w->mask;
    worker->part = spread(part, (ranade->blocks - 1) & ~w->mask);
    for (uint64_t now = a.begin; now < a.end; now++) {
        uint64_t last = now - a.low, first = now + 1 > a.high ? now + 1 - a.high : 0;
        worker->now = (uint32_t)now;
        for (uint64_t c = last < ranade->columns ? last + 1 : ranade->columns; c-- > first;)
            np_ranade_column_step(ranade, worker, (uint32_t)c);
        np_ranade_add_up(worker, &worker->ghosts[now - w->band]);
    }
}

/* Tile by tile: what is left of a step that was cut comes before the next step. */
static void run_area(walk *w, area whole)
{
    uint64_t low = whole.low;
    while (whole.begin < whole.end) {
        area left = {whole.begin, low > whole.low ? whole.begin + 1 : whole.end, low, whole.high};
        w->tile = first_tile(w->of, left, &w->mask);
        np_threads_each(w->of->threads, w->of->ranade->blocks >> __builtin_popcount(w->mask), run_part, w);
        low = w->tile.high < whole.high ? w->tile.high : whole.low;
        whole.begin = low > whole.low ? whole.begin : w->tile.end;
    }
}

/* The next band begins: ghosts of steps that are complete now are counted. */
static void begin_band(bands *b)
{
    np_ranade *ranade = b->ranade;
    for (unsigned i = 0; i < b->threads; i++) {
        uint64_t *open = ranade->worker[i].ghosts;
        for (unsigned k = 0; k < BAND; k++)
            b->ghosts += open[k];
        memmove(open, open + BAND, ranade->columns * sizeof *open);
        memset(open + ranade->columns, 0, BAND * sizeof *open);
    }
}

static void end_band(const walk *w)
{
    bands *b = w->of;
    np_ranade *ranade = b->ranade;
    ranade->taken = 0;
    for (unsigned i = 0; i < b->threads; i++)
        ranade->taken += ranade->worker[i].taken;
    if (!(b->status = np_ranade_tell_share(ranade, ranade->columns)))
        b->status = np_ranade_check_patience(ranade, w->band);
    if (b->status || ranade->taken == ranade->messages || w->band_end >= b->limit)
        b->over = w->band_end;
    else
        begin_band(b);
}

static void run_bands(bands *b)
{
    walk w = {.of = b};
    do {
        uint64_t end = w.band + b->ranade->columns + BAND - 1;
        w.band_end = w.band + BAND;
        run_area(&w, (area){w.band, end < b->limit ? end : b->limit, w.band, w.band_end});
        end_band(&w);
        w.band = w.band_end;
    } while (w.band < b->over);
}

/* The ghosts of steps until the last one. */
static uint64_t count_ghosts(const bands *b, uint64_t steps)
{
    uint64_t sum = b->ghosts;
    for (unsigned i = 0; i < b->threads; i++)
        for (uint64_t k = 0; k < b->ranade->columns + BAND && k + b->over < steps + BAND; k++)
            sum += b->ranade->worker[i].ghosts[k];
    return sum;
}

static uint64_t last_step(const bands *b)
{
    uint64_t last = 0;
    for (unsigned i = 0; i < b->threads; i++)
        if (b->ranade->worker[i].last_taken > last)
            last = b->ranade->worker[i].last_taken;
    return last;
}

unsigned np_ranade_worth(uint32_t n)
{
    uint32_t threads = (UINT32_C(1) << n) / ROWS_OF_A_THREAD;
    return threads > NP_RANADE_WORKERS_MAX ? NP_RANADE_WORKERS_MAX : threads ? threads : 1;
}

unsigned np_ranade_threads(const np_ranade *ranade)
{
    const np_ranade_job *job = ranade->job;
    bool alone =
        job->home && !job->target; /* replies of one tag, to several processors, tell the same place of home[] */
    unsigned most = ranade->blocks / PARTS_OF_A_THREAD, wanted = job->workers < most ? job->workers : most;
    wanted = wanted < ranade->workers ? wanted : ranade->workers;
    return wanted < 2 || alone || np_ranade_worth(ranade->n) == 1 ? 1 : wanted;
}

np_status np_ranade_run_bands(np_ranade *ranade, uint64_t limit, uint64_t *steps, uint64_t *ghosts)
{
    bands b = {.ranade = ranade, .threads = np_ranade_threads(ranade), .limit = limit, .over = UINT64_MAX};
    if (ranade->taken == ranade->messages || !limit)
        return NP_OK;
    run_bands(&b);
    *steps = ranade->taken < ranade->messages ? limit : last_step(&b) + 1;
    *ghosts = count_ghosts(&b, *steps);
    if (b.status == NP_ERROR_CANCELLED) /* raised by any thread: the text is that thread's */
        return NP_RAISE(b.status, "cancelled after %llu steps", (unsigned long long)b.over);
    return b.status ? np_ranade_check_patience(ranade, b.over - BAND) : NP_OK;
}
