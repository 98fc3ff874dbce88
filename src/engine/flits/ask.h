/* What the first packet of an input channel asks for: see flits.h. */
#pragma once

#include "engine/flits/flits.h"
#include "model/relation/next.h"

/* The class that a candidate has, and the credits that the packet needs there. */
NP_INLINE void np_flits_want(const np_flits *f, const np_flits_router *r, np_flits_input *in, const np_candidate *c,
                             uint32_t need)
{
    in->port = (uint16_t)np_flits_output_at(f, r, c->port);
    in->class_ = c->class_;
    in->need = (uint8_t)need;
}

NP_INLINE void np_flits_want_ejection(const np_flits *f, const np_flits_packet *p, np_flits_input *in)
{
    in->port = f->exit[p->exit].port;
    in->class_ = (uint8_t)f->classes;
    in->need = 0;
}

/* The one way that the packet goes, of a relation whose routes are drawn or looked up. */
static __attribute__((noinline)) bool look_up(const np_flits *f, const np_flits_router *r, np_flits_packet *p,
                                              np_flits_input *in)
{
    np_candidate c[NP_CANDIDATES];
    if (!np_relation_candidates(f->options.relation, r->node, p->router, p->state, c))
        return false;
    np_flits_want(f, r, in, c, f->options.cut_through ? p->flits : 0);
    p->state = c->state;
    return true;
}

/* What the packet will need when it is given a channel, and goes. */
NP_INLINE void np_flits_fetch(const np_flits *f, const np_flits_router *r, const np_flits_input *in, uint32_t channel)
{
    __builtin_prefetch(np_flits_port_at(f, r, in->port), 1);
    __builtin_prefetch(np_flits_gate_at(f, r, f->gate_of[channel]), 1);
    __builtin_prefetch(np_flits_out(f, r, in->port * f->V), 1);
}

/*
 * A packet is the first of its input channel. Its relation says the one way that it goes; where the relation is
 * adaptive, what it asks for is chosen each cycle. words, plain: as of a visit.
 */
NP_INLINE void np_flits_ask(const np_flits *f, np_flits_router *r, uint64_t *rows, uint32_t words, bool plain,
                            uint32_t channel)
{
    rows[NP_FLITS_ASK * words + (words == 1 ? 0 : channel / 64)] |= UINT64_C(1) << channel % 64;
    if (!plain && f->adaptive)
        return;
    np_flits_input *in = np_flits_in(f, r, channel);
    np_flits_packet *p = np_flits_packet_of(f, *np_flits_slot(f, r, channel, in->first));
    const np_relation *relation = f->options.relation;
    bool goes = relation->form == NP_RELATION_ANY ? look_up(f, r, p, in) : p->router != r->node;
    if (relation->form != NP_RELATION_ANY && goes) {
        np_candidate next = {.port = np_relation_next_port(relation, r->node, p->router)};
        np_flits_want(f, r, in, &next, !plain && f->options.cut_through ? p->flits : 0);
    }
    if (goes)
        p->hops++;
    else
        np_flits_want_ejection(f, p, in);
    if (f->far)
        np_flits_fetch(f, r, in, channel);
}
