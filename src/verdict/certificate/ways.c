/*
 * What paths with weights prove: a flow that carries all demands. Each packet of a demand is 2^20 units, or as many as
 * the certificate says, and the weight
 * of a path is how many of them take it. Every path is followed from its source to its destination.
 */
#include "model/network/read_node.h"
#include "verdict/certificate/certificate.h"

static np_status refuse(const np_claim *c, size_t demand, const char *why)
{
    return NP_RAISE(NP_ERROR_INPUT, "the paths from %.80s to %.80s: %s",
                    NP_NODE_NAME(c->network, (np_node)c->pair[demand]),
                    NP_NODE_NAME(c->network, (np_node)(c->pair[demand] >> 32)), why);
}

/* Does the path lead from the source of the demand to its destination? */
static bool leads(const np_claim *c, size_t demand, uint32_t hops, const uint32_t *arc)
{
    np_node at = (np_node)c->pair[demand];
    for (uint32_t i = 0; i < hops; i++) {
        if (arc[i] >= c->arcs || c->arc[arc[i]] >> 32 != at)
            return false;
        at = (np_node)c->arc[arc[i]];
    }
    return at == (np_node)(c->pair[demand] >> 32);
}

np_status np_claim_add_ways(const np_claim *c, const np_certificate *proof, np_wide *load)
{
    size_t way = 0, arc = 0;
    for (size_t d = 0; d < c->demands; d++) {
        uint64_t weights = 0;
        for (uint32_t i = 0; i < proof->ways_of[d]; i++, way++) {
            if (way == proof->ways || proof->way_hops[way] > proof->way_arcs - arc)
                return refuse(c, d, "some are missing");
            if (!leads(c, d, proof->way_hops[way], &proof->way_arc[arc]))
                return refuse(c, d, "one does not lead there");
            for (uint32_t k = 0; k < proof->way_hops[way]; k++)
                load[proof->way_arc[arc++]] += (np_wide)c->amount[d] * proof->way_weight[way];
            weights += proof->way_weight[way];
        }
        if (weights != UINT64_C(1) << proof->way_bits)
            return refuse(c, d, "their weights are not what a packet is in all");
    }
    return way == proof->ways && arc == proof->way_arcs ? NP_OK
                                                        : NP_RAISE(NP_ERROR_INPUT, "there are paths of no demand");
}
