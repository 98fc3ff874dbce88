/* netpram VERB ...: finds the verb. */
#include <stdbool.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/job.h"
#include "base/registry.h"
#include "base/threads.h"
#include "command.h"
#include "job.h"

static const cli_verb *const verbs[] = {
    &cli_list,
    &cli_info,
    &cli_convert,
    &cli_route,
    &cli_experiment,
    &cli_sweep,
    NP_PAPERS(&cli_ranks, &cli_schedule, ) & cli_pram,
    &cli_grade,
    &cli_sort,
    NP_PAPERS(&cli_embed, ) & cli_collective,
    &cli_replay,
    NP_PAPERS(&cli_reconfigure, &cli_universal, ) & cli_check,
    &cli_defeat,
    &cli_throughput,
    &cli_compare,
    &cli_verify,
    &cli_flows,
    &cli_load,
};
enum { VERBS = sizeof verbs / sizeof *verbs };

static void print_help(void)
{
    printf("Usage: netpram VERB SUBJECT [OPTION...]\n"
           "Routes packets on networks: what it costs to move this traffic on this network.\n\n");
    for (size_t i = 0; i < VERBS; i++)
        printf("  %-12s %s\n", verbs[i]->name, verbs[i]->help);
    printf("\n"
           "  netpram VERB --help    the options of a verb, as 'netpram help VERB'\n"
           "  netpram --version      the version\n"
           "  netpram --completion   a script by which bash completes what is typed\n\n"
           "Exit status: 0 done, 1 a check failed, 2 bad input; 130, 143 interrupted by Ctrl-C, SIGTERM.\n\n"
           "Example: netpram route hypercube:10 --scheme cubes --traffic identity --runs 100\n");
}

/* Fails if output was not written, also when --help ends the program. */
static void check_stdout(void)
{
    if (np_output_check(stdout, "standard output")) {
        if (!cli_failed()) /* one line is enough */
            cli_fail_last();
        _exit(CLI_BAD_INPUT);
    }
}

static int dispatch(int argc, char **argv)
{
    const char *names[VERBS];
    for (size_t i = 0; i < VERBS; i++) {
        char name[64];
        names[i] = verbs[i]->name;
        if (strcmp(argv[0], names[i]))
            continue;
        snprintf(name, sizeof name, "netpram %s", names[i]);
        int status = cli_job_enter(verbs[i]->job, names[i]);
        if (status)
            return status;
        argv[0] = name; /* the name of the program in --help */
        return cli_verb_run(verbs[i], argc, argv);
    }
    return cli_fail("no verb '%s': %s ('netpram --help' names all)", argv[0],
                    np_parse_hint_of(argv[0], names, VERBS).text);
}

/*
 * Occupies the descriptors 0, 1 and 2 that are closed. Otherwise the next file that is opened would become the standard
 * output, and a report would overwrite it. Reading from 0 and writing to 1 and 2 still fail.
 */
static void occupy_descriptors(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0 && open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            _exit(CLI_BAD_INPUT); /* no place to say why */
}

/* What the main program takes of the stack is what a thread takes, or less. */
static int check_stack(void)
{
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) || stack.rlim_cur >= NP_THREADS_STACK)
        return 0;
    return cli_fail("a stack of %llu kB is too small: allow at least %d kB (ulimit -s)",
                    (unsigned long long)stack.rlim_cur / 1024, NP_THREADS_STACK / 1024);
}

/* What takes no run; one of several processes answers it. Was it such a word? */
static bool answer(int argc, char **argv)
{
    const char *word = argc < 2 ? "" : argv[1];
    bool help =
        !strcmp(word, "--help") || !strcmp(word, "-?") || !strcmp(word, "-h") || (!strcmp(word, "help") && argc == 2);
    bool version = !strcmp(word, "--version") || !strcmp(word, "-V"), completion = !strcmp(word, "--completion");
    if (!cli_job_rank() && help)
        print_help();
    if (!cli_job_rank() && version)
        printf("netpram %s\n", np_version());
    if (!cli_job_rank() && completion)
        cli_completion_print(verbs, VERBS);
    return help || version || completion;
}

int cli_main(int argc, char **argv, const np_job *mpi)
{
    cli_job_begin(argv, mpi);
    occupy_descriptors();
    if (check_stack())
        return CLI_BAD_INPUT;
    cli_interrupt_start();
    atexit(check_stdout);
    if (np_report_formats())
        return cli_fail_last();
    if (answer(argc, argv))
        return 0;
    if (argc < 2)
        return cli_fail("say what to do: 'netpram --help' names the verbs");
    if (!strcmp(argv[1], "help") && argc > 2) {
        static char help[] = "--help";
        char *words[] = {argv[2], help, NULL};
        return argc > 3 ? cli_fail("one verb at a time: '%s' is one too many", argv[3]) : dispatch(2, words);
    }
    return dispatch(argc - 1, argv + 1);
}
