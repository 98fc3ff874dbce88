/* What the first packet of an input channel asks for: see flits.h. */
#ifndef NP_FLITS_ASK_H
#define NP_FLITS_ASK_H

#include "engine/flits/flits.h"

/* The class that a candidate has, as a range of output channels, and the credits that the packet needs there. */
NP_INLINE void np_flits_want(const np_flits *f, const np_flits_router *r, np_flits_input *in, const np_candidate *c,
                             uint32_t need)
{
    uint32_t port = r->output_at[c->port];
    in->port = (uint16_t)port;
    in->low = (uint16_t)(port * f->V + f->class_low[c->class_]);
    in->width = (uint8_t)(f->class_low[c->class_ + 1] - f->class_low[c->class_]);
    in->need = (uint8_t)need;
}

NP_INLINE void np_flits_want_ejection(const np_flits *f, const np_flits_packet *p, np_flits_input *in)
{
    in->port = f->exit[p->exit].port;
    in->low = (uint16_t)(in->port * f->V);
    in->width = (uint8_t)f->V;
    in->need = 0;
}

/*
 * A packet is the first of its input channel. Its relation says the one way that it goes; where the relation is
 * adaptive, what it asks for is chosen each cycle.
 */
NP_INLINE void np_flits_ask(const np_flits *f, np_flits_router *r, uint32_t words, uint32_t channel)
{
    uint64_t *ask = np_flits_rows(r, words) + NP_FLITS_ASK * words;
    ask[words == 1 ? 0 : channel / 64] |= UINT64_C(1) << channel % 64;
    if (f->adaptive)
        return;
    np_flits_input *in = &r->input[channel];
    np_flits_packet *p = np_flits_packet_of(f, *np_flits_slot(f, r, channel, in->first));
    np_candidate c[NP_CANDIDATES];
    if (np_relation_candidates(f->options.relation, r->node, p->router, p->state, c)) {
        np_flits_want(f, r, in, c, f->options.cut_through ? p->flits : 0);
        p->state = c->state;
        p->hops++;
    } else {
        np_flits_want_ejection(f, p, in);
    }
}

#endif
