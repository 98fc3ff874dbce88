/* A line for each step of each phase and run, and one for the state before the first. */
#include "show/record/record.h"

typedef struct steps_sheet {
    np_sheet sheet;
    np_event_phase phase;
    np_step step;
    uint32_t moved, landed, combined; /* in the step */
    uint64_t waiting;                 /* packets that have not ended yet */
    uint32_t queue_max;               /* of the step */
} steps_sheet;

static np_status begin(np_sheet *sheet, const np_event_phase *phase)
{
    steps_sheet *s = (steps_sheet *)sheet;
    s->phase = *phase;
    s->step = 0;
    s->moved = s->landed = s->combined = s->queue_max = 0;
    s->waiting = 0;
    return NP_OK;
}

enum {
    WATCHED = 1024
}; /* ours: lines between two looks at the disk; messages may take 2^32 steps and have few events */

static np_status write_step(steps_sheet *s)
{
    np_sheet_begin_line(&s->sheet, &s->phase);
    fprintf(s->sheet.stream, "%u,%u,%u,%u,%llu,%u\n", s->step, s->moved, s->landed, s->combined,
            (unsigned long long)s->waiting, s->queue_max);
    s->moved = s->landed = s->combined = s->queue_max = 0;
    return ++s->step % WATCHED ? NP_OK : np_sheet_watch(&s->sheet);
}

/* The steps before `end`. */
static np_status write_steps(steps_sheet *s, uint64_t end)
{
    np_status st = NP_OK;
    while (s->step < end && !st)
        st = write_step(s);
    return st;
}

static np_status take(np_sheet *sheet, const np_event *event)
{
    steps_sheet *s = (steps_sheet *)sheet;
    bool landed = event->kind == NP_EVENT_LANDED, combined = event->kind == NP_EVENT_COMBINED;
    np_status st = write_steps(s, event->step);
    s->moved += event->kind == NP_EVENT_MOVED;
    s->landed += landed;
    s->combined += combined;
    s->waiting += event->kind == NP_EVENT_INJECTED || event->kind == NP_EVENT_SPLIT;
    s->waiting -= landed || combined;
    if (event->queue > s->queue_max)
        s->queue_max = event->queue;
    return st;
}

static np_status end(np_sheet *sheet, const np_phase_run *run)
{
    return write_steps((steps_sheet *)sheet, (uint64_t)run->steps + 1);
}

/* Nobody knows when the last packet will land; but some phases stop before. */
static double lines(const np_event_phase *phase) { return phase->time; }

const np_sheet_kind np_sheet_steps = {
    .path = offsetof(np_record_options, steps),
    .size = sizeof(steps_sheet),
    .kinds = 1 << NP_EVENT_INJECTED | 1 << NP_EVENT_MOVED | 1 << NP_EVENT_COMBINED | 1 << NP_EVENT_SPLIT |
             1 << NP_EVENT_LANDED,
    .columns = "run,phase,name,step,moved,landed,combined,left,queue_max",
    .begin = begin,
    .event = take,
    .end = end,
    .lines = lines,
    .line_bytes = 24,
    .of_runs = true,
};
