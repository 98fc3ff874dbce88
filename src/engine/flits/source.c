/* What terminals create and send: see flits.h. */
#include "base/memory.h"
#include "base/room.h"
#include "engine/flits/flits.h"
#include "model/network/read_node.h"

/* ---- Creation: a timing wheel of the terminals ---- */

void np_flits_expect(np_flits *f, uint32_t terminal)
{
    np_flits_source *s = &f->source[terminal];
    uint32_t *first = &f->wheel_first[s->coming.time & (f->wheel - 1)];
    s->next = *first;
    *first = terminal;
}

static void create(np_flits *f, uint32_t terminal, int64_t t)
{
    np_flits_source *s = &f->source[terminal];
    f->counts.created += s->coming.flits;
    s->created++;
    f->sending[terminal / 64] |= UINT64_C(1) << terminal % 64;
    s->ended = !np_arrivals_next(f->options.arrivals, terminal, s->created, t, &s->coming);
}

np_status np_flits_create_packets(np_flits *f, int64_t t)
{
    uint32_t *first = &f->wheel_first[t & (f->wheel - 1)], terminal = *first;
    if (f->stopped)
        return NP_OK;
    *first = NP_NONE;
    while (terminal != NP_NONE) {
        np_flits_source *s = &f->source[terminal];
        uint32_t next = s->next;
        while (!s->ended && s->coming.time == (np_step)t) /* one process may create several in one cycle */
            create(f, terminal, t);
        if (!s->ended)
            np_flits_expect(f, terminal);
        terminal = next;
    }
    return NP_OK;
}

/* ---- Sending ---- */

static uint32_t pressure(const void *context, np_node at, np_port port)
{
    const np_flits *f = context;
    uint32_t router = f->routers.number[at], waiting = 0;
    uint32_t output = f->out_row[router] + f->port_output[router * f->options.network->ports + port];
    for (uint32_t v = 0; v < f->V; v++)
        waiting += f->B - f->output[output * f->V + v].credits;
    return waiting;
}

static np_status take_packet(np_flits *f, uint32_t *out)
{
    np_status st;
    if (!f->free_packets) {
        size_t more = f->packets ? 2 * f->packets : 1024;
        if (more >= NP_FLITS_TAIL)
            return NP_RAISE(NP_ERROR_LIMIT, "more than %u packets are in the network", NP_FLITS_TAIL - 1);
        if ((st = np_memory_grow(&f->packet, f->packets, more, sizeof *f->packet, "packets in the network")) ||
            (st = np_memory_grow(&f->free_packet, 0, more, sizeof *f->free_packet, "packets in the network")))
            return st;
        while (f->packets < more)
            f->free_packet[f->free_packets++] = (uint32_t)f->packets++;
    }
    *out = f->free_packet[--f->free_packets];
    return NP_OK;
}

/* The next packet of a terminal, which draws it again. */
static np_status begin(np_flits *f, uint32_t terminal)
{
    np_flits_source *s = &f->source[terminal];
    const np_pressure load = {pressure, f};
    np_status st;
    if ((st = take_packet(f, &s->packet)))
        return st;
    np_arrivals_next(f->options.arrivals, terminal, s->begun, s->begun ? (int64_t)s->going.time : -1, &s->going);
    np_node from = f->routers.node[f->router_of[terminal]], to = f->routers.node[f->router_of[s->going.to]];
    np_flits_packet *p = &f->packet[s->packet];
    if (!np_relation_serves(f->options.relation, from, to))
        return NP_RAISE(NP_ERROR_APPLY, "%s has no route from %.60s to %.60s", np_relation_name(f->options.relation),
                        NP_NODE_NAME(f->options.network, from), NP_NODE_NAME(f->options.network, to));
    *p = (np_flits_packet){.created = s->going.time,
                           .number = s->begun,
                           .source = terminal,
                           .destination = s->going.to,
                           .router = to,
                           .flits = s->going.flits};
    p->state =
        np_relation_start(f->options.relation, &f->options.draws, s->begun * f->terminals + terminal, from, to, &load);
    s->left = p->flits;
    s->begun++;
    return NP_OK;
}

/* The channel of the next packet, if one has room for a flit, or with cut-through for all of it. */
static bool choose(const np_flits *f, uint32_t terminal)
{
    np_flits_source *s = &f->source[terminal];
    uint32_t least = f->options.cut_through ? s->left : 1;
    for (uint32_t k = 1; k <= f->V; k++) {
        uint32_t v = (s->channel + k) % f->V;
        if (f->source_credits[terminal * f->V + v] >= least) {
            s->channel = (uint8_t)v;
            return true;
        }
    }
    return false;
}

/* One flit. *sent: there was a credit. */
static np_status send(np_flits *f, uint32_t terminal, int64_t t, bool *sent)
{
    np_flits_source *s = &f->source[terminal];
    np_status st;
    *sent = false;
    if (!s->left && (st = begin(f, terminal)))
        return st;
    if (s->left == f->packet[s->packet].flits ? !choose(f, terminal) : !f->source_credits[terminal * f->V + s->channel])
        return NP_OK;
    np_flits_mail *mail = np_flits_mail_at(f, t + NP_FLITS_INJECTION);
    if ((st = np_memory_room(&mail->move, mail->moves, &mail->move_room, sizeof *mail->move, "flits on their way")))
        return st;
    f->source_credits[terminal * f->V + s->channel]--;
    s->left--;
    mail->move[mail->moves++] = (np_flits_move){s->gate * f->V + s->channel, s->packet | (s->left ? 0 : NP_FLITS_TAIL)};
    f->counts.injected++;
    f->inside++;
    f->moved_last = t;
    *sent = true;
    return NP_OK;
}

np_status np_flits_send(np_flits *f, int64_t t)
{
    np_status st = NP_OK;
    for (uint32_t w = 0; w <= f->terminals / 64; w++)
        for (uint64_t bits = f->sending[w]; bits && !st; bits &= bits - 1) {
            uint32_t terminal = 64 * w + (uint32_t)__builtin_ctzll(bits);
            np_flits_source *s = &f->source[terminal];
            bool sent;
            st = send(f, terminal, t, &sent);
            if (!sent || (!s->left && s->begun == s->created)) /* a credit, or a packet, sets it again */
                f->sending[w] &= ~(UINT64_C(1) << terminal % 64);
        }
    return st;
}
