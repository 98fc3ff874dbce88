/*
 * Who waits for whom in a run that stands still: see flits.h. The first packet of an input channel holds an output
 * channel without a credit, or asks for one that another packet holds or that has too few. Either way it waits for the
 * flits in the buffer at the other end. So from any buffer with flits a walk comes to one that it has seen: from there
 * on it is a circle. No buffer leads nowhere, since ejection takes whatever comes.
 */
#include "engine/flits/flits.h"

/* An input channel of a router. */
typedef struct buffer {
    const np_flits_router *router;
    uint32_t channel;
} buffer;

static bool has_flits(const np_flits *f, buffer b) { return np_flits_in(f, b.router, b.channel)->count > 0; }

/* The buffer behind channel v of an output. False: an ejection, or it is empty. */
static bool behind(const np_flits *f, const np_flits_router *r, uint32_t output, uint32_t v, buffer *out)
{
    const np_flits_port *port = np_flits_port_at(f, r, output);
    if (port->channel == NP_FLITS_NONE)
        return false;
    *out = (buffer){&f->block[port->block].router[port->router], port->channel + v};
    return has_flits(f, *out);
}

static bool behind_class(const np_flits *f, const np_flits_router *r, uint32_t output, unsigned class_, buffer *out)
{
    const np_flits_class *c = &f->class_[class_];
    for (uint32_t v = c->low; v < (uint32_t)c->low + c->width; v++)
        if (behind(f, r, output, v, out))
            return true;
    return false;
}

static bool waits_for(const np_flits *f, buffer b, buffer *out)
{
    const np_flits_input *in = np_flits_in(f, b.router, b.channel);
    if (in->class_ == NP_FLITS_HOLDS)
        return behind(f, b.router, in->channel / f->V, in->channel % f->V, out);
    if (!f->adaptive)
        return behind_class(f, b.router, in->port, in->class_, out);
    np_candidate c[NP_CANDIDATES];
    const np_flits_packet *p = np_flits_packet_of(f, *np_flits_slot(f, b.router, b.channel, in->first));
    unsigned count = np_relation_candidates(f->options.relation, b.router->node, p->router, p->state, c);
    for (unsigned i = 0; i < count; i++)
        if (behind_class(f, b.router, np_flits_output_at(f, b.router, c[i].port), c[i].class_, out))
            return true;
    return false;
}

static bool first_buffer(const np_flits *f, buffer *out)
{
    for (uint32_t u = 0; u < f->routers; u++)
        for (uint32_t channel = 0; channel < f->router[u].inputs; channel++)
            if (has_flits(f, *out = (buffer){&f->router[u], channel}))
                return true;
    return false;
}

size_t np_flits_waits(void *model, size_t room, np_waiting *out)
{
    const np_flits *f = model;
    size_t length = 0;
    buffer at, next, start;
    if (!first_buffer(f, &at))
        return 0;
    for (uint32_t i = 0; i < f->inputs; i++, at = next) /* then it is in the circle */
        if (!waits_for(f, at, &next))
            return 0;
    start = at;
    do {
        if (!waits_for(f, at, &next))
            return 0;
        uint32_t first = next.channel / f->V * f->V;
        if (length < room)
            out[length] = (np_waiting){at.router->node, next.router->node, next.channel - first};
        length++;
        at = next;
    } while (at.router != start.router || at.channel != start.channel);
    return length;
}
