/* What the tests of universal networks share. */
#ifndef TESTS_UNIT_UNIVERSAL_H
#define TESTS_UNIT_UNIVERSAL_H

#include "support.h"

/* Simulates a step; the caller frees. */
static inline np_universal_result *simulated(const char *spec, const np_universal_options *options)
{
    np_network *guest = support_network(spec);
    np_universal_result *result;
    assert_ok(np_universal_simulate(guest, options, &result));
    np_network_free(guest);
    return result;
}

static inline np_universal_options defaults(void)
{
    np_universal_options options;
    np_universal_options_init(&options);
    return options;
}

/* Rows and columns of a square of that side, as buses; and where its nodes are. */
static inline void write_square(unsigned side, char *buses, char *layout)
{
    for (unsigned i = 0; i < side; i++)
        for (unsigned row = 0; row < 2; row++) {
            buses += sprintf(buses, "%s%u:", row ? "row" : "column", i);
            for (unsigned j = 0; j < side; j++)
                buses += sprintf(buses, " %u", row ? i * side + j : j * side + i);
            buses += sprintf(buses, "\n");
        }
    for (unsigned i = 0; i < side * side; i++)
        layout += sprintf(layout, "%u %u %u\n", i, 7 + i % side, 9 + i / side);
}

#endif
