/* Options of PRAMs and of their programs: the tables of their fields. */
#include "machine/pram/fields.h"
#include "machine/pram/inside.h"

static const char *const maps[] = {[NP_MAP_HASH] = "hash", [NP_MAP_LINEAR] = "linear", [NP_MAP_NONE] = "none", NULL};
const char *const np_memory_layout_words[] = {
    [NP_LAYOUT_NONE] = "none", [NP_LAYOUT_PRELIMINARY] = "preliminary", [NP_LAYOUT_IMPROVED] = "improved", NULL};
static const char *const answers[] = {[NP_ANSWERS_ARBITRARY] = "arbitrary", [NP_ANSWERS_COLLISION] = "collision", NULL};
static const char *const orders[] = {[NP_ORDER_MODULE] = "module", [NP_ORDER_HASH] = "hash", NULL};

static np_status set_rule(void *object, const np_field *field, const char *text)
{
    (void)field;
    return np_access_rule_parse(text, &((np_pram_options *)object)->rule);
}

#define AT(member) offsetof(np_pram_options, member)

static const np_field pram_rows[] = {
    {"seed", NP_FIELD_SEED, AT(seed), .help = "Where all random choices come from, the input too", .preset = "1",
     .placeholder = "N", .group = "The program's input:"},
    {"machine", NP_FIELD_TEXT, AT(machine), .help = "The machine", .preset = "ideal", .placeholder = "SPEC",
     .list = "machines", .group = "What to run it on:"},
    {"rule", NP_FIELD_WORD, AT(rule),
     .help = "The access rule, as erew, crew or crcw-arbitrary (default: the program's own)",
     .words = np_access_rule_words, .preset = "crcw-arbitrary", .placeholder = "NAME", .set = set_rule,
     .flags = NP_FIELD_SAYS},
    {"cells", NP_FIELD_U64, AT(cells), "cells", .help = "Cells of memory, at most", .low = 1, .high = UINT64_C(1) << 40,
     .preset = "268435456", .placeholder = "N"},
    {"processors", NP_FIELD_U32, AT(processors),
     .help = "Real processors, that virtual ones share (default: as the machine has)", .low = 1, .placeholder = "P"},
    {"slack", NP_FIELD_U32, AT(slack), "requests",
     .help = "Requests of one processor in one batch, at most (default: 1; on `copies` all)", .low = 1,
     .placeholder = "H"},
    {"queue_size", NP_FIELD_U32, AT(queue_size), "messages", .help = "Messages that a queue holds", .low = 1,
     .preset = "4", .placeholder = "B"},
    {"map", NP_FIELD_WORD, AT(map), .help = "How addresses become places in modules", .words = maps},
    {"zeta", NP_FIELD_U32, AT(hash_coefficients), .help = "Coefficients of the hash function (default: 8 n)", .low = 1,
     .high = 1 << 16, .placeholder = "N"},
    {"order", NP_FIELD_WORD, AT(order), .help = "What streams are sorted by, before the address", .words = orders},
    {"allotted", NP_FIELD_U32, AT(allotted),
     .help = "A batch of more than N n H network steps draws a new hash function (default: 64)", .low = 1,
     .placeholder = "N"},
    {"physical", NP_FIELD_BOOL, AT(physical),
     .help = "Play each step of a leveled network on the physical links and count the steps it takes"},
    {"carry_values", NP_FIELD_BOOL, AT(carry_values),
     .help = "Messages carry operands and replies through the network; else only tags move"},
    {"memory_layout", NP_FIELD_WORD, AT(memory_layout),
     .help = "Hash tables and overflow areas hold the cells and are searched, on `butterfly` (Ranade 1987b, A)",
     .words = np_memory_layout_words},
    {"threads", NP_FIELD_U32, AT(threads),
     .help = "Threads of `ideal` and `butterfly`; they change no result (default: 0, one a processor)",
     .high = NP_THREADS_MAX, .placeholder = "N"},
    {"copies", NP_FIELD_U32, AT(copies), "copies",
     .help = "Copies of each cell, by as many hash functions, on `copies`", .low = 1, .high = NP_COPIES_MOST,
     .preset = "3", .placeholder = "A"},
    {"quorum", NP_FIELD_U32, AT(quorum), "copies",
     .help = "Copies that a read or a write reaches, on `copies` (default: just more than half)", .low = 1,
     .high = NP_COPIES_MOST, .placeholder = "B"},
    {"serves", NP_FIELD_U32, AT(serves), "cells",
     .help = "Cells that a module serves in a round, on `copies` (default: 1; with `--answers collision` 3)", .low = 1,
     .high = 64, .placeholder = "C"},
    {"answers", NP_FIELD_WORD, AT(answers),
     .help = "A module of `copies` that is asked for more cells serves some of them, or none", .words = answers},
    {"violations", NP_FIELD_U32, AT(violations_max), .help = "Violations of the rule to show; all are counted",
     .preset = "16", .placeholder = "N", .group = "What to report:"},
};

const np_fields np_pram_options_fields = NP_OPTIONS("pram_options", "a PRAM", np_pram_options, pram_rows, NULL);

#undef AT
#define AT(member) offsetof(np_program_options, member)

static const np_field program_rows[] = {
    {"n", NP_FIELD_U64, AT(n), .help = "Size: numbers, vertices, ... (default: the program's own)", .low = 1,
     .high = UINT32_MAX, .placeholder = "N", .group = "The program's input:"},
    {"edges", NP_FIELD_U64, AT(edges), "edges", .help = "Edges of a random graph (default: as many as vertices)",
     .low = 1, .high = UINT32_MAX / 2, .placeholder = "N"},
    {"steps", NP_FIELD_U32, AT(steps), "steps", .help = "Steps of random-reads (default: 16)", .low = 1,
     .placeholder = "N"},
    {"input", NP_FIELD_TEXT, AT(input),
     .help = "Read it from a file: a number a line, or a graph as lines 'from to' or Matrix Market",
     .placeholder = "FILE"},
    {"set", NP_FIELD_TEXT, AT(set), .help = "Options that the program's text declares, as root=3,steps=10",
     .placeholder = "NAME=VALUE,...", .only = "programs that are texts"},
    {"turns", NP_FIELD_U64, AT(turns_max), "turns", .help = "Stop a program whose loops and calls make more turns",
     .low = 1, .preset = "100000000", .placeholder = "N", .only = "programs that are texts"},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES",
     .group = "What to run it on:"},
};

const np_fields np_program_options_fields =
    NP_OPTIONS("program_options", "a program", np_program_options, program_rows, NULL);
