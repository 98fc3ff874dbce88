/*
 * See phase_time.h. Valiant & Brebner 1981 give a phase K log N steps in section 4 (hypercubes), and n + K n^(3/4) in
 * section 8 (grids with sides n).
 */
#include "run/route/phase_time.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/real.h"
#include "model/network/network.h"

enum { MOST = 1 << 20 }; /* ours: at most 255 phases begin before instant 2^28 */

static np_status refuse(const char *text)
{
    return NP_RAISE(NP_ERROR_INPUT,
                    "phase-time: '%.40s' must be steps from 1 to %d, as in 24, or K log N, as in 3logN, or "
                    "n + K n^(3/4), as in n+2n^3/4",
                    text, MOST);
}

/* The text is a number and then `end`; without a number, 1. */
static bool read_factor(const char *text, const char *end, double *out)
{
    char number[32];
    uint64_t value = NP_PARSE_WHOLE;
    size_t length = strlen(text), behind = strlen(end);
    if (length < behind || strcmp(text + length - behind, end) != 0 || length - behind >= sizeof number)
        return false;
    snprintf(number, sizeof number, "%.*s", (int)(length - behind), text);
    if (*number && !np_parse_decimal(number, &value))
        return false;
    *out = (double)value / NP_PARSE_WHOLE;
    return true;
}

static np_status grid_side(const char *text, const np_network *network, uint32_t *n)
{
    *n = 0;
    if (!np_network_is(network, NP_KIND_OPEN_GRIDS))
        return NP_RAISE(NP_ERROR_APPLY,
                        "phase-time: '%.40s' is for meshes and arrays, whose sides are n; on %s say steps or K log N, "
                        "as in 3logN",
                        text, np_network_spec(network));
    for (uint32_t i = 0; i < network->dimensions; i++)
        *n = network->side[i] > *n ? network->side[i] : *n;
    return NP_OK;
}

np_status np_phase_time_parse(const char *text, const np_network *network, np_step *out)
{
    uint64_t whole;
    uint32_t n;
    double k, steps;
    np_status st;
    if (np_parse_whole(text, 1, MOST, &whole)) {
        *out = (np_step)whole;
        return NP_OK;
    }
    if (read_factor(text, "logN", &k)) {
        steps = k * np_log2((double)np_network_terminals(network));
    } else if (!strncmp(text, "n+", 2) && read_factor(text + 2, "n^3/4", &k)) {
        if ((st = grid_side(text, network, &n)))
            return st;
        steps = n + k * (sqrt(n) * sqrt(sqrt(n))); /* roots are exact where they are whole */
    } else {
        return refuse(text);
    }
    if (!(steps > 0 && steps <= MOST))
        return refuse(text);
    *out = (np_step)ceil(steps);
    return NP_OK;
}
