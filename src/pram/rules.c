/* The names of the access rules. */
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

const char *np_access_rule_name(np_access_rule rule)
{
    return (unsigned)rule < NP_RULES ? np_access_rule_words[rule] : "?";
}

np_status np_access_rule_parse(const char *name, np_access_rule *out)
{
    for (unsigned i = 0; i < NP_RULES; i++)
        if (!strcmp(np_access_rule_words[i], name)) {
            *out = (np_access_rule)i;
            return NP_OK;
        }
    return NP_RAISE(NP_ERROR_INPUT, "no access rule '%s': %s", name,
                    np_parse_hint_of(name, np_access_rule_words, NP_RULES).text);
}
