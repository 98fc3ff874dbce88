/*
 * Words that options and files have within their values: lists of numbers, places, settings of switches, rules,
 * formats, machines of a PRAM. A word is refused with a line, or means what it says.
 */
#include "fuzz.h"

#include <string.h>

#include "netpram/report.h"
#include "show/record/record.h"

const fuzz_rule fuzz_grammar[] = {
    {"word", "$ranges|$place|$setting|$rule|$machines|$machine|$bytes"},
    {"ranges", "$range|$range,$ranges|$range,$ranges"},
    {"range", "$number|$number..$number"},
    {"place", "N$number|W$number|E$number|S$number"},
    {"setting", "apart|$ports|$ports$dash$ports"},
    {"ports", "WE|NS|N|WNE|WNES|es"},
    {"dash", "-"},
    {"rule", "erew|crew|ercw|common|arbitrary|priority|table|json|csv"},
    {"machine", "butterfly:$digit|leveled:$network|two-phase:$network|ideal:$number"},
    {"network", "mesh:$digit$times$digit|hypercube:$digit|butterfly:$digit|shuffle-exchange:$digit|ring:$digit|$bytes"},
    {"times", "x"},
    {"digit", "0|1|2|3|4"},
    {NULL, NULL},
};

enum { DIGITS_MOST = 1 };

static void check_ranges(const char *word)
{
    np_ranges ranges;
    if (np_ranges_parse(word, &ranges)) {
        fuzz_check_message("");
        return;
    }
    FUZZ_CHECK(ranges.count >= 1 && ranges.count <= NP_RANGES_MAX);
    for (size_t i = 0; i < ranges.count; i++)
        FUZZ_CHECK(ranges.low[i] <= ranges.high[i] && np_ranges_have(&ranges, ranges.low[i]) &&
                   np_ranges_have(&ranges, ranges.high[i]));
}

static void check_names(const char *word)
{
    np_pu_place place;
    np_switch_setting setting;
    np_access_rule rule;
    np_report_format format;
    if (np_pu_place_parse(word, &place))
        fuzz_check_message("");
    if (np_switch_setting_parse(word, &setting))
        fuzz_check_message("");
    else
        FUZZ_CHECK(np_switch_setting_name(setting));
    if (np_access_rule_parse(word, &rule))
        fuzz_check_message("");
    else
        FUZZ_CHECK(!strcmp(np_access_rule_name(rule), word));
    if (np_report_format_parse(word, &format))
        fuzz_check_message("");
}

/* A machine of a small size reads what was written. */
static void check_machine(const char *word)
{
    np_pram_options options;
    np_pram *pram;
    np_address base;
    np_word written = 7, read = 0;
    for (const char *p = word; *p; p++)
        if (strspn(p, "0123456789") > DIGITS_MOST || !strncmp(p, "file:", 5))
            return;
    np_pram_options_init(&options);
    options.machine = word;
    if (np_pram_create(&options, &pram)) {
        FUZZ_CHECK(!pram);
        fuzz_check_message("");
        return;
    }
    FUZZ_CHECK(!np_pram_allocate(pram, 1, "x", &base) && !np_pram_put(pram, base, 1, &written));
    FUZZ_CHECK(!np_pram_read(pram, 1, &base, NULL, &read, "x") && read == written);
    np_pram_free(pram);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *word = calloc(size + 1, 1);
    FUZZ_CHECK(word);
    if (size)
        memcpy(word, data, size);
    check_ranges(word);
    check_names(word);
    check_machine(word);
    free(word);
    return 0;
}
