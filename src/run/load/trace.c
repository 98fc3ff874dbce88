/* A trace is played from its first packet until all have arrived; all of them are measured. */
#include <math.h>
#include <string.h>

#include "engine/open/observed.h"
#include "model/traffic/trace.h"
#include "run/load/measure.h"

enum { AT_ONCE = 100 }; /* cycles between two looks of the watch: ours */

typedef struct played {
    np_histogram latency;
    uint64_t sum, hops, flits;
    int64_t last; /* arrival */
    np_status status;
    char message[256]; /* of that failure; the model raises another one */
} played;

static int deliver(void *context, size_t count, const np_delivery *d)
{
    played *r = context;
    for (size_t i = 0; i < count && !r->status; i++) {
        uint64_t latency = (uint64_t)(d[i].arrived - d[i].created);
        r->status = np_histogram_add(&r->latency, latency, 1);
        r->sum += latency;
        r->hops += d[i].hops;
        r->flits += d[i].flits;
        r->last = d[i].arrived;
    }
    if (r->status)
        snprintf(r->message, sizeof r->message, "%s", np_last_error());
    return r->status != NP_OK;
}

static np_status play(const np_measuring *how, played *r, void *model, np_open_counts *counts)
{
    const np_trace *trace = np_arrivals_trace(how->open->arrivals);
    np_trace_counts total = np_trace_total(trace);
    np_status st = NP_OK;
    *counts = (np_open_counts){.now = 0};
    while (!st && r->flits < total.flits && !counts->stuck) {
        double done = (double)counts->now / ((double)total.last + AT_ONCE);
        if (!(st = np_measure_tell(how, done < 1 ? done : 1)))
            st = how->model->advance(model, counts->now + AT_ONCE);
        if (r->status)
            return NP_RAISE(r->status, "%s", r->message);
        if (!st && !(st = np_trace_status(trace)))
            how->model->counts(model, counts);
    }
    return st;
}

static np_status tell(const np_measuring *how, const played *r, void *model, const np_open_counts *counts,
                      np_load_point *out)
{
    np_node terminals = np_network_terminals(how->open->network);
    np_trace_counts total = np_trace_total(np_arrivals_trace(how->open->arrivals));
    double shares = np_arrivals_shares(how->open->arrivals);
    uint64_t *accepted; /* nothing, and what arrived */
    np_status st = np_memory_zeroed(&accepted, 2 * (size_t)terminals, sizeof *accepted, "a trace");
    if (st)
        return st;
    how->model->accepted(model, accepted + terminals);
    out->measured = (uint64_t)(counts->stuck ? counts->now : r->last + 1);
    out->offered = (double)total.flits / (((double)total.last + 1) * shares);
    out->accepted = (double)r->flits / ((double)out->measured * shares);
    out->fairness = np_measure_fairness(how, accepted, accepted + terminals);
    np_measure_stuck(how, model, counts, out);
    out->reached = !counts->stuck;
    np_measure_latency(&r->latency, r->sum, r->hops, out);
    np_memory_free(accepted);
    return NP_OK;
}

np_status np_measure_trace(const np_measuring *how, np_load_point *out)
{
    np_open_options options = *how->open;
    np_open_counts counts;
    played r = {.sum = 0};
    void *model;
    options.deliver = deliver;
    options.context = &r;
    options.counts_links = how->links;
    *out = (np_load_point){.offered = NAN, .refused = NAN};
    np_status st = how->model->create(&options, &model);
    if (st)
        return st;
    if (!(st = play(how, &r, model, &counts)))
        st = tell(how, &r, model, &counts, out);
    if (!st && how->open->book)
        st = np_open_book_end(how->open->book, counts.now);
    if (!st && how->links) {
        how->model->links(model, how->links->flits);
        how->links->offered = out->offered;
        how->links->end = (int64_t)out->measured;
    }
    how->model->free(model);
    np_histogram_clear(&r.latency);
    return st;
}
