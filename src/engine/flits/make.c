/* Makes the routers of a network: see flits.h. */
#include <string.h>

#include "base/memory.h"
#include "engine/flits/flits.h"

enum { RING = 8, WHEEL = 4096 };

static np_status check(const np_open_options *o)
{
    const np_network *network = o->network;
    const unsigned delay[] = {o->allocation_delay, o->switch_delay, o->crossbar_delay, o->link_delay};
    if (!network->host && !np_network_all_terminals(network))
        return NP_RAISE(NP_ERROR_APPLY, "model flits is not for %.200s: its packets go from inputs to outputs only",
                        np_network_spec(network));
    if (o->channels < 1 || o->channels > NP_FLITS_CHANNELS_MAX)
        return NP_RAISE(NP_ERROR_INPUT, "channels is %u: it must be in 1..%d", o->channels, NP_FLITS_CHANNELS_MAX);
    if (o->channels < np_relation_classes(o->relation))
        return NP_RAISE(NP_ERROR_INPUT, "channels is %u: %s needs at least %u, one for each of its classes",
                        o->channels, np_relation_name(o->relation), np_relation_classes(o->relation));
    if (o->buffer_flits < 1 || o->buffer_flits > NP_FLITS_BUFFER_MAX)
        return NP_RAISE(NP_ERROR_INPUT, "buffer-flits is %u: it must be in 1..%d", o->buffer_flits,
                        NP_FLITS_BUFFER_MAX);
    for (size_t i = 0; i < sizeof delay / sizeof *delay; i++)
        if (!delay[i])
            return NP_RAISE(NP_ERROR_INPUT, "a delay is 0 cycles: only those of routing and credits may be");
    if (o->cut_through && np_arrivals_length_max(o->arrivals) > o->buffer_flits)
        return NP_RAISE(NP_ERROR_INPUT, "cut-through needs buffers of a whole packet: packets have up to %u flits",
                        np_arrivals_length_max(o->arrivals));
    return NP_OK;
}

static void layout(void *object, np_arena *arena)
{
    np_flits *f = object;
    const size_t routers = f->routers.count, V = f->V;
    np_arena_array(arena, &f->gate, f->inputs, sizeof *f->gate, "the inputs of routers");
    np_arena_array(arena, &f->port, f->outputs, sizeof *f->port, "the outputs of routers");
    np_arena_zeroed(arena, &f->input, f->inputs * V, sizeof *f->input, "input channels");
    np_arena_zeroed(arena, &f->output, f->outputs * V, sizeof *f->output, "output channels");
    np_arena_array(arena, &f->slot, f->inputs * V * f->B, sizeof *f->slot, "buffers");
    np_arena_zeroed(arena, &f->bids, f->words, sizeof *f->bids, "bids");
    np_arena_zeroed(arena, &f->asks, f->words, sizeof *f->asks, "bids");
    np_arena_zeroed(arena, &f->active, routers / 64 + 1, sizeof *f->active, "busy routers");
    np_arena_zeroed(arena, &f->sending, f->terminals / 64 + 1, sizeof *f->sending, "busy terminals");
    np_arena_zeroed(arena, &f->source, f->terminals, sizeof *f->source, "terminals");
    np_arena_array(arena, &f->source_credits, f->terminals * V, sizeof *f->source_credits, "terminals");
    np_arena_array(arena, &f->wheel_first, f->wheel, sizeof *f->wheel_first, "the wheel of arrivals");
    np_arena_zeroed(arena, &f->accepted, f->terminals, sizeof *f->accepted, "terminals");
    np_arena_zeroed(arena, &f->mail, f->ring, sizeof *f->mail, "what is on its way");
    np_arena_array(arena, &f->port_output, routers * f->options.network->ports, sizeof *f->port_output, "ports");
    np_arena_array(arena, &f->touched, f->widest * V, sizeof *f->touched, "room of a router");
    np_arena_array(arena, &f->freed, f->widest, sizeof *f->freed, "room of a router");
}

/* Rows of inputs, outputs and words: those of links, then a terminal's. */
static np_status count(np_flits *f)
{
    const np_routers *r = &f->routers;
    np_status st;
    if ((st = np_memory_zeroed(&f->in_row, 3 * ((size_t)r->count + 1), sizeof *f->in_row, "rows of routers")) ||
        (st = np_memory_array(&f->router_of, f->terminals, sizeof *f->router_of, "routers of terminals")))
        return st;
    f->out_row = f->in_row + r->count + 1;
    f->word_row = f->out_row + r->count + 1;
    for (uint32_t i = 0; i < f->terminals; i++) {
        np_node terminal = np_network_input(f->options.network, i);
        f->router_of[i] = r->number[np_relation_router(f->options.network, terminal)];
        f->in_row[f->router_of[i] + 1]++;
        f->out_row[f->router_of[i] + 1]++;
    }
    for (uint32_t u = 0; u < r->count; u++) {
        f->in_row[u + 1] += f->in_row[u] + r->in_row[u + 1] - r->in_row[u];
        f->out_row[u + 1] += f->out_row[u] + r->row[u + 1] - r->row[u];
        uint32_t outputs = f->out_row[u + 1] - f->out_row[u], inputs = f->in_row[u + 1] - f->in_row[u];
        if ((uint64_t)f->V * (inputs > outputs ? inputs : outputs) > UINT16_MAX)
            return NP_RAISE(NP_ERROR_LIMIT,
                            "a router has %u inputs and %u outputs with %u channels each: at most %d "
                            "channels are played",
                            inputs, outputs, f->V, UINT16_MAX);
        f->widest = outputs > f->widest ? outputs : f->widest;
        f->word_row[u + 1] = f->word_row[u] + ((f->in_row[u + 1] - f->in_row[u]) * f->V + 63) / 64;
    }
    f->inputs = f->in_row[r->count];
    f->outputs = f->out_row[r->count];
    f->words = f->word_row[r->count];
    return NP_OK;
}

/* A router's inputs come in the order of r->in, its outputs in that of its ports; then those of its terminals. */
static void join(np_flits *f, uint16_t delay)
{
    const np_routers *r = &f->routers;
    const uint32_t ports = f->options.network->ports;
    for (uint32_t u = 0; u < r->count; u++)
        for (uint32_t k = r->row[u]; k < r->row[u + 1]; k++) {
            f->port[f->out_row[u] + k - r->row[u]] = (np_flits_port){.router = u, .best = NP_NONE, .delay = delay};
            f->port_output[(size_t)u * ports + r->port[k]] = (uint16_t)(k - r->row[u]);
        }
    for (uint32_t u = 0; u < r->count; u++)
        for (uint32_t k = r->in_row[u]; k < r->in_row[u + 1]; k++) {
            uint32_t link = r->in[k], tail = r->tail[link], input = f->in_row[u] + k - r->in_row[u];
            uint32_t output = f->out_row[tail] + link - r->row[tail];
            f->gate[input] = (np_flits_gate){.router = u, .from = output, .best = NP_NONE};
            f->port[output].to = input;
        }
}

/* hung: [routers] terminals of each so far, all 0 */
static void hang(np_flits *f, uint16_t delay, uint32_t *hung)
{
    const np_routers *r = &f->routers;
    for (uint32_t i = 0; i < f->terminals; i++) {
        uint32_t u = f->router_of[i], k = hung[u]++;
        np_flits_source *s = &f->source[i];
        s->gate = f->in_row[u] + r->in_row[u + 1] - r->in_row[u] + k;
        s->port = f->out_row[u] + r->row[u + 1] - r->row[u] + k;
        s->channel = (uint8_t)(f->V - 1);
        f->gate[s->gate] = (np_flits_gate){.router = u, .from = i, .best = NP_NONE, .injection = true};
        f->port[s->port] = (np_flits_port){.router = u, .to = NP_NONE, .best = NP_NONE, .delay = delay};
        s->ended = !np_arrivals_next(f->options.arrivals, i, 0, -1, &s->coming);
        if (!s->ended)
            np_flits_expect(f, i);
    }
}

static np_status fill(np_flits *f)
{
    const np_open_options *o = &f->options;
    const uint16_t delay = (uint16_t)(o->switch_delay + o->crossbar_delay + o->link_delay);
    uint32_t *hung;
    np_status st = np_memory_zeroed(&hung, f->routers.count, sizeof *hung, "the terminals of routers");
    if (st)
        return st;
    memset(f->wheel_first, 0xff, f->wheel * sizeof *f->wheel_first);
    memset(f->source_credits, (int)f->B, (size_t)f->terminals * f->V);
    for (size_t c = 0; c < (size_t)f->inputs * f->V; c++)
        f->input[c].held = NP_FLITS_NO_CHANNEL;
    for (size_t c = 0; c < (size_t)f->outputs * f->V; c++)
        f->output[c] = (np_flits_output){.asked = NP_NONE, .credits = (uint8_t)f->B};
    join(f, delay);
    hang(f, delay, hung);
    np_memory_free(hung);
    return NP_OK;
}

/* The longest way of anything, and one cycle more. */
static uint32_t ring_of(const np_open_options *o)
{
    uint32_t ring = RING, move = o->switch_delay + o->crossbar_delay + o->link_delay;
    uint32_t credit = o->switch_delay + 1 + o->credit_delay;
    while (ring <= move || ring <= credit || ring <= o->routing_delay + 1 || ring <= o->allocation_delay)
        ring *= 2;
    return ring;
}

static np_status make(np_flits *f)
{
    np_status st;
    f->classes = np_relation_classes(f->options.relation);
    f->adaptive = np_relation_adaptive(f->options.relation);
    f->ring = ring_of(&f->options);
    f->wheel = WHEEL;
    if ((st = np_routers_init(&f->routers, f->options.network)) || (st = count(f)) ||
        (st = np_arena_place(f, layout, "routers with virtual channels", &f->block)))
        return st;
    return fill(f);
}

np_status np_flits_create(const np_open_options *options, np_flits **out)
{
    np_status st = check(options);
    *out = NULL;
    if (st || (st = np_memory_zeroed(out, 1, sizeof **out, "routers with virtual channels")))
        return st;
    **out = (np_flits){.options = *options,
                       .V = options->channels,
                       .B = options->buffer_flits,
                       .terminals = options->network->terminals};
    if ((st = make(*out))) {
        np_flits_free(*out);
        *out = NULL;
    }
    return st;
}

uint64_t np_flits_bytes(const np_open_options *options)
{
    np_flits f = {.options = *options,
                  .V = options->channels,
                  .B = options->buffer_flits,
                  .wheel = WHEEL,
                  .terminals = options->network->terminals,
                  .ring = ring_of(options)};
    uint64_t bytes = UINT64_MAX;
    if (!np_routers_init(&f.routers, options->network) && !count(&f)) /* else it is said when the model is made */
        bytes = np_arena_bytes(&f, sizeof f, layout) + f.terminals * sizeof(np_flits_packet);
    np_memory_free(f.in_row);
    np_memory_free(f.router_of);
    np_routers_clear(&f.routers);
    return bytes;
}

static void free_mail(np_flits_mail *m)
{
    np_memory_free(m->move);
    np_memory_free(m->credit);
    np_memory_free(m->source);
    np_memory_free(m->ask);
    np_memory_free(m->bid);
    np_memory_free(m->delivery);
}

void np_flits_free(np_flits *f)
{
    if (!f)
        return;
    for (uint32_t i = 0; f->mail && i < f->ring; i++)
        free_mail(&f->mail[i]);
    np_memory_free(f->packet);
    np_memory_free(f->free_packet);
    np_memory_free(f->in_row);
    np_memory_free(f->router_of);
    np_memory_free(f->block);
    np_routers_clear(&f->routers);
    np_memory_free(f);
}
