/*
 * A method of the queueing engine: a way to bring the packets of a phase to
 * their targets. All methods have the same outcome, to the bit. Stepping
 * serves every phase. The others, the accelerators, serve some phases, and are
 * faster there: they finish links in topological order, each for all time,
 * instead of all links step by step. The engine tries its methods in the order
 * of the list in methods.c; stepping is the last.
 *
 * A new accelerator is one file with one const descriptor, and one line in the
 * list.
 *
 * A method holds most of its memory only while it serves: before a method
 * runs, the engine has all others rest.
 */
#ifndef NP_QUEUEING_METHOD_H
#define NP_QUEUEING_METHOD_H

#include "queueing/engine.h"

typedef struct np_engine_method {
    const char *name;
    bool tells; /* it can serve a run that is watched step by step */
    bool (*applies)(const np_engine_options *options);
    /* The most bytes that the method holds while it serves, and while it rests. */
    uint64_t (*bytes)(const np_engine_options *options);
    uint64_t (*bytes_at_rest)(const np_engine_options *options);
    np_status (*create)(np_engine *engine, void **out);
    /*
     * Can it serve the engine's present phase (plan, draws and phase are set,
     * shards are reset)? Changes nothing but length[] and the shards' hops.
     * NULL: it can serve every phase.
     */
    np_status (*aim)(void *method, np_engine *engine, bool *fits);
    /*
     * Serves the phase. *done = true: location, length (now delays),
     * population, step and the shards' counts are those at the end of the
     * phase. *done = false: the phase needs more than the method's tables
     * hold. Then nothing has changed but length[] and the shards' hops, and
     * the engine frees the method and never tries it again.
     */
    np_status (*run)(void *method, np_engine *engine, bool *done);
    void (*rest)(void *method); /* gives memory back, which the next run takes again */
    void (*free)(void *method); /* NULL is fine */
} np_engine_method;

enum { NP_ENGINE_METHODS_MAX = 8 };

/* In the order in which they are tried; NULL at the end. The last one, stepping, serves everything. */
extern const np_engine_method *const np_engine_methods[NP_ENGINE_METHODS_MAX + 1];
extern const np_engine_method np_engine_stepping;

/* NP_ERROR_INPUT with the nearest name if no method has this name. NULL: any method will do. */
np_status np_engine_method_known(const char *name) NP_CHECKED;

/* Will an engine with these options try the method? */
bool np_engine_method_serves(const np_engine_method *method, const np_engine_options *options);

#endif
