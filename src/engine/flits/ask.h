/* What the first packet of an input channel asks for: see flits.h. */
#ifndef NP_FLITS_ASK_H
#define NP_FLITS_ASK_H

#include "engine/flits/flits.h"

/* The class that a candidate has, as a range of output channels, and the credits that the packet needs there. */
NP_INLINE void np_flits_want(const np_flits *f, const np_flits_router *r, np_flits_input *in, const np_candidate *c,
                             uint32_t need)
{
    uint32_t port = f->output_at[(uint32_t)(r - f->router) * f->options.network->ports + c->port];
    in->port = (uint16_t)port;
    in->low = (uint16_t)(port * f->V + f->class_low[c->class_]);
    in->width = (uint8_t)(f->class_low[c->class_ + 1] - f->class_low[c->class_]);
    in->need = (uint8_t)need;
}

NP_INLINE void np_flits_want_ejection(const np_flits *f, const np_flits_packet *p, np_flits_input *in)
{
    in->port = f->place[p->destination].port;
    in->low = (uint16_t)(in->port * f->V);
    in->width = (uint8_t)f->V;
    in->need = 0;
}

/* A packet is the first of its input channel. Where the relation is adaptive, what it asks for is chosen each cycle. */
NP_INLINE void np_flits_ask(const np_flits *f, const np_flits_router *r, uint32_t channel)
{
    if (!f->adaptive) {
        np_flits_input *in = &f->input[r->input + channel];
        np_flits_packet *p = np_flits_packet_of(f, *np_flits_slot(f, r, channel, in->first));
        np_candidate c[NP_CANDIDATES];
        if (np_relation_candidates(f->options.relation, f->node[r - f->router], p->router, p->state, c)) {
            np_flits_want(f, r, in, c, f->options.cut_through ? p->flits : 0);
            p->next = c->state;
        } else {
            np_flits_want_ejection(f, p, in);
        }
    }
    np_flits_set(np_flits_row_of(f, r, NP_FLITS_ASK), channel);
}

#endif
