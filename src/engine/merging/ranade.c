/*
 * The six phases: columns and their memory, and the steps (see ranade.h). The
 * lists of direction bits that a batch needs are made in ranade_lists.c.
 */
#include "engine/merging/ranade_inside.h"

#include <string.h>

#include "base/memory.h"

enum { BLOCK = NP_COLUMN_BLOCK, BAND = NP_RANADE_BAND };

void np_ranade_record_clear(np_ranade_record *record)
{
    NP_MEMORY_FREE(record->selected, record->sent);
    *record = (np_ranade_record){0};
}

static np_ranade_kind kind_of(uint32_t n, uint32_t c)
{
    if (c < n)
        return c ? NP_RANADE_CHAIN : NP_RANADE_FIRST;
    if (c < 2 * n)
        return c == n ? NP_RANADE_SPLIT : NP_RANADE_SWITCH;
    if (c < 4 * n)
        return c == 2 * n ? NP_RANADE_JOIN : NP_RANADE_PASS;
    if (c < 5 * n)
        return c == 4 * n ? NP_RANADE_FAN : NP_RANADE_BACK;
    if (c == 5 * n)
        return NP_RANADE_JOIN;
    return c == 6 * n ? NP_RANADE_LAST : NP_RANADE_TAKE;
}

static void lay_out(np_ranade *ranade)
{
    uint32_t n = ranade->n;
    for (uint32_t c = 0; c < ranade->columns; c++) {
        np_ranade_column *column = &ranade->column[c];
        uint32_t bit = np_ranade_crossing_bit(n, c), bit_in = c ? np_ranade_crossing_bit(n, c - 1) : UINT32_MAX;
        column->kind = kind_of(n, c);
        column->out_cross = bit == UINT32_MAX ? 0 : 1U << bit;
        column->in_cross = bit_in == UINT32_MAX ? 0 : 1U << bit_in;
        column->bit = bit == UINT32_MAX ? 0 : bit;
        column->state = ranade->state + (size_t)c * ranade->blocks * ranade->arrays * BLOCK;
        column->next = ranade->next + (size_t)c * ranade->padded;
        column->end = ranade->end + (size_t)c * ranade->padded;
        column->finished = ranade->finished + (size_t)c * ranade->blocks;
        column->queued = ranade->queued + (size_t)c * ranade->blocks;
    }
}

static size_t state_words(const np_ranade *ranade)
{
    return (size_t)ranade->columns * ranade->blocks * ranade->arrays * BLOCK;
}

static void layout(void *object, np_arena *arena)
{
    np_ranade *r = object;
    size_t switches = (size_t)r->columns * r->padded;
    np_arena_zeroed(arena, &r->column, r->columns, sizeof *r->column, "columns");
    np_arena_array(arena, &r->state, state_words(r), sizeof *r->state, "switches");
    np_arena_zeroed(arena, &r->next, switches, sizeof *r->next, "lists of switches");
    np_arena_zeroed(arena, &r->end, switches, sizeof *r->end, "lists of switches");
    np_arena_array(arena, &r->list, r->rows, sizeof *r->list, "lists of switches");
    NP_ARENA_WORDS(arena, r->rows, "lists of switches", &r->row_end, &r->target_end);
    np_arena_array(arena, &r->load, (size_t)r->n * r->rows, sizeof *r->load, "loads of modules");
    np_arena_array(arena, &r->selected, r->padded, sizeof *r->selected, "a record");
    np_arena_array(arena, &r->finished, (size_t)r->columns * r->blocks, sizeof *r->finished, "columns");
    np_arena_array(arena, &r->queued, (size_t)r->columns * r->blocks, sizeof *r->queued, "columns");
    np_arena_array(arena, &r->piece, r->workers, sizeof *r->piece, "threads");
    np_arena_array(arena, &r->worker, r->workers, sizeof *r->worker, "threads");
    np_arena_array(arena, &r->ghosts, r->workers * ((size_t)r->columns + BAND), sizeof *r->ghosts, "threads");
}

/* One more word of direction bits: the word after the last list is loaded, but never used. */
static void layout_batch(void *object, np_arena *arena)
{
    np_ranade *r = object;
    np_arena_array(arena, &r->row, r->tags + 1, sizeof *r->row, "rows of tags");
    np_arena_array(arena, &r->way, r->walked + 1, sizeof *r->way, "ways of requests");
    np_arena_array(arena, &r->spare, r->walked + 1, sizeof *r->spare, "ways of requests");
    np_arena_array(arena, &r->own, r->sent + 1, sizeof *r->own, "initial queues");
    np_arena_array(arena, &r->direction, np_ranade_direction_words(r) + 1, sizeof *r->direction, "direction bits");
    if (r->job && r->job->physical)
        np_physical_lay_out(&r->physical, r->job->leveled, arena);
#ifndef NDEBUG
    np_arena_array(arena, &r->answers, (np_ranade_direction_words(r) + 1) * (NP_RANADE_PAIRS + 1), sizeof *r->answers,
                   "answers");
#endif
}

static np_ranade sizes_of(uint32_t n, uint32_t queue_size)
{
    np_ranade ranade = {.n = n, .queue_size = queue_size, .rows = 1U << n, .by_n = np_divider_of(n)};
    ranade.padded = ranade.rows < BLOCK ? BLOCK : ranade.rows;
    ranade.blocks = ranade.padded / BLOCK;
    ranade.columns = 6 * n + 1;
    ranade.workers = ranade.blocks < NP_RANADE_WORKERS_MAX ? ranade.blocks : NP_RANADE_WORKERS_MAX;
    ranade.places = queue_size > NP_RANADE_REGISTERS ? queue_size : NP_RANADE_REGISTERS;
    ranade.arrays = NP_RANADE_QUEUE + 2 * (size_t)ranade.places;
    return ranade;
}

uint64_t np_ranade_bytes(uint32_t n, uint32_t queue_size, uint64_t requests, bool targets)
{
    np_ranade ranade = sizes_of(n, queue_size);
    ranade.tags = ranade.sent = requests;
    ranade.walked = targets ? 2 * requests : requests;
    return np_arena_bytes(&ranade, sizeof ranade, layout) + np_arena_bytes(&ranade, 0, layout_batch);
}

np_status np_ranade_create(uint32_t n, uint32_t queue_size, np_ranade **out)
{
    np_ranade ranade = sizes_of(n, queue_size);
    np_status st = np_arena_create(&ranade, sizeof ranade, layout, "the six phases", out);
    if (!st)
        lay_out(*out);
    return st;
}

void np_ranade_free(np_ranade *ranade)
{
    if (!ranade)
        return;
    np_ranade_seen_free(ranade->held);
    NP_MEMORY_FREE(ranade->block, ranade);
}

static void begin_workers(np_ranade *ranade)
{
    size_t each = (size_t)ranade->columns + BAND;
    memset(ranade->worker, 0, ranade->workers * sizeof *ranade->worker);
    memset(ranade->ghosts, 0, ranade->workers * each * sizeof *ranade->ghosts);
    for (uint32_t i = 0; i < ranade->workers; i++)
        ranade->worker[i].ghosts = ranade->ghosts + i * each;
}

static np_status prepare(np_ranade *ranade, np_ranade_run *out)
{
    const np_ranade_job *job = ranade->job;
    np_status st;
    ranade->tags = job->tags;
    ranade->sent = job->begin[job->tags];
    ranade->walked = ranade->sent + (job->target ? ranade->tags : 0);
    if ((st = np_arena_renew(ranade, layout_batch, "the six phases", &ranade->block, &ranade->block_bytes)))
        return st;
    np_physical_begin(&ranade->physical, job->leveled);
    memset(ranade->load, 0, (size_t)ranade->n * ranade->rows * sizeof *ranade->load);
    for (uint32_t k = 0; k < job->tags; k++) {
        ranade->row[k] = job->module[k] & (ranade->rows - 1);
        if (++ranade->load[job->module[k]] > out->module_max)
            out->module_max = ranade->load[job->module[k]];
    }
    memset(ranade->finished, 0, (size_t)ranade->columns * ranade->blocks * sizeof *ranade->finished);
    memset(ranade->queued, 0, (size_t)ranade->columns * ranade->blocks * sizeof *ranade->queued);
    begin_workers(ranade);
    ranade->taken = 0;
    if (job->home)
        memset(job->home, 0, job->tags * sizeof *job->home);
    if ((st = np_ranade_make_ready(ranade)))
        return st;
    if (job->target)
        ranade->messages = job->tags;
    return NP_OK;
}

static np_status make_room(np_ranade_record *record, size_t used, size_t room)
{
    np_status st;
    if (room <= record->room)
        return NP_OK;
    if ((st = np_memory_grow(&record->selected, used, room, sizeof *record->selected, "a record")) ||
        (st = np_memory_grow(&record->sent, used, room, sizeof *record->sent, "a record")))
        return st;
    record->room = room;
    return NP_OK;
}

np_status np_ranade_record_reserve(np_ranade_record *record, uint32_t n, uint64_t steps)
{
    return make_room(record, 0, (size_t)steps * (6 * n + 1) << n);
}

static np_status grow_record(np_ranade *ranade, np_ranade_record *record, uint64_t now)
{
    size_t step = (size_t)ranade->columns * ranade->rows, used = now * step;
    np_status st = used + step > record->room ? make_room(record, used, 2 * (used + step)) : NP_OK;
    if (st)
        return st;
    memset(record->selected + used, 0, step * sizeof *record->selected);
    memset(record->sent + used, 0, step * sizeof *record->sent);
    return NP_OK;
}

/* Notes what column c selected, and over which ways it went. */
static void note(const np_ranade *ranade, np_ranade_record *record, uint64_t now, uint32_t c)
{
    size_t at = (now * ranade->columns + c) * ranade->rows;
    memcpy(record->selected + at, ranade->least, ranade->rows * sizeof *record->selected);
    for (uint32_t r = 0; r < ranade->rows; r++) {
        const uint32_t *out = ranade->column[c].state + (size_t)(r / BLOCK) * ranade->arrays * BLOCK + r % BLOCK;
        uint32_t h = ranade->least[r];
        if (h && h % 2 == 0)
            record->sent[at + r] =
                (uint8_t)((out[NP_RANADE_OUT * BLOCK] == h) | (out[(NP_RANADE_OUT + 1) * BLOCK] == h) << 1);
    }
}

/* Plays what column c has sent: messages, ghosts, and ends, which the column goes on sending after the first time. */
static void play(np_ranade *ranade, uint32_t c)
{
    const np_leveled *lv = ranade->job->leveled;
    for (uint32_t r = 0; r < ranade->rows && c < lv->depth; r++) {
        const uint32_t *state = ranade->column[c].state + (size_t)(r / BLOCK) * ranade->arrays * BLOCK + r % BLOCK;
        uint32_t first = lv->out[c * ranade->rows + r], next = lv->out[c * ranade->rows + r + 1];
        for (uint32_t e = first; e < next; e++) {
            uint32_t sent = state[(NP_RANADE_OUT + e - first) * BLOCK];
            if (sent == NP_RANADE_END)
                np_physical_end(&ranade->physical, e);
            else if (sent & 1)
                np_physical_signal(&ranade->physical, e);
            else if (sent)
                np_physical_packet(&ranade->physical, e);
        }
    }
}

static void finish(const np_ranade *ranade, np_ranade_run *out)
{
    const np_ranade_job *job = ranade->job;
    for (uint32_t w = 0; w < ranade->workers; w++)
        out->queue_max = np_column_larger(out->queue_max, ranade->worker[w].longest);
    out->abandoned = ranade->taken < ranade->messages;
    if (out->abandoned)
        return;
    out->combined = job->begin[job->tags] - job->tags;
    out->replies = job->target ? job->tags : job->begin[job->tags];
}

/* Some message moves in every other step: ours. */
/* A step of all columns that are not idle, from the last one to the first; see ranade_bands.c. */
static void step_columns(np_ranade *ranade, uint64_t now, np_ranade_record *record, uint64_t *ghosts)
{
    np_ranade_worker *worker = ranade->worker;
    ranade->now = worker->now = (uint32_t)now;
    if (ranade->seen)
        np_ranade_observe_step(ranade);
    for (uint64_t c = now < ranade->columns ? now + 1 : ranade->columns; c-- > 0;) {
        np_ranade_column_step(ranade, worker, (uint32_t)c);
        if (record)
            note(ranade, record, now, (uint32_t)c);
        if (ranade->job->physical)
            play(ranade, (uint32_t)c);
        if (ranade->seen)
            np_ranade_observe_column(ranade, (uint32_t)c);
    }
    np_ranade_add_up(worker, ghosts);
    ranade->taken = worker->taken;
}

/* Step after step, for records, observers and physical steps. *steps goes on from what it is. */
static np_status run_steps(np_ranade *ranade, uint64_t limit, np_ranade_record *record, uint64_t *steps,
                           uint64_t *ghosts)
{
    np_status st;
    ranade->worker->part = 0;
    ranade->worker->part_mask = ranade->blocks - 1;
    for (uint64_t now = *steps; ranade->taken < ranade->messages && now < limit; now++) {
        if (record && (st = grow_record(ranade, record, now)))
            return st;
        step_columns(ranade, now, record, ghosts);
        if (ranade->job->physical)
            np_physical_step(&ranade->physical);
        if (ranade->seen && (st = np_ranade_observe_rest(ranade)))
            return st;
        *steps = now + 1;
        if ((st = np_ranade_tell_share(ranade, *steps)) || (st = np_ranade_check_patience(ranade, now)))
            return st;
    }
    return NP_OK;
}

/* All steps, in the order that the batch allows. */
static np_status run(np_ranade *ranade, uint64_t limit, np_ranade_record *record, np_ranade_run *out)
{
    if (record || ranade->seen || ranade->job->physical)
        return run_steps(ranade, limit, record, &out->steps, &out->ghosts);
    return np_ranade_run_bands(ranade, limit, &out->steps, &out->ghosts);
}
/* An abandoned batch ends, for observers. */
static np_status tell_rest(np_ranade *ranade, np_ranade_run *out)
{
    uint64_t ghosts = 0;
    if (!ranade->seen)
        return NP_OK;
    out->told_steps = out->steps;
    np_status st = run_steps(ranade, UINT64_MAX, NULL, &out->told_steps, &ghosts);
    out->told_moves = ranade->seen->moves;
    return st;
}

np_status np_ranade_send(np_ranade *ranade, const np_ranade_job *job, np_ranade_record *record, np_ranade_run *out)
{
    np_status st;
    *out = (np_ranade_run){0};
    ranade->job = job;
    ranade->least = record || job->observer ? ranade->selected : NULL;
    if ((st = prepare(ranade, out)) || (st = np_ranade_observe_begin(ranade)))
        return st;
    if ((st = run(ranade, job->steps_max ? job->steps_max : UINT64_MAX, record, out)))
        return st;
    out->physical_steps = ranade->physical.steps;
    finish(ranade, out);
    return tell_rest(ranade, out);
}
