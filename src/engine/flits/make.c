/* Makes the routers of a network: see flits.h. */
#include <string.h>

#include "base/memory.h"
#include "engine/flits/flits.h"

enum {
    RING = 8,
    BLOCK_BITS = 9, /* routers of a block, ours: their state is of the size of a cache */
    FAR = 4096,     /* ours */
    ROUND = 8,      /* cycles between two meetings, at most; ours */
    SHARES = 4      /* blocks of a thread, at least; ours */
};

static np_status check(const np_open_options *o)
{
    const np_network *network = o->network;
    const unsigned delay[] = {o->allocation_delay, o->switch_delay, o->crossbar_delay, o->link_delay};
    if (!network->host && !np_network_all_terminals(network))
        return NP_RAISE(NP_ERROR_APPLY,
                        "model flits is not for %.200s: its packets go from inputs to outputs only; take model steps",
                        np_network_spec(network));
    if (o->channels < 1 || o->channels > NP_FLITS_CHANNELS_MAX)
        return NP_RAISE(NP_ERROR_INPUT, "channels is %u: it must be in 1..%d", o->channels, NP_FLITS_CHANNELS_MAX);
    if (o->channels < np_relation_classes(o->relation))
        return NP_RAISE(NP_ERROR_INPUT, "channels is %u: %s needs at least %u, one for each of its classes",
                        o->channels, np_relation_name(o->relation), np_relation_classes(o->relation));
    if (o->buffer_flits < 1 || o->buffer_flits > NP_FLITS_BUFFER_MAX)
        return NP_RAISE(NP_ERROR_INPUT, "buffer-flits is %u: it must be in 1..%d", o->buffer_flits,
                        NP_FLITS_BUFFER_MAX);
    if (o->input_speedup > o->channels)
        return NP_RAISE(NP_ERROR_INPUT, "input-speedup is %u: it must be in 1..%u, the channels of a link",
                        o->input_speedup, o->channels);
    for (size_t i = 0; i < sizeof delay / sizeof *delay; i++)
        if (!delay[i])
            return NP_RAISE(NP_ERROR_INPUT, "a delay is 0 cycles: only those of routing and credits may be");
    if (o->source_flits && np_arrivals_length_max(o->arrivals) > o->source_flits)
        return NP_RAISE(NP_ERROR_INPUT, "source-flits is %u: packets have up to %u flits, and would never find room",
                        o->source_flits, np_arrivals_length_max(o->arrivals));
    if (o->cut_through && np_arrivals_length_max(o->arrivals) > o->buffer_flits)
        return NP_RAISE(
            NP_ERROR_INPUT,
            "cut-through needs buffers of a whole packet: packets have up to %u flits, and buffer-flits is %u",
            np_arrivals_length_max(o->arrivals), o->buffer_flits);
    return NP_OK;
}

/* ---- Sizes ---- */

/* own: the link's own delay; 0: none */
static uint32_t move_delay(const np_open_options *o, uint32_t own)
{
    return o->switch_delay + o->crossbar_delay + (own ? own : o->link_delay);
}

static uint32_t credit_delay(const np_open_options *o, uint32_t own)
{
    return o->switch_delay + 1 + (own ? own : o->credit_delay);
}

uint32_t np_flits_round_trip(const np_open_options *o, uint32_t own)
{
    return move_delay(o, own) + credit_delay(o, own);
}

/* Two flits may leave an output in one cycle. */
static bool is_fast(const np_open_options *o) { return o->internal_speedup > 1; }
static uint32_t input_speedup(const np_open_options *o) { return o->input_speedup > 1 ? o->input_speedup : 1; }

static uint32_t own_delay(const np_flits *f, const np_routers *r, uint32_t router, uint32_t channel)
{
    const np_open_options *o = &f->options;
    return o->link_delays ? o->link_delays[np_network_first_link(o->network, r->node[router]) + r->port[channel]] : 0;
}

/* A round is as long as the shortest way, the ring longer than a round and the longest one. */
static void set_time(np_flits *f, const np_routers *r)
{
    const np_open_options *o = &f->options;
    uint32_t most = move_delay(o, 0), least = most, longest;
    for (uint32_t u = 0; u < r->count; u++)
        for (uint32_t k = r->row[u]; k < r->row[u + 1]; k++) {
            uint32_t own = own_delay(f, r, u, k), move = move_delay(o, own), credit = credit_delay(o, own);
            least = move < least ? move : least;
            least = credit < least ? credit : least;
            most = move > most ? move : most;
            most = credit > most ? credit : most;
        }
    f->round = least < ROUND ? least : ROUND;
    longest = most + (is_fast(o) ? f->B + 1 : 0);
    longest = o->routing_delay + 1 > longest ? o->routing_delay + 1 : longest;
    longest = o->allocation_delay > longest ? o->allocation_delay : longest;
    f->longest = longest;
    f->ring = RING;
    while (f->ring <= f->round + longest)
        f->ring *= 2;
}

/* The cables of terminals, by routers. */
typedef struct hung {
    uint32_t *entry, *exit; /* [routers + 1] the first one of a router: of entries, their places */
    uint32_t *count;        /* [routers] hung so far, all 0 */
} hung;

/* begin[u]: the first cable of router u. */
static void place_cables(const np_routers *r, uint32_t cables, const np_cable *cable, np_flits_place *place,
                         uint32_t *begin)
{
    for (uint32_t i = 0; i < cables; i++) {
        place[i].router = r->number[cable[i].router];
        begin[place[i].router + 1]++;
    }
    for (uint32_t u = 0; u < r->count; u++)
        begin[u + 1] += begin[u];
}

static np_status place_terminals(np_flits *f, const np_routers *r, hung *h)
{
    size_t rows = (size_t)r->count + 1;
    np_status st;
    f->cables = np_relation_cables(f->options.relation);
    f->entries = f->cables->entries;
    f->exits = f->cables->exits;
    if ((st = np_memory_zeroed(&h->entry, 3 * rows, sizeof *h->entry, "the terminals of routers")) ||
        (st = np_memory_array(&f->entry, f->entries, sizeof *f->entry, "where terminals are")) ||
        (st = np_memory_array(&f->exit, f->exits, sizeof *f->exit, "where terminals are")))
        return st;
    h->exit = h->entry + rows;
    h->count = h->exit + rows;
    place_cables(r, f->entries, f->cables->entry, f->entry, h->entry);
    place_cables(r, f->exits, f->cables->exit, f->exit, h->exit);
    return NP_OK;
}

static uint32_t inputs_of(const np_routers *r, const hung *h, uint32_t u)
{
    return r->in_row[u + 1] - r->in_row[u] + h->entry[u + 1] - h->entry[u];
}

static uint32_t outputs_of(const np_routers *r, const hung *h, uint32_t u)
{
    return r->row[u + 1] - r->row[u] + h->exit[u + 1] - h->exit[u];
}

/* All routers have one word or two if the widest of them has no more. */
static uint32_t words_of(const np_flits *f, uint32_t inputs, uint32_t outputs)
{
    return f->row_words ? f->row_words : ((inputs > outputs ? inputs : outputs) * f->V + 63) / 64;
}

static void count_words(np_flits *f, const np_routers *r, const hung *h)
{
    uint32_t most = words_of(f, f->widest_inputs, f->widest_ports);
    f->row_words = most <= 2 ? most : 0;
    for (uint32_t u = 0; u < r->count; u++) {
        uint32_t words = words_of(f, inputs_of(r, h, u), outputs_of(r, h, u));
        f->words += f->row_words == 1 ? 0 : NP_FLITS_ROWS * words;
    }
}

static np_status count(np_flits *f, const np_routers *r, const hung *h)
{
    if (r->count >> BLOCK_BITS >= NP_FLITS_NONE)
        return NP_RAISE(NP_ERROR_LIMIT, "%u routers: at most %u are played", r->count,
                        (unsigned)NP_FLITS_NONE << BLOCK_BITS);
    for (uint32_t u = 0; u < r->count; u++) {
        uint32_t inputs = inputs_of(r, h, u), outputs = outputs_of(r, h, u);
        if ((uint64_t)f->V * (inputs > outputs ? inputs : outputs) >= NP_FLITS_NONE)
            return NP_RAISE(NP_ERROR_LIMIT,
                            "a router has %u inputs and %u outputs with %u channels each: at most %d "
                            "channels are played",
                            inputs, outputs, f->V, NP_FLITS_NONE - 1);
        f->inputs += inputs * f->V;
        f->gates += inputs * input_speedup(&f->options);
        f->ports += outputs;
        f->widest_inputs = inputs > f->widest_inputs ? inputs : f->widest_inputs;
        f->widest_ports = outputs > f->widest_ports ? outputs : f->widest_ports;
    }
    f->widest_gates = f->widest_inputs * input_speedup(&f->options);
    count_words(f, r, h);
    f->outputs = f->ports * f->V;
    return NP_OK;
}

static void set_sizes(np_flits *f, const np_routers *r)
{
    f->routers = r->count;
    f->block_bits = BLOCK_BITS;
    while (f->hands > 1 && f->block_bits > 4 && f->routers >> f->block_bits < SHARES * f->hands)
        f->block_bits--;
    f->blocks = (f->routers >> f->block_bits) + 1;
    uint64_t packets = (uint64_t)f->inputs * f->B + f->entries;
    f->chunks_most = (uint32_t)(2 * packets >> NP_FLITS_CHUNK) + 4 * f->hands + 1;
}

/* ---- Memory ---- */

static size_t active_words(const np_flits *f) { return ((1U << f->block_bits) + 63) / 64; }

static void layout_hand(np_flits *f, np_flits_hand *h, np_arena *arena)
{
    const size_t V = f->V;
    np_arena_zeroed(arena, &h->mail, (size_t)f->blocks * f->ring, sizeof *h->mail, "what is on its way");
    np_arena_zeroed(arena, &h->told, f->ring, sizeof *h->told, "what arrives");
    np_arena_array(arena, &h->best, f->widest_ports, sizeof *h->best, "room of a router");
    np_arena_array(arena, &h->accept, f->widest_gates, sizeof *h->accept, "room of a router");
    np_arena_array(arena, &h->asked, f->widest_ports * V, sizeof *h->asked, "room of a router");
    np_arena_array(arena, &h->list, f->widest_ports * V, sizeof *h->list, "room of a router");
    np_arena_zeroed(arena, &h->freed, 2 * ((f->widest_gates + f->widest_ports) * V / 64 + 1), sizeof *h->freed,
                    "room of a router");
}

static void layout(void *object, np_arena *arena)
{
    np_flits *f = object;
    const size_t V = f->V, routers = f->routers;
    np_arena_zeroed(arena, &f->router, routers, sizeof *f->router, "routers");
    np_arena_array(arena, &f->number, f->options.network->nodes, sizeof *f->number, "the numbers of routers");
    np_arena_array(arena, &f->output_at, routers * f->options.network->ports, sizeof *f->output_at, "ports");
    if (is_fast(&f->options))
        np_arena_zeroed(arena, &f->last, f->ports, sizeof *f->last, "the queues of outputs");
    np_arena_array(arena, &f->gate_of, f->widest_inputs * V, sizeof *f->gate_of, "the inputs of channels");
    np_arena_array(arena, &f->gate, f->gates, sizeof *f->gate, "the inputs of routers");
    np_arena_array(arena, &f->port, f->ports, sizeof *f->port, "the outputs of routers");
    np_arena_zeroed(arena, &f->input, f->inputs, sizeof *f->input, "input channels");
    np_arena_zeroed(arena, &f->output, f->outputs, sizeof *f->output, "output channels");
    np_arena_array(arena, &f->slot, (size_t)f->inputs * f->B, sizeof *f->slot, "buffers");
    np_arena_zeroed(arena, &f->bits, f->words, sizeof *f->bits, "what channels do");
    np_arena_zeroed(arena, &f->source, f->entries, sizeof *f->source, "terminals");
    if (f->options.source_flits)
        np_arena_array(arena, &f->kept, (size_t)f->entries * f->options.source_flits, sizeof *f->kept,
                       "packets that wait");
    np_arena_array(arena, &f->source_credits, f->entries * V, sizeof *f->source_credits, "terminals");
    np_arena_zeroed(arena, &f->accepted, f->terminals, sizeof *f->accepted, "terminals");
    if (f->options.counts_links)
        np_arena_zeroed(arena, &f->crossed, (size_t)f->ports + f->entries, sizeof *f->crossed, "what links carry");
    if (f->options.window) {
        np_arena_array(arena, &f->pushes.place, f->entries, sizeof *f->pushes.place, "terminals");
        NP_ARENA_WORDS(arena, f->entries, "terminals", &f->pushes.first, &f->pushes.last);
        np_arena_array(arena, &f->pushes.push, f->terminals * (size_t)f->options.window, sizeof *f->pushes.push,
                       "packets that wait");
    }
    np_arena_zeroed(arena, &f->block, f->blocks, sizeof *f->block, "blocks of routers");
    np_arena_zeroed(arena, &f->chunk, f->chunks_most, sizeof *f->chunk, "packets in the network");
    np_arena_zeroed(arena, &f->active, f->blocks * active_words(f), sizeof *f->active, "busy routers");
    np_arena_zeroed(arena, &f->sending, f->entries / 64 + f->blocks, sizeof *f->sending, "busy terminals");
    np_arena_array(arena, &f->wheel, (size_t)f->blocks * NP_FLITS_WHEEL, sizeof *f->wheel, "the wheels of arrivals");
    np_arena_zeroed(arena, &f->diary, (size_t)f->blocks * f->ring, sizeof *f->diary, "what is due");
    np_arena_zeroed(arena, &f->hand, f->hands, sizeof *f->hand, "threads");
    for (unsigned i = 0; i < f->hands; i++) {
        np_flits_hand counted = {0};
        layout_hand(f, f->hand ? &f->hand[i] : &counted, arena);
    }
}

/* ---- What is joined to what ---- */

static void number_channels(np_flits *f)
{
    const uint32_t speedup = input_speedup(&f->options);
    uint32_t each = f->V / f->classes, more = f->V % f->classes; /* the first classes get one more */
    for (uint32_t c = 0; c < f->widest_inputs * f->V; c++)
        f->gate_of[c] = (uint16_t)(c / f->V * speedup + c % f->V % speedup);
    for (uint32_t c = 0; c < f->classes; c++)
        f->class_[c] = (np_flits_class){(uint8_t)(c * each + (c < more ? c : more)), (uint8_t)(each + (c < more))};
    f->class_[f->classes] = (np_flits_class){0, (uint8_t)f->V};
}

/* credit: from the first channel of the input */
static void set_gates(np_flits *f, uint32_t router, uint32_t input, np_flits_gate gate)
{
    const uint32_t speedup = input_speedup(&f->options);
    np_flits_router *r = &f->router[router];
    gate.credit -= input * f->V;
    gate.last = (uint16_t)(r->ports - 1);
    gate.channel = (uint16_t)((input + 1) * f->V - 1);
    for (uint32_t i = 0; i < speedup; i++)
        *np_flits_gate_at(f, r, input * speedup + i) = gate;
}

static void set_port(np_flits *f, uint32_t router, uint32_t output, np_flits_port port)
{
    np_flits_router *r = &f->router[router];
    port.last = (uint16_t)(r->inputs / f->V * input_speedup(&f->options) - 1);
    port.own = (uint16_t)(router & ((1U << f->block_bits) - 1));
    *np_flits_port_at(f, r, output) = port;
}

/* A router's inputs come in the order of r->in, its outputs in that of its ports; then those of its terminals. */
static void join(np_flits *f, const np_routers *r)
{
    const uint32_t ports = f->options.network->ports, last = (1U << f->block_bits) - 1;
    for (uint32_t u = 0; u < r->count; u++)
        for (uint32_t k = r->row[u]; k < r->row[u + 1]; k++)
            f->output_at[(size_t)u * ports + r->port[k]] = (uint16_t)(k - r->row[u]);
    for (uint32_t u = 0; u < r->count; u++)
        for (uint32_t k = r->in_row[u]; k < r->in_row[u + 1]; k++) {
            uint32_t link = r->in[k], tail = r->tail[link], input = k - r->in_row[u], output = link - r->row[tail];
            uint32_t own = own_delay(f, r, tail, link);
            set_gates(f, u, input,
                      (np_flits_gate){.block = (uint16_t)(tail >> f->block_bits),
                                      .credit = f->router[tail].output + output * f->V,
                                      .delay = (uint16_t)credit_delay(&f->options, own)});
            set_port(f, tail, output,
                     (np_flits_port){.block = (uint16_t)(u >> f->block_bits),
                                     .router = (uint16_t)(u & last),
                                     .channel = (uint16_t)(input * f->V),
                                     .delay = (uint16_t)move_delay(&f->options, own)});
        }
}

static void hang_entry(np_flits *f, const np_routers *r, const hung *h, uint32_t i, np_node terminal)
{
    uint32_t u = f->entry[i].router, k = h->count[u]++, place = h->entry[u] + k;
    uint32_t input = r->in_row[u + 1] - r->in_row[u] + k;
    np_flits_source *s = &f->source[place];
    *s = (np_flits_source){.terminal = terminal,
                           .entry = i,
                           .router = (uint16_t)(u & ((1U << f->block_bits) - 1)),
                           .channel = (uint16_t)(input * f->V),
                           .last = (uint8_t)(f->V - 1)};
    f->entry[i].port = (uint16_t)input;
    if (f->pushes.place)
        f->pushes.place[i] = place;
    set_gates(f, u, input, (np_flits_gate){.block = NP_FLITS_NONE, .credit = place * f->V});
    s->ended = !np_arrivals_next(f->options.arrivals, terminal, 0, -1, &s->coming);
    if (!s->ended)
        np_flits_expect(f, &f->block[u >> f->block_bits], place);
}

static void hang(np_flits *f, const np_routers *r, const hung *h)
{
    for (np_node t = 0; t < f->terminals; t++)
        for (uint32_t i = f->cables->first_entry[t]; i < f->cables->first_entry[t + 1]; i++)
            hang_entry(f, r, h, i, t);
    memset(h->count, 0, r->count * sizeof *h->count);
    for (uint32_t i = 0; i < f->exits; i++) {
        uint32_t u = f->exit[i].router, output = r->row[u + 1] - r->row[u] + h->count[u]++;
        f->exit[i].port = (uint16_t)output;
        set_port(f, u, output,
                 (np_flits_port){.channel = NP_FLITS_NONE, .delay = (uint16_t)move_delay(&f->options, 0)});
    }
}

static void divide(np_flits *f, const hung *h)
{
    for (uint32_t i = 0; i < f->blocks; i++) {
        np_flits_block *b = &f->block[i];
        uint32_t first = i << f->block_bits, end = (i + 1) << f->block_bits;
        end = end < f->routers ? end : f->routers;
        *b = (np_flits_block){
            .router = &f->router[first], .routers = end - first, .source = h->entry[first], .number = (uint16_t)i};
        b->sources = h->entry[end] - h->entry[first];
        b->active = f->active + i * active_words(f);
        b->sending = f->sending + b->source / 64 + i;
        b->wheel = f->wheel + (size_t)i * NP_FLITS_WHEEL;
        b->diary = f->diary + (size_t)i * f->ring;
    }
}

/* The parts of the arrays that belong to each router. */
static void cut(np_flits *f, const np_routers *r, const hung *h)
{
    const uint32_t speedup = input_speedup(&f->options);
    uint32_t input = 0, gate = 0, port = 0;
    size_t word = 0;
    for (uint32_t u = 0; u < r->count; u++) {
        np_flits_router *here = &f->router[u];
        uint32_t inputs = inputs_of(r, h, u), outputs = outputs_of(r, h, u), gates = inputs * speedup;
        *here = (np_flits_router){.input = input,
                                  .output = port * f->V,
                                  .gate = gate,
                                  .port = port,
                                  .node = r->node[u],
                                  .inputs = (uint16_t)(inputs * f->V),
                                  .ports = (uint16_t)outputs};
        uint32_t words = words_of(f, inputs, outputs);
        if (f->row_words != 1) {
            here->wide.rows = f->bits + word;
            here->wide.words = words;
        }
        for (uint32_t c = 0; c < outputs * f->V; c++)
            np_flits_set(np_flits_rows(f, here) + NP_FLITS_FREE * words, c);
        input += inputs * f->V;
        gate += gates;
        port += outputs;
        word += (size_t)NP_FLITS_ROWS * words;
    }
}

/* The first of all is behind the last: whose turn it is. */
static void fill_router(np_flits *f, const np_flits_router *r)
{
    for (uint32_t c = 0; c < r->inputs; c++)
        np_flits_in(f, r, c)->channel = (uint16_t)(r->ports * f->V - 1);
    for (uint32_t c = 0; c < r->ports * f->V; c++)
        *np_flits_out(f, r, c) = (np_flits_output){.owner = (uint16_t)(r->inputs - 1), .credits = (uint16_t)f->B};
}

static void fill(np_flits *f, const np_routers *r)
{
    memcpy(f->number, r->number, r->nodes * sizeof *f->number);
    memset(f->wheel, 0xff, (size_t)f->blocks * NP_FLITS_WHEEL * sizeof *f->wheel);
    if (f->pushes.place)
        memset(f->pushes.first, 0xff, f->entries * sizeof *f->pushes.first);
    memset(f->source_credits, (int)f->B, (size_t)f->entries * f->V);
    for (uint32_t u = 0; u < f->routers; u++)
        fill_router(f, &f->router[u]);
    for (unsigned i = 0; i < f->hands; i++) {
        np_flits_hand *h = &f->hand[i];
        h->pushes = NP_NONE;
        memset(h->best, 0xff, f->widest_ports * sizeof *h->best);
        memset(h->accept, 0xff, f->widest_gates * sizeof *h->accept);
        memset(h->asked, 0xff, (size_t)f->widest_ports * f->V * sizeof *h->asked);
    }
}

/* ---- Life ---- */

static bool is_straight(const np_routers *r)
{
    for (uint32_t u = 0; u < r->count; u++)
        for (uint32_t k = r->row[u]; k < r->row[u + 1]; k++)
            if (r->port[k] != k - r->row[u])
                return false;
    return true;
}

static void set_plain(np_flits *f)
{
    const np_open_options *o = &f->options;
    f->move_delay = move_delay(o, 0);
    f->credit_delay = credit_delay(o, 0);
    f->plain =
        !f->adaptive && !f->last && o->allocation_delay == 1 && !o->routing_delay && !o->cut_through && !o->link_delays;
}

static np_status build(np_flits *f, const np_routers *r, const hung *h)
{
    np_status st = np_arena_place(f, layout, "routers with virtual channels", &f->memory);
    if (st)
        return st;
    number_channels(f);
    divide(f, h);
    cut(f, r, h);
    fill(f, r);
    join(f, r);
    hang(f, r, h);
    f->watched = f->options.counts_links || f->options.book;
    f->far = f->routers > FAR;
    f->straight = is_straight(r);
    f->usual = np_arrivals_usual(f->options.arrivals);
    set_plain(f);
    return f->options.book ? np_flits_observe_begin(f) : NP_OK;
}

/* Sizes, and the routers themselves unless `bytes` asks for what they take. */
static np_status make(np_flits *f, uint64_t *bytes)
{
    np_routers r;
    hung h = {.entry = NULL};
    np_status st = np_routers_init(&r, f->options.network);
    f->classes = np_relation_classes(f->options.relation);
    f->adaptive = np_relation_adaptive(f->options.relation);
    if (!st)
        set_time(f, &r);
    if (!st && !(st = place_terminals(f, &r, &h)) && !(st = count(f, &r, &h))) {
        set_sizes(f, &r);
        if (bytes)
            *bytes = np_arena_bytes(f, 0, layout) + (f->entries + f->exits) * sizeof *f->entry;
        else
            st = build(f, &r, &h);
    }
    np_memory_free(h.entry);
    np_routers_clear(&r);
    return st;
}

static np_flits begun(const np_open_options *options)
{
    return (np_flits){.options = *options,
                      .V = options->channels,
                      .B = options->buffer_flits,
                      .hands = options->threads > 1 ? options->threads : 1,
                      .terminals = options->network->terminals};
}

np_status np_flits_create(const np_open_options *options, void **out)
{
    np_flits *f;
    np_status st = check(options);
    *out = NULL;
    if (st || (st = np_memory_zeroed(&f, 1, sizeof *f, "routers with virtual channels")))
        return st;
    *f = begun(options);
    if ((st = make(f, NULL)))
        np_flits_free(f);
    else
        *out = f;
    return st;
}

/*
 * Of a closed loop, whose packets of one flit are no more than its windows, nor than there are places: the packets by
 * chunks, the numbers of those that are free, which grow by halves, and what is on its way or due: a flit and a credit
 * for each port and cable in each cycle of the ring.
 */
static uint64_t bytes_of_loop(const np_flits *f)
{
    const uint64_t chunk = UINT64_C(1) << NP_FLITS_CHUNK, windows = (uint64_t)f->terminals * f->options.window,
                   places = (uint64_t)f->inputs * f->B + f->entries, cables = f->ports + f->entries,
                   packets = (windows < places ? windows : places) + f->hands * chunk, moves = f->ring * cables;
    return packets * (sizeof(np_flits_packet) + 3 * sizeof(uint32_t)) +
           (windows < moves ? windows : moves) * (2 * sizeof(np_flits_move) + 6 * sizeof(uint32_t)) +
           (uint64_t)f->ring * f->exits * sizeof(np_delivery);
}

uint64_t np_flits_bytes(const np_open_options *options)
{
    np_flits f = begun(options);
    uint64_t bytes = 0, arrays;
    if (!make(&f, &arrays)) /* else why not is said when the model is made */
        bytes = arrays + (options->window ? bytes_of_loop(&f) : f.terminals * sizeof(np_flits_packet));
    NP_MEMORY_FREE(f.entry, f.exit);
    return bytes;
}

static void free_hand(const np_flits *f, np_flits_hand *h)
{
    for (size_t i = 0; i < (size_t)f->blocks * f->ring; i++)
        NP_MEMORY_FREE(h->mail[i].move, h->mail[i].credit);
    for (uint32_t i = 0; i < f->ring; i++)
        np_memory_free(h->told[i].delivery);
    np_memory_free(h->free);
}

static void free_arrays(np_flits *f)
{
    for (unsigned i = 0; i < f->hands; i++)
        free_hand(f, &f->hand[i]);
    for (size_t i = 0; i < (size_t)f->blocks * f->ring; i++)
        NP_MEMORY_FREE(f->diary[i].source, f->diary[i].ask, f->diary[i].bid);
    for (uint32_t i = 0; i < f->chunks_most; i++)
        np_memory_free(f->chunk[i]);
}

void np_flits_free(void *model)
{
    np_flits *f = model;
    if (!f)
        return;
    if (f->memory)
        free_arrays(f);
    np_flits_observe_free(f->book);
    NP_MEMORY_FREE(f->delivery, f->entry, f->exit, f->memory, f);
}
