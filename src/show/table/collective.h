/* The forms of the report of a collective operation, and which algorithm is the cheapest for which l. */
#pragma once

#include "netpram/report.h"

enum { NP_COLLECTIVE_WINS = 32 };

/* A range of l, from `from` to `to`, in which one algorithm is the cheapest. */
typedef struct np_collective_win {
    const char *algorithm;
    double from, to;
} np_collective_win;

/* The largest l that plots and tables of winners go to. */
double np_collective_largest(const np_collective_options *options);

/* The winners for whole l from 1 to np_collective_largest, into [NP_COLLECTIVE_WINS]. Returns their number. */
size_t np_collective_wins(size_t count, const np_collective_model *model, const np_collective_options *options,
                          np_collective_win *win);

/* The schedule as pictures. */
np_status np_report_collective_show(const np_network *network, const np_collective_result *result,
                                    FILE *stream) NP_CHECKED;
