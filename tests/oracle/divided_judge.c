#include "oracle/divided_judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/job.h"
#include "support.h"

/* What a run says. */
typedef struct said {
    np_status status;
    char *text, *answer; /* answer: rank 0's */
} said;

typedef struct task {
    const oracle_divided *run;
    said said[ORACLE_DIVIDED_RANKS];
} task;

static void print_line(void *context, const char *line) { fprintf(context, "print %s\n", line); }

static void say_violations(const np_pram_report *report, FILE *to)
{
    for (size_t i = 0; i < report->kept; i++) {
        const np_violation *v = &report->violation[i];
        fprintf(to, "violation %llu %s %llu %s %llu: %u %u %u, %d %d, %lld %lld, %lld %lld, %d, %s\n",
                (unsigned long long)v->step, v->label, (unsigned long long)v->address, v->array,
                (unsigned long long)v->offset, v->first, v->second, v->more, (int)v->first_kind, (int)v->second_kind,
                (long long)v->first_value, (long long)v->second_value, (long long)v->before, (long long)v->after,
                (int)v->type, v->where);
    }
}

static void say_costs(const np_script_result *r, FILE *to)
{
    fprintf(to, "T %llu W %llu violations %llu weakest %d processors %u brent %llu turns %llu\n",
            (unsigned long long)r->report.steps, (unsigned long long)r->report.work,
            (unsigned long long)r->report.violations, (int)r->report.weakest, r->report.processors,
            (unsigned long long)np_pram_schedule_get(r->pram).steps, (unsigned long long)r->turns);
    for (size_t i = 0; i < r->lines; i++)
        fprintf(to, "line %u: %llu %llu %llu\n", r->line[i].line, (unsigned long long)r->line[i].steps,
                (unsigned long long)r->line[i].work, (unsigned long long)r->line[i].violations);
    for (size_t i = 0; i < r->notes; i++)
        fprintf(to, "note %s\n", r->note[i]);
}

static void say_answer(const np_script_result *r, FILE *to)
{
    for (size_t i = 0; i < r->outputs; i++)
        for (size_t k = 0; k < r->output[i].count; k++)
            fprintf(to, "%s %lld\n", r->output[i].name, (long long)r->output[i].word[k]);
}

static said run_as(const oracle_divided *t, const np_job *job)
{
    said s;
    size_t size;
    np_script_problem problem;
    np_script_result *result;
    np_pram_options pram = t->pram;
    np_script_options options = t->options;
    FILE *text = open_memstream(&s.text, &size), *answer = open_memstream(&s.answer, &size);
    pram.job = job;
    pram.machine = job ? "mpi" : "ideal";
    pram.threads = 1;
    options.print = print_line;
    options.print_context = answer;
    np_status st = np_script_run(t->script, &pram, &options, &problem, &result);
    s.status = st;
    fprintf(text, "%s: %s\n", np_status_name(st), st ? np_last_error() : "");
    if (st)
        fprintf(text, "%u:%u %s\n%s\n", problem.line, problem.column, problem.message, problem.source);
    else {
        fprintf(text, "n %llu %d %d %llu %s %s %llx\n", (unsigned long long)result->n, result->judged, result->correct,
                (unsigned long long)result->count, result->wrong, result->words, (unsigned long long)result->checksum);
        say_costs(result, text);
        say_violations(&result->report, text);
        say_answer(result, answer);
    }
    np_script_result_free(result);
    fclose(text);
    fclose(answer);
    return s;
}

static void run_rank(void *context, const np_job *job)
{
    task *t = context;
    t->said[job->rank] = run_as(t->run, job);
}

static void forget(said s)
{
    free(s.text);
    free(s.answer);
}

static void compare(const oracle_divided *run, const said *one, const said *s, uint32_t rank, uint32_t ranks)
{
    const char *answer = rank ? "" : one->answer;
    if (one->status == NP_ERROR_MEMORY)
        return;
    if (strcmp(s->text, one->text) != 0 || strcmp(s->answer, answer) != 0)
        fail_msg("%s, n = %llu, rank %u of %u says\n%s%s\nand one process\n%s%s", np_access_rule_name(run->pram.rule),
                 (unsigned long long)run->options.program.n, rank, ranks, s->text, s->answer, one->text, answer);
}

np_status oracle_judge_divided(const oracle_divided *run, uint32_t ranks)
{
    task t = {.run = run};
    const said one = run_as(run, NULL);
    oracle_job_run(ranks, run_rank, &t);
    for (uint32_t i = 0; i < ranks; i++) {
        compare(run, &one, &t.said[i], i, ranks);
        forget(t.said[i]);
    }
    forget(one);
    return one.status;
}

np_status oracle_judge_rank(const oracle_divided *run, const np_job *job)
{
    const said one = run_as(run, NULL), mine = run_as(run, job);
    compare(run, &one, &mine, job->rank, job->size);
    forget(one);
    forget(mine);
    return one.status;
}

oracle_divided oracle_divided_of(const np_script *script, np_access_rule rule, uint64_t seed, uint64_t n)
{
    oracle_divided run = {.script = script};
    np_pram_options_init(&run.pram);
    np_script_options_init(&run.options);
    run.pram.rule = rule;
    run.pram.seed = seed;
    run.options.program.n = n;
    return run;
}
