/* netpram list [KIND] */
#include <string.h>

#include "base/registry.h"
#include "command.h"

typedef struct arguments {
    cli_common common;
    const char *kind;
} arguments;

static const np_field rows[] = {CLI_FORMAT(arguments)};

static const np_fields fields = CLI_FIELDS(rows);

static int run(void *self)
{
    const arguments *a = self;
    const char *names[NP_LISTS];
    size_t count = 0;
    np_list list = NP_LISTS;
    for (np_list i = 0; i < NP_LISTS; i++) {
        const char *name = np_list_name(i);
        if (name)
            names[count++] = name;
        if (name && a->kind && !strcmp(a->kind, name))
            list = i;
    }
    if (a->kind && list == NP_LISTS)
        return cli_fail("cannot list '%s': %s", a->kind, np_parse_hint_of(a->kind, names, count).text);
    return np_report_list(list, &a->common.report, stdout) ? cli_fail_last() : 0;
}

const cli_verb cli_list = {
    .name = "list",
    .help = "the networks, schemes, path rules, traffic, queue disciplines, PRAM programs, machines, sorting "
            "algorithms, " NP_PAPERS("embeddings ") "and collectives there are",
    .subject = "[LIST]",
    .does =
        "Lists what there is to choose from, with a line and the source for each. LIST is one of networks, schemes, "
        "paths, traffic, queues, programs, machines, sorters, orders, " NP_PAPERS(
            "embeddings, indexings, ") "collectives, " NP_PAPERS("reconfigurable, ") "problems, drawings, rules, "
                                                                                     "relations and imports.",
    .subjects = {{"kind", offsetof(arguments, kind), NULL}},
    .fields = &fields,
    .run = run,
};
