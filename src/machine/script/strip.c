/*
 * Strips: local work, NP_STRIP lanes at a time. Threads share a long strip by whole pieces of NP_STRIP lanes; of
 * failures that of the first piece is told, as if one thread had come to it. Over ranks pieces are of the lanes of all
 * of them: two ranks can have parts of one.
 */
#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "machine/script/kernels.h"
#include "machine/script/language.h"
#include "machine/script/observe.h"

enum { SAME_MOST = 64 }; /* operations of a strip that are looked at (ours) */

/* Lanes base .. base + count - 1 of a frame. */
typedef struct part {
    const np_execution *x;
    const np_instruction *node;
    const np_frame *frame;
    np_word *strip;    /* [strips * NP_STRIP] the thread's temporaries */
    uint64_t plain;    /* bit i: local operation i finds cells of one array by one index */
    uint64_t same;     /* bit i: local operation i gives all lanes the same temporary, and is carried out once */
    const uint8_t *on; /* of these lanes; NULL: all */
    size_t base, count;
    uint32_t failed; /* which local operation has failed, and in which lane */
    size_t lane;
} part;

static np_word *place_of(const part *p, np_operand operand)
{
    switch (operand.kind) {
    case NP_OPERAND_CONSTANT:
        return p->x->constant + (size_t)operand.index * NP_STRIP;
    case NP_OPERAND_STRIP:
        return p->strip + (size_t)operand.index * NP_STRIP;
    case NP_OPERAND_REGISTER:
        return p->frame->vector[operand.index] + p->base;
    case NP_OPERAND_NONE:
        break;
    }
    return NULL;
}

static void own_indices(const part *p, np_word *to)
{
    const np_lanes *lanes = &p->frame->lanes;
    if (lanes->index)
        memcpy(to, lanes->index + p->base, p->count * sizeof *to);
    else
        np_kernel_count(np_lanes_index(lanes, p->base), lanes->step, p->count, to);
}

static np_word outer_value(const np_frame *frame, const np_local *local, size_t lane)
{
    if (local->a.kind == NP_OPERAND_REGISTER)
        return frame->vector[local->a.index][lane];
    return np_lanes_index(&frame->lanes, lane);
}

/* A value of the level `up` levels further out: that of each lane's ancestor there. */
static void lift(const part *p, const np_local *local, np_word *to)
{
    const np_frame *outer = p->frame->outer;
    const uint32_t *parent = p->frame->lanes.parent;
    uint32_t ancestor[NP_STRIP];
    if (local->up == 1 && !parent) {
        np_kernel_fill(outer_value(outer, local, 0), p->count, to);
        return;
    }
    for (size_t i = 0; i < p->count; i++)
        ancestor[i] = parent ? parent[p->base + i] : 0;
    for (unsigned up = 1; up < local->up; up++, outer = outer->outer)
        for (size_t i = 0; i < p->count; i++)
            ancestor[i] = outer->lanes.parent ? outer->lanes.parent[ancestor[i]] : 0;
    for (size_t i = 0; i < p->count; i++)
        to[i] = outer_value(outer, local, ancestor[i]);
}

static size_t draw(const part *p, const np_local *local, const np_word *bound, np_word *to)
{
    np_draws draws = p->x->draws;
    size_t first = NP_KERNEL_FINE;
    draws.run = p->x->drawn[local->draw];
    for (size_t i = p->count; i-- > 0;) {
        uint64_t bits = np_random_u64(&draws, (uint32_t)(p->frame->lanes.before + p->base + i), local->draw);
        if (bound[i] < 1 && (!p->on || p->on[i]))
            first = i;
        to[i] = bound[i] < 1 ? 0 : (np_word)(((unsigned __int128)bits * (uint64_t)bound[i]) >> 64);
    }
    return first;
}

static size_t run_operator(const part *p, const np_local *local)
{
    const np_word *a = place_of(p, local->a), *b = place_of(p, local->b);
    np_word *to = place_of(p, local->to);
    if (local->op == NP_OP_RANDOM)
        return draw(p, local, a, to);
    return np_kernel_operator(local->op, local->real, p->count, a, b, p->on, to);
}

static size_t place(const part *p, const np_local *local)
{
    const np_word *index = place_of(p, local->b), *extent = place_of(p, local->c), *low = place_of(p, local->d);
    const np_word *base = place_of(p, local->e);
    np_word *to = place_of(p, local->to);
    if (p->failed < SAME_MOST && p->plain >> p->failed & 1)
        return np_kernel_place(p->count, index, extent[0], low[0], base ? base[0] : 0, p->on, to);
    return np_kernel_offset(p->count, place_of(p, local->a), index, extent, low, base, p->on, to);
}

/* Returns the first lane in which it fails, else NP_KERNEL_FINE. */
static size_t run_local(const part *p, const np_local *local)
{
    np_word *to = place_of(p, local->to);
    switch (local->kind) {
    case NP_LOCAL_OPERATOR:
        return run_operator(p, local);
    case NP_LOCAL_COPY:
        memmove(to, place_of(p, local->a), p->count * sizeof *to);
        break;
    case NP_LOCAL_SET:
        np_kernel_set(p->count, place_of(p, local->a), p->on, to);
        break;
    case NP_LOCAL_SELECT:
        np_kernel_select(p->count, place_of(p, local->a), place_of(p, local->b), place_of(p, local->c), to);
        break;
    case NP_LOCAL_INDEX:
        own_indices(p, to);
        break;
    case NP_LOCAL_LIFT:
        lift(p, local, to);
        break;
    case NP_LOCAL_GLOBAL:
        np_kernel_fill(p->x->program->vector[local->a.index][0], p->count, to);
        break;
    case NP_LOCAL_TURNS:
        return np_kernel_turns(p->count, place_of(p, local->a), place_of(p, local->b), place_of(p, local->c), p->on,
                               to);
    case NP_LOCAL_OFFSET:
        return place(p, local);
    }
    return NP_KERNEL_FINE;
}

static const char *where(const part *p, const np_local *local, char to[NP_WHERE])
{
    return np_observe_where(p->x, p->frame, local->site, p->base + p->lane, to);
}

static np_status raise_index(const part *p, const np_local *local)
{
    size_t lane = p->lane;
    np_word index = place_of(p, local->b)[lane], low = place_of(p, local->d)[lane];
    np_word extent = place_of(p, local->c)[lane];
    const char *what = p->x->code->site[local->site].what;
    char at[NP_WHERE], hint[120] = "";
    if (extent <= 0)
        return NP_SITE_RAISE(p->x, local->site, NP_ERROR_INPUT, "%s: index %" PRId64 " of an array without cells%s",
                             what, index, where(p, local, at));
    if (index - 1 == low + extent - 1 && !low)
        snprintf(hint, sizeof hint, ": %" PRId64 " cells have the indices 0 .. %" PRId64 "; is '.. n - 1' meant?",
                 extent, extent - 1);
    return NP_SITE_RAISE(p->x, local->site, NP_ERROR_INPUT,
                         "%s: index %u is %" PRId64 ", outside of %" PRId64 "..%" PRId64 "%s%s", what, local->dimension,
                         index, low, low + extent - 1, where(p, local, at), hint);
}

static np_status raise_operator(const part *p, const np_local *local)
{
    const np_site *site = &p->x->code->site[local->site];
    char at[NP_WHERE];
    if (local->kind == NP_LOCAL_TURNS)
        return NP_SITE_RAISE(p->x, local->site, NP_ERROR_INPUT, "the step of 'for' is 0%s", where(p, local, at));
    return NP_SITE_RAISE(p->x, local->site, NP_ERROR_INPUT, "%s: %s%s", site->what, np_signatures[local->op].undefined,
                         where(p, local, at));
}

/* When one process would have come to the failure: pieces first, in a piece operations, then lanes. */
static uint64_t at_of(const part *p)
{
    const uint64_t lane = np_lanes_at(&p->frame->lanes, p->base + p->lane);
    return lane / NP_STRIP << 40 | (uint64_t)p->failed << 9 | lane % NP_STRIP;
}

static np_status raise_failure(const part *p)
{
    const np_local *local = &p->node->local[p->failed];
    return local->kind == NP_LOCAL_OFFSET ? raise_index(p, local) : raise_operator(p, local);
}

/* Is the operand the same in all lanes? *same: of the operations before; a temporary has one that makes it. */
static bool is_same(const np_instruction *node, uint32_t before, uint64_t same, np_operand operand)
{
    if (operand.kind != NP_OPERAND_STRIP)
        return operand.kind != NP_OPERAND_REGISTER;
    for (uint32_t i = 0; i < before; i++)
        if (node->local[i].to.kind == NP_OPERAND_STRIP && node->local[i].to.index == operand.index)
            return same >> i & 1;
    return false;
}

/* The operations on values of the levels outside, and on constants, give all lanes the same. */
static void find_same(part *p)
{
    const np_instruction *node = p->node;
    const np_frame *frame = p->frame;
    uint64_t same = 0;
    for (uint32_t i = 0; i < node->count && i < SAME_MOST; i++) {
        const np_local *local = &node->local[i];
        bool is = local->kind == NP_LOCAL_GLOBAL ||
                  (local->kind == NP_LOCAL_LIFT && local->up == 1 && !frame->lanes.parent) ||
                  (local->kind == NP_LOCAL_OPERATOR && !np_signatures[local->op].undefined &&
                   is_same(node, i, same, local->a) && is_same(node, i, same, local->b));
        if (is && local->to.kind == NP_OPERAND_STRIP)
            same |= UINT64_C(1) << i;
        if (local->kind == NP_LOCAL_OFFSET && local->a.kind == NP_OPERAND_NONE && is_same(node, i, same, local->c) &&
            is_same(node, i, same, local->d) && is_same(node, i, same, local->e))
            p->plain |= UINT64_C(1) << i;
    }
    p->same = same;
}

/* How many lanes of the first piece a rank below has. */
static size_t lead_of(const np_frame *frame) { return frame->lanes.before % NP_STRIP; }

/* The pieces begin .. end-1, until one fails. Returns whether none did. */
static bool run_pieces(part *p, const np_mask *mask, size_t begin, size_t end)
{
    const size_t lanes = p->frame->lanes.count, lead = lead_of(p->frame);
    size_t longest = 0;
    for (size_t piece = begin; piece < end; piece++) {
        const size_t next = (piece + 1) * NP_STRIP - lead;
        p->base = piece ? piece * NP_STRIP - lead : 0;
        p->count = (next < lanes ? next : lanes) - p->base;
        p->on = mask->on ? mask->on + p->base : NULL;
        const uint64_t done = p->count <= longest ? p->same : 0; /* by a piece before */
        longest = p->count > longest ? p->count : longest;
        for (p->failed = 0; p->failed < p->node->count; p->failed++)
            if (!(p->failed < SAME_MOST && done >> p->failed & 1) &&
                (p->lane = run_local(p, &p->node->local[p->failed])) != NP_KERNEL_FINE)
                return false;
    }
    return true;
}

typedef struct pieces_of_threads {
    const part *whole;
    const np_mask *mask;
    size_t pieces;
    unsigned threads;
    part *failed;
    bool fine;
    pthread_mutex_t lock; /* of failed and fine */
} pieces_of_threads;

static void run_share(void *context, unsigned thread, uint32_t share)
{
    pieces_of_threads *all = context;
    const np_range range = np_part_of((np_part){share, all->threads}, all->pieces);
    part p = *all->whole;
    (void)thread;
    p.strip += (size_t)share * all->whole->x->code->strips * NP_STRIP;
    if (run_pieces(&p, all->mask, range.begin, range.end))
        return;
    pthread_mutex_lock(&all->lock);
    if (all->fine || p.base < all->failed->base)
        *all->failed = p;
    all->fine = false;
    pthread_mutex_unlock(&all->lock);
}

/* By threads. *failed = the first failure. Returns whether there was none. */
static bool run_by_threads(const part *whole, const np_mask *mask, size_t pieces, unsigned threads, part *failed)
{
    pieces_of_threads all = {whole, mask, pieces, threads, failed, true, PTHREAD_MUTEX_INITIALIZER};
    np_threads_each(threads, threads, run_share, &all);
    return all.fine;
}

static void count_draws(np_execution *x, const np_instruction *node)
{
    for (uint32_t i = 0; i < node->count; i++)
        if (node->local[i].kind == NP_LOCAL_OPERATOR && node->local[i].op == NP_OP_RANDOM)
            x->drawn[node->local[i].draw]++;
}

np_status np_execute_strip(np_execution *x, const np_instruction *node, const np_frame *frame, const np_mask *mask)
{
    const size_t pieces = frame->lanes.count ? (lead_of(frame) + frame->lanes.count + NP_STRIP - 1) / NP_STRIP : 0;
    const unsigned threads = np_team_for(&x->pram->team, frame->lanes.count);
    part p = {.x = x, .node = node, .frame = frame};
    np_stack_mark mark = np_stack_now(&x->stack);
    np_status st = np_stack_take(&x->stack, &p.strip, (size_t)threads * x->code->strips * NP_STRIP, sizeof *p.strip);
    if (st)
        return st;
    count_draws(x, node);
    if (pieces > 1)
        find_same(&p);
    const part whole = p;
    if (!(threads == 1 ? run_pieces(&p, mask, 0, pieces) : run_by_threads(&whole, mask, pieces, threads, &p)))
        st = np_division_fail(x->pram->division, at_of(&p), raise_failure(&p));
    np_stack_back(&x->stack, mark);
    return st;
}
