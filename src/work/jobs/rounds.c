/* The rounds of a job: np_collective plays and checks its operation on the complete network of its ranks. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "work/collective/collective.h"
#include "work/collective/model.h"
#include "work/jobs/jobs.h"

static const char what[] = "the messages of jobs";

static void list_messages(const np_network *ranks, const np_round_log *log, np_jobs_track *t)
{
    for (size_t r = 0; r < log->rounds; r++) {
        t->first[r] = t->messages;
        for (size_t i = log->first[r], end; i < log->first[r + 1]; i = end) {
            end = np_model_message_end(log, i, log->first[r + 1]);
            t->from[t->messages] = np_network_link_tail(ranks, log->link[i]);
            t->to[t->messages] = np_network_link_head(ranks, log->link[i]);
            t->pieces[t->messages++] = (uint32_t)(end - i);
        }
    }
    t->first[log->rounds] = t->messages;
    t->rounds = log->rounds;
}

static np_status take_schedule(const np_network *ranks, const np_collective_result *done, np_jobs_track *t)
{
    const np_collective_schedule *s = done->schedule;
    np_status st;
    if (!s)
        return NP_RAISE(NP_ERROR_APPLY, "algorithm '%s' makes no schedule that could be played: try another one",
                        done->algorithm);
    const np_round_log log = {
        .rounds = s->rounds, .first = (size_t *)s->first, .link = (np_link *)s->link, .piece = (uint32_t *)s->piece};
    size_t most = s->first[s->rounds] + 1;
    if ((st = np_memory_array(&t->first, s->rounds + 1, sizeof *t->first, what)) ||
        (st = np_memory_array(&t->from, most, sizeof *t->from, what)) ||
        (st = np_memory_array(&t->to, most, sizeof *t->to, what)) ||
        (st = np_memory_array(&t->pieces, most, sizeof *t->pieces, what)))
        return st;
    t->part = done->part;
    t->algorithm = done->algorithm;
    list_messages(ranks, &log, t);
    return NP_OK;
}

/* Does the operation among the ranks of a job, whose places it does not know, take the algorithm? NULL: any. */
static bool takes(const np_network *ranks, const np_jobs_item *job, const np_collective_options *options,
                  const char *algorithm)
{
    np_collective_options o = *options;
    o.algorithm = algorithm;
    return !np_collective_check(ranks, job->collective, &o);
}

/* Of algorithms that are refused, the message names those that jobs have. */
static np_status check_algorithm(const np_network *ranks, const np_jobs_item *job, const np_collective_options *o,
                                 const np_jobs_track *t)
{
    const np_collective_ops *ops;
    np_collective_kind kind;
    np_parse_hint hint;
    bool known = false;
    if (!job->algorithm || takes(ranks, job, o, job->algorithm) || !takes(ranks, job, o, NULL) ||
        np_collective_kind_of(job->collective, &kind))
        return NP_OK; /* what else is wrong is found when it is played */
    np_parse_hint_init(&hint, job->algorithm);
    for (size_t i = 0; (ops = np_registry_entry(&np_collective_algorithms, i)); i++)
        if (ops->kind == kind) {
            known |= np_entry_is(&ops->info, job->algorithm);
            if (takes(ranks, job, o, ops->info.name))
                np_parse_hint_add(&hint, ops->info.name);
        }
    return NP_RAISE(known ? NP_ERROR_APPLY : NP_ERROR_INPUT,
                    "job %s: no algorithm '%.60s' for %s among its %u ranks: %s", t->name, job->algorithm,
                    job->collective, job->ranks, hint.text);
}

np_status np_jobs_list(const np_jobs_item *job, const np_flows_options *options, np_jobs_track *t)
{
    np_collective_options o;
    np_collective_result *done = NULL;
    np_network *ranks = NULL;
    bool barrier = job->collective && !strcmp(job->collective, "barrier");
    np_status st;
    if (!job->collective)
        return NP_RAISE(NP_ERROR_INPUT, "job %s: no collective", t->name);
    if (barrier ? job->size != 0 : !(job->size > 0 && job->size <= 1e15))
        return NP_RAISE(NP_ERROR_INPUT, "job %s: %s", t->name,
                        barrier ? "a barrier sends no data: leave its size out"
                                : "its size must be above 0, at most 1e15");
    if (np_collective_heeds(job->collective, "model") == NP_ERROR_APPLY)
        return NP_RAISE(NP_ERROR_APPLY,
                        "job %s: collective '%s' goes over links: jobs do what is done among ranks, as %s", t->name,
                        job->collective, np_fields_find(&np_collective_options_fields, "model")->only);
    np_collective_options_init(&o);
    o.algorithm = job->algorithm;
    o.data = barrier ? o.data : job->size;
    o.model = "rounds";
    o.record = true;
    o.seed = options->seed;
    o.watch = options->watch;
    if (!(st = np_network_make(&ranks, "complete:%u", job->ranks)) && (st = check_algorithm(ranks, job, &o, t))) {
        np_network_free(ranks);
        return st;
    }
    if (!st && !(st = np_collective(ranks, job->collective, &o, &done)))
        st = take_schedule(ranks, done, t);
    np_collective_result_free(done);
    np_network_free(ranks);
    if (st == NP_ERROR_APPLY) /* of a complete network that the caller does not know */
        return np_status_prefix(st, "job %s, among its %u ranks: ", t->name, job->ranks);
    return st ? np_status_prefix(st, "job %s: ", t->name) : NP_OK;
}

void np_jobs_track_clear(np_jobs_track *t) { NP_MEMORY_FREE(t->host, t->first, t->from, t->to, t->pieces); }
