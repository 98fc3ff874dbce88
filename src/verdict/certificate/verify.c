/* np_throughput_verify: makes the problem anew, and holds each figure of the file to what its lengths prove. */
#include <inttypes.h>

#include "base/account.h"
#include "base/decimal.h"
#include "base/memory.h"
#include "netpram/throughput.h"
#include "verdict/certificate/certificate.h"

/* The proof, with what it points to. */
typedef struct made {
    np_throughput_proof proof; /* first: the caller's pointer is this one */
    char *text, *path;
} made;

static np_status compare(const char *path, const char *what, uint64_t claimed, uint64_t found)
{
    return claimed == found ? NP_OK
                            : NP_RAISE(NP_ERROR_INPUT, "%.200s: it is about %" PRIu64 " %s, and here are %" PRIu64,
                                       path, claimed, what, found);
}

static np_status compare_problem(const char *path, const np_certificate *c, const np_claim *claim)
{
    np_status st;
    if ((st = compare(path, "nodes", c->nodes, claim->nodes)) ||
        (st = compare(path, "links", c->links, claim->links)) ||
        (st = compare(path, "pairs of linked nodes", c->arcs, claim->arcs)) ||
        (st = compare(path, "packets", c->packets, claim->packets)))
        return st;
    return compare(path, "demands", c->demands, claim->demands);
}

static np_status compare_bound(const char *path, const char *which, np_wide top, np_wide bottom, np_wide top_found,
                               np_wide bottom_found, bool up)
{
    if (top == top_found && bottom == bottom_found)
        return NP_OK;
    double claimed = bottom ? np_exact_ratio(top, bottom, up) : 0, found = np_exact_ratio(top_found, bottom_found, up);
    return NP_RAISE(NP_ERROR_INPUT, "%.200s: it claims %s of %s, and its lengths prove %s%s", path, which,
                    NP_EXACT(claimed), NP_EXACT(found),
                    claimed == found ? ", by another numerator and denominator" : "");
}

/* Works the bounds out again, and compares them. */
static np_status check(const char *path, const np_network *network, const np_traffic *traffic, const np_certificate *c,
                       const np_watch *watch)
{
    np_certificate found = *c;
    np_claim claim;
    np_status st = np_claim_init(&claim, network, traffic);
    if (!st && !(st = compare_problem(path, c, &claim)) && (st = np_claim_work_out(&claim, &found, watch)) &&
        st == NP_ERROR_INPUT)
        st = np_status_prefix(st, "%.200s: ", path);
    if (!st && !(st = compare_bound(path, "an upper bound", c->high_top, c->high_bottom, found.high_top,
                                    found.high_bottom, true)))
        st = compare_bound(path, "a lower bound", c->low_top, c->low_bottom, found.low_top, found.low_bottom, false);
    np_claim_clear(&claim);
    return st;
}

static np_status check_anew(const char *path, const np_certificate *c, const np_watch *watch)
{
    np_network *network = NULL;
    np_traffic *traffic = NULL;
    np_status st = np_network_create(c->network, &network);
    if (!st && !(st = np_traffic_create(c->traffic, network, c->seed, 0, &traffic)))
        st = check(path, network, traffic, c, watch);
    np_traffic_free(traffic);
    np_network_free(network);
    return st;
}

static void fill(np_throughput_proof *proof, const np_certificate *c)
{
    proof->network = c->network;
    proof->traffic = c->traffic;
    proof->seed = c->seed;
    proof->nodes = c->nodes;
    proof->links = c->links;
    proof->packets = c->packets;
    proof->demands = c->demands;
    proof->flows = c->flows;
    proof->paths = c->ways;
    proof->factor.low = np_exact_ratio(c->low_top, c->low_bottom, false);
    proof->factor.high = np_exact_ratio(c->high_top, c->high_bottom, true);
    proof->gap = (proof->factor.high - proof->factor.low) / proof->factor.high;
}

np_status np_throughput_verify(const char *path, uint64_t memory_limit, np_watch watch, np_throughput_proof **out)
{
    NP_ACCOUNT(memory_limit, "a smaller certificate");
    np_certificate certificate = {0};
    made *m;
    *out = NULL;
    np_status st = np_memory_zeroed(&m, 1, sizeof *m, "a proof");
    if (st)
        return st;
    if (!(m->path = np_memory_text(path)))
        st = np_status_last();
    else if (!(st = np_certificate_read(path, &m->text, &certificate)))
        st = check_anew(path, &certificate, &watch);
    if (!st) {
        m->proof.file = m->path;
        fill(&m->proof, &certificate);
        *out = &m->proof;
    } else {
        np_throughput_proof_free(&m->proof);
    }
    np_certificate_clear(&certificate);
    return st;
}

void np_throughput_proof_free(np_throughput_proof *proof)
{
    made *m = (made *)proof;
    if (!m)
        return;
    NP_MEMORY_FREE(m->text, m->path, m);
}
