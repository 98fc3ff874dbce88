/* The names of the access rules, and what they allow. */
#include <stdio.h>
#include <string.h>

#include "machine/pram/inside.h"

/* Rule, name, what it allows, and who defined it, in the order of np_access_rule. */
#define RULES(X)                                                                                                       \
    X(NP_RULE_EREW, "erew", "one processor accesses a cell in a step", "")                                             \
    X(NP_RULE_CREW, "crew", "any number read a cell, one writes it", "Fortune & Wyllie 1978")                          \
    X(NP_RULE_ERCW, "ercw", "one reads a cell, any number write it: a lot draws the winner", "")                       \
    X(NP_RULE_WEAK, "crcw-weak", "concurrent writes all write 1", "")                                                  \
    X(NP_RULE_COMMON, "crcw-common", "concurrent writes all write the same", "")                                       \
    X(NP_RULE_TOLERANT, "crcw-tolerant", "concurrent writes leave the cell as it was", "")                             \
    X(NP_RULE_COLLISION, "crcw-collision", "concurrent writes leave a mark, -2^63", "")                                \
    X(NP_RULE_ARBITRARY, "crcw-arbitrary", "of concurrent writes a lot draws the winner", "Shiloach & Vishkin 1982")   \
    X(NP_RULE_PRIORITY, "crcw-priority", "of concurrent writes that of the lowest processor wins",                     \
      "Goldschlager 1982")                                                                                             \
    X(NP_RULE_ADD, "crcw-add", "concurrent writes leave their sum", "")                                                \
    X(NP_RULE_MIN, "crcw-min", "concurrent writes leave the least value", "")                                          \
    X(NP_RULE_MAX, "crcw-max", "concurrent writes leave the largest value", "")                                        \
    X(NP_RULE_AND, "crcw-and", "concurrent writes leave their bitwise and", "")                                        \
    X(NP_RULE_OR, "crcw-or", "concurrent writes leave their bitwise or", "")                                           \
    X(NP_RULE_XOR, "crcw-xor", "concurrent writes leave their bitwise exclusive or", "")

#define NAME(r, n, h, s) [r] = (n),
#define ENTRY(r, n, h, s) [r] = &(const np_entry){.name = (n), .help = (h), .source = (s)},

const char *const np_access_rule_words[NP_RULES + 1] = {RULES(NAME)};

const np_registry np_rules = {
    .list = "rules",
    .title = "access rules (--rule, and rule in a program's text)",
    .what = "access rule",
    .built_in = (const np_entry *const[NP_RULES + 1]){RULES(ENTRY)},
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
