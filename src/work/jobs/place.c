/* Which hosts a job has: those that it says; or, of those that no job before it has, the first ones or some by lot. */
#include "base/memory.h"
#include "base/plural.h"
#include "base/random.h"
#include "model/network/read_node.h"
#include "work/jobs/jobs.h"

enum { RANKS_MAX = 65536 }; /* of an operation among ranks */

typedef struct placing {
    const np_network *network;
    bool *taken;    /* [terminals] a job has the host */
    uint32_t *free; /* [terminals] hosts without one, in order */
    uint64_t *met;  /* [nodes] the job that was last seen there, from 1 */
    np_draws draws;
    uint32_t *host_of; /* [nodes] the number of the host at a node, NP_NONE: none */
} placing;

static const char what[] = "places of jobs";

static np_status init(placing *p)
{
    const np_network *network = p->network;
    uint32_t hosts = np_network_terminals(network), nodes = np_network_nodes(network);
    np_status st;
    if ((st = np_memory_zeroed(&p->taken, hosts, sizeof *p->taken, what)) ||
        (st = np_memory_array(&p->free, hosts, sizeof *p->free, what)) ||
        (st = np_memory_zeroed(&p->met, nodes, sizeof *p->met, what)) ||
        (st = np_memory_array(&p->host_of, nodes, sizeof *p->host_of, what)))
        return st;
    for (np_node u = 0; u < nodes; u++)
        p->host_of[u] = NP_NONE;
    for (uint32_t i = 0; i < hosts; i++) {
        np_node u = np_network_input(network, i);
        if (u != np_network_output(network, i))
            return NP_RAISE(NP_ERROR_APPLY, "%s: nodes that only send or only receive can have no jobs",
                            np_network_spec(network));
        p->host_of[u] = i;
    }
    return NP_OK;
}

static void clear(placing *p) { NP_MEMORY_FREE(p->taken, p->free, p->met, p->host_of); }

/* On the hosts that the job says. */
static np_status take(placing *p, const np_jobs_item *job, size_t j, const np_jobs_track *track)
{
    for (uint32_t r = 0; r < job->ranks; r++) {
        np_node u = job->host[r];
        if (u >= np_network_nodes(p->network) || p->host_of[u] == NP_NONE)
            return NP_RAISE(NP_ERROR_INPUT, "job %s: rank %u is at no host of the network", track->name, r);
        if (p->met[u] == j + 1)
            return NP_RAISE(NP_ERROR_INPUT, "job %s has host %.60s twice", track->name, NP_NODE_NAME(p->network, u));
        p->met[u] = j + 1;
        p->taken[p->host_of[u]] = true;
        track->host[r] = u;
    }
    return NP_OK;
}

/* On hosts that are free. A host by lot is swapped to the front of those that are left. */
static np_status choose(placing *p, const np_jobs_item *job, size_t j, const np_jobs_track *track)
{
    uint32_t hosts = np_network_terminals(p->network), count = 0;
    for (uint32_t i = 0; i < hosts; i++)
        if (!p->taken[i])
            p->free[count++] = i;
    if (count < job->ranks)
        return NP_RAISE(NP_ERROR_APPLY, "job %s: %u of %u hosts are free, which are too few for %u ranks", track->name,
                        count, hosts, job->ranks);
    for (uint32_t r = 0; r < job->ranks; r++) {
        uint32_t at = r + (job->random ? np_random_below(&p->draws, r, (uint32_t)j, count - r) : 0), host = p->free[at];
        p->free[at] = p->free[r];
        p->taken[host] = true;
        track->host[r] = np_network_input(p->network, host);
    }
    return NP_OK;
}

static np_status place(placing *p, const np_jobs_item *job, size_t j, np_jobs_track *track)
{
    if (job->ranks < 2 || job->ranks > RANKS_MAX)
        return NP_RAISE(NP_ERROR_INPUT, "job %s has %u host%s: give it 2 to %d", track->name, job->ranks,
                        np_plural(job->ranks), RANKS_MAX);
    np_status st = np_memory_array(&track->host, job->ranks, sizeof *track->host, what);
    return st ? st : (job->host ? take : choose)(p, job, j, track);
}

np_status np_jobs_place(const np_network *network, size_t count, const np_jobs_item *jobs, uint64_t seed,
                        np_jobs_track *track)
{
    placing p = {.network = network, .draws = np_draws_for((np_draws){.seed = seed}, NP_RANDOM_JOBS)};
    np_status st = init(&p);
    for (size_t j = 0; !st && j < count; j++)
        st = place(&p, &jobs[j], j, &track[j]);
    clear(&p);
    return st;
}
