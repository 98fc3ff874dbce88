/* Files of switch settings: refused with a line that names the file, or every switch has one of the fifteen. */
#include "fuzz.h"

#include "papers/reconfigure/settings.h"

const fuzz_rule fuzz_grammar[] = {
    {"file", "$row\n|$row\n$file|$row\n$file"},
    {"row", "$switch|$switch $row|$switch $row|$switch,$row"},
    {"switch", "$wires|$wires|$wires$dash$wires|$wires$dash$wires|apart|# $bytes"},
    {"wires", "N|E|W|S|WE|ns|NE|WN|SE|WNE|NES|WNES|$bytes"},
    {"dash", "-"},
    {NULL, NULL},
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    np_switch_settings settings;
    np_status st = np_switch_settings_parse("fuzz", (const char *)data, size, &settings);
    if (st) {
        FUZZ_CHECK(st == NP_ERROR_INPUT && !settings.setting);
        fuzz_check_message("fuzz");
        return 0;
    }
    FUZZ_CHECK(settings.rows && settings.columns);
    for (size_t i = 0; i < (size_t)settings.rows * settings.columns; i++)
        FUZZ_CHECK(np_switch_setting_name(settings.setting[i]));
    np_switch_settings_clear(&settings);
    return 0;
}
