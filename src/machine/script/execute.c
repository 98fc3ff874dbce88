/*
 * Carries out code: accesses as steps of the PRAM, branches and loops by masks. Where no lane is on nothing is done,
 * and no step is taken. A condition asks whether any lane is on, which is free: the one control unit of the lock step
 * knows.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/room.h"
#include "base/watch.h"
#include "machine/script/input.h"
#include "machine/script/observe.h"

enum { DEPTH_MAX = 3000 }; /* of np_execute_code: each takes some hundred bytes of the stack (ours) */

static np_status execute_code(np_execution *x, const np_code *code, np_frame *frame, np_mask mask,
                              np_activation *activation);

/* ---- Accesses ---- */

static np_address *addresses(const np_frame *frame, uint32_t index) { return (np_address *)frame->vector[index]; }

/* The indices of both processors of a violation; over ranks those of the processors that a rank has, else "". */
typedef struct both_places {
    char of[2][NP_WHERE];
} both_places;

static void find_places(const np_execution *x, const np_instruction *node, const np_frame *frame, const np_violation *v,
                        both_places *places)
{
    const np_processor processor[] = {v->first, v->second};
    for (int i = 0; i < 2; i++) {
        const size_t lane = processor[i] - frame->lanes.before; /* large, if it is of a rank below */
        memset(places->of[i], 0, sizeof places->of[i]);
        if (lane < frame->lanes.count)
            np_observe_indices(x, frame, node->site, lane, places->of[i]);
    }
}

/* The same, of all ranks. */
static np_status gather_places(np_execution *x, const np_instruction *node, const np_frame *frame,
                               const np_violation *v, both_places *places)
{
    const np_job *job = x->pram->division->job;
    np_stack_mark mark = np_stack_now(&x->stack);
    both_places *all;
    uint64_t *counts;
    np_status st = np_stack_take(&x->stack, &all, job->size, sizeof *all);
    if (!st)
        st = np_stack_take(&x->stack, &counts, job->size, sizeof *counts);
    if ((st = np_division_meet(x->pram->division, st, NULL, 0)))
        return st;
    for (uint32_t r = 0; r < job->size; r++)
        counts[r] = 1;
    find_places(x, node, frame, v, places);
    st = job->gather(job->context, sizeof *places, places, counts, all);
    for (uint32_t r = 0; r < job->size && !st; r++)
        for (int i = 0; i < 2; i++)
            if (*all[r].of[i])
                memcpy(places->of[i], all[r].of[i], NP_WHERE);
    np_stack_back(&x->stack, mark);
    return st;
}

/* Of violations that the step has added: the indices of both processors. */
static __attribute__((noinline)) np_status note_violations(np_execution *x, const np_instruction *node,
                                                           const np_frame *frame)
{
    np_status st = NP_OK;
    for (; x->wheres < x->pram->check.kept && !st; x->wheres++) {
        np_violation *v = &x->pram->check.violation[x->wheres];
        both_places places;
        char *copy;
        if (frame->lanes.divided)
            st = gather_places(x, node, frame, v, &places);
        else
            find_places(x, node, frame, v, &places);
        if (st || !*places.of[0] || (st = np_pool_take(x->pool, &copy, 2 * NP_WHERE + 8)))
            continue;
        snprintf(copy, 2 * NP_WHERE + 8, "%s and %s", places.of[0], places.of[1]);
        v->where = copy;
    }
    return st;
}

/* The PRAM has refused a step, such as two writes that the rule cannot combine: its message gets the place. */
static __attribute__((noinline)) np_status say_where(const np_execution *x, uint32_t site)
{
    char message[512];
    snprintf(message, sizeof message, "%s", np_last_error());
    return NP_SITE_RAISE(x, site, NP_ERROR_INPUT, "%s", message);
}

/*
 * Over ranks this one's lanes access cells, or its share of those that all ranks have. How many do closes the mask; if
 * none does, there was no step.
 */
static np_status access_pram(np_execution *x, const np_instruction *node, const np_frame *frame, np_mask *mask,
                             const np_pram_step *step)
{
    const np_division *d = x->pram->division;
    const np_step_share share = {.first = frame->lanes.before,
                                 .all = frame->lanes.all,
                                 .same = !frame->lanes.divided,
                                 .open = mask->open,
                                 .type = np_cell_type_of(node->symbol->type)};
    np_status st = d ? np_pram_access_share(x->pram, step, &share) : np_pram_access(x->pram, step);
    if (mask->open)
        *mask = (np_mask){mask->on, (size_t)d->accesses, false};
    return st == NP_ERROR_INPUT && !(d && d->over) ? say_where(x, node->site) : st;
}

/* One step of the PRAM, and its cost, which goes to the line. */
static np_status access_cells(np_execution *x, const np_instruction *node, const np_frame *frame, np_mask *mask)
{
    static const np_access_kind kinds[] = {[NP_INSTRUCTION_READ] = NP_ACCESS_READ,
                                           [NP_INSTRUCTION_WRITE] = NP_ACCESS_WRITE,
                                           [NP_INSTRUCTION_FETCH] = NP_ACCESS_FETCH};
    const np_site *site = &x->code->site[node->site];
    np_script_line_cost *line = &x->line[site->place.line - 1];
    uint64_t network = x->pram->cost.network_steps, work = x->pram->work;
    const np_pram_step step = {.label = site->label,
                               .count = frame->lanes.count,
                               .address = addresses(frame, node->a),
                               .active = mask->on,
                               .all = kinds[node->kind],
                               .op = node->fetch,
                               .value = frame->vector[node->kind == NP_INSTRUCTION_READ ? node->to : node->b]};
    uint64_t combined = x->pram->cost.combined, violations = x->pram->check.violations;
    np_observation *seen = NULL;
    np_stack_mark mark = np_stack_now(&x->stack);
    np_status st = NP_OK;
    if (x->options->observer)
        st = np_observe_before(x, node, frame, mask, &step, &seen);
    if (!st)
        st = access_pram(x, node, frame, mask, &step);
    if (!st && x->wheres < x->pram->check.kept)
        st = note_violations(x, node, frame);
    line->steps += mask->active != 0;
    line->work += x->pram->work - work;
    line->network_steps += x->pram->cost.network_steps - network;
    line->combined += x->pram->cost.combined - combined;
    line->violations += x->pram->check.violations - violations;
    if (seen && !st)
        st = np_observe_after(seen);
    np_stack_back(&x->stack, mark);
    return st;
}

/* ---- Conditions and loops ---- */

static bool may_be_on(const np_mask *mask) { return mask->active || mask->open; }

/* Who watches steps is not to see one that is none; and what is too deep may be so only where a lane is on. */
static bool may_be_open(const np_execution *x, const np_frame *frame)
{
    return frame->lanes.divided && !x->options->observer && !x->pram->options.on_step && x->depth < DEPTH_MAX / 2;
}

/* Is the node carried out by an open mask, because nothing remains of it if no lane is on? */
static bool stays_open(const np_instruction *node)
{
    if (node->kind == NP_INSTRUCTION_STRIP) /* random() counts how often it was carried out */
        for (uint32_t i = 0; i < node->count; i++)
            if (node->local[i].kind == NP_LOCAL_OPERATOR && node->local[i].op == NP_OP_RANDOM)
                return false;
    return node->kind == NP_INSTRUCTION_STRIP || node->kind == NP_INSTRUCTION_READ ||
           node->kind == NP_INSTRUCTION_WRITE || node->kind == NP_INSTRUCTION_FETCH ||
           node->kind == NP_INSTRUCTION_ASSERT;
}

static np_status branch(np_execution *x, const np_instruction *node, np_frame *frame, const np_mask *mask,
                        np_activation *activation)
{
    np_stack_mark mark = np_stack_now(&x->stack);
    uint8_t *on, *off;
    np_status st = np_stack_take(&x->stack, &on, frame->lanes.count, 1);
    if (st)
        return st;
    const bool open = may_be_open(x, frame);
    np_mask then, otherwise = {NULL, 0, false};
    if ((st = np_mask_narrow(x, frame, mask, node->a, true, open, on, &then)))
        return st;
    /* The condition's register may be used again inside: both masks are made first. */
    if (node->other.count && (open || then.active < mask->active) &&
        ((st = np_stack_take(&x->stack, &off, frame->lanes.count, 1)) ||
         (st = np_mask_narrow(x, frame, mask, node->a, false, open, off, &otherwise))))
        return st;
    if (may_be_on(&then) && node->body.count)
        st = execute_code(x, &node->body, frame, then, activation);
    if (!st && may_be_on(&otherwise))
        st = execute_code(x, &node->other, frame, otherwise, activation);
    np_stack_back(&x->stack, mark);
    return st;
}

/* One turn more: a loop without accesses is stopped, too. */
static np_status turn(np_execution *x, uint32_t site)
{
    uint64_t most = x->options->program.turns_max;
    if (++x->turns > most)
        return NP_SITE_RAISE(
            x, site, NP_ERROR_LIMIT,
            "loops and calls have made %" PRIu64 " turns in all: does this one end? Allow more with turns", most);
    if (x->turns % 4096)
        return NP_OK;
    return np_watch_check(&x->pram->options.watch, (np_progress){NULL, "PRAM steps", x->pram->steps, 0, 0});
}

static np_status loop(np_execution *x, const np_instruction *node, np_frame *frame, np_mask mask,
                      np_activation *activation)
{
    np_stack_mark mark = np_stack_now(&x->stack);
    bool repeats = node->kind == NP_INSTRUCTION_REPEAT;
    uint8_t *on;
    np_status st = np_stack_take(&x->stack, &on, frame->lanes.count, 1);
    while (!st && mask.active) {
        if ((st = turn(x, node->site)) ||
            (st = execute_code(x, repeats ? &node->body : &node->test, frame, mask, activation)))
            break;
        if (node->may_return && activation->any &&
            ((st = np_mask_stay(x, frame, &mask, activation, on, &mask)) || !mask.active))
            break;
        if ((repeats && (st = execute_code(x, &node->test, frame, mask, activation))) ||
            (st = np_mask_narrow(x, frame, &mask, node->a, !repeats, false, on, &mask)))
            break;
        if (!repeats && mask.active)
            st = execute_code(x, &node->body, frame, mask, activation);
        if (!repeats && !st && node->may_return && activation->any)
            st = np_mask_stay(x, frame, &mask, activation, on, &mask);
    }
    np_stack_back(&x->stack, mark);
    return st;
}

/* ---- Levels ---- */

/* Of all heaps. */
typedef struct heap_marks {
    np_heap_mark of[NP_TYPE_BOOL + 1];
} heap_marks;

static heap_marks heaps_now(const np_execution *x)
{
    heap_marks marks = {0};
    for (unsigned type = NP_TYPE_INT; type <= NP_TYPE_BOOL; type++)
        marks.of[type] = np_heap_now(&x->heap[type]);
    return marks;
}

static void heaps_back(np_execution *x, const heap_marks *marks)
{
    for (unsigned type = NP_TYPE_INT; type <= NP_TYPE_BOOL; type++)
        np_heap_back(&x->heap[type], marks->of[type]);
}

/* Registers of a frame: those that are given, from registers of the caller; the others anew. */
static np_status make_frame(np_execution *x, uint32_t number, np_word *const *given, np_frame *frame)
{
    const np_frame_plan *plan = &x->code->frame[number];
    np_status st = np_stack_take(&x->stack, &frame->vector, plan->registers + 1u, sizeof *frame->vector);
    for (uint32_t i = 0; i < plan->registers && !st; i++)
        if (i < plan->given && given)
            frame->vector[i] = given[i];
        else
            st = np_stack_take(&x->stack, &frame->vector[i], frame->lanes.count, sizeof **frame->vector);
    return st;
}

static np_status pardo(np_execution *x, const np_instruction *node, np_frame *outer, const np_mask *mask,
                       np_activation *activation)
{
    np_stack_mark mark = np_stack_now(&x->stack);
    np_frame frame = {.outer = outer};
    np_status st = np_make_lanes(x, node, outer, mask, &frame.lanes);
    if (!st && frame.lanes.all && !(st = make_frame(x, node->frame, NULL, &frame)))
        st = execute_code(x, &node->body, &frame, (np_mask){NULL, frame.lanes.all, false}, activation);
    np_stack_back(&x->stack, mark);
    return st;
}

/* The first lane that is on, of this rank; all of them: none is. */
static size_t first_lane(const np_frame *frame, const np_mask *mask)
{
    size_t lane = 0;
    while (lane < frame->lanes.count && !np_is_on(mask, lane))
        lane++;
    return lane;
}

static np_status call(np_execution *x, const np_instruction *node, np_frame *caller, const np_mask *mask)
{
    const np_procedure_code *procedure = &x->code->procedure[node->procedure];
    np_stack_mark mark = np_stack_now(&x->stack);
    const heap_marks heap = heaps_now(x);
    np_frame frame = {.lanes = caller->lanes};
    np_activation activation = {0};
    np_word *const *given = caller->vector + node->a; /* the result is the last */
    const np_pending_call pending = {node->procedure, node->site, caller, node->a, first_lane(caller, mask), x->call};
    np_status st = turn(x, node->site);
    x->call = &pending;
    if (!st && procedure->returns && !(st = np_stack_take(&x->stack, &activation.returned, caller->lanes.count, 1)))
        memset(activation.returned, 0, caller->lanes.count);
    for (size_t i = 0; i < caller->lanes.count && !st; i++)
        caller->vector[node->to][i] = 0;
    if (!st && !(st = make_frame(x, procedure->frame, given, &frame)))
        st = execute_code(x, &procedure->body, &frame, *mask, &activation);
    x->call = pending.outer;
    heaps_back(x, &heap);
    np_stack_back(&x->stack, mark);
    return st;
}

static void give_back(np_frame *frame, const np_mask *mask, np_activation *activation)
{
    activation->any = true;
    for (size_t i = 0; i < frame->lanes.count; i++)
        activation->returned[i] |= np_is_on(mask, i);
}

/* ---- Arrays ---- */

/* How many cells a lane's array has; its lows and extents go to its registers. false: too many, or a size below 0. */
static bool size_array(const np_instruction *node, const np_frame *frame, size_t lane, uint64_t *cells)
{
    *cells = 1;
    for (uint32_t d = 0; d < node->count; d++) {
        np_word low = frame->vector[node->a + 2 * d][lane], high = frame->vector[node->a + 2 * d + 1][lane];
        np_word extent;
        bool counts = node->b >> d & 1; /* [high]: so many; [low..high]: one more than the difference */
        if (counts ? (extent = high, high < 0)
                   : __builtin_sub_overflow(high, low, &extent) || __builtin_add_overflow(extent, 1, &extent) ||
                         extent < 0)
            return false;
        frame->vector[node->to + 1 + 2 * d][lane] = low;
        frame->vector[node->to + 2 + 2 * d][lane] = extent;
        if (__builtin_mul_overflow(*cells, (uint64_t)extent, cells) || *cells > INT64_MAX)
            return false;
    }
    return true;
}

static np_status allocate_cells(np_execution *x, const np_instruction *node, uint64_t cells, np_address *base)
{
    np_heap *heap = &x->heap[node->symbol->type];
    if (node->symbol->global)
        return np_pram_allocate_typed(x->pram, cells, node->symbol->name, np_cell_type_of(node->symbol->type), base);
    return np_heap_take(heap, x->pram, cells, base);
}

/* *all = the cells of the arrays of this rank's lanes; before: those of the lanes of ranks below. */
static np_status size_arrays(np_execution *x, const np_instruction *node, const np_frame *frame, const np_mask *mask,
                             uint64_t before, uint64_t *all)
{
    uint64_t sum = before, cells;
    for (size_t i = 0; i < frame->lanes.count; i++)
        if (np_is_on(mask, i) &&
            (!size_array(node, frame, i, &cells) || __builtin_add_overflow(sum, cells, &sum) || sum > INT64_MAX))
            return np_division_fail(x->pram->division, np_lanes_at(&frame->lanes, i),
                                    NP_SITE_RAISE(x, node->site, NP_ERROR_INPUT,
                                                  "'%s' would have less than 0 or more than 2^63 - 1 cells (processor "
                                                  "%zu)",
                                                  node->symbol->name, frame->lanes.before + i));
    *all = sum - before;
    return NP_OK;
}

/* Each lane that is on has an array of its own, one after the other. */
static np_status allocate(np_execution *x, const np_instruction *node, const np_frame *frame, const np_mask *mask)
{
    uint64_t own, all, before, none;
    np_address base;
    np_status st = size_arrays(x, node, frame, mask, 0, &own);
    if (st || (st = np_lanes_sum(x, &frame->lanes, own, &all, &before)))
        return st;
    if (all > INT64_MAX) /* of all ranks */
        st = size_arrays(x, node, frame, mask, before, &none);
    if (st || (st = allocate_cells(x, node, all, &base)))
        return st;
    base += before;
    for (size_t i = 0; i < frame->lanes.count; i++) {
        uint64_t cells;
        if (!np_is_on(mask, i))
            continue;
        size_array(node, frame, i, &cells);
        frame->vector[node->to][i] = (np_word)base;
        base += cells;
    }
    return st;
}

/* ---- What a program says ---- */

static int print_item(const np_printed *item, const np_frame *frame, size_t lane, char *to, size_t room)
{
    char word[32];
    if (!item->text)
        np_script_word(np_type_name(item->type), frame->vector[item->from][lane], word);
    return snprintf(to, room, "%s", item->text ? item->text : word);
}

enum { LINE = 1024 };

static void print_lane(const np_instruction *node, const np_frame *frame, size_t lane, char line[LINE])
{
    size_t length = 0;
    *line = '\0';
    for (uint32_t k = 0; k < node->count && length < LINE; k++)
        length += (size_t)print_item(&node->printed[k], frame, lane, line + length, LINE - length);
}

/* The lines of this rank's lanes, each with its 0 at the end. Freed with np_memory_free. */
static np_status print_own(const np_instruction *node, const np_frame *frame, const np_mask *mask, char **out,
                           size_t *bytes)
{
    char line[LINE];
    size_t room = 0;
    np_status st = NP_OK;
    *out = NULL;
    *bytes = 0;
    for (size_t i = 0; i < frame->lanes.count && !st; i++) {
        if (!np_is_on(mask, i))
            continue;
        print_lane(node, frame, i, line);
        const size_t more = strlen(line) + 1;
        if (!(st = np_memory_need(out, *bytes, *bytes + more, &room, 1, "what a program prints")))
            memcpy(*out + *bytes, line, more);
        *bytes += more;
    }
    return st;
}

/* Lanes that are divided: rank 0 prints for all. */
static np_status print_divided(np_execution *x, const np_instruction *node, const np_frame *frame, const np_mask *mask)
{
    char *own, *all;
    size_t bytes, count;
    np_status st = print_own(node, frame, mask, &own, &bytes);
    st = np_division_collect(x->pram->division, st, own, bytes, &all, &count);
    for (size_t at = 0; at < count && !st && x->options->print; at += strlen(all + at) + 1)
        x->options->print(x->options->print_context, all + at);
    NP_MEMORY_FREE(own, all);
    return st;
}

/* A line for each lane that is on, in their order. Its line is not to be part of the recursion's frames. */
static __attribute__((noinline)) np_status print(np_execution *x, const np_instruction *node, const np_frame *frame,
                                                 const np_mask *mask)
{
    char line[LINE];
    const np_division *d = x->pram->division;
    if (frame->lanes.divided)
        return print_divided(x, node, frame, mask);
    for (size_t i = 0; i < frame->lanes.count && x->options->print && !(d && d->job->rank); i++) {
        if (!np_is_on(mask, i))
            continue;
        print_lane(node, frame, i, line);
        x->options->print(x->options->print_context, line);
    }
    return NP_OK;
}

static __attribute__((noinline)) np_status raise_assertion(np_execution *x, const np_instruction *node,
                                                           const np_frame *frame, size_t lane)
{
    char at[NP_WHERE];
    return NP_SITE_RAISE(x, node->site, NP_ERROR_INPUT, "%s%s%s does not hold%s", node->text ? node->text : "",
                         node->text ? ": " : "", x->code->site[node->site].what,
                         np_observe_where(x, frame, node->site, lane, at));
}

static np_status check_assertion(np_execution *x, const np_instruction *node, const np_frame *frame,
                                 const np_mask *mask)
{
    for (size_t i = 0; i < frame->lanes.count; i++)
        if (np_is_on(mask, i) && !frame->vector[node->a][i])
            return np_division_fail(x->pram->division, np_lanes_at(&frame->lanes, i),
                                    raise_assertion(x, node, frame, i));
    return NP_OK;
}

/* ---- Code ---- */

static np_status execute_scope(np_execution *x, const np_instruction *node, np_frame *frame, np_mask mask,
                               np_activation *activation)
{
    const heap_marks heap = heaps_now(x);
    np_status st = execute_code(x, &node->body, frame, mask, activation);
    heaps_back(x, &heap);
    return st;
}

static np_status execute_node(np_execution *x, const np_instruction *node, np_frame *frame, np_mask *mask,
                              np_activation *activation)
{
    switch (node->kind) {
    case NP_INSTRUCTION_STRIP:
        return np_execute_strip(x, node, frame, mask);
    case NP_INSTRUCTION_READ:
    case NP_INSTRUCTION_WRITE:
    case NP_INSTRUCTION_FETCH:
        return access_cells(x, node, frame, mask);
    case NP_INSTRUCTION_BRANCH:
        return branch(x, node, frame, mask, activation);
    case NP_INSTRUCTION_LOOP:
    case NP_INSTRUCTION_REPEAT:
        return loop(x, node, frame, *mask, activation);
    case NP_INSTRUCTION_PARDO:
        return pardo(x, node, frame, mask, activation);
    case NP_INSTRUCTION_SCOPE:
        return execute_scope(x, node, frame, *mask, activation);
    case NP_INSTRUCTION_ALLOCATE:
        return allocate(x, node, frame, mask);
    case NP_INSTRUCTION_CALL:
        return call(x, node, frame, mask);
    case NP_INSTRUCTION_RETURN:
        give_back(frame, mask, activation);
        return NP_OK;
    case NP_INSTRUCTION_PRINT:
        return print(x, node, frame, mask);
    case NP_INSTRUCTION_ASSERT:
        return check_assertion(x, node, frame, mask);
    }
    return NP_RAISE(NP_ERROR_INTERNAL, "code that the compiler does not make");
}

/* Texts nest blocks less deeply, so a call is pending. */
/* "total(0, 3)": a call with the values of its arguments; arrays are "..". */
static size_t write_call(const np_execution *x, const np_pending_call *call, char *to, size_t room)
{
    const np_procedure *p = x->syntax->procedure[call->procedure];
    int length = snprintf(to, room, "%.40s(", p->symbol->name);
    for (uint32_t i = 0; i < p->parameters && (size_t)length < room; i++) {
        const np_symbol *parameter = p->parameter[i];
        char word[32] = "..";
        if (parameter->kind == NP_SYMBOL_PRIVATE && call->lane < call->caller->lanes.count)
            np_script_word(np_type_name(parameter->type), call->caller->vector[call->given + parameter->at][call->lane],
                           word);
        length += snprintf(to + length, room - (size_t)length, "%s%s", i ? ", " : "", word);
    }
    if ((size_t)length + 1 < room)
        length += snprintf(to + length, room - (size_t)length, ")");
    return (size_t)length < room ? (size_t)length : room - 1;
}

/* Of a call with two whole numbers that are equal, the bounds of a range of one item: a case that recursions forget. */
static bool ask_case(const np_execution *x, const np_pending_call *call, char missing[160])
{
    const np_procedure *p = x->syntax->procedure[call->procedure];
    const np_symbol *before = NULL;
    for (uint32_t i = 0; i < p->parameters; i++) {
        const np_symbol *parameter = p->parameter[i];
        np_word *const *vector = call->caller->vector + call->given;
        if (parameter->kind != NP_SYMBOL_PRIVATE || parameter->type != NP_TYPE_INT ||
            call->lane >= call->caller->lanes.count)
            continue;
        if (before && vector[before->at][call->lane] == vector[parameter->at][call->lane]) {
            snprintf(missing, 160, "is the case %s = %s missing", before->name, parameter->name);
            return true;
        }
        before = parameter;
    }
    return false;
}

/* The calls that led here: the first ones, and whether the last one is made again with the same values. */
static __attribute__((noinline)) np_status raise_depth(const np_execution *x)
{
    char first[120] = "", last[80] = "", before[80] = "", missing[160];
    const np_pending_call *outer[3] = {NULL};
    size_t length = 0;
    for (const np_pending_call *c = x->call; c; c = c->outer) {
        outer[2] = outer[1];
        outer[1] = outer[0];
        outer[0] = c;
    }
    for (size_t i = 0; i < 3 && outer[i] && length + 40 < sizeof first; i++) {
        length += write_call(x, outer[i], first + length, sizeof first - length - 3);
        length += (size_t)snprintf(first + length, sizeof first - length, ", ");
    }
    write_call(x, x->call, last, sizeof last);
    if (x->call->outer)
        write_call(x, x->call->outer, before, sizeof before);
    const bool same = !strcmp(last, before);
    const size_t lanes =
        x->call->caller->lanes.count; /* over ranks the first lane of all says what it was called with */
    np_division_fail(x->pram->division, x->call->lane < lanes ? 0 : UINT64_MAX, NP_OK);
    return NP_SITE_RAISE(
        x, x->call->site, NP_ERROR_LIMIT, "calls and blocks are more than %d deep: %s %s; %s? %s: %s...", DEPTH_MAX,
        last, same ? "calls itself again with the same values, so it never ends" : "is the last call",
        same && ask_case(x, x->call, missing) ? missing : "does the recursion end", "The first calls", first);
}

static np_status execute_code(np_execution *x, const np_code *code, np_frame *frame, np_mask mask,
                              np_activation *activation)
{
    np_stack_mark mark = np_stack_now(&x->stack);
    uint8_t *on = NULL;
    np_status st = ++x->depth > DEPTH_MAX ? raise_depth(x) : NP_OK;
    for (uint32_t i = 0; i < code->count && !st && may_be_on(&mask); i++) {
        if (x->pram->division)
            x->pram->division->moment++;
        if (mask.open && !stays_open(&code->node[i]) && ((st = np_mask_close(x, frame, &mask)) || !mask.active))
            break;
        st = execute_node(x, &code->node[i], frame, &mask, activation);
        if (st || !code->node[i].may_return || !activation->any)
            continue;
        if (!on && (st = np_stack_take(&x->stack, &on, frame->lanes.count, 1)))
            break;
        st = np_mask_stay(x, frame, &mask, activation, on, &mask);
    }
    np_stack_back(&x->stack, mark);
    x->depth--;
    return st;
}

/* ---- The whole ---- */

static np_status make_constants(np_execution *x)
{
    const np_program_code *code = x->code;
    np_status st;
    if ((st = np_stack_take(&x->stack, &x->constant, (size_t)code->constants * NP_STRIP, sizeof *x->constant)) ||
        (st = np_stack_take(&x->stack, &x->drawn, x->syntax->draws, sizeof *x->drawn)))
        return st;
    for (uint32_t i = 0; i < x->syntax->draws; i++)
        x->drawn[i] = 0;
    for (uint32_t i = 0; i < code->constants; i++)
        for (size_t k = 0; k < NP_STRIP; k++)
            x->constant[(size_t)i * NP_STRIP + k] = code->constant[i];
    return NP_OK;
}

np_status np_execution_begin(np_execution *x)
{
    np_status st = make_constants(x);
    for (unsigned type = NP_TYPE_INT; type <= NP_TYPE_BOOL; type++)
        x->heap[type].type = np_cell_type_of((np_type)type);
    if (st || (st = np_stack_take(&x->stack, &x->program, 1, sizeof *x->program)))
        return st;
    *x->program = (np_frame){.lanes = {.count = 1, .all = 1}};
    if ((st = make_frame(x, 0, NULL, x->program)))
        return st;
    for (uint32_t i = 0; i < x->code->frame[0].registers; i++) /* an array that is not allocated yet has no cells */
        x->program->vector[i][0] = 0;
    return NP_OK;
}

np_status np_execution_array(np_execution *x, const np_symbol *symbol, const np_word *low, const np_word *extent,
                             np_address *base)
{
    np_word **vector = x->program->vector + symbol->at;
    uint64_t cells = 1;
    for (uint8_t d = 0; d < symbol->rank; d++) {
        vector[1 + 2 * d][0] = low[d];
        vector[2 + 2 * d][0] = extent[d];
        cells *= (uint64_t)extent[d];
    }
    np_status st = np_pram_allocate_typed(x->pram, cells, symbol->name, np_cell_type_of(symbol->type), base);
    if (!st)
        vector[0][0] = (np_word)*base;
    return st;
}

np_status np_execution_run(np_execution *x)
{
    np_activation activation = {0};
    np_status st = execute_code(x, &x->code->body, x->program, (np_mask){NULL, 1, false}, &activation);
    return x->options->observer ? np_observe_end(x, st) : st;
}

void np_execution_clear(np_execution *x)
{
    for (uint32_t i = 0; x->kept && i < x->syntax->inputs; i++)
        np_workspace_clear(&x->kept[i]);
    NP_MEMORY_FREE(x->kept, x->given);
    np_stack_clear(&x->stack);
}
