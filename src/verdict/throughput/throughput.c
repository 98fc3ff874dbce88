/*
 * np_throughput_find: the problem, the cheap bounds, the search, the certificate, the result.
 *
 * What the search proves from below is rounded by some millionths. So where the flow is that of one iteration and
 * small, or a certificate is wanted, the certificate's rule works the bound out in whole numbers: then closed forms
 * come out exactly, and what is printed is what the certificate proves.
 */
#include <math.h>

#include "base/account.h"
#include "base/memory.h"
#include "model/network/attributes.h"
#include "verdict/throughput/columns.h"
#include "verdict/throughput/concurrent.h"
#include "verdict/throughput/own_paths.h"
#include "verdict/throughput/write_paths.h"

enum { SMALL = 4 * 1000 * 1000 /* destinations x arcs that are worked out again without being asked */ };

/* The result, with what it points to. */
typedef struct made {
    np_throughput result; /* first: the caller's pointer is this one */
    char *traffic, *certificate, *rule, *paths_out;
    np_throughput_link binding[NP_THROUGHPUT_BINDING], *links;
    bool *cut;
} made;

/* ---- The certificate ---- */

/* The flows whose mean is the lower bound: their weights are those of the search, as whole numbers. */
static np_status take_flows(const np_concurrent *s, np_certificate *c)
{
    c->flows = s->low_to - s->low_from + 1;
    np_status st = np_memory_array(&c->flow, c->flows, sizeof *c->flow, "the flows of a certificate");
    for (uint32_t i = 0; !st && i < c->flows; i++) {
        uint64_t k = s->low_from + i;
        c->flow[i] = c->flows == 1 ? s->one : s->kept[k];
        c->flow[i].weight = c->flows == 1 ? 1 : (k + 1) * (k + 2);
    }
    return st;
}

static np_status work_out(np_concurrent *s, const np_claim *claim, np_certificate *c)
{
    np_status st = s->by_columns ? np_path_columns_write(s, c) : take_flows(s, c);
    c->length = s->best_length;
    if (st || (st = np_claim_work_out(claim, c, &s->options->watch)))
        return st;
    s->low = np_exact_ratio(c->low_top, c->low_bottom, false);
    return NP_OK;
}

static np_status write(const np_concurrent *s, const np_traffic *traffic, const np_claim *claim, np_certificate *c)
{
    c->network = np_network_spec(s->problem->network);
    c->traffic = np_traffic_spec(traffic);
    c->seed = s->options->seed;
    c->nodes = claim->nodes;
    c->links = claim->links;
    c->arcs = claim->arcs;
    c->packets = claim->packets;
    c->demands = claim->demands;
    return np_certificate_write(c, s->options->certificate);
}

/* Is what the search has proved to be worked out in whole numbers? */
static bool is_exact(const np_concurrent *s)
{
    return s->keeps ||
           (!s->by_columns && s->low_from == s->low_to && (uint64_t)s->problem->targets * s->problem->arcs <= SMALL);
}

/*
 * The search, and the bound in whole numbers, which may be a little less than that of the search: then the search goes
 * on, for a smaller gap.
 */
static np_status search(np_concurrent *s, const np_throughput_options *asked, np_throughput_options *options,
                        const np_claim *claim, np_certificate *c)
{
    np_status st;
    for (;;) {
        uint32_t begun = s->iteration;
        if ((st = np_concurrent_run(s)) || !is_exact(s))
            return st;
        double low = s->low;
        np_certificate_clear_low(c);
        if ((st = work_out(s, claim, c)))
            return st;
        if (!s->keeps)
            s->low = s->low > low ? s->low : low;
        bool reached = (s->high - s->low) / s->high <= asked->gap;
        if (reached || s->over || s->iteration == begun || s->iteration == asked->iterations)
            return NP_OK;
        options->gap *= 0.99;
    }
}

static np_status find_factor(np_concurrent *s, const np_traffic *traffic, np_throughput_options *options,
                             np_throughput_written *written)
{
    const np_throughput_options asked = *options;
    np_certificate certificate = {0};
    np_claim claim = {0};
    np_status st = NP_OK;
    bool exact = s->keeps || (uint64_t)s->problem->targets * s->problem->arcs <= SMALL;
    if (exact)
        st = np_claim_init(&claim, s->problem->network, traffic);
    if (!st)
        st = search(s, &asked, options, &claim, &certificate);
    if (!st && options->certificate)
        st = write(s, traffic, &claim, &certificate);
    if (!st && options->paths_out)
        st = np_paths_write(&claim, &certificate, options, written);
    options->gap = asked.gap;
    np_certificate_clear_low(&certificate);
    np_claim_clear(&claim);
    return st;
}

/* ---- The result ---- */

static bool binds(const np_throughput_link *link) { return link->load >= 0.99 && link->price > 0; }

/* The link takes its place in the list of the dearest. */
static void list_binding(const np_throughput_link *link, made *m)
{
    np_throughput *r = &m->result;
    size_t i = r->binding_count;
    if (i == NP_THROUGHPUT_BINDING && m->binding[i - 1].price >= link->price)
        return;
    i -= i == NP_THROUGHPUT_BINDING;
    r->binding_count = i + 1;
    for (; i && m->binding[i - 1].price < link->price; i--)
        m->binding[i] = m->binding[i - 1];
    m->binding[i] = *link;
}

static np_throughput_link link_of(const np_concurrent *s, uint32_t a)
{
    const np_problem *p = s->problem;
    double load = s->best_load[a] * s->low, price = s->best_length[a] / (double)s->high_bottom;
    return (np_throughput_link){p->network, p->tail[a], p->head[a], p->width[a], load < 1 ? load : 1, price};
}

static np_status fill_links(const np_concurrent *s, made *m)
{
    const np_problem *p = s->problem;
    double hops = 0;
    np_status st = np_memory_array(&m->links, p->arcs, sizeof *m->links, "the loads and prices of links");
    if (st)
        return st;
    for (uint32_t a = 0; a < p->arcs; a++) {
        const np_throughput_link *link = &m->links[a];
        m->links[a] = link_of(s, a);
        hops += s->best_load[a] * p->width[a];
        m->result.links_idle += link->load <= 0.01;
        if (binds(link)) {
            m->result.links_binding++;
            list_binding(link, m);
        }
    }
    m->result.mean_hops = hops / (double)p->packets;
    m->result.binding = m->binding;
    m->result.links_count = p->arcs;
    m->result.links = m->links;
    return NP_OK;
}

static void fill_factor(const np_concurrent *s, const np_throughput_options *options, np_throughput *r)
{
    r->factor = (np_throughput_between){s->low, s->high};
    r->gap = (s->high - s->low) / s->high;
    r->reached = r->gap <= options->gap;
    r->iterations = s->iteration;
    r->per_host.low = nextafter((double)r->host_most * s->low, 0);
    r->per_host.high = nextafter((double)r->host_most * s->high, INFINITY);
    r->steps_bound = np_concurrent_steps(s, r->distance_most);
}

/* What the caller's own paths reach, beside the optimum. */
static np_status find_own(const np_problem *p, const np_throughput_options *options, made *m)
{
    np_throughput *r = &m->result;
    np_status st = options->paths ? np_own_paths_find(p, options, &m->rule, &r->paths) : NP_OK;
    if (st || !options->paths)
        return st;
    r->paths.per_host = (double)r->host_most * r->paths.factor;
    r->paths.share.low = r->paths.factor / r->factor.high;
    r->paths.share.high = r->paths.factor / r->factor.low < 1 ? r->paths.factor / r->factor.low : 1;
    r->paths.share.low = r->paths.share.low < 1 ? r->paths.share.low : 1;
    return NP_OK;
}

static np_status solve(const np_problem *p, const np_traffic *traffic, np_throughput_options *options, made *m)
{
    np_concurrent s;
    np_pass first;
    np_status st = np_concurrent_init(&s, p, options);
    if (!st && !(st = np_concurrent_bounds(&s, &m->result.bounds, &first)) &&
        !(st = np_problem_farthest(p, first.far, &m->result.distance_most))) {
        np_concurrent_begin(&s, &first);
        if (!(st = find_factor(&s, traffic, options, &m->result.written))) {
            fill_factor(&s, options, &m->result);
            st = fill_links(&s, m);
            m->result.cut = m->cut = s.cut;
            s.cut = NULL;
        }
    }
    np_concurrent_clear(&s);
    return st;
}

static np_status find(const np_traffic *traffic, np_throughput_options *options, made *m)
{
    np_throughput *r = &m->result;
    np_problem problem;
    np_status st = np_problem_init(&problem, r->network, traffic);
    if (st)
        goto out;
    r->packets = problem.packets;
    r->resting = problem.resting;
    r->demands = problem.demands;
    r->moves = problem.packets > 0;
    if (!r->moves) {
        if (options->certificate || options->paths_out)
            st = NP_RAISE(NP_ERROR_APPLY, "no packet takes a link: there is nothing to prove, and no path to write");
        goto out;
    }
    if (!(st = np_problem_host_most(&problem, &r->host_most)) && !(st = solve(&problem, traffic, options, m)))
        st = find_own(&problem, options, m);
out:
    np_problem_clear(&problem);
    return st;
}

np_status np_throughput_find(const np_network *network, const np_traffic *traffic, const np_throughput_options *given,
                             np_throughput **out)
{
    np_throughput_options options;
    made *m;
    *out = NULL;
    np_status st = np_options_take(&np_throughput_options_fields, given, &options);
    unsigned heeds = NP_HEEDS_DELAYS | (options.paths ? NP_HEEDS_COSTS : 0);
    if (st || (st = np_attributes_heeded(network, "a throughput without paths", heeds)))
        return st;
    if (options.split && !options.paths)
        return np_own_paths_check(network, &options);
    NP_ACCOUNT(options.memory_limit, "a smaller network or fewer --threads");
    if ((st = np_memory_zeroed(&m, 1, sizeof *m, "a throughput")))
        return st;
    m->result.network = network;
    m->result.seed = options.seed;
    if (!(m->traffic = np_memory_text(np_traffic_spec(traffic))) ||
        (options.certificate && !(m->certificate = np_memory_text(options.certificate))) ||
        (options.paths_out && !(m->paths_out = np_memory_text(options.paths_out))))
        st = np_status_last();
    m->result.traffic = m->traffic;
    if (!st)
        st = find(traffic, &options, m);
    if (st)
        np_throughput_free(&m->result);
    else
        *out = &m->result;
    if (!st && m->result.moves) {
        m->result.certificate = m->certificate;
        m->result.written.file = m->paths_out;
    }
    return st;
}

void np_throughput_free(np_throughput *throughput)
{
    made *m = (made *)throughput;
    if (!m)
        return;
    NP_MEMORY_FREE(m->traffic, m->certificate, m->rule, m->paths_out, m->links, m->cut, m);
}
