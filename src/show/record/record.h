/*
 * A record (netpram/report.h) is a list of sheets. A sheet is a file and the observer that writes it. A new kind of
 * sheet is one const descriptor, one line in record.c, and one option.
 */
#pragma once

#include "base/status.h"
#include "netpram/report.h"

typedef struct np_sheet np_sheet;

typedef struct np_sheet_kind {
    size_t path; /* offset of the option in np_record_options; 0: of a picture */
    size_t size; /* of the sheet, a structure that begins with np_sheet */
    uint32_t kinds;
    np_status (*open)(np_sheet *sheet); /* NULL: nothing to do */
    const char *columns;                /* the first line, of CSV; NULL: `head` writes it */
    np_status (*head)(np_sheet *sheet); /* NULL, and no columns: nothing comes first */
    /*
     * The observer's functions; NULL: nothing to do. A failure cancels the run, and is what np_record_commit returns.
     */
    np_status (*begin)(np_sheet *sheet, const np_event_phase *phase);
    np_status (*event)(np_sheet *sheet, const np_event *event);
    np_status (*end)(np_sheet *sheet, const np_phase_run *run);
    np_status (*access)(np_sheet *sheet, const np_pram_seen *seen); /* a PRAM step; NULL: nothing to do */
    np_status (*stage)(np_sheet *sheet, const np_sort_seen *seen);  /* a stage of a sort; NULL: nothing to do */
    np_status (*finish)(np_sheet *sheet);                           /* writes what is left; NULL: nothing is */
    void (*clear)(np_sheet *sheet);                                 /* frees the arrays; NULL: there are none */
    /* How many lines the phase adds to the file, each of about line_bytes (ours, measured); or *out = how many bytes.
       NULL both: this is not known before it has run. */
    double (*lines)(const np_event_phase *phase);
    double line_bytes;
    np_status (*bytes)(np_sheet *sheet, const np_event_phase *phase, double *out);
    bool of_runs; /* each run adds so many; else all runs have lines in common */
} np_sheet_kind;

struct np_sheet {
    const np_sheet_kind *kind;
    const np_record_options *options;
    const char *command; /* borrowed until the record ends; NULL: none */
    bool begun;          /* the first line is written */
    bool chose;          /* of the trace: the lists of packets and steps have some event */
    np_observer observer;
    np_output *output;
    FILE *stream;
    np_status status; /* the first failure, and its message */
    char message[256];
    double size, told; /* about how large the file will be; what was told of it */
    double room;       /* on its disk, when the first phase began; 0: not known yet */
    bool sized;        /* the size is that of the whole */
};

/*
 * Before the phase: works out how large the file will be, tells it, and refuses what is too large for the disk.
 * record_size.c NP_ERROR_LIMIT, NP_ERROR_MEMORY
 */
np_status np_sheet_size(np_sheet *sheet, const np_event_phase *phase) NP_CHECKED;

/*
 * While it is written: refuses to take more of the disk. What was written since the last call may be too much by then.
 * NP_ERROR_LIMIT. record_size.c
 */
np_status np_sheet_watch(np_sheet *sheet) NP_CHECKED;

/* *out = about how many hops a packet of the phase makes. NP_ERROR_MEMORY */
np_status np_sheet_hops(const np_event_phase *phase, double *out) NP_CHECKED;

extern const np_sheet_kind np_sheet_trace, np_sheet_links, np_sheet_nodes, np_sheet_packets, np_sheet_steps;

/* Writes the line of a PRAM step. A failed write shows in the stream's error flag. NP_ERROR_MEMORY. record_access.c */
np_status np_record_access_line(FILE *stream, const np_pram_seen *seen) NP_CHECKED;

/*
 * The names of a network's nodes, as a file has them: fields of CSV, or JSON. They outlast the network, which may be
 * gone when a table is written. record_names.c
 */
typedef struct np_sheet_names {
    char *text;
    size_t *at; /* [nodes] where in the text each begins; NULL: the nodes have no names but their numbers */
} np_sheet_names;

/* For a sheet of JSON or CSV. Does nothing if the names are there. */
np_status np_sheet_names_init(np_sheet_names *names, const np_sheet *sheet, const np_network *network,
                              bool json) NP_CHECKED;
/* The name, or the number, which is written into room[NP_NAME_ROOM]. */
const char *np_sheet_name(const np_sheet_names *names, np_node node, char *room);
void np_sheet_names_clear(np_sheet_names *names);

/* Writes the first columns of a line of CSV: "run,phase,name,". */
void np_sheet_begin_line(const np_sheet *sheet, const np_event_phase *phase);

/* Has the trace lists of packets or steps, and no event of the run is in them? */
bool np_record_chose_nothing(const np_record *record);

/* A list such as "3,10..19". */
enum { NP_RANGES_MAX = 64 };

typedef struct np_ranges {
    size_t count; /* 0: all numbers */
    uint32_t low[NP_RANGES_MAX], high[NP_RANGES_MAX];
} np_ranges;

/* text NULL: all numbers. The message of NP_ERROR_INPUT says what is wrong, without the text. */
np_status np_ranges_parse(const char *text, np_ranges *out) NP_CHECKED;
bool np_ranges_have(const np_ranges *ranges, uint32_t number);
/* How many of the numbers below `all` it has at most. */
double np_ranges_count(const np_ranges *ranges, double all);
