/* See experiment_once.h. */
#include "lab/experiment/experiment_once.h"

#include "base/real.h"
#include "base/watch.h"

/* ---- What is measured ---- */

static double nodes_of(const void *seen) { return (double)np_network_nodes(((const np_once_seen *)seen)->network); }

void np_once_nodes(const void *seen, np_value *value) { value->real = nodes_of(seen); }
void np_once_log2_nodes(const void *seen, np_value *value) { value->real = np_log2(nodes_of(seen)); }

np_status np_once_keep(const np_once *o, const void *result)
{
    const np_once_seen s = {o->network, result};
    np_status st = o->done ? NP_OK : np_experiment_measures_init(o->kind, &s, o->samples);
    if (!st)
        np_experiment_measures_keep(o->kind, &s, o->done, o->samples);
    return st;
}

/* ---- Checking and running ---- */

np_status np_once_check(const np_experiment_job *job, np_experiment_point *at)
{
    const np_once_point *p = np_experiment_options_of(job, at);
    const np_series_kind *kind = job->experiment->serie[at->series].kind;
    const np_network *network;
    np_status st = p->what ? np_experiment_check_file(p->what) : NP_OK;
    if (!st && !(st = np_experiment_network(job, p->network, &network))) {
        at->work = (double)np_network_nodes(network) * np_log2((double)np_network_nodes(network) + 1);
        st = kind->look ? kind->look(job, at, network) : NP_OK;
    }
    return np_experiment_at_point(job, at, st);
}

/* Called now and then within a run: a long one, too, can be cancelled. */
static int within_run(void *context, const np_progress *progress)
{
    const np_once *o = context;
    return np_watch_tell(&o->job->watch,
                         (np_progress){.unit = "runs", .share = (o->done + progress->share) / o->samples->runs});
}

np_status np_once_run(const np_experiment_job *job, const np_experiment_point *at, np_samples *samples)
{
    np_once o = {.kind = job->experiment->serie[at->series].kind,
                 .job = job,
                 .point = np_experiment_options_of(job, at),
                 .at = at,
                 .samples = samples};
    np_status st = np_experiment_network(job, o.point->network, &o.network);
    o.watch = (np_watch){within_run, &o};
    for (; o.done < samples->runs && !st; o.done++)
        if (!(st = o.kind->call(&o)))
            st = np_watch_check(&job->watch, (np_progress){.unit = "runs", .done = o.done + 1});
    return np_experiment_at_point(job, at, st);
}

uint64_t np_once_number(const np_once *o) { return (uint64_t)o->samples->first + o->done; }
