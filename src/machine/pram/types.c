/* See types.h. */
#include "machine/pram/inside.h"

static bool is_active(const np_pram_step *step, size_t i) { return !step->active || step->active[i]; }

static np_access_kind kind_of(const np_pram_step *step, size_t i)
{
    return step->kind ? (np_access_kind)step->kind[i] : step->all;
}

np_step_types np_step_types_of(const np_pram *pram, const np_pram_step *step)
{
    const np_array *array = NULL;
    for (size_t i = 0; i < step->count && pram->typed; i++) {
        const np_address address = step->address[i];
        if (!is_active(step, i) || (array && address - array->base < array->count))
            continue;
        const np_array *next = np_pram_array_at(pram, address);
        if (array && array->type != next->type)
            return (np_step_types){.mix = pram};
        array = next;
    }
    return (np_step_types){.all = array ? array->type : NP_CELL_INT};
}

/* ---- What has no meaning ---- */

static np_status raise_fetch(const np_pram *pram, const np_pram_step *step, size_t i)
{
    const np_array *array = np_pram_array_at(pram, step->address[i]);
    return NP_RAISE(NP_ERROR_INPUT,
                    "a fetch by %s does not combine values of type %s: processor %zu, cell %s[%llu], step %llu (%s)",
                    np_fetch_op_name(step->op), np_cell_type_name(array->type), i, array->name,
                    (unsigned long long)(step->address[i] - array->base), (unsigned long long)pram->steps,
                    step->label ? step->label : "no label");
}

static np_status check_fetches(const np_pram *pram, const np_pram_step *step, const np_step_types *types)
{
    if (!types->mix && np_values_fetched(types->all, step->op))
        return NP_OK;
    for (size_t i = 0; i < step->count; i++)
        if (is_active(step, i) && kind_of(step, i) == NP_ACCESS_FETCH &&
            !np_values_fetched(np_step_type(types, step->address[i]), step->op))
            return raise_fetch(pram, step, i);
    return NP_OK;
}

static np_status raise_writes(const np_pram *pram, const np_pram_step *step, size_t first, size_t second)
{
    const np_array *array = np_pram_array_at(pram, step->address[first]);
    return NP_RAISE(NP_ERROR_INPUT,
                    "%s does not combine values of type %s: processors %zu and %zu write to %s[%llu], step %llu (%s)",
                    np_access_rule_name(pram->options.rule), np_cell_type_name(array->type), first, second, array->name,
                    (unsigned long long)(step->address[first] - array->base), (unsigned long long)pram->steps,
                    step->label ? step->label : "no label");
}

/* Does the processor write to a cell of which the rule cannot combine several values? */
static bool must_be_alone(const np_pram *pram, const np_pram_step *step, const np_step_types *types, size_t i)
{
    return is_active(step, i) && kind_of(step, i) == NP_ACCESS_WRITE &&
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
            return raise_writes(pram, step, *mark - base, i);
        *mark = base + (uint32_t)i;
    }
    return NP_OK;
}

np_status np_step_types_check(const np_pram *pram, const np_pram_step *step, const np_step_types *types, bool alone)
{
    if (!pram->typed)
        return NP_OK;
    np_status st = step->kind || step->all == NP_ACCESS_FETCH ? check_fetches(pram, step, types) : NP_OK;
    if (!st && !alone && (step->kind || step->all == NP_ACCESS_WRITE))
        st = check_writes(pram, step, types);
    return st;
}

/* ---- Sums ---- */

/* At how many cells several processors access by this kind, reals that are added up? */
static size_t count_sums(const np_pram *pram, const np_pram_step *step, const np_step_types *types, np_access_kind kind)
{
    const uint32_t once = np_store_numbers(pram->store, 2), more = once + 1;
    size_t sums = 0;
    for (size_t i = 0; i < step->count; i++) {
        if (!is_active(step, i) || kind_of(step, i) != kind || np_step_type(types, step->address[i]) != NP_CELL_REAL)
            continue;
        uint32_t *mark = &pram->store->touched[step->address[i]];
        sums += *mark == once;
        *mark = *mark < once ? once : more;
    }
    return sums;
}

size_t np_step_types_sums(const np_pram *pram, const np_pram_step *step, const np_step_types *types)
{
    const bool reals = types->mix || types->all == NP_CELL_REAL, mixed = step->kind;
    size_t sums = 0;
    if (reals && (mixed || step->all == NP_ACCESS_FETCH) && step->op == NP_FETCH_ADD)
        sums += count_sums(pram, step, types, NP_ACCESS_FETCH);
    if (reals && (mixed || step->all == NP_ACCESS_WRITE) && pram->options.rule == NP_RULE_ADD)
        sums += count_sums(pram, step, types, NP_ACCESS_WRITE);
    return sums;
}
