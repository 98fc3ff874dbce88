/*
 * Packets over time, terminal by terminal, drawn by counters: no list is held, and who asks keeps one arrival a
 * terminal.
 *
 * The traffic is "uniform", where each packet draws its destination among all terminals, the sender included;
 * "adversarial", the one of the network's family; or any spec of np_traffic_create: then a packet draws one of the
 * traffic's packets from its source, all equally likely. The source that has most packets sends at the rate, others in
 * proportion to theirs, those without any never. Of "trace:FILE" packets are those of the file (trace.h), and process,
 * rate and length count for nothing.
 *
 * Terminals are numbers 0 .. np_network_terminals - 1, whose nodes np_network_input and np_network_output tell.
 */
#pragma once

#include "base/random.h"
#include "netpram/traffic.h"

typedef struct np_arrivals np_arrivals;

typedef struct np_arrival {
    np_step time;   /* the cycle in which it is created */
    np_node to;     /* a terminal; it may be the sender */
    uint32_t flits; /* its length, at least 1 */
    uint32_t part;  /* of the process alone: who keeps the arrival keeps it, too */
} np_arrival;

typedef struct np_arrivals_options {
    const char *traffic;
    const char *process; /* "bernoulli", "poisson", "periodic", "on-off:ON,OFF" */
    double rate;         /* packets that the busiest terminal creates in a cycle, on average */
    const char *length;  /* flits of a packet: "L", or "A-B" where it is drawn evenly; NULL: 1 */
    uint64_t seed;
    uint32_t run;
} np_arrivals_options;

/*
 * The network must outlive it. NP_ERROR_INPUT: the traffic, the process, the length, or a rate that it cannot have;
 * NP_ERROR_APPLY: no such traffic on the network; NP_ERROR_MEMORY, NP_ERROR_IO.
 */
np_status np_arrivals_create(const np_network *network, const np_arrivals_options *options,
                             np_arrivals **out) NP_CHECKED;
void np_arrivals_free(np_arrivals *arrivals);

enum {
    NP_ARRIVALS_SINGLE = 1, /* a packet is a flit: of a trace, a line with size n is n packets */
    NP_ARRIVALS_ALIKE = 2   /* each terminal that sends at all sends at the rate */
};

/* The same; `as`: a sum of these, or 0. */
np_status np_arrivals_create_as(const np_network *network, const np_arrivals_options *options, unsigned as,
                                np_arrivals **out) NP_CHECKED;

/* The same with another rate and run. It shares what does not depend on them, and must be freed first. */
np_status np_arrivals_at(const np_arrivals *arrivals, double rate, uint32_t run, np_arrivals **out) NP_CHECKED;

/* The trace whose packets these are; NULL: they are drawn. */
const struct np_trace *np_arrivals_trace(const np_arrivals *arrivals);

/* Flits of a packet on average, and at most. */
double np_arrivals_length(const np_arrivals *arrivals);
uint32_t np_arrivals_length_max(const np_arrivals *arrivals);

/* What a terminal sends as a share of what the busiest one sends, 0..1; and the sum over all terminals. */
double np_arrivals_share(const np_arrivals *arrivals, np_node terminal);
double np_arrivals_shares(const np_arrivals *arrivals);

enum { NP_ARRIVALS_MEAN = 2048, NP_ARRIVALS_SAMPLE = 1 << 18 /* ours: terminals, packets */ };

/*
 * What flows on average: `weight` of each packet of the traffic in a cycle at rate 1. *exact: else a sample of the
 * packets. It is exact of all traffic that is a list, and of "uniform" and traffic of groups with at most
 * NP_ARRIVALS_MEAN^2 pairs of terminals.
 */
np_status np_arrivals_mean(const np_arrivals *arrivals, np_traffic **out, double *weight, bool *exact) NP_CHECKED;

/*
 * The k-th arrival of a terminal, k = 0, 1, ..., where the one before was in cycle `previous`; -1 if k is 0. `out`
 * holds the arrival before if k > 0, and receives this one. false: there is none any more. Any number of threads.
 */
bool np_arrivals_next(const np_arrivals *arrivals, np_node terminal, uint64_t k, int64_t previous, np_arrival *out);

/* Which arrival of which terminal. */
typedef struct np_arrivals_which {
    np_node terminal;
    bool more; /* receives what np_arrivals_next returns */
    uint64_t k;
} np_arrivals_which;

/*
 * The same for some at once, at most NP_RANDOM_LANES, all with one `previous`. Only where np_arrivals_usual:
 * "bernoulli", and "uniform".
 */
bool np_arrivals_usual(const np_arrivals *arrivals);
void np_arrivals_next_some(const np_arrivals *arrivals, size_t count, np_arrivals_which *which, int64_t previous,
                           np_arrival *out);
