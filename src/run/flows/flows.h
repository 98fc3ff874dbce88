/*
 * The inside of the room: a list of flows is read or drawn, paths are found, the engine plays, and a result is made.
 *
 * Units of the engine. What a link of width 1 carries in a *moment*, the step or the time of a byte, is a packet or a
 * byte. A moment is 2^30 ticks, and a width of 1 is 2^50 units a tick, or fewer if there are widths from 2^12 on. So
 * floors are below 1e-9 for all flows that last a moment, and sizes up to 2^45 fit.
 */
#pragma once

#include "engine/flows/fair.h"
#include "model/path/routes.h"
#include "model/traffic/traffic.h"
#include "netpram/flows.h"

enum { NP_FLOWS_MOMENT_BITS = 30 };

/* Flows as they are read or drawn. */
typedef struct np_flow_set {
    size_t flows, room;
    np_node *source, *destination; /* [flows] */
    double *size, *start;          /* [flows] */
    bool has_sizes, has_starts;    /* the traffic says them */
    bool has_finishes;             /* it is a file that --flows wrote */
} np_flow_set;

/* What the options say, in numbers. */
typedef struct np_flows_units {
    double moments; /* in a unit of time: 1 of a step; of a second, as many as a link of width 1 carries bytes */
    bool bytes;     /* there is a link rate */
} np_flows_units;

void np_flow_set_clear(np_flow_set *set);
/* Room for one flow more, which is appended. */
np_status np_flow_set_add(np_flow_set *set, np_node source, np_node destination, double size, double start) NP_CHECKED;

/* units.c: the link rate, or NULL. NP_ERROR_INPUT. */
NP_FOR_REPORT np_status np_flows_read_rate(const char *text, np_flows_units *units) NP_CHECKED;
/* A size or a start in the units of the run. Return what is wrong, or NULL (np_size_read). */
NP_FOR_REPORT const char *np_flows_read_size(np_text_field field, const np_flows_units *units, double *size);
NP_FOR_REPORT const char *np_flows_read_start(np_text_field field, const np_flows_units *units, double *start);
np_fair_time np_flows_ticks(const np_flows_units *units, double time);
double np_flows_time(const np_flows_units *units, np_fair_time ticks);

/* list.c: the flows of a file, or of its text, whose name is for messages. */
np_status np_flows_parse_list(const char *name, const char *data, size_t length, const np_network *network,
                              const np_flows_units *units, np_flow_set *set) NP_CHECKED;
np_status np_flows_read_list(const char *path, const np_network *network, const np_flows_units *units,
                             np_flow_set *set) NP_CHECKED;

/* draw.c: a distribution of sizes, from a file. */
typedef struct np_size_point {
    double size, share; /* of flows that are no larger */
} np_size_point;

typedef struct np_sizes {
    np_size_point *point;
    size_t count, room;
} np_sizes;

np_status np_sizes_parse(const char *name, const char *data, size_t length, const np_flows_units *units,
                         np_sizes *sizes) NP_CHECKED;
np_status np_sizes_read(const char *path, const np_flows_units *units, np_sizes *sizes) NP_CHECKED;
double np_sizes_mean(const np_sizes *sizes);
/* The size below which the share of flows is u, 0 < u <= 1; in between, by straight lines. */
double np_sizes_at(const np_sizes *sizes, double u);

/* draw.c: makes the flows that a spec and the options ask for. */
np_status np_flows_make(const np_network *network, const char *traffic, const np_flows_options *options,
                        const np_flows_units *units, np_flow_set *set) NP_CHECKED;

typedef struct np_dividing np_dividing; /* divide.c */

/* flows.c: are flows, paths and units what np_flows takes? Nothing is played. Fails as it does. */
NP_FOR_REPORT np_status np_flows_check(const np_network *network, const char *traffic,
                                       const np_flows_options *options) NP_CHECKED;

/* ways.c: links, and the paths of flows over them. Of parallel links the first stands for all. */
typedef struct np_ways {
    const np_network *network;
    uint32_t *trunk;     /* [link_numbers] the link that stands for it */
    uint32_t *width;     /* [link_numbers] parallel links it stands for; 0: another does, or the number is unused */
    np_fair_time *delay; /* [link_numbers] NULL: links have none */
    np_path *path, bound;
    np_routes *routes;
    np_draws draws;
    uint32_t *link;  /* [room] of the path that was asked for */
    uint64_t *share; /* [room] of the flow's rate on them, if flows are divided (np_fair_flow.share); else NULL */
    size_t room;
    np_dividing *dividing; /* NULL: each flow takes one path */
} np_ways;

np_status np_ways_init(np_ways *ways, const np_network *network, const np_flows_options *options,
                       const np_flows_units *units) NP_CHECKED;
void np_ways_clear(np_ways *ways);
/* *capacity = [link_numbers] of links, to be freed with np_memory_free: a width of 1 is 2^*bits units a tick, 2^50
   unless widths from 2^12 on leave fewer. */
np_status np_ways_capacities(const np_ways *ways, uint64_t **capacity, unsigned *bits) NP_CHECKED;
/* Finds the paths of all flows, if the rule does so beforehand. */
np_status np_ways_find(np_ways *ways, const np_flow_set *set, const np_watch *watch) NP_CHECKED;
/* The path of flow i: ways->link[0 .. *hops - 1], and its delay. */
np_status np_ways_of(np_ways *ways, const np_flow_set *set, size_t i, uint32_t *hops, np_fair_time *delay) NP_CHECKED;

/* divide.c */
np_status np_dividing_create(const np_network *network, np_dividing **out) NP_CHECKED;
void np_dividing_free(np_dividing *dividing);
/* The same of a flow that is divided, between different nodes; also ways->share. */
np_status np_ways_divide(np_ways *ways, np_node source, np_node destination, uint32_t *hops,
                         np_fair_time *delay) NP_CHECKED;

/* What a flow set became. */
typedef struct np_flows_outcome {
    double *finish, *completion, *slowdown; /* [flows] slowdown 0: the flow takes no link or has no size */
    double *carried;                        /* [link_numbers] */
    uint64_t *crossed;                      /* [link_numbers] flows */
    uint64_t events;
} np_flows_outcome;

/* rates.c: what all flows send over time. Zeroed, it keeps nothing. */
typedef struct np_rates {
    double *sent; /* units, by steps of 2^step_bits ticks from the start; to be freed with np_memory_free */
    unsigned step_bits;
    bool begun;
    np_fair_time start, last, end; /* of the first batch, of the last one, and when nothing was sent any more */
    np_wide rate;                  /* from `last` on */
} np_rates;

np_status np_rates_init(np_rates *rates) NP_CHECKED;
/* A batch at `now` has this sum of rates. */
void np_rates_add(np_rates *rates, np_fair_time now, np_wide rate);
/* Each step's mean, times `scale`, in sent[]; the last step ends at `end`. Returns how many there are; 0: nothing is
 * sent, and nothing is done. */
size_t np_rates_means(np_rates *rates, np_fair_time end, double scale);
/* The same in the units of the run; the array is lent to the result. */
void np_rates_finish(np_rates *rates, const np_flows_units *units, unsigned width_bits, np_flows_result *result);

/* result.c: fills in what is worked out of the outcome. */
np_status np_flows_sum_up(np_flows_result *result, const np_ways *ways, const np_flow_set *set,
                          const np_flows_outcome *outcome, const np_flows_units *units,
                          np_flows_class **classes) NP_CHECKED;

/* write.c: the files. */
np_status np_flows_write(const np_flows_result *result, const char *path) NP_CHECKED;
np_status np_flows_write_links(const np_flows_result *result, const np_ways *ways, const np_flows_outcome *outcome,
                               const np_flows_units *units, const char *path) NP_CHECKED;
