/*
 * The survey of a step, in which nothing is served yet: one pass over the addresses, what types the cells have, and
 * whether all that is asked has a meaning.
 *
 * If addresses rise from processor to processor, or fall, they are exclusive: no two are the same.
 * Most steps have such addresses and need no further check.
 */
#include "base/hot.h"
#include "machine/pram/inside.h"

/* What is said of a step in messages: its number and its label. */
#define STEP "step %llu (%s)"
#define STEP_OF(pram, step) (unsigned long long)(pram)->steps, (step)->label ? (step)->label : "no label"

/* ---- Addresses ---- */

enum { OUTSIDE = 1, NOT_RISING = 2, NOT_FALLING = 4 };

/* Each address of the part, with the one before it. */
NP_HOT static uint32_t look_at_all(const np_address *address, np_range mine, uint64_t cells)
{
    uint64_t not_rising = 0, not_falling = 0, outside = !mine.begin && mine.end && address[0] >= cells;
#pragma omp simd reduction(| : not_rising, not_falling, outside)
    for (size_t i = mine.begin ? mine.begin : 1; i < mine.end; i++) {
        not_rising |= address[i - 1] >= address[i];
        not_falling |= address[i - 1] <= address[i];
        outside |= address[i] >= cells;
    }
    return (outside ? OUTSIDE : 0) | (not_rising ? NOT_RISING : 0) | (not_falling ? NOT_FALLING : 0);
}

/* The addresses of active processors are put together, after the last one before them, if there is one. */
static uint32_t look_at_active(const np_pram_step *step, np_range mine, uint64_t cells, size_t *accesses)
{
    np_address together[1 + NP_PART_PICKS];
    size_t before = mine.begin;
    uint32_t found = 0;
    while (before && !step->active[before - 1])
        before--;
    size_t had = before > 0;
    together[0] = had ? step->address[before - 1] : 0;
    for (size_t begin = mine.begin; begin < mine.end; begin += NP_PART_PICKS) {
        size_t count = had, end = np_part_block(begin, mine.end);
        for (size_t i = begin; i < end; i++) {
            together[count] = step->address[i];
            count += step->active[i] != 0;
        }
        found |= look_at_all(together, (np_range){0, count}, cells);
        *accesses += count - had;
        together[0] = count ? together[count - 1] : 0;
        had = count > 0;
    }
    return found;
}

typedef struct looking {
    const np_pram_step *step;
    uint64_t cells;
    _Atomic size_t accesses;
    _Atomic uint32_t found;
} looking;

static void look_at_part(void *context, np_part part)
{
    looking *l = context;
    const np_range mine = np_part_of(part, l->step->count);
    size_t active = 0;
    if (l->step->active) {
        l->found |= look_at_active(l->step, mine, l->cells, &active);
        l->accesses += active;
    } else {
        l->found |= look_at_all(l->step->address, mine, l->cells);
        l->accesses += mine.end - mine.begin;
    }
}

static np_status raise_outside(const np_pram *pram, const np_pram_step *step, uint64_t cells)
{
    static const char *const verbs[] = {"reads", "writes", "fetches"};
    size_t i = 0;
    while (!np_step_active(step, i) || step->address[i] < cells)
        i++;
    return NP_RAISE(NP_ERROR_INPUT, STEP ": processor %zu %s cell %llu, but %llu are allocated", STEP_OF(pram, step), i,
                    verbs[np_step_kind(step, i)], (unsigned long long)step->address[i], (unsigned long long)cells);
}

/* ---- Kinds ---- */

/* The kinds of access, by a bit each; 0 if there is one that does not exist. */
static uint32_t kinds_of(const np_pram_step *step)
{
    uint32_t kinds = 0;
    if (!step->kind)
        return (unsigned)step->all <= NP_ACCESS_FETCH ? UINT32_C(1) << step->all : 0;
    for (size_t i = 0; i < step->count; i++) {
        if (!np_step_active(step, i))
            continue;
        if (step->kind[i] > NP_ACCESS_FETCH)
            return 0;
        kinds |= UINT32_C(1) << step->kind[i];
    }
    return kinds ? kinds : 1 << NP_ACCESS_READ; /* nobody is active */
}

/* ---- Types ---- */

static np_step_types types_of(const np_pram *pram, const np_pram_step *step)
{
    const np_array *array = NULL;
    for (size_t i = 0; i < step->count && pram->typed; i++) {
        const np_address address = step->address[i];
        if (!np_step_active(step, i) || (array && address - array->base < array->count))
            continue;
        const np_array *next = np_pram_array_at(pram, address);
        if (array && array->type != next->type)
            return (np_step_types){.mix = pram};
        array = next;
    }
    return (np_step_types){.all = array ? array->type : NP_CELL_INT};
}

static np_status raise_fetch(const np_pram *pram, const np_pram_step *step, size_t i)
{
    const np_array *array = np_pram_array_at(pram, step->address[i]);
    return NP_RAISE(NP_ERROR_INPUT,
                    "a fetch by %s does not combine values of type %s: processor %zu, cell %s[%llu], " STEP,
                    np_fetch_op_name(step->op), np_cell_type_name(array->type), i, array->name,
                    (unsigned long long)(step->address[i] - array->base), STEP_OF(pram, step));
}

static np_status check_fetches(const np_pram *pram, const np_pram_step *step, const np_step_types *types)
{
    if (!types->mix && np_values_fetched(types->all, step->op))
        return NP_OK;
    for (size_t i = 0; i < step->count; i++)
        if (np_step_active(step, i) && np_step_kind(step, i) == NP_ACCESS_FETCH &&
            !np_values_fetched(np_step_type(types, step->address[i]), step->op))
            return raise_fetch(pram, step, i);
    return NP_OK;
}

np_status np_step_raise_writers(const np_pram *pram, const np_pram_step *step, np_address address, size_t first,
                                size_t second)
{
    const np_array *array = np_pram_array_at(pram, address);
    return NP_RAISE(NP_ERROR_INPUT,
                    "%s does not combine values of type %s: processors %zu and %zu write to %s[%llu], " STEP,
                    np_access_rule_name(pram->options.rule), np_cell_type_name(array->type), first, second, array->name,
                    (unsigned long long)(address - array->base), STEP_OF(pram, step));
}

/* Does the processor write to a cell of which the rule cannot combine several values? */
static bool must_be_alone(const np_pram *pram, const np_pram_step *step, const np_step_types *types, size_t i)
{
    return np_step_active(step, i) && np_step_kind(step, i) == NP_ACCESS_WRITE &&
           !(np_values_rules(np_step_type(types, step->address[i])) >> pram->options.rule & 1);
}

static np_status check_writes(const np_pram *pram, const np_pram_step *step, const np_step_types *types)
{
    if (!types->mix && np_values_rules(types->all) >> pram->options.rule & 1)
        return NP_OK;
    const uint32_t base = np_store_numbers(pram->store, step->count);
    for (size_t i = 0; i < step->count; i++) {
        if (!must_be_alone(pram, step, types, i))
            continue;
        uint32_t *mark = &pram->store->touched[step->address[i]];
        if (*mark >= base)
            return np_step_raise_writers(pram, step, step->address[i], *mark - base, i);
        *mark = base + (uint32_t)i;
    }
    return NP_OK;
}

bool np_step_two_writers(np_store *store, const np_pram_step *step, size_t *first, size_t *second)
{
    const uint32_t base = np_store_numbers(store, step->count);
    for (size_t i = 0; i < step->count; i++) {
        if (!np_step_active(step, i))
            continue;
        uint32_t *mark = &store->touched[step->address[i]];
        if (*mark >= base) {
            *first = *mark - base;
            *second = i;
            return true;
        }
        *mark = base + (uint32_t)i;
    }
    return false;
}

/* ---- The whole ---- */

static np_status check_types(const np_pram *pram, const np_pram_step *step, const np_step_survey *s)
{
    np_status st = NP_OK;
    if (s->kinds >> NP_ACCESS_FETCH & 1)
        st = check_fetches(pram, step, &s->types);
    if (!st && !s->exclusive && s->kinds >> NP_ACCESS_WRITE & 1 && !pram->division)
        st = check_writes(pram, step, &s->types);
    return st;
}

np_status np_step_look(np_pram *pram, const np_pram_step *step, np_step_survey *out)
{
    looking l = {.step = step, .cells = np_pram_cells(pram)};
    if (step->count >= UINT32_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%zu processors in one step: at most %u", step->count, UINT32_MAX - 1);
    np_team_each(&pram->team, step->count, look_at_part, &l);
    *out = (np_step_survey){.accesses = l.accesses,
                            .kinds = kinds_of(step),
                            .exclusive = !(l.found & NOT_RISING) || !(l.found & NOT_FALLING)};
    if (!out->kinds || (out->kinds >> NP_ACCESS_FETCH & 1 && (unsigned)step->op > NP_FETCH_XOR))
        return NP_RAISE(NP_ERROR_INPUT, STEP ": an access is a read, a write, or a fetch by add .. xor",
                        STEP_OF(pram, step));
    if (l.found & OUTSIDE)
        return raise_outside(pram, step, l.cells);
    /* Types do not matter where nothing is combined or compared. */
    const bool plain = out->kinds == 1 << NP_ACCESS_READ || (out->exclusive && out->kinds == 1 << NP_ACCESS_WRITE);
    out->types = plain ? (np_step_types){.all = NP_CELL_INT} : types_of(pram, step);
    return pram->typed ? check_types(pram, step, out) : NP_OK;
}

np_step_survey np_step_look_owned(np_pram *pram, const np_pram_step *step, np_cell_type type)
{
    looking l = {.step = step, .cells = UINT64_MAX};
    np_team_each(&pram->team, step->count, look_at_part, &l);
    return (np_step_survey){.accesses = l.accesses,
                            .kinds = UINT32_C(1) << step->all,
                            .exclusive = !(l.found & NOT_RISING) || !(l.found & NOT_FALLING),
                            .types = {.all = type}};
}
