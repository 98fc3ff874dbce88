/*
 * A step of a PRAM that is divided over ranks.
 *
 *   1 each rank lists the requests of its processors by the ranks that have the cells, in the order of processors
 *   2 the ranks meet and say how many requests there are for each, and if these are more than before, they meet again,
 *     when each has the room
 *   3 cells, values, and if they matter the numbers of the processors, are exchanged
 *   4 each rank checks and serves what concerns its cells, as the ideal machine does: requests come from rank 0 first,
 *     so they are in the order of processors
 *   5 replies go back, in the places of the requests
 *   6 where the rule forbids something, or has yet to be found too strong, the ranks meet again and hear what was seen
 *
 * Requests of one rank for one cell become one, if a sample says that there are many (division_join.c): then no hot
 * cell is a burden. It is not done where the checks must count accesses.
 *
 * From meeting to meeting a rank that fails goes on with the step, because others wait for what it sends; what it
 * replies then does not matter.
 */
#include <stdlib.h>
#include <string.h>

#include "base/hot.h"
#include "base/order.h"
#include "base/room.h"
#include "machine/pram/division_step.h"

enum { AHEAD = 24 }; /* requests by which cells are fetched ahead (ours) */

/* ---- Room ---- */

static np_status need(void *array, size_t needs, size_t room, size_t size)
{
    return np_memory_need(array, 0, needs, &room, size, "the requests of a PRAM step");
}

static np_status need_requests(np_traffic *t, size_t needs)
{
    const size_t room = t->requests_room;
    np_status st;
    if (needs <= room)
        return NP_OK;
    needs = needs > NP_ROOM_LEAST ? needs : NP_ROOM_LEAST;
    if ((st = need(&t->slot, needs, room, sizeof *t->slot)) || (st = need(&t->owner, needs, room, sizeof *t->owner)) ||
        (st = need(&t->cell, needs, room, sizeof *t->cell)) ||
        (st = need(&t->cell_out, needs, room, sizeof *t->cell_out)) ||
        (st = need(&t->number_out, needs, room, sizeof *t->number_out)) ||
        (st = need(&t->value_out, needs, room, sizeof *t->value_out)))
        return st;
    t->requests_room = needs;
    return NP_OK;
}

static np_status need_owned(np_traffic *t, size_t needs)
{
    const size_t room = t->owned_room;
    np_status st;
    if (needs <= room)
        return NP_OK;
    needs = needs > NP_ROOM_LEAST ? needs : NP_ROOM_LEAST;
    if ((st = need(&t->cell_in, needs, room, sizeof *t->cell_in)) ||
        (st = need(&t->number_in, needs, room, sizeof *t->number_in)) ||
        (st = need(&t->value_in, needs, room, sizeof *t->value_in)) ||
        (st = need(&t->address_in, needs, room, sizeof *t->address_in)))
        return st;
    t->owned_room = needs;
    return NP_OK;
}

static np_status make_room(np_passage *p)
{
    np_traffic *t = &p->d->traffic;
    np_status st = need_requests(t, p->step->count);
    if (!st && p->whole)
        st = np_memory_need(&p->d->replies, 0, p->whole->count, &p->d->replies_room, sizeof *p->d->replies,
                            "the replies of a PRAM step");
    if (!st && !t->owned_room)
        st = need_owned(t, NP_ROOM_LEAST);
    return st ? st : np_join_begin(p);
}

/* ---- The requests of this rank ---- */

NP_HOT static void list_requests(np_passage *p)
{
    np_traffic *t = &p->d->traffic;
    uint32_t processor[NP_PART_PICKS];
    memset(t->sends, 0, p->d->job->size * sizeof *t->sends);
    if (p->joined) {
        np_join_list(p);
        return;
    }
    for (size_t begin = 0; begin < p->step->count; begin += NP_PART_PICKS) {
        const size_t picked = np_passage_pick(p, begin, processor);
        for (size_t k = 0; k < picked; k++)
            np_passage_add(p, p->step->address[processor[k]]);
    }
    p->accesses = p->requests;
}

/* Puts the requests into the order of the ranks that they are for. */
NP_HOT static void place_requests(const np_passage *p)
{
    np_traffic *t = &p->d->traffic;
    uint64_t before = 0;
    for (uint32_t r = 0; r < p->d->job->size; before += t->sends[r++])
        t->next[r] = before;
    for (size_t e = 0; e < p->requests; e++) {
        const uint32_t slot = (uint32_t)t->next[t->owner[e]]++;
        t->slot[e] = slot;
        t->cell_out[slot] = t->cell[e];
    }
}

/* The same of what goes with each access. */
NP_HOT static void place_values(const np_passage *p)
{
    np_traffic *t = &p->d->traffic;
    uint32_t processor[NP_PART_PICKS];
    const bool gives = p->step->all != NP_ACCESS_READ;
    size_t e = 0;
    for (size_t begin = 0; begin < p->step->count; begin += NP_PART_PICKS) {
        const size_t picked = np_passage_pick(p, begin, processor);
        for (size_t k = 0; k < picked && gives; k++)
            t->value_out[t->slot[e + k]] = p->step->value[processor[k]];
        for (size_t k = 0; k < picked && p->numbered; k++)
            t->number_out[t->slot[e + k]] = p->first + processor[k];
        e += picked;
    }
}

NP_HOT static void take_replies(const np_passage *p)
{
    const np_traffic *t = &p->d->traffic;
    uint32_t processor[NP_PART_PICKS];
    size_t e = 0;
    for (size_t begin = 0; begin < p->step->count; begin += NP_PART_PICKS) {
        const size_t picked = np_passage_pick(p, begin, processor);
        for (size_t k = 0; k < picked; k++)
            p->step->value[processor[k]] = t->value_out[t->slot[e + k]];
        e += picked;
    }
}

/* ---- At the owner ---- */

/* Two writers of a cell, which the rule cannot combine: one of the ranks says so. */
static np_status check_writers(const np_passage *p, const np_pram_step *step, const uint32_t *number)
{
    size_t first, second;
    if (!p->alone || !np_step_two_writers(p->pram->store, step, &first, &second))
        return NP_OK;
    const np_address address = np_division_address(p->d, step->address[first]);
    const size_t a = number ? number[first] : first, b = number ? number[second] : second;
    return np_division_fail(p->d, b, np_step_raise_writers(p->pram, step, address, a, b));
}

/* What the checks have found speaks of this rank's cells and of places in the list of requests. */
static void translate(const np_passage *p, const uint32_t *number, size_t kept)
{
    np_check *own = &p->d->own;
    for (; kept < own->kept; kept++) {
        np_violation *v = &own->violation[kept];
        v->before = p->pram->store->words[v->address];
        if (!number)
            continue;
        v->first = number[v->first];
        v->second = number[v->second];
    }
}

static np_status check_accesses(const np_passage *p, const np_pram_step *step, const uint32_t *number,
                                np_step_survey *survey)
{
    np_check *own = &p->d->own, *all = &p->pram->check;
    own->rule = all->rule;
    own->clean = all->clean;
    own->violations = own->kept = 0;
    own->kept_max = all->kept_max - all->kept;
    if (!p->due)
        return NP_OK;
    np_status st =
        np_memory_need(&own->violation, 0, own->kept_max, &p->d->own_room, sizeof *own->violation, "violations");
    if (!st)
        st = np_check_accesses(own, p->pram->store, step, survey);
    if (!st)
        translate(p, number, 0);
    return st;
}

static void note_after(const np_passage *p)
{
    np_check *own = &p->d->own;
    for (size_t i = 0; i < own->kept; i++) {
        np_violation *v = &own->violation[i];
        v->after = p->pram->store->words[v->address];
        v->address = np_division_address(p->d, v->address);
    }
}

/* Serves accesses to this rank's cells. number: of the processors; NULL: as in the step. */
static np_status serve_owned(const np_passage *p, const np_pram_step *step, const uint32_t *number)
{
    np_pram *pram = p->pram;
    const np_draws draws = np_request_draws(pram->options.seed, pram->steps);
    np_step_survey survey = np_step_look_owned(pram, step, p->type);
    np_status st = survey.exclusive ? NP_OK : check_writers(p, step, number);
    if (st || (st = check_accesses(p, step, number, &survey)) ||
        (st = np_ideal_serve(pram->store, &draws, step, &survey, number)))
        return st;
    note_after(p);
    return NP_OK;
}

/* Reads that no rule forbids, and that are not counted. */
NP_HOT static void serve_reads(const np_passage *p)
{
    const np_traffic *t = &p->d->traffic;
    const np_word *words = p->pram->store->words;
    for (size_t i = 0; i < p->owned; i++) {
        if (i + AHEAD < p->owned)
            __builtin_prefetch(&words[t->cell_in[i + AHEAD]]);
        t->value_in[i] = words[t->cell_in[i]];
    }
}

static np_status serve_received(const np_passage *p)
{
    np_traffic *t = &p->d->traffic;
    if (p->step->all == NP_ACCESS_READ && !p->due)
        return serve_reads(p), NP_OK;
    for (size_t i = 0; i < p->owned; i++)
        t->address_in[i] = t->cell_in[i];
    const np_pram_step step = {.label = p->step->label,
                               .count = p->owned,
                               .address = t->address_in,
                               .all = p->step->all,
                               .op = p->step->op,
                               .value = t->value_in};
    return serve_owned(p, &step, p->numbered ? t->number_in : NULL);
}

/* ---- Between the ranks ---- */

static np_status send_requests(const np_passage *p)
{
    const np_job *job = p->d->job;
    const np_traffic *t = &p->d->traffic;
    void *const context = job->context;
    np_status st = job->move(context, sizeof *t->cell_out, t->cell_out, t->sends, t->cell_in, t->receives);
    if (!st && p->step->all != NP_ACCESS_READ)
        st = job->move(context, sizeof *t->value_out, t->value_out, t->sends, t->value_in, t->receives);
    if (!st && p->numbered)
        st = job->move(context, sizeof *t->number_out, t->number_out, t->sends, t->number_in, t->receives);
    return st;
}

/* *served: how serving went on this rank. */
static np_status pass(np_passage *p, np_status *served)
{
    const np_job *job = p->d->job;
    const np_traffic *t = &p->d->traffic;
    np_status st = send_requests(p);
    if (st)
        return st;
    *served = serve_received(p);
    if (p->step->all != NP_ACCESS_WRITE)
        st = job->move(job->context, sizeof *t->value_in, t->value_in, t->receives, t->value_out, t->sends);
    if (!st && p->step->all != NP_ACCESS_WRITE)
        p->joined ? np_join_take(p) : take_replies(p);
    return st;
}

/* What a rank says to all: its accesses, and above them the most requests that it has for one rank. */
static uint64_t words_of(const np_passage *p)
{
    uint64_t most = 0;
    for (uint32_t r = 0; r < p->d->job->size; r++)
        most = p->d->traffic.sends[r] > most ? p->d->traffic.sends[r] : most;
    return most << 32 | p->accesses;
}

/*
 * Room for what a rank gets, whose lack the ranks must hear of: they meet. If the requests are spread evenly, each
 * makes room for as many from every rank as the most between two, and an eighth more (ours). No later step with at most
 * as many needs a meeting.
 */
static np_status agree_on_room(np_passage *p, uint64_t accesses, uint64_t most)
{
    np_traffic *t = &p->d->traffic;
    const uint64_t ranks = p->d->job->size, credit = most + most / 8;
    const bool even = credit <= 2 * accesses / ranks / ranks;
    if (accesses <= NP_ROOM_LEAST || most <= t->credit)
        return NP_OK;
    np_status st = np_division_meet(p->d, need_owned(t, even ? credit * ranks : p->owned), NULL, 0);
    t->credit = even && !st ? credit : t->credit;
    return st;
}

/* The ranks say what they ask of each other. *accesses: of all. */
static np_status announce(np_passage *p, uint64_t *accesses)
{
    np_division *d = p->d;
    np_traffic *t = &d->traffic;
    uint64_t most = 0;
    np_status st = make_room(p);
    if (!st)
        list_requests(p);
    if ((st = np_division_meet(d, st, t->sends, words_of(p))))
        return st;
    for (uint32_t r = 0; r < d->job->size; r++) {
        const uint64_t words = np_division_all(d, r);
        *accesses += (uint32_t)words;
        most = words >> 32 > most ? words >> 32 : most;
        p->owned += t->receives[r] = np_division_each(d, r);
    }
    return agree_on_room(p, *accesses, most);
}

static np_status ask_others(np_passage *p, uint64_t *accesses, np_status *served)
{
    np_status st = announce(p, accesses);
    if (st || !*accesses)
        return st;
    place_requests(p);
    if (p->step->all != NP_ACCESS_READ || p->numbered)
        p->joined ? np_join_place(p) : place_values(p);
    return pass(p, served);
}

/* ---- What the checks of all ranks have seen ---- */

static int by_second(const void *a, const void *b)
{
    const np_violation *x = a, *y = b;
    return np_order(x->second, y->second);
}

/* The first violations of all ranks join those that are kept. */
static np_status keep_violations(const np_passage *p, uint64_t found)
{
    np_division *d = p->d;
    np_check *check = &p->pram->check;
    np_violation *all;
    np_status st = np_memory_array(&all, found, sizeof *all, "violations");
    if (!(st = np_division_meet(d, st, NULL, d->own.kept))) {
        for (uint32_t r = 0; r < d->job->size; r++)
            d->traffic.sends[r] = np_division_all(d, r);
        st = d->job->gather(d->job->context, sizeof *all, d->own.violation, d->traffic.sends, all);
    }
    if (!st)
        qsort(all, found, sizeof *all, by_second);
    for (uint64_t i = 0; i < found && check->kept < check->kept_max && !st; i++) {
        np_violation *v = &check->violation[check->kept++];
        *v = all[i];
        v->step = p->pram->steps;
        v->label = p->step->label ? p->step->label : "";
        v->where = "";
        np_pram_cell(p->pram, v->address, &v->array, &v->offset);
    }
    np_memory_free(all);
    return st;
}

static np_status hear_checks(const np_passage *p)
{
    enum { RULES = 16 };
    np_division *d = p->d;
    np_check *check = &p->pram->check;
    uint64_t kept = 0;
    _Static_assert((int)NP_RULES <= (int)RULES, "a set of rules beside a count");
    for (uint32_t r = 0; r < d->job->size; r++)
        d->traffic.next[r] = d->own.violations;
    np_status st = np_division_meet(d, NP_OK, d->traffic.next, (uint64_t)d->own.kept << RULES | d->own.clean);
    for (uint32_t r = 0; r < d->job->size && !st; r++) {
        const uint64_t word = np_division_all(d, r);
        check->violations += np_division_each(d, r);
        check->clean &= (uint32_t)(word & ((1 << RULES) - 1));
        kept += word >> RULES;
    }
    return st || !kept ? st : keep_violations(p, kept);
}

/* ---- The whole ---- */

/* Where every rank has all processors: each gets the replies to the others' requests. */
static np_status share_replies(const np_passage *p)
{
    const np_job *job = p->d->job;
    const np_pram_step *whole = p->whole;
    np_traffic *t = &p->d->traffic;
    for (uint32_t r = 0; r < job->size; r++)
        t->sends[r] = np_job_share(whole->count, r + 1, job->size) - np_job_share(whole->count, r, job->size);
    np_status st = job->gather(job->context, sizeof(np_word), p->step->value, t->sends, p->d->replies);
    for (size_t i = 0; i < whole->count && !st; i++)
        if (np_step_active(whole, i))
            whole->value[i] = p->d->replies[i];
    return st;
}

static np_status serve(np_passage *p, uint64_t *accesses)
{
    np_status served = NP_OK, st = NP_OK;
    *accesses = 0;
    p->d->own.violations = p->d->own.kept = 0;
    p->d->own.clean = p->pram->check.clean;
    if (p->d->job->size == 1) {
        *accesses = p->accesses = np_step_look_owned(p->pram, p->step, p->type).accesses;
        served = serve_owned(p, p->step, NULL);
    } else
        st = ask_others(p, accesses, &served);
    if (!st && p->whole && *accesses)
        st = share_replies(p);
    if (!st && p->due && *accesses)
        st = hear_checks(p);
    return st ? st : served; /* of which the others hear at the next meeting, when it is known where it was */
}

np_status np_division_serve(np_pram *pram, const np_pram_step *whole, const np_step_share *share)
{
    np_division *d = pram->division;
    np_pram_step step = *whole;
    const np_range mine = share->same ? np_division_range(d, whole->count) : (np_range){0, whole->count};
    step.count = mine.end - mine.begin;
    step.address += mine.begin;
    step.value += mine.begin;
    step.active = step.active ? step.active + mine.begin : NULL;
    const bool writes = step.all == NP_ACCESS_WRITE;
    np_passage p = {.pram = pram,
                    .d = d,
                    .step = &step,
                    .whole = share->same && d->job->size > 1 && !writes ? whole : NULL,
                    .first = (uint32_t)(share->same ? mine.begin : share->first),
                    .type = share->type,
                    .due = np_check_is_due(&pram->check, UINT32_C(1) << step.all),
                    .alone = writes && !(np_values_rules(share->type) >> pram->options.rule & 1)};
    p.numbered = p.due || p.alone || (writes && np_request_by_lot(pram->options.rule));
    return serve(&p, &d->accesses);
}
