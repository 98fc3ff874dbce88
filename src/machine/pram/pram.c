/*
 * The PRAM's life: options, creation, allocation, the report. What a step does is
 * in step.c; cells.c loads and unloads cells.
 */
#include <stdio.h>

#include "base/room.h"
#include "machine/pram/division.h"
#include "machine/pram/fields.h"

static np_status take_machine(np_pram *pram)
{
    np_status st = np_machine_create(pram->spec, &pram->options, &pram->machine);
    if (st)
        return st;
    np_processor has = pram->machine->processors, asked = pram->options.processors;
    if (has && asked > has)
        return NP_RAISE(NP_ERROR_INPUT, "%u processors: %s has %u", asked, pram->spec, has);
    pram->processors = asked ? asked : has;
    pram->direct = pram->machine->ops == &np_machine_ideal && !pram->processors;
    return NP_OK;
}

/* One thread a rank, unless more are asked for: ranks share the processors of a machine. */
static unsigned threads_of(const np_pram *pram)
{
    if (pram->division && !pram->options.threads)
        return 1;
    return np_pram_is_ideal(pram) ? pram->options.threads : 1;
}

/* The ranks that share the PRAM, if there are any. */
static np_status divide(np_pram *pram)
{
    const np_pram_options *options = &pram->options;
    if (!options->job)
        return NP_OK;
    if (options->on_step)
        return NP_RAISE(NP_ERROR_APPLY,
                        "trace: machine '%s' is divided over processes, of which none sees all accesses", pram->spec);
    return np_division_create(options->job, options->seed, &pram->division);
}

static np_status begin(np_pram *pram)
{
    np_pram_options *options = &pram->options;
    np_status st;
    if (!options->machine)
        return NP_RAISE(NP_ERROR_INPUT, "a PRAM needs a machine: try ideal");
    options->machine = pram->spec = np_memory_text(options->machine);
    if (!pram->spec)
        return np_status_last();
    st = take_machine(pram);
    if (!st)
        st = divide(pram);
    if (!st)
        st = np_store_create(options->rule, &pram->store);
    if (!st && options->memory_layout)
        pram->machine->ops->keep(pram->machine, pram->store);
    if (!st)
        st = np_team_init(&pram->team, threads_of(pram));
    if (!st)
        pram->store->team = &pram->team;
    if (!st)
        st = np_check_init(&pram->check, options->rule, options->violations_max);
    return st;
}

np_status np_division_refuse(const np_pram_options *given, np_status status)
{
    np_pram_options options = {0};
    char message[512];
    snprintf(message, sizeof message, "%s", np_last_error());
    if (np_options_take(&np_pram_options_fields, given, &options)) /* whose own error does not matter */
        (void)np_status_raise(status, "%s", message);
    return np_division_agree(options.job, status);
}

np_status np_pram_create(const np_pram_options *options, np_pram **out)
{
    np_pram *pram;
    *out = NULL;
    np_status st = np_memory_zeroed(&pram, 1, sizeof *pram, "a PRAM");
    if (st)
        return np_division_refuse(options, st);
    if (!(st = np_options_take(&np_pram_options_fields, options, &pram->options)))
        st = begin(pram);
    if ((st = np_division_agree(pram->options.job, st))) {
        np_pram_free(pram);
        return st;
    }
    *out = pram;
    return NP_OK;
}

void np_pram_free(np_pram *pram)
{
    if (!pram)
        return;
    if (pram->machine)
        pram->machine->ops->free(pram->machine);
    np_store_free(pram->store);
    np_division_free(pram->division);
    np_check_clear(&pram->check);
    for (size_t i = 0; i < pram->arrays; i++)
        np_memory_free(pram->array[i].name);
    NP_MEMORY_FREE(pram->array, pram->step_cost, pram->request, pram->reply, pram->moved, pram->operand, pram->spec,
                   pram);
}

static np_status make_room(np_pram *pram, uint64_t cells)
{
    np_status st = np_memory_need(&pram->array, pram->arrays, pram->arrays + 1, &pram->arrays_room, sizeof *pram->array,
                                  "the arrays of a PRAM");
    if (!st)
        st = np_store_grow(pram->store, pram->division ? np_division_share(pram->division, cells) : cells);
    if (!st && pram->division)
        pram->division->cells = cells;
    if (!st && pram->machine->ops->grow)
        st = pram->machine->ops->grow(pram->machine, cells, &pram->cost);
    return st;
}

np_status np_pram_allocate(np_pram *pram, uint64_t count, const char *name, np_address *base)
{
    return np_pram_allocate_typed(pram, count, name, NP_CELL_INT, base);
}

np_status np_pram_allocate_typed(np_pram *pram, uint64_t count, const char *name, np_cell_type type, np_address *base)
{
    uint64_t cells = np_pram_cells(pram), most = pram->options.cells;
    np_status st = np_pram_usable(pram);
    if (st)
        return st;
    if (pram->division && most > np_division_most(pram->division))
        most = np_division_most(pram->division);
    name = name ? name : "";
    if ((unsigned)type > NP_CELL_BOOL)
        return NP_RAISE(NP_ERROR_INPUT, "'%s': cells of type %d: a cell is int, real or bool", name, (int)type);
    if (count > most - cells)
        return NP_RAISE(NP_ERROR_LIMIT, "%llu cells for '%s': the PRAM has %llu, of which %llu are left",
                        (unsigned long long)count, name, (unsigned long long)most, (unsigned long long)(most - cells));
    char *copy = np_memory_text(name);
    if (!copy)
        return np_status_last();
    if ((st = make_room(pram, cells + count))) {
        np_memory_free(copy);
        return st;
    }
    pram->array[pram->arrays++] = (np_array){cells, count, copy, type};
    pram->typed = pram->typed || type != NP_CELL_INT;
    *base = cells;
    return NP_OK;
}

static void fill_cost(const np_pram *pram, np_pram_report *out)
{
    const np_batch_cost *cost = &pram->cost;
    out->network_steps = cost->network_steps;
    out->initialisation_steps = cost->initialisation_steps;
    out->rehash_steps = cost->rehash_steps;
    out->requests = cost->requests;
    out->combined = cost->combined;
    out->ghosts = cost->ghosts;
    out->replies = cost->replies;
    out->queue_max = cost->queue_max;
    out->module_load_max = cost->module_load_max;
    out->rehashes = cost->rehashes;
    out->physical_steps = cost->network_steps + cost->emulation_steps;
    out->physical = pram->options.physical;
    out->rounds = cost->rounds;
    out->rounds_max = cost->rounds_max;
    out->refused = cost->refused;
}

uint32_t np_pram_slack(const np_pram *pram) { return pram->options.slack; }
uint64_t np_pram_stalled(const np_pram *pram) { return pram->cost.stalled; }

/* A butterfly of n has n 2^n processors. */
static void fill_shared(const np_pram *pram, np_pram_shared *out)
{
    uint32_t n = 1;
    while ((uint64_t)n << n < pram->most)
        n++;
    *out = pram->division->cost;
    out->butterfly_n = n;
    out->butterfly_steps = (double)pram->steps * NP_PRAM_BUTTERFLY * n;
}

np_status np_pram_report_get(np_pram *pram, np_pram_report *out)
{
    const np_machine_ops *ops = pram->machine->ops;
    *out = (np_pram_report){
        .machine = pram->spec,
        .rule = pram->options.rule,
        .weakest = np_check_weakest(&pram->check),
        .processors = pram->processors ? pram->processors : pram->most,
        .modules = pram->machine->modules,
        .n = pram->machine->n,
        .steps = pram->steps,
        .work = pram->work,
        .violations = pram->check.violations,
        .kept = pram->check.kept,
        .violation = pram->check.violation,
    };
    fill_cost(pram, out);
    if (pram->division)
        fill_shared(pram, &out->shared);
    if (ops->measure)
        ops->measure(pram->machine, out);
    return pram->costs ? np_summary_compute(pram->costs, pram->step_cost, &out->per_step) : NP_OK;
}

np_pram_schedule np_pram_schedule_get(const np_pram *pram)
{
    return (np_pram_schedule){pram->brent_steps, pram->options.processors != 0};
}

np_status np_pram_memory_compute(const np_pram *pram, np_pram_memory *out)
{
    *out = (np_pram_memory){0};
    return pram->machine->ops->memory ? pram->machine->ops->memory(pram->machine, out) : NP_OK;
}
