/* netpram pram [PROGRAM]: a program of the library, or the file of a program's text */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/registry.h"
#include "base/written.h"
#include "command.h"
#include "debug.h"
#include "record.h"

enum { OWN_OPTIONS = 32 }; /* of a text that are options of the command, too */

typedef struct arguments {
    cli_common common;
    const char *program, *output;
    np_pram_options pram;
    np_script_options script;
    np_record_options record;
    np_picture_options picture;
    bool explain, profile, debug;
    const char *own[OWN_OPTIONS]; /* values of the text's options */
} arguments;

#define AT(member) offsetof(arguments, member)

static const np_field rows[] = {
    CLI_INSET(arguments, script, np_script_options_fields),
    CLI_INSET(arguments, pram, np_pram_options_fields),
    CLI_FORMAT(arguments),
    NP_PAPERS({"explain", NP_FIELD_BOOL, AT(explain),
               .help = "Say why the slowest batch on a butterfly took so long, and check it against Theorem 2"}, ){
        "profile", NP_FIELD_BOOL, AT(profile), .help = "Show what each line of a program's text cost",
        .only = "programs that are texts"},
    {"debug", NP_FIELD_BOOL, AT(debug),
     .help = "Run it step by step, forward and back; commands come from the terminal or a pipe",
     .only = "programs that are texts"},
    {"output", NP_FIELD_TEXT, AT(output), .help = "Write the answer, a word a line", .placeholder = "FILE"},
    CLI_INSET(arguments, common, cli_progress_fields),
    CLI_INSET(arguments, record, np_record_options_fields),
    CLI_INSET(arguments, picture, np_picture_options_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

/* The processes that share the PRAM; without a launcher it is one, which is still one of MPI. */
static int check_processes(arguments *a)
{
    const bool shares = !strcmp(a->pram.machine, "mpi");
    if (!shares && cli_job_size() > 1)
        return cli_fail("machine '%s' is not divided over processes, and %lu were started: --machine mpi is",
                        a->pram.machine, (unsigned long)cli_job_size());
    if (!shares)
        return 0;
    if (a->debug)
        return cli_fail("--debug: machine 'mpi' is divided over processes; on the ideal one the steps are the same");
    int status = cli_job_needs_mpi();
    a->pram.job = cli_job_mpi();
    return status;
}

/* What the machine does not heed, and --explain, are refused before anything is run. */
static int check(arguments *a)
{
    bool explains;
    int status = check_processes(a);
    if (status)
        return status;
    const cli_option *unheeded = cli_unheeded(a, &np_pram_options_fields, a->pram.machine, np_pram_machine_heeds);
    if (unheeded)
        return cli_fail("--%s: %s", unheeded->name, np_last_error());
    if (!a->explain)
        return 0;
    if (a->common.report.format == NP_REPORT_CSV)
        return cli_fail("--explain does not fit into CSV: --format table or json");
    if (np_pram_machine_explains(a->pram.machine, &explains))
        return cli_fail_last();
    if (!explains)
        return cli_fail("--explain: nothing is known to say of why %s is slow: try butterfly:8", a->pram.machine);
    return 0;
}

/* Writes the answer, unless it is wrong. */
static int write_answer(const arguments *a, const np_program_result *result)
{
    if (!a->output || cli_job_rank())
        return 0;
    if (!result->correct)
        return cli_say("%s is not written: the answer is wrong", a->output), 0;
    if (np_program_answer_write(result, a->output))
        return cli_fail_last();
    cli_interrupt_keeps("%s is kept", a->output);
    return 0;
}

/* *out = why the slowest batch was slow; NULL: that was not asked for. */
static np_status explain(const arguments *a, const np_pram *pram, np_pram_explanation **out)
{
    (void)a, (void)pram;
    *out = NULL;
    NP_PAPERS(if (a->explain) return np_pram_explain(pram, out);)
    return NP_OK;
}

static int report(arguments *a, const np_program_result *result)
{
    np_pram_explanation *explanation;
    int status = 0;
    if (a->profile && !result->script)
        return cli_fail("--profile is for programs that are texts: %s is in C", a->program);
    if (explain(a, result->pram, &explanation))
        return cli_fail_last();
    a->common.report.explanation = explanation;
    a->common.report.profile = a->profile;
    if (np_report_pram(result, &a->common.report, cli_report_stream(a)))
        status = cli_fail_last();
    else if (!result->correct || result->report.violations || (explanation && !explanation->sequence.holds))
        status = CLI_CHECK_FAILED;
    NP_PAPERS(np_pram_explanation_free(explanation);)
    return status;
}

static int on_step(void *context, const np_pram_seen *seen)
{
    return cli_interrupted() || np_record_pram_step(context, seen);
}

/* Does the picture show what processors do, and not what packets do? */
static bool draws_accesses(const np_picture_options *o)
{
    return o->picture && !cli_picture_plays(o) && (!o->picture_of || !strcmp(o->picture_of, o->usual));
}

/*
 * The trace has the PRAM steps, and so has a picture. On machines that tell of their messages it has these, too; on
 * others nobody observes, unless tables of packets are asked for, which the machine then refuses. So it does with an
 * unknown machine.
 */
static void watch_steps(arguments *a, const cli_record *record)
{
    const np_record_options *files = &a->record;
    bool observed, accesses = draws_accesses(&a->picture);
    bool tables = files->links || files->nodes || files->packets || files->steps || (a->picture.picture && !accesses);
    if ((!files->trace && !accesses) || np_pram_machine_observed(a->pram.machine, &observed))
        return;
    if (!observed && !tables)
        a->pram.observer = NULL;
    a->pram.on_step = on_step;
    a->pram.on_step_context = record->record;
}

/* ---- Programs that are texts ---- */

/* Is the program a file, and not the name of one of the library? */
static bool is_text(const char *program)
{
    size_t length = strlen(program);
    return strchr(program, '/') || (length > 5 && !strcmp(program + length - 5, ".pram"));
}

/* ---- Options that a text declares ---- */

static char own_name[OWN_OPTIONS][32], own_title[160], own_help[OWN_OPTIONS][200];
static np_field own_row[OWN_OPTIONS];
static np_fields own_fields;

/* Values of options look like texts, too: a pipe must not be read here, and what is no program is one of them. */
static bool is_regular(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISREG(status.st_mode);
}

/* The text on the command line: a file, or a program of the library; false: there is none that can be compiled. */
static bool find_text(int argc, char **argv, const char **name, np_script **out)
{
    const np_program_info *info;
    for (int i = 1; i < argc; i++) {
        *name = argv[i];
        if (**name == '-' || !strcmp(argv[i - 1], "--output"))
            continue;
        if (is_text(*name) && is_regular(*name) && !np_script_read(*name, NULL, out))
            return true;
        if (!np_program_find(*name, &info))
            return !np_script_library(*name, out);
    }
    return false;
}

static np_field make_row(const np_script_option *option, size_t i)
{
    const char *type = !strcmp(option->type, "int") ? "N" : !strcmp(option->type, "real") ? "X" : "true|false";
    snprintf(own_name[i], sizeof own_name[i], "%s", option->name);
    snprintf(own_help[i], sizeof own_help[i], "%s (default: %s)",
             *option->help ? option->help : "An option of the text", option->preset);
    return (np_field){own_name[i],         NP_FIELD_TEXT,       AT(own) + i * sizeof(const char *),
                      .help = own_help[i], .placeholder = type, .group = i ? NULL : own_title};
}

/* What cannot be compiled has no options; the run will say why. */
static const np_fields *own(void *self, int argc, char **argv)
{
    const char *name;
    np_script *script;
    (void)self;
    if (!find_text(argc, argv, &name, &script))
        return NULL;
    size_t count = np_script_about_get(script).options;
    count = count < OWN_OPTIONS ? count : OWN_OPTIONS;
    snprintf(own_title, sizeof own_title, "Of %.120s:", name);
    for (size_t i = 0; i < count; i++) {
        const np_script_option option = np_script_option_get(script, i);
        own_row[i] = make_row(&option, i);
    }
    own_fields = (np_fields)NP_FIELDS("text", "the text", arguments, own_row);
    own_fields.count = count;
    np_script_free(script);
    return &own_fields;
}

/* --set, and the text's options that were given by their own names: "root=3,steps=10". *room is freed with free. */
static const char *settings(const arguments *a, char **room)
{
    size_t size = a->script.program.set ? strlen(a->script.program.set) + 1 : 1, at = 0;
    for (size_t i = 0; i < OWN_OPTIONS; i++)
        size += a->own[i] ? strlen(own_name[i]) + strlen(a->own[i]) + 2 : 0;
    if (!(*room = malloc(size)))
        return NULL;
    **room = '\0';
    if (a->script.program.set)
        at += (size_t)snprintf(*room, size, "%s", a->script.program.set);
    for (size_t i = 0; i < OWN_OPTIONS; i++)
        if (a->own[i])
            at += (size_t)snprintf(*room + at, size - at, "%s%s=%s", at ? "," : "", own_name[i], a->own[i]);
    return *room;
}

static int run_program(arguments *a)
{
    const np_program_info *info;
    np_program_result *result = NULL;
    cli_record record;
    int status = check(a);
    if (status)
        return status;
    if (np_program_find(a->program, &info))
        return cli_fail_last();
    if (!cli_given(a, "rule"))
        a->pram.rule = info->rule;
    char *room;
    if (!(a->script.program.set = settings(a, &room)))
        return cli_fail("no memory for the options");
    if (!*room)
        a->script.program.set = NULL;
    if (cli_record_begin(&record, &a->common, &a->record, &a->pram.watch, &a->pram.observer))
        return free(room), CLI_BAD_INPUT;
    watch_steps(a, &record);
    status = cli_record_end(&record, np_program_run(a->program, &a->pram, &a->script.program, &result));
    free(room);
    if (!status && !a->common.quiet && result->report.bad_stride)
        cli_say("this address map keeps every cell of stride %llu in one module: try --map hash",
                (unsigned long long)result->report.bad_stride);
    if (!status)
        status = write_answer(a, result);
    if (!status)
        status = report(a, result);
    np_program_result_free(result);
    return status;
}

/* After the message: the line of the text that is wrong, with a mark below the place. */
static void show_place(const np_script_problem *problem)
{
    if (!problem->line)
        return;
    int number = fprintf(stderr, "%6u | ", problem->line);
    fprintf(stderr, "%s\n%*s^\n", problem->source, number + (int)problem->column - 1, "");
}

/* What the program prints comes before its report; it is no part of JSON and CSV. */
static void print_line(void *context, const char *line)
{
    const arguments *a = context;
    FILE *stream = a->common.report.format == NP_REPORT_TABLE ? cli_report_stream(a) : stderr;
    np_written(NP_MEDIUM_TERMINAL, line, stream);
    fputc('\n', stream);
}

static int report_text(arguments *a, const np_script_result *result)
{
    np_pram_explanation *explanation;
    int status = 0;
    if (explain(a, result->pram, &explanation))
        return cli_fail_last();
    a->common.report.explanation = explanation;
    a->common.report.profile = a->profile;
    if (np_report_pram_script(result, &a->common.report, cli_report_stream(a)))
        status = cli_fail_last();
    else if ((result->judged && !result->correct) || result->report.violations ||
             (explanation && !explanation->sequence.holds))
        status = CLI_CHECK_FAILED;
    NP_PAPERS(np_pram_explanation_free(explanation);)
    return status;
}

static int write_outputs(const arguments *a, const np_script_result *result)
{
    if (!a->output || cli_job_rank())
        return 0;
    if (result->judged && !result->correct)
        return cli_say("%s is not written: the answer is wrong", a->output), 0;
    if (np_script_output_write(result, a->output))
        return cli_fail_last();
    cli_interrupt_keeps("%s is kept", a->output);
    return 0;
}

static int debug_script(arguments *a, const np_script *script)
{
    char *room;
    if (!cli_given(a, "rule"))
        a->pram.rule = np_script_about_get(script).rule;
    if (!(a->script.program.set = settings(a, &room)))
        return cli_fail("no memory for the options");
    int status = cli_debug(script, &a->pram, &a->script);
    free(room);
    return status;
}

static int run_script(arguments *a, const np_script *script)
{
    np_script_problem problem;
    np_script_result *result = NULL;
    cli_record record;
    if (!cli_given(a, "rule"))
        a->pram.rule = np_script_about_get(script).rule;
    a->script.print = print_line;
    a->script.print_context = a;
    if (cli_record_begin(&record, &a->common, &a->record, &a->pram.watch, &a->pram.observer))
        return CLI_BAD_INPUT;
    watch_steps(a, &record);
    char *room;
    if (!(a->script.program.set = settings(a, &room)))
        return cli_fail("no memory for the options");
    np_status st = np_script_run(script, &a->pram, &a->script, &problem, &result);
    free(room);
    int status = cli_record_end(&record, st);
    if (st)
        show_place(&problem);
    if (!status)
        status = write_outputs(a, result);
    if (!status)
        status = report_text(a, result);
    np_script_result_free(result);
    return status;
}

static int run_text(arguments *a)
{
    np_script_problem problem;
    np_script *script;
    int status = check(a);
    if (status)
        return status;
    if (!is_text(a->program)) {
        if (np_script_library(a->program, &script))
            return cli_fail_last();
    } else if (np_script_read(a->program, &problem, &script)) {
        status = cli_fail_last();
        show_place(&problem);
        return status;
    }
    status = a->debug ? debug_script(a, script) : run_script(a, script);
    np_script_free(script);
    return status;
}

/* Without a program, lists the programs. */
static int run(void *self)
{
    arguments *a = self;
    if (a->program && (is_text(a->program) || a->debug))
        return run_text(a);
    if (a->program)
        return run_program(a);
    return np_report_list(NP_LIST_PROGRAMS, &a->common.report, stdout) ? cli_fail_last() : 0;
}

/* The list of programs has nothing random. */
static bool draws(const void *self) { return ((const arguments *)self)->program; }

static void init(void *self)
{
    arguments *a = self;
    cli_picture_init(&a->picture, &a->record, "accesses");
}

#define FILES                                                                                                          \
    "trace, trace-packets, trace-steps, links, nodes, packets, steps-table, picture, picture-of, drawing, force, "     \
    "output"

static const cli_rule rules[] = {
    {FILES ", format, " NP_PAPERS("explain, ") "profile, progress", "debug", NULL,
     "a debugged program runs again and again"},
    {FILES
     ", edges, input, n, seed, set, steps, turns, allotted, carry-values, copies, machine, map, memory, memory-layout, "
     "order, physical, processors, queue-size, quorum, rule, serves, answers, slack, threads, zeta, debug, " NP_PAPERS(
         "explain, ") "profile, "
                      "violations, progress",
     NULL, "program", "all programs are listed"},
    {NULL, NULL, NULL, NULL}};

const cli_verb cli_pram = {
    .name = "pram",
    .help = "run a shared-memory program on a PRAM, ideal or on a network",
    .subject = "[PROGRAM]",
    .does =
        "Runs a program for a shared-memory machine (PRAM) in lock step, on the ideal machine or on a network that "
        "emulates it (Ranade 1987b), checks its answer, and reports what it cost. PROGRAM is one of the library, or a "
        "file with the program's text, such as sums.pram. Without PROGRAM, lists the programs. Exit status 1 if the "
        "answer is wrong or the access rule was violated.",
    .subjects = {{"program", offsetof(arguments, program), .list = "programs"}},
    .fields = &fields,
    .rules = rules,
    .job = CLI_JOB_DIVIDED,
    .outputs = "output, trace, links, nodes, packets, steps-table, picture",
    .hides = "cells",
    .draws = draws,
    .init = init,
    .own = own,
    .run = run,
};
