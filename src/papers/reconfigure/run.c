/* The work common to all programs: rounds counted and drawn, conflicts reported, results returned. */
#include "papers/reconfigure/run.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/memory.h"
#include "base/registry.h"
#include "base/watch.h"
#include "work/sort/keys.h"

extern const np_registry np_reconfigure_programs; /* programs.c */

void np_reconfigure_result_free(np_reconfigure_result *result)
{
    if (!result)
        return;
    for (size_t i = 0; i < NP_RECONFIGURE_ROUNDS; i++) {
        NP_MEMORY_FREE(result->picture[i].setting, result->picture[i].signal);
    }
    np_memory_free((char *)result->input);
    np_keys_free((np_keys *)result->keys);
    NP_MEMORY_FREE(result->rank, result->order, result->heard, result->place, result);
}

np_status np_reconfigure_program_find(const char *name, const np_reconfigure_program **out)
{
    return np_registry_find(&np_reconfigure_programs, name, out);
}

np_status np_reconfigure_check(const np_reconfigure_program *program, uint64_t n)
{
    if (!program->most)
        return NP_OK;
    if (!n)
        return NP_RAISE(NP_ERROR_INPUT, "no %s: %s takes one at least", program->entry.takes, program->entry.name);
    if (n > program->most)
        return NP_RAISE(NP_ERROR_LIMIT, "%s of %llu %s takes %s switches, more than %llu: at most %llu %s",
                        program->entry.name, (unsigned long long)n, program->entry.takes,
                        NP_REAL(program->switches((double)n), 15), (unsigned long long)NP_SWITCH_GRID_MAX,
                        (unsigned long long)program->most, program->entry.takes);
    return NP_OK;
}

static np_status check_pictures(uint64_t rows, uint64_t columns)
{
    if (rows > NP_RECONFIGURE_PICTURE_ROWS || columns > NP_RECONFIGURE_PICTURE_COLUMNS)
        return NP_RAISE(NP_ERROR_LIMIT, "a grid of %llu x %llu is too large to be drawn: at most %d x %d",
                        (unsigned long long)rows, (unsigned long long)columns, NP_RECONFIGURE_PICTURE_ROWS,
                        NP_RECONFIGURE_PICTURE_COLUMNS);
    return NP_OK;
}

np_status np_reconfigure_run_begin(np_reconfigure_run *run, const char *program, uint64_t n, uint64_t rows,
                                   uint64_t columns, const np_reconfigure_options *options)
{
    np_status st;
    const np_reconfigure_program *info;
    *run = (np_reconfigure_run){.options = options};
    if ((st = np_reconfigure_program_find(program, &info)) || (st = np_reconfigure_check(info, n)) ||
        (options->show && (st = check_pictures(rows, columns))) ||
        (st = np_switch_grid_create(rows, columns, &run->grid)) ||
        (st = np_memory_zeroed(&run->result, 1, sizeof *run->result, "a result")))
        return st;
    np_reconfigure_result *result = run->result;
    result->program = &info->entry;
    result->n = n;
    result->rows = (uint32_t)rows;
    result->columns = (uint32_t)columns;
    result->switches = rows * columns;
    result->correct = true;
    run->rounds = info->rounds + options->announce;
    return NP_OK;
}

uint32_t np_reconfigure_run_attach(np_reconfigure_run *run, np_switch_port side, uint64_t index)
{
    uint32_t pu = 0;
    if (!run->status)
        run->status = np_switch_grid_attach(run->grid, side, index, &pu);
    return pu;
}

void np_reconfigure_run_send(np_reconfigure_run *run, uint32_t pu, uint64_t word, uint32_t tag)
{
    if (!run->status)
        run->status = np_switch_grid_send(run->grid, pu, (np_signal){word, tag});
}

void np_reconfigure_run_wrong(np_reconfigure_run *run, const char *format, ...)
{
    np_reconfigure_result *result = run->result;
    result->correct = false;
    if (*result->wrong)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(result->wrong, sizeof result->wrong, format, arguments);
    va_end(arguments);
}

static np_status keep_picture(const np_reconfigure_run *run, np_switch_picture *picture)
{
    np_status st;
    np_signal signal;
    const np_reconfigure_result *result = run->result;
    if ((st = np_memory_zeroed(&picture->setting, result->switches, 1, "a picture")) ||
        (st = np_memory_zeroed(&picture->signal, result->switches, 1, "a picture")))
        return st;
    for (uint32_t row = 0, i = 0; row < result->rows; row++)
        for (uint32_t column = 0; column < result->columns; column++, i++) {
            picture->setting[i] = np_switch_grid_setting(run->grid, row, column);
            for (unsigned port = 0; port < NP_SWITCH_PORTS; port++)
                picture->signal[i] |=
                    (uint8_t)(np_switch_grid_hears(run->grid, row, column, (np_switch_port)port, &signal) << port);
        }
    return NP_OK;
}

static void tell_conflict(np_reconfigure_run *run, const np_switch_round *round)
{
    np_pu_place one = np_switch_grid_place(run->grid, round->one);
    np_pu_place another = np_switch_grid_place(run->grid, round->another);
    if (!run->result->conflicts)
        run->result->conflict = run->result->rounds;
    np_reconfigure_run_wrong(run, "round %u: the PUs at %c%u and %c%u send on one subnet", run->result->rounds + 1,
                             np_switch_port_letter(one.side), one.index, np_switch_port_letter(another.side),
                             another.index);
}

static np_status tell(const np_reconfigure_run *run, const char *what)
{
    uint32_t done = run->result->rounds;
    return np_watch_check(&run->options->watch,
                          (np_progress){what, "rounds", done, run->rounds, (double)done / run->rounds});
}

void np_reconfigure_run_round(np_reconfigure_run *run, const char *what)
{
    np_reconfigure_result *result = run->result;
    if (run->status)
        return;
    np_switch_round *round = &result->round[result->rounds];
    np_switch_grid_round(run->grid, what, round);
    if (round->conflicts)
        tell_conflict(run, round);
    result->settings |= round->settings;
    result->conflicts += round->conflicts;
    if (run->options->show)
        run->status = keep_picture(run, &result->picture[result->rounds]);
    result->rounds++;
    if (!run->status)
        run->status = tell(run, what);
}

static np_status keep_places(np_reconfigure_run *run)
{
    np_reconfigure_result *result = run->result;
    result->pus = np_switch_grid_pus(run->grid);
    np_status st = np_memory_array(&result->place, result->pus, sizeof *result->place, "the PUs' places");
    for (uint32_t pu = 0; !st && pu < result->pus; pu++)
        result->place[pu] = np_switch_grid_place(run->grid, pu);
    return st;
}

np_status np_reconfigure_run_end(np_reconfigure_run *run, np_status st, np_reconfigure_result **out)
{
    st = st ? st : run->status;
    st = st ? st : keep_places(run);
    *out = st ? NULL : run->result;
    if (st)
        np_reconfigure_result_free(run->result);
    np_switch_grid_free(run->grid);
    *run = (np_reconfigure_run){.status = st};
    return st;
}
