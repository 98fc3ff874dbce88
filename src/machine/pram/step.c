/*
 * One PRAM step: it is looked over (step_survey.c), checked against the rules (check.c), served, and told to who
 * watches. The accesses are served in place on the ideal machine (ideal.c), else as requests in batches of processors x
 * slack (Brent 1974: virtual processors share the real ones). Then writes take effect.
 */
#include <string.h>

#include "base/room.h"
#include "base/watch.h"
#include "machine/pram/division.h"

/* ---- In batches ---- */

/* Serves a batch of `count` requests; the replies go to the processors that sent them. */
static np_status serve_batch(np_pram *pram, const np_pram_step *step, size_t count)
{
    np_machine *machine = pram->machine;
    uint64_t slowest = pram->cost.slowest;
    np_status st = machine->ops->serve(machine, pram->store, pram->request, count, pram->reply, &pram->cost);
    if (st)
        return st;
    if (pram->cost.slowest > slowest) {
        pram->slowest_step = pram->steps;
        pram->slowest_label = step->label;
    }
    for (size_t i = 0; i < count; i++)
        if (pram->request[i].kind != NP_ACCESS_WRITE)
            step->value[pram->request[i].first] = pram->reply[i];
    return NP_OK;
}

static size_t batch_size(const np_pram *pram, size_t accesses)
{
    uint64_t capacity = pram->machine->ops->whole ? 0 : (uint64_t)pram->processors * pram->options.slack;
    return capacity && capacity < accesses ? (size_t)capacity : accesses;
}

static np_status reserve_batch(np_pram *pram, size_t size)
{
    size_t room = pram->batch_room;
    np_status st = np_memory_need(&pram->request, 0, size, &room, sizeof *pram->request, "the requests of a batch");
    if (!st)
        st = np_memory_need(&pram->reply, 0, size, &pram->batch_room, sizeof *pram->reply, "the replies of a batch");
    return st;
}

/* At how many cells several processors access by this kind, reals that are added up? */
static size_t count_sums(const np_pram *pram, const np_pram_step *step, const np_step_types *types, np_access_kind kind)
{
    const uint32_t once = np_store_numbers(pram->store, 2), more = once + 1;
    size_t sums = 0;
    for (size_t i = 0; i < step->count; i++) {
        if (!np_step_active(step, i) || np_step_kind(step, i) != kind ||
            np_step_type(types, step->address[i]) != NP_CELL_REAL)
            continue;
        uint32_t *mark = &pram->store->touched[step->address[i]];
        sums += *mark == once;
        *mark = *mark < once ? once : more;
    }
    return sums;
}

/* At how many cells reals are to be added up: where several fetch, and where several write. */
static size_t sums_of(const np_pram *pram, const np_pram_step *step, const np_step_survey *s)
{
    const bool reals = s->types.mix || s->types.all == NP_CELL_REAL;
    size_t sums = 0;
    if (reals && s->kinds >> NP_ACCESS_FETCH & 1 && step->op == NP_FETCH_ADD)
        sums += count_sums(pram, step, &s->types, NP_ACCESS_FETCH);
    if (reals && s->kinds >> NP_ACCESS_WRITE & 1 && pram->options.rule == NP_RULE_ADD)
        sums += count_sums(pram, step, &s->types, NP_ACCESS_WRITE);
    return sums;
}

static np_status serve_in_batches(np_pram *pram, const np_draws *draws, const np_pram_step *step,
                                  const np_step_survey *s)
{
    size_t size = batch_size(pram, s->accesses), filled = 0;
    np_status st = np_store_begin(pram->store, s->accesses, sums_of(pram, step, s));
    if (!st)
        st = reserve_batch(pram, size);
    for (size_t i = 0; i < step->count && !st; i++) {
        if (!np_step_active(step, i))
            continue;
        pram->request[filled++] =
            np_request_of(pram->options.rule, draws, step, (uint32_t)i, np_step_type(&s->types, step->address[i]));
        if (filled == size) {
            st = serve_batch(pram, step, filled);
            filled = 0;
        }
    }
    if (!st && filled)
        st = serve_batch(pram, step, filled);
    if (!st)
        np_store_commit(pram->store);
    return st;
}

/* ---- A step ---- */

/* The virtual processors of a step, and those of them that make an access: the halves of a move have the same. */
static void count_accesses(np_pram *pram, uint64_t processors, uint64_t accesses)
{
    if (processors > pram->most)
        pram->most = (np_processor)processors;
    pram->work += accesses;
    if (accesses > pram->active)
        pram->active = accesses;
}

/* Was it found that no rank makes an access, and that there is no step? */
static bool is_none(const np_pram *pram, const np_step_share *share)
{
    return share && share->open && !pram->division->accesses;
}

/* Over ranks. share: what this rank plays; NULL: every rank has all. */
static np_status serve_share(np_pram *pram, const np_pram_step *step, const np_step_share *share)
{
    np_step_share same = {.all = step->count, .same = true};
    np_step_survey s;
    np_status st = NP_OK;
    if (!share && !(st = np_step_look(pram, step, &s)) && (step->kind || s.types.mix))
        st = NP_RAISE(NP_ERROR_APPLY, "a step of several kinds or types of access: it is not divided over ranks");
    if (st)
        return st;
    if (!share)
        same.type = s.types.all;
    st = np_division_serve(pram, step, share ? share : &same);
    if (!share) /* a program's text has other meetings */
        st = np_division_end(pram->division, st);
    if (!st && !is_none(pram, share))
        count_accesses(pram, share ? share->all : same.all, pram->division->accesses);
    return st;
}

/* Serves the accesses of one step, or of half a step (np_pram_move); the step is not counted yet. */
static np_status serve_accesses(np_pram *pram, const np_pram_step *step, const np_step_share *share)
{
    np_step_survey s;
    const size_t kept = pram->check.kept;
    if (pram->division)
        return serve_share(pram, step, share);
    np_status st = np_step_look(pram, step, &s);
    if (st || (st = np_check_step(pram, step, &s)))
        return st;
    const np_draws draws = np_request_draws(pram->options.seed, pram->steps);
    if (pram->direct && !step->kind && !s.types.mix)
        st = np_ideal_serve(pram->store, &draws, step, &s, NULL);
    else
        st = serve_in_batches(pram, &draws, step, &s);
    count_accesses(pram, step->count, s.accesses);
    return st ? st : np_check_note(pram, kept);
}

/* Replies take the place of operands: keeps these. */
static np_status keep_operands(np_pram *pram, const np_pram_step *step)
{
    np_status st = np_memory_need(&pram->operand, 0, step->count, &pram->operand_room, sizeof *pram->operand,
                                  "the operands of a step");
    if (!st && step->count)
        memcpy(pram->operand, step->value, step->count * sizeof *pram->operand);
    return st;
}

/* The same, and tells who watches. */
static np_status serve_and_tell(np_pram *pram, const np_pram_step *step, const np_step_share *share)
{
    const np_pram_options *options = &pram->options;
    if (!options->on_step)
        return serve_accesses(pram, step, share);
    const uint64_t network = pram->cost.network_steps, violations = pram->check.violations;
    const bool fetches = step->kind || step->all == NP_ACCESS_FETCH;
    np_status st = fetches ? keep_operands(pram, step) : NP_OK;
    if (st || (st = serve_accesses(pram, step, share)))
        return st;
    const np_pram_seen seen = {.pram = pram,
                               .step = pram->steps,
                               .access = step,
                               .operand = fetches ? pram->operand : NULL,
                               .network_steps = pram->cost.network_steps - network,
                               .violations = pram->check.violations - violations};
    return options->on_step(options->on_step_context, &seen)
               ? NP_RAISE(NP_ERROR_CANCELLED, "cancelled at PRAM step %llu", (unsigned long long)pram->steps)
               : NP_OK;
}

/* Ends the step; before: network steps up to its beginning. */
static np_status finish(np_pram *pram, uint64_t before)
{
    const uint64_t real = pram->processors ? pram->processors : UINT32_MAX; /* none: one for each virtual one */
    pram->brent_steps += pram->active > real ? (pram->active + real - 1) / real : 1;
    pram->active = 0;
    pram->steps++;
    if (!np_pram_is_ideal(pram)) {
        np_status st = np_memory_need(&pram->step_cost, pram->costs, pram->costs + 1, &pram->costs_room,
                                      sizeof *pram->step_cost, "the costs of PRAM steps");
        if (st)
            return st;
        pram->step_cost[pram->costs++] = (double)(pram->cost.network_steps - before);
    }
    uint64_t of = pram->expected > pram->steps ? pram->expected : 0;
    double share = of ? (double)pram->steps / (double)of : 0;
    return np_watch_check(&pram->options.watch, (np_progress){NULL, "PRAM steps", pram->steps, of, share});
}

/* One step of several halves, which are one after the other. */
static np_status take_step(np_pram *pram, size_t halves, const np_pram_step *half, const np_step_share *share)
{
    const uint64_t before = pram->cost.network_steps;
    np_status st = NP_OK;
    for (size_t i = 0; i < halves && !st; i++)
        st = serve_and_tell(pram, &half[i], share);
    if (!st && !is_none(pram, share))
        st = finish(pram, before);
    pram->failed = st != NP_OK;
    return st;
}

np_status np_pram_access(np_pram *pram, const np_pram_step *step)
{
    np_status st = np_pram_usable(pram);
    return st ? st : take_step(pram, 1, step, NULL);
}

np_status np_pram_access_share(np_pram *pram, const np_pram_step *step, const np_step_share *share)
{
    np_status st = np_pram_usable(pram);
    return st ? st : take_step(pram, 1, step, share);
}

np_status np_pram_read(np_pram *pram, size_t count, const np_address *address, const uint8_t *active, np_word *value,
                       const char *label)
{
    const np_pram_step step = {
        .label = label, .count = count, .address = address, .active = active, .all = NP_ACCESS_READ, .value = value};
    return np_pram_access(pram, &step);
}

np_status np_pram_write(np_pram *pram, size_t count, const np_address *address, const uint8_t *active,
                        const np_word *value, const char *label)
{
    const np_pram_step step = {.label = label,
                               .count = count,
                               .address = address,
                               .active = active,
                               .all = NP_ACCESS_WRITE,
                               .value = (np_word *)(uintptr_t)value}; /* writers' values stay as they are */
    return np_pram_access(pram, &step);
}

np_status np_pram_fetch(np_pram *pram, np_fetch_op op, size_t count, const np_address *address, const uint8_t *active,
                        np_word *value, const char *label)
{
    const np_pram_step step = {.label = label,
                               .count = count,
                               .address = address,
                               .active = active,
                               .all = NP_ACCESS_FETCH,
                               .op = op,
                               .value = value};
    return np_pram_access(pram, &step);
}

np_status np_pram_move(np_pram *pram, size_t count, const np_address *from, const np_address *to, const uint8_t *active,
                       const char *label)
{
    np_status st = np_pram_usable(pram);
    if (st)
        return st;
    st = np_memory_need(&pram->moved, 0, count, &pram->moved_room, sizeof *pram->moved, "what a step moves");
    pram->failed = st != NP_OK;
    np_pram_step half[2];
    half[0] = half[1] = (np_pram_step){.label = label, .count = count, .active = active, .value = pram->moved};
    half[0].address = from;
    half[0].all = NP_ACCESS_READ;
    half[1].address = to;
    half[1].all = NP_ACCESS_WRITE;
    return st ? st : take_step(pram, 2, half, NULL);
}
