/* netpram VERB ...: finds the verb. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/parse.h"
#include "command.h"

typedef int old_fn(int argc, char **argv);

static const struct {
    const cli_verb *verb;
    const char *name, *help;
    old_fn *run;
} verbs[] = {
    {NULL, "list", "the networks, schemes, path rules, traffic, queue disciplines, PRAM programs, machines, sorting algorithms, embeddings and collectives there are", cli_list},
    {NULL, "info", "the facts of a network: degree, diameter, bisection", cli_info},
    {&cli_route, NULL, NULL, NULL},
    {NULL, "experiment", "run the experiment that a JSON file describes, for CSV and plots", cli_experiment},
    {NULL, "ranks", "find ranks for a routing that will be repeated, or check those of a file", cli_ranks},
    {NULL, "schedule", "make the off-line schedule of a permutation, or replay and check that of a file", cli_schedule},
    {&cli_pram, NULL, NULL, NULL},
    {&cli_sort, NULL, NULL, NULL},
    {&cli_embed, NULL, NULL, NULL},
    {&cli_collective, NULL, NULL, NULL},
    {NULL, "reconfigure", "run a program on a grid of switches that cut its wires into subnets", cli_reconfigure},
    {&cli_universal, NULL, NULL, NULL},
    {NULL, "check", "is each phase of a scheme oblivious, nonrepeating and symmetric?", cli_check},
};
enum { VERBS = sizeof verbs / sizeof *verbs };

static const char *name_of(size_t i) { return verbs[i].verb ? verbs[i].verb->name : verbs[i].name; }

static void print_help(void)
{
    printf("Usage: netpram VERB SUBJECT [OPTION...]\n"
           "Routes packets on networks: what it costs to move this traffic on this network.\n\n");
    for (size_t i = 0; i < VERBS; i++)
        printf("  %-12s %s\n", name_of(i), verbs[i].verb ? verbs[i].verb->help : verbs[i].help);
    printf("\n"
           "  netpram VERB --help    the options of a verb\n"
           "  netpram --version      the version\n\n"
           "Exit status: 0 done, 1 a check failed, 2 bad input.\n\n"
           "Example: netpram route hypercube:10 --scheme cubes --traffic identity --runs 100\n");
}

/* Data that did not reach its reader is an error, also when argp ends the program. */
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
        names[i] = name_of(i);
        if (strcmp(argv[0], names[i]))
            continue;
        snprintf(name, sizeof name, "netpram %s", names[i]);
        argv[0] = name; /* what argp calls the program in --help */
        return verbs[i].verb ? cli_verb_run(verbs[i].verb, argc, argv) : verbs[i].run(argc, argv);
    }
    return cli_fail("no verb '%s': did you mean '%s'? ('netpram --help' names all)", argv[0],
                    np_parse_nearest(argv[0], names, VERBS));
}

int main(int argc, char **argv)
{
    atexit(check_stdout);
    if (argc < 2)
        return cli_fail("say what to do: 'netpram --help' names the verbs");
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-?") || !strcmp(argv[1], "-h")) {
        print_help();
        return 0;
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        printf("netpram %s\n", np_version());
        return 0;
    }
    return dispatch(argc - 1, argv + 1);
}
