/*
 * What ranks give each other when they share the accelerator `levels`: entries before the first half, rows and entries
 * between the halves, and where packets have landed. Each goes once, so a phase costs a few exchanges, however many
 * steps it has.
 */
#include <string.h>

#include "engine/queueing/levels.h"
#include "model/traffic/traffic.h"

enum { KEPT = NP_LEVELS_KEPT };

void np_levels_share_layout(np_levels *levels, np_arena *arena)
{
    size_t groups = levels->workers * levels->leaving_groups;
    np_arena_array(arena, &levels->leaving, (groups << levels->high) * KEPT, 1, "populations for other ranks");
    np_arena_array(arena, &levels->leaving_group, groups, sizeof *levels->leaving_group, "groups");
    np_arena_array(arena, &levels->next, levels->ranks, sizeof *levels->next, "groups");
    np_arena_array(arena, &levels->end, levels->ranks, sizeof *levels->end, "groups");
}

/* ---- Entries ---- */

/* Entries that are sent: of rank r those next[r] .. end[r]-1 of `from`. */
typedef struct sending {
    np_levels *levels;
    np_engine *engine; /* of entries that go home */
    const np_level_entry *from;
    np_level_entry *to;
} sending;

static size_t fill_entries(void *object, uint32_t rank, void *data, size_t room)
{
    const sending *s = object;
    size_t *next = &s->levels->next[rank], left = s->levels->end[rank] - *next, some = room / sizeof *s->from;
    some = some < left ? some : left;
    memcpy(data, s->from + *next, some * sizeof *s->from);
    *next += some;
    return some * sizeof *s->from;
}

static void take_entries(void *object, uint32_t rank, const void *data, size_t bytes)
{
    const sending *s = object;
    np_levels *levels = s->levels;
    size_t some = bytes / sizeof *s->to;
    (void)rank;
    if (some > levels->packets - levels->count) {
        levels->group[0].failed = true;
        return;
    }
    memcpy(s->to + levels->count, data, some * sizeof *s->to);
    levels->count += some;
}

np_status np_levels_share_entries(np_levels *levels, const np_share *groups, const uint32_t *end,
                                  const np_level_entry *from, np_level_entry *to)
{
    const np_job *job = levels->job;
    sending s = {.levels = levels, .from = from, .to = to};
    const np_job_stream stream = {&s, fill_entries, take_entries};
    uint32_t all = groups == &levels->of_high ? UINT32_C(1) << levels->low : UINT32_C(1) << levels->high;
    for (uint64_t r = 0; r < levels->ranks; r++) {
        uint64_t first = r * groups->each.divisor, last = first + groups->each.divisor;
        levels->next[r] = end[first < all ? first : all];
        levels->end[r] = end[last < all ? last : all];
    }
    levels->count = 0;
    take_entries(&s, job->rank, from + levels->next[job->rank],
                 (levels->end[job->rank] - levels->next[job->rank]) * sizeof *from);
    return np_job_stream_all(job, &stream, 0, NULL);
}

/* ---- Rows ---- */

/* Rows of a group of the first half, for neighbouring groups of the second one. They follow this head. */
typedef struct rows_head {
    uint32_t low_bits, high_bits, count;
} rows_head;

/* next[rank]: how many rows have been sent, counted through all groups that are leaving. */
static size_t fill_rows(void *object, uint32_t rank, void *data, size_t room)
{
    np_levels *levels = object;
    const np_share *of = &levels->of_low;
    uint64_t first = (uint64_t)rank * of->each.divisor, last = first + of->each.divisor,
             all = UINT64_C(1) << levels->high;
    size_t filled = 0, groups = levels->workers * levels->leaving_groups;
    uint64_t rows = (last < all ? last : all) - (first < all ? first : all);
    while (rows && levels->next[rank] / rows < groups && room - filled >= sizeof(rows_head) + KEPT) {
        size_t place = levels->next[rank] / rows, row = levels->next[rank] % rows;
        size_t fit = (room - filled - sizeof(rows_head)) / KEPT, some = rows - row < fit ? rows - row : fit;
        levels->next[rank] += some;
        if (levels->leaving_group[place] == NP_NONE)
            continue;
        rows_head head = {levels->leaving_group[place], (uint32_t)(first + row), (uint32_t)some};
        memcpy((char *)data + filled, &head, sizeof head);
        filled += sizeof head;
        memcpy((char *)data + filled, levels->leaving + ((place << levels->high) + head.high_bits) * KEPT, some * KEPT);
        filled += some * KEPT;
    }
    return filled;
}

static void take_rows(void *object, uint32_t rank, const void *data, size_t bytes)
{
    np_levels *levels = object;
    const np_share *own = &levels->of_low;
    const char *at = data, *end = at + bytes;
    (void)rank;
    while (at < end) {
        rows_head head;
        memcpy(&head, at, sizeof head);
        at += sizeof head;
        memcpy(levels->rows + ((size_t)head.low_bits * np_share_items(own) + (head.high_bits - own->first)) * KEPT, at,
               (size_t)head.count * KEPT);
        at += (size_t)head.count * KEPT;
    }
}

np_status np_levels_share_rows(np_levels *levels)
{
    const np_job_stream stream = {levels, fill_rows, take_rows};
    memset(levels->next, 0, levels->ranks * sizeof *levels->next);
    return np_job_stream_all(levels->job, &stream, 0, NULL);
}

/* ---- The way home ---- */

static void take_home(void *object, uint32_t rank, const void *data, size_t bytes)
{
    const sending *s = object;
    np_packet first = np_traffic_part(s->engine->traffic).first;
    (void)rank;
    for (size_t i = 0; i < bytes / sizeof(np_level_entry); i++) {
        np_level_entry entry;
        memcpy(&entry, (const char *)data + i * sizeof entry, sizeof entry);
        np_engine_land(s->engine, entry.packet - first, entry.node, np_level_entry_time(&entry));
    }
}

np_status np_levels_share_home(np_levels *levels, np_engine *engine, const np_level_entry *from, np_level_entry *sorted)
{
    const np_share *packets = &engine->share->packets;
    sending s = {.levels = levels, .engine = engine, .from = sorted};
    const np_job_stream stream = {&s, fill_entries, take_home};
    uint32_t own = levels->job->rank;
    memset(levels->end, 0, levels->ranks * sizeof *levels->end);
    for (size_t i = 0; i < levels->count; i++)
        levels->end[np_share_owner(packets, from[i].packet)]++;
    for (size_t r = 0, sum = 0; r < levels->ranks; r++) {
        levels->next[r] = sum;
        sum += levels->end[r];
        levels->end[r] = levels->next[r];
    }
    for (size_t i = 0; i < levels->count; i++)
        sorted[levels->end[np_share_owner(packets, from[i].packet)]++] = from[i];
    take_home(&s, own, sorted + levels->next[own], (levels->end[own] - levels->next[own]) * sizeof *sorted);
    return np_job_stream_all(levels->job, &stream, 0, NULL);
}
