/* netpram verify FILE */
#include "command.h"
#include "progress.h"

typedef struct arguments {
    cli_common common;
    const char *path;
} arguments;

static const np_field rows[] = {
    CLI_FORMAT(arguments),
    CLI_INSET(arguments, common, cli_progress_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

static int run(void *self)
{
    arguments *a = self;
    np_throughput_proof *proof;
    cli_progress progress;
    np_watch watch = cli_progress_start(&progress, &a->common);
    np_status st = np_throughput_verify(a->path, a->common.memory, watch, &proof);
    int status = cli_progress_end(&progress, st);
    if (!status && np_report_proof(proof, &a->common.report, stdout))
        status = cli_fail_last();
    np_throughput_proof_free(proof);
    return st == NP_ERROR_INPUT ? CLI_CHECK_FAILED : status;
}

static bool draws_nothing(const void *self)
{
    (void)self;
    return false;
}

const cli_verb cli_verify = {
    .name = "verify",
    .help = "check a certificate in whole numbers, and say what it proves",
    .subject = "FILE",
    .does =
        "Reads a certificate that throughput has written, makes its network and its traffic anew, and works out both "
        "bounds again in whole numbers, with code that shares nothing with the search. Exit status 1 if the file "
        "does not prove what it claims.",
    .subjects = {{"file", offsetof(arguments, path), "verify needs a certificate, as in 'netpram verify c.json'",
                  NULL}},
    .fields = &fields,
    .draws = draws_nothing,
    .run = run,
};
