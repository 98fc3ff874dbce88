/* The inside of the room: a network and options become curves, whose points are measured. */
#pragma once

#include "engine/open/observed.h"
#include "model/path/path.h"
#include "model/relation/relation.h"
#include "run/load/measure.h"

/* A call, and the curve that is being made. */
typedef struct np_loading {
    const np_network *network;
    const char *traffic;
    const np_load_options *options;
    const np_open_model *model;
    const np_arrivals *arrivals; /* of no rate: np_arrivals_at */
    unsigned threads;
    np_open_book book;     /* of the only point, where somebody observes */
    np_open_options open;  /* of the curve, but for arrivals and threads */
    const char *rule;      /* of the curve, as it was given, or the relation's name */
    np_path *path;         /* of the rule; NULL: it is a relation alone, as "adaptive" is */
    np_relation *relation; /* flits; else NULL */
    bool valiant;
    double unloaded; /* of the curve: as np_measuring has it */
    double from, to; /* what part of the call the curve is, for the watch */
} np_loading;

/* A curve, with what it points to. */
typedef struct np_load_made {
    np_load_curve curve;
    char *paths;
    np_load_point *points;
    size_t room;
    np_load_theorem *theorem;
    double *value;       /* of the theorems */
    np_load_links links; /* at its last point; no `flits`: nobody asks */
} np_load_made;

/* routes.c: *out = a copy of entry i of a list with commas; NULL: there is none. Free it with np_memory_free. */
np_status np_load_entry(const char *list, size_t i, char **out) NP_CHECKED;

/*
 * routes.c: *paths = the rules that the options scheme and paths mean, which options->paths becomes; the caller frees
 * it in any case. options->model is chosen if it is NULL. NP_ERROR_INPUT: no scheme, or one that has paths of its own
 * beside paths; NP_ERROR_APPLY: the scheme does not apply to the network, or to load.
 */
np_status np_load_routes(const np_network *network, np_load_options *options, char **paths) NP_CHECKED;

/* models.c: "steps" and "flits"; NP_ERROR_INPUT with both names. */
np_status np_open_model_find(const char *name, const np_open_model **out) NP_CHECKED;

/* curve.c: measures the points, and finds where the curve saturates. */
np_status np_load_measure(const np_loading *l, size_t loads, const double *load, np_load_made *made) NP_CHECKED;

/* links.c: writes what links carry at the last point of each curve. */
np_status np_load_write_links(const np_network *network, size_t curves, const np_load_made *curve,
                              const char *path) NP_CHECKED;

/* theory.c: mean latency without load, and the load that fills a link. *about: the former, or where it is not known an
 * estimate from below; NAN: none. */
np_status np_load_ideal(const np_loading *l, np_load_curve *curve, double *about) NP_CHECKED;

/* theory.c: the theorems, for the points that are there. */
np_status np_load_theorems(const np_loading *l, np_load_made *made) NP_CHECKED;
