/*
 * One PRAM step. First the addresses are looked over. Then the accesses are checked against the
 * rules. Then they are served: in place on the ideal machine, else as requests in batches of
 * processors x slack (Brent 1974: virtual processors share the real ones). Then writes take effect.
 *
 * If addresses rise from processor to processor, or fall, they are exclusive: no two are the same.
 * Most steps have such addresses and need no further check.
 */
#include <string.h>

#include "base/hot.h"
#include "base/memory.h"
#include "base/watch.h"
#include "machine/pram/ideal.h"
#include "machine/pram/inside.h"

/* What one pass over the addresses of a step finds. */
typedef struct survey {
    size_t accesses;
    uint32_t kinds; /* bit k: there is an access of kind k */
    bool inside;    /* all addresses are cells */
    bool valid;     /* all kinds of access exist */
    bool rising, falling;
    bool exclusive; /* no two are the same; false: not known */
} survey;

NP_HOT static survey survey_all(const np_address *address, np_range mine, uint64_t cells)
{
    uint64_t not_rising = 0, not_falling = 0, outside = !mine.begin && mine.end && address[0] >= cells;
#pragma omp simd reduction(| : not_rising, not_falling, outside)
    for (size_t i = mine.begin ? mine.begin : 1; i < mine.end; i++) {
        not_rising |= address[i - 1] >= address[i];
        not_falling |= address[i - 1] <= address[i];
        outside |= address[i] >= cells;
    }
    return (survey){
        .accesses = mine.end - mine.begin, .inside = !outside, .rising = !not_rising, .falling = !not_falling};
}

/* The addresses of active processors are put together, after the last one before them, if there is one. */
static survey survey_active(const np_address *address, const uint8_t *active, np_range mine, uint64_t cells)
{
    survey s = {.inside = true, .rising = true, .falling = true};
    np_address together[1 + NP_PART_PICKS];
    size_t before = mine.begin;
    while (before && !active[before - 1])
        before--;
    size_t had = before > 0;
    together[0] = had ? address[before - 1] : 0;
    for (size_t begin = mine.begin; begin < mine.end; begin += NP_PART_PICKS) {
        size_t count = had, end = np_part_block(begin, mine.end);
        for (size_t i = begin; i < end; i++) {
            together[count] = address[i];
            count += active[i] != 0;
        }
        survey block = survey_all(together, (np_range){0, count}, cells);
        s = (survey){.accesses = s.accesses + count - had,
                     .inside = s.inside && block.inside,
                     .rising = s.rising && block.rising,
                     .falling = s.falling && block.falling};
        together[0] = count ? together[count - 1] : 0;
        had = count > 0;
    }
    return s;
}

typedef struct surveying {
    const np_pram_step *step;
    uint64_t cells;
    _Atomic size_t accesses;
    _Atomic bool outside, not_rising, not_falling;
} surveying;

static void survey_part(void *context, np_part part)
{
    surveying *all = context;
    const np_pram_step *step = all->step;
    np_range mine = np_part_of(part, step->count);
    survey s = step->active ? survey_active(step->address, step->active, mine, all->cells)
                            : survey_all(step->address, mine, all->cells);
    all->accesses += s.accesses;
    if (!s.inside)
        all->outside = true;
    if (!s.rising)
        all->not_rising = true;
    if (!s.falling)
        all->not_falling = true;
}

/* All parts are looked over, each together with the access before it. */
static survey survey_addresses(np_team *team, const np_pram_step *step, uint64_t cells)
{
    surveying all = {.step = step, .cells = cells};
    np_team_each(team, step->count, survey_part, &all);
    return (survey){.accesses = all.accesses,
                    .inside = !all.outside,
                    .rising = !all.not_rising,
                    .falling = !all.not_falling,
                    .exclusive = !all.not_rising || !all.not_falling};
}

static survey survey_step(const np_pram_step *step, uint64_t cells, np_team *team)
{
    survey s = survey_addresses(team, step, cells);
    s.valid = true;
    if (!step->kind) {
        s.valid = (unsigned)step->all <= NP_ACCESS_FETCH;
        s.kinds = s.valid ? UINT32_C(1) << step->all : 0;
    } else
        for (size_t i = 0; i < step->count; i++)
            if (!step->active || step->active[i]) {
                s.valid &= step->kind[i] <= NP_ACCESS_FETCH;
                s.kinds |= UINT32_C(1) << (step->kind[i] & 3);
            }
    return s;
}

static const char *verb(const np_pram_step *step, size_t processor)
{
    static const char *const verbs[] = {"reads", "writes", "fetches"};
    return verbs[step->kind ? step->kind[processor] : step->all];
}

static np_status raise_outside(const np_pram *pram, const np_pram_step *step)
{
    uint64_t cells = np_store_cells(pram->store);
    size_t i = 0;
    while ((step->active && !step->active[i]) || step->address[i] < cells)
        i++;
    return NP_RAISE(NP_ERROR_INPUT, "step %llu (%s): processor %zu %s cell %llu, but %llu are allocated",
                    (unsigned long long)pram->steps, step->label ? step->label : "no label", i, verb(step, i),
                    (unsigned long long)step->address[i], (unsigned long long)cells);
}

static np_status check_survey(const np_pram *pram, const np_pram_step *step, const survey *s)
{
    if (!s->valid || ((s->kinds >> NP_ACCESS_FETCH & 1) && (unsigned)step->op > NP_FETCH_XOR))
        return NP_RAISE(NP_ERROR_INPUT, "step %llu (%s): an access is a read, a write, or a fetch by add .. xor",
                        (unsigned long long)pram->steps, step->label ? step->label : "no label");
    return s->inside ? NP_OK : raise_outside(pram, step);
}

/* Are two accesses to one of the thread's cells? */
static bool is_twice(const np_store *store, const np_pram_step *step, uint32_t base, np_part part)
{
    uint32_t processor[NP_PART_PICKS];
    bool twice = false;
    for (size_t begin = 0; begin < step->count; begin += NP_PART_PICKS) {
        size_t picked = np_part_pick(part, step, begin, np_part_block(begin, step->count), processor);
        for (size_t k = 0; k < picked; k++) {
            uint32_t *mark = &store->touched[step->address[processor[k]]];
            twice |= *mark == base;
            *mark = base;
        }
    }
    return twice;
}

typedef struct looking {
    const np_store *store;
    const np_pram_step *step;
    uint32_t base;
    _Atomic bool twice;
} looking;

static void look_for_two(void *context, np_part part)
{
    looking *l = context;
    if (is_twice(l->store, l->step, l->base, part))
        l->twice = true;
}

/* Are no two accesses of the step to one cell? */
static bool is_exclusive(np_store *store, const np_pram_step *step)
{
    looking l = {store, step, np_store_numbers(store, 1), false};
    np_team_each(store->team, step->count, look_for_two, &l);
    return !l.twice;
}

static np_status check_rules(np_pram *pram, const np_pram_step *step, const np_step_types *types, survey *s)
{
    if (!np_check_is_due(&pram->check, s->kinds, s->exclusive))
        return NP_OK;
    s->exclusive = is_exclusive(pram->store, step);
    if (s->exclusive)
        return NP_OK;
    size_t kept = pram->check.kept;
    np_status st = np_check_step(&pram->check, pram->store, step, types, pram->steps);
    for (; kept < pram->check.kept && !st; kept++) {
        np_violation *violation = &pram->check.violation[kept];
        np_pram_cell(pram, violation->address, &violation->array, &violation->offset);
        st = np_pram_get(pram, violation->address, 1, &violation->before);
    }
    return st;
}

/* What the step has left in the cells of the violations from `first` on. */
static np_status note_left(np_pram *pram, size_t first)
{
    np_status st = NP_OK;
    for (size_t i = first; i < pram->check.kept && !st; i++)
        st = np_pram_get(pram, pram->check.violation[i].address, 1, &pram->check.violation[i].after);
    return st;
}

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
    np_status st = np_pram_room(&pram->request, 0, &room, size, sizeof *pram->request, "the requests of a batch");
    if (!st)
        st = np_pram_room(&pram->reply, 0, &pram->batch_room, size, sizeof *pram->reply, "the replies of a batch");
    return st;
}

np_status np_pram_reserve(np_pram *pram, uint64_t cells, size_t count, bool shared)
{
    np_status st = np_store_reserve(pram->store, cells, pram->direct ? 0 : count);
    pram->machine->cells = cells;
    if (!st && shared)
        st = np_check_reserve(&pram->check, count);
    return st || pram->direct ? st : reserve_batch(pram, batch_size(pram, count));
}

enum { ARRAYS = 40 }; /* a program allocates 12 at most, which grow by halves and have names */

np_status np_pram_bytes(const np_pram *pram, uint64_t cells, size_t count, bool shared, uint64_t steps, uint64_t *out)
{
    uint64_t batch = pram->direct ? 0 : batch_size(pram, count);
    uint64_t costs = pram->machine->ops == &np_machine_ideal ? 0 : np_memory_taken(steps * sizeof *pram->step_cost);
    uint64_t machine;
    np_status st = np_machine_bytes(&pram->options, cells, count, &machine);
    if (st)
        return st;
    *out = sizeof *pram + strlen(pram->spec) + 1 + ARRAYS * sizeof *pram->array +
           np_store_bytes(cells, pram->direct ? 0 : count) +
           np_check_bytes(pram->options.violations_max, shared ? count : 0) +
           np_memory_taken(batch * sizeof *pram->request) + np_memory_taken(batch * sizeof *pram->reply) +
           7 * costs / 2 + machine;
    return NP_OK;
}

static np_status serve_in_batches(np_pram *pram, const np_draws *draws, const np_pram_step *step,
                                  const np_step_types *types, size_t accesses)
{
    size_t size = batch_size(pram, accesses), filled = 0;
    np_status st = np_store_begin(pram->store, accesses, np_step_types_sums(pram, step, types));
    if (!st)
        st = reserve_batch(pram, size);
    for (size_t i = 0; i < step->count && !st; i++) {
        if (step->active && !step->active[i])
            continue;
        pram->request[filled++] =
            np_request_of(pram->options.rule, draws, step, (uint32_t)i, np_step_type(types, step->address[i]));
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

/*
 * Serves the accesses of one step, or of half a step (np_pram_move); the step is not counted yet. Types do not matter where
 * nothing is combined or compared.
 */
static np_status serve_accesses(np_pram *pram, const np_pram_step *step)
{
    if (step->count >= UINT32_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%zu processors in one step: at most %u", step->count, UINT32_MAX - 1);
    survey s = survey_step(step, np_store_cells(pram->store), &pram->team);
    np_status st = check_survey(pram, step, &s);
    if (st)
        return st;
    const bool plain = s.kinds == 1 << NP_ACCESS_READ || (s.exclusive && s.kinds == 1 << NP_ACCESS_WRITE);
    const np_step_types types = plain ? (np_step_types){.all = NP_CELL_INT} : np_step_types_of(pram, step);
    const size_t kept = pram->check.kept;
    if ((st = np_step_types_check(pram, step, &types, s.exclusive)) || (st = check_rules(pram, step, &types, &s)))
        return st;
    np_draws draws = np_request_draws(pram->options.seed, pram->steps);
    if (pram->direct && !step->kind && !types.mix)
        st = np_ideal_serve(pram->store, &draws, step, s.exclusive, types.all);
    else
        st = serve_in_batches(pram, &draws, step, &types, s.accesses);
    if (!st)
        st = note_left(pram, kept);
    if (step->count > pram->most)
        pram->most = (np_processor)step->count;
    pram->work += s.accesses;
    if (s.accesses > pram->active) /* the halves of a move have the same processors */
        pram->active = s.accesses;
    return st;
}

/* Replies take the place of operands: keeps these. */
static np_status keep_operands(np_pram *pram, const np_pram_step *step)
{
    np_status st = np_pram_room(&pram->operand, 0, &pram->operand_room, step->count, sizeof *pram->operand,
                                "the operands of a step");
    if (!st && step->count)
        memcpy(pram->operand, step->value, step->count * sizeof *pram->operand);
    return st;
}

/* The same, and tells who watches. */
static np_status serve_and_tell(np_pram *pram, const np_pram_step *step)
{
    const np_pram_options *options = &pram->options;
    if (!options->on_step)
        return serve_accesses(pram, step);
    const uint64_t network = pram->cost.network_steps, violations = pram->check.violations;
    const bool fetches = step->kind || step->all == NP_ACCESS_FETCH;
    np_status st = fetches ? keep_operands(pram, step) : NP_OK;
    if (st || (st = serve_accesses(pram, step)))
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
    if (pram->machine->ops != &np_machine_ideal) {
        np_status st = np_pram_room(&pram->step_cost, pram->costs, &pram->costs_room, pram->costs + 1,
                                    sizeof *pram->step_cost, "the costs of PRAM steps");
        if (st)
            return st;
        pram->step_cost[pram->costs++] = (double)(pram->cost.network_steps - before);
    }
    uint64_t of = pram->expected > pram->steps ? pram->expected : 0;
    double share = of ? (double)pram->steps / (double)of : 0;
    return np_watch_check(&pram->options.watch, (np_progress){NULL, "PRAM steps", pram->steps, of, share});
}

np_status np_pram_access(np_pram *pram, const np_pram_step *step)
{
    np_status st = np_pram_usable(pram);
    if (st)
        return st;
    uint64_t before = pram->cost.network_steps;
    st = serve_and_tell(pram, step);
    if (!st)
        st = finish(pram, before);
    pram->failed = st != NP_OK;
    return st;
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

static np_status move(np_pram *pram, size_t count, const np_address *from, const np_address *to, const uint8_t *active,
                      const char *label)
{
    np_status st = np_pram_room(&pram->moved, 0, &pram->moved_room, count, sizeof *pram->moved, "what a step moves");
    if (st)
        return st;
    np_pram_step half = {
        .label = label, .count = count, .address = from, .active = active, .all = NP_ACCESS_READ, .value = pram->moved};
    if ((st = serve_and_tell(pram, &half)))
        return st;
    half.address = to;
    half.all = NP_ACCESS_WRITE;
    return serve_and_tell(pram, &half);
}

np_status np_pram_move(np_pram *pram, size_t count, const np_address *from, const np_address *to, const uint8_t *active,
                       const char *label)
{
    np_status st = np_pram_usable(pram);
    if (st)
        return st;
    uint64_t before = pram->cost.network_steps;
    st = move(pram, count, from, to, active, label);
    if (!st)
        st = finish(pram, before);
    pram->failed = st != NP_OK;
    return st;
}
