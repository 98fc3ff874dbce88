/* One number of a spec: text that is no number, too small numbers and too large numbers have different messages. */
#include "model/family/parameter.h"

#include <string.h>

/* Is the text, which is no 64-bit number, a number with too many digits? */
static bool beyond_64_bits(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits > 19 && !text[digits] && text[0] != '0';
}

np_status np_parameter_whole(const np_network *network, const char *what, const char *text, uint32_t low, uint32_t high,
                             uint32_t *out)
{
    const np_entry *info = &network->family->info;
    uint64_t value = UINT64_MAX;
    if (!np_parse_whole(text, 0, UINT64_MAX, &value) && !beyond_64_bits(text))
        return NP_RAISE(NP_ERROR_INPUT, "%s:%s: %s must be a whole number, as in %s", info->name, text, what,
                        info->example);
    if (value < low)
        return NP_RAISE(NP_ERROR_INPUT, "%s:%s: %s must be at least %u: try %s:%u", info->name, text, what, low,
                        info->name, low);
    if (value > high)
        return NP_RAISE(NP_ERROR_LIMIT, "%s:%s: %s must be at most %u (link numbers have 32 bits): try %s:%u",
                        info->name, text, what, high, info->name, high);
    *out = (uint32_t)value;
    return NP_OK;
}
