/* The names of the access rules, and what they allow. */
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "base/status.h"
#include "pram/inside.h"

const char *const np_access_rule_words[NP_RULES + 1] = {
    [NP_RULE_EREW] = "erew",
    [NP_RULE_CREW] = "crew",
    [NP_RULE_ERCW] = "ercw",
    [NP_RULE_WEAK] = "crcw-weak",
    [NP_RULE_COMMON] = "crcw-common",
    [NP_RULE_TOLERANT] = "crcw-tolerant",
    [NP_RULE_COLLISION] = "crcw-collision",
    [NP_RULE_ARBITRARY] = "crcw-arbitrary",
    [NP_RULE_PRIORITY] = "crcw-priority",
    [NP_RULE_ADD] = "crcw-add",
    [NP_RULE_MIN] = "crcw-min",
    [NP_RULE_MAX] = "crcw-max",
    [NP_RULE_AND] = "crcw-and",
    [NP_RULE_OR] = "crcw-or",
    [NP_RULE_XOR] = "crcw-xor",
};

/* ---- netpram list rules ---- */

static const np_entry entries[NP_RULES] = {
    [NP_RULE_EREW] = {.name = "erew", .help = "one processor accesses a cell in a step", .source = ""},
    [NP_RULE_CREW] = {.name = "crew",
                      .help = "any number read a cell, one writes it",
                      .source = "Fortune & Wyllie 1978"},
    [NP_RULE_ERCW] = {.name = "ercw",
                      .help = "one reads a cell, any number write it: a lot draws the winner",
                      .source = ""},
    [NP_RULE_WEAK] = {.name = "crcw-weak", .help = "concurrent writes all write 1", .source = ""},
    [NP_RULE_COMMON] = {.name = "crcw-common", .help = "concurrent writes all write the same", .source = ""},
    [NP_RULE_TOLERANT] = {.name = "crcw-tolerant", .help = "concurrent writes leave the cell as it was", .source = ""},
    [NP_RULE_COLLISION] = {.name = "crcw-collision", .help = "concurrent writes leave a mark, -2^63", .source = ""},
    [NP_RULE_ARBITRARY] = {.name = "crcw-arbitrary",
                           .help = "of concurrent writes a lot draws the winner",
                           .source = "Shiloach & Vishkin 1982"},
    [NP_RULE_PRIORITY] = {.name = "crcw-priority",
                          .help = "of concurrent writes that of the lowest processor wins",
                          .source = "Goldschlager 1982"},
    [NP_RULE_ADD] = {.name = "crcw-add", .help = "concurrent writes leave their sum", .source = ""},
    [NP_RULE_MIN] = {.name = "crcw-min", .help = "concurrent writes leave the least value", .source = ""},
    [NP_RULE_MAX] = {.name = "crcw-max", .help = "concurrent writes leave the largest value", .source = ""},
    [NP_RULE_AND] = {.name = "crcw-and", .help = "concurrent writes leave their bitwise and", .source = ""},
    [NP_RULE_OR] = {.name = "crcw-or", .help = "concurrent writes leave their bitwise or", .source = ""},
    [NP_RULE_XOR] = {.name = "crcw-xor", .help = "concurrent writes leave their bitwise exclusive or", .source = ""},
};

const np_registry np_rules = {
    .list = "rules",
    .title = "access rules (--rule, and rule in a program's text)",
    .what = "access rule",
    .built_in = NP_ENTRIES(&entries[NP_RULE_EREW], &entries[NP_RULE_CREW], &entries[NP_RULE_ERCW],
                           &entries[NP_RULE_WEAK], &entries[NP_RULE_COMMON], &entries[NP_RULE_TOLERANT],
                           &entries[NP_RULE_COLLISION], &entries[NP_RULE_ARBITRARY], &entries[NP_RULE_PRIORITY],
                           &entries[NP_RULE_ADD], &entries[NP_RULE_MIN], &entries[NP_RULE_MAX], &entries[NP_RULE_AND],
                           &entries[NP_RULE_OR], &entries[NP_RULE_XOR]),
};

const char *np_access_rule_name(np_access_rule rule)
{
    return (unsigned)rule < NP_RULES ? np_access_rule_words[rule] : "?";
}

/* All rules are named: a hint shows fewer. */
static np_status refuse(const char *name)
{
    const char *nearest = np_parse_hint_of(name, np_access_rule_words, NP_RULES).nearest;
    char all[256] = "";
    size_t length = 0;
    for (unsigned i = 0; i < NP_RULES; i++)
        length += (size_t)snprintf(all + length, sizeof all - length, "%s%s", i ? ", " : "", np_access_rule_words[i]);
    return NP_RAISE(NP_ERROR_INPUT, "no access rule '%.40s': %s%s%sthere are %s", name, nearest ? "did you mean '" : "",
                    nearest ? nearest : "", nearest ? "'? " : "", all);
}

np_status np_access_rule_parse(const char *name, np_access_rule *out)
{
    for (unsigned i = 0; i < NP_RULES; i++)
        if (!strcmp(np_access_rule_words[i], name)) {
            *out = (np_access_rule)i;
            return NP_OK;
        }
    return refuse(name);
}
