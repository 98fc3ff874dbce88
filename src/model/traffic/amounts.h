/*
 * Demands: who sends how much to whom, from a file. Readers of the formats add
 * them one by one; they become packets when all are there.
 *
 * An amount is a number of packets, or bytes or a rate if the options say what
 * a packet is. Then the packets are amount * scale / packet, rounded up, in
 * exact decimal arithmetic (base/exact.h).
 */
#pragma once

#include "base/decimal.h"
#include "model/format/survey.h"
#include "model/traffic/traffic.h"

/*
 * What follows the path in a spec: file:PATH:packet=1500:scale=0.5:times=ignore:traffic-format=list. NULL: not given.
 */
typedef struct np_amount_options {
    char *copy; /* that the others point into */
    const char *path;
    const char *packet, *scale, *times, *form; /* form: "list" or "matrix" */
} np_amount_options;

/* What says how many packets an amount is, for messages: in the spec, and in the command line. */
#define NP_AMOUNTS_UNIT "'packet=BYTES' or 'scale=F' behind the path (--packet, --scale)"

typedef struct np_amount {
    np_node source, destination; /* terminals */
    uint32_t packets, priority;
} np_amount;

typedef struct np_amounts {
    const np_network *network;
    np_amount *item;
    size_t count, room;
    uint64_t packets, limit;
    bool measured; /* the options say what a packet is; else amounts are numbers of packets */
    np_decimal scale, packet;
    bool has_priorities, times_ignored;
    char assumed[120]; /* by the reader, for the note; "": nothing */
    const char *form;  /* "list" or "matrix"; NULL: by content */
} np_amounts;

/* Works out the unit. NP_ERROR_INPUT: a packet or scale that is no number above 0. */
np_status np_amounts_init(np_amounts *demands, const np_network *network, uint64_t limit,
                          const np_amount_options *options) NP_CHECKED;
void np_amounts_clear(np_amounts *demands);

/* Adds `packets` packets. The text is for messages, here and below. */
np_status np_amounts_add(np_amounts *demands, const np_text *text, np_node source, np_node destination,
                         uint64_t packets, uint32_t priority) NP_CHECKED;

/* *packets = what an amount is. */
np_status np_amounts_packets(const np_amounts *demands, const np_text *text, np_text_field amount,
                             uint64_t *packets) NP_CHECKED;
/* The same of a number that is exact. shown: how it stands in the file, for messages. */
np_status np_amounts_packets_of(const np_amounts *demands, const np_text *text, const np_decimal *amount,
                                const char *shown, uint64_t *packets) NP_CHECKED;

/*
 * Row or column i of a matrix: terminal i, or node i where hosts are told from switches and the matrix is as large as
 * the network. *terminal is NP_NONE if node i is a switch. That a matrix is for the first terminals only is in the
 * note.
 */
np_status np_amounts_place(np_amounts *demands, const np_text *text, uint64_t size, uint64_t i,
                           np_node *terminal) NP_CHECKED;

/* Makes the packets, in the order of the demands, and the note. */
np_status np_amounts_finish(const np_amounts *demands, const np_text *text, np_traffic *traffic) NP_CHECKED;

/* ---- Formats ---- */

/*
 * dense.c: a matrix with a line for each source and a column for each destination. *dense: the text is one, and no
 * list; no line of it is taken. NP_ERROR_INPUT: it may be both, or is neither.
 */
np_status np_dense_decide(const np_amounts *demands, const np_text *text, const np_survey *survey,
                          bool *dense) NP_CHECKED;
np_status np_dense_read(np_amounts *demands, np_text *text, const np_survey *survey) NP_CHECKED;

/* npy.c: a NumPy array of two dimensions. */
np_status np_array_read(np_amounts *demands, const np_text *text, const char *data, size_t length) NP_CHECKED;
