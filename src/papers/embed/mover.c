/*
 * The queueing engine with a path rule of its own, which is in no list. A packet is a guest link.
 * Its ticket is what is left of its path: the low half is the index of its next link, the high half
 * is how many links are left.
 */
#include "papers/embed/mover.h"

#include "base/memory.h"
#include "papers/embed/embedding.h"
#include "engine/queueing/hop_list.h"

enum { ROUTES_MAX = 0x7ffffffe }; /* packets that the engine can number */

static void start(const np_path *path, const np_draws *draws, size_t count, const np_packet *packet, const np_node *at,
                  const np_node *to, np_ticket *ticket)
{
    const np_embed_mover *m = path->table;
    const uint32_t *row = m->embedding->row;
    (void)draws, (void)at, (void)to;
    for (size_t i = 0; i < count; i++) {
        np_link l = m->guest_link[packet[i]];
        ticket[i] = (np_ticket)(row[l + 1] - row[l]) << 32 | row[l];
    }
}

static void next(const np_path *path, size_t count, const np_node *at, np_ticket *ticket, np_port *port)
{
    const np_embed_mover *m = path->table;
    for (size_t i = 0; i < count; i++) {
        if (!(ticket[i] >> 32)) {
            port[i] = NP_NONE;
            continue;
        }
        port[i] = m->embedding->link[(uint32_t)ticket[i]] - np_network_first_link(path->network, at[i]);
        ticket[i] += 1 - (UINT64_C(1) << 32);
    }
}

static const np_path_rule embedded_paths = {
    .info = {"embedded", "the paths of an embedding", "", .networks = "any"},
    .start = start,
    .next = next,
    .remaining = np_path_remaining_counted,
};

static void layout(void *object, np_arena *arena)
{
    np_embed_mover *m = object;
    size_t links = m->embedding->guest->links;
    NP_ARENA_WORDS(arena, links, "a step of the guest", &m->guest_link, &m->from, &m->to);
}

static np_engine_options engine_options(const np_embedding *embedding)
{
    return (np_engine_options){
        .network = embedding->host, .packets = embedding->guest->links, .workers = 1, .watched = true};
}

np_status np_embed_mover_init(const np_embedding *embedding, const char *queue, uint64_t seed, np_embed_mover *m)
{
    np_engine_options options = engine_options(embedding);
    np_status st;
    *m = (np_embed_mover){.embedding = embedding, .seed = seed};
    m->path = (np_path){.rule = &embedded_paths, .network = embedding->host, .table = m};
    if (embedding->guest->links > ROUTES_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%s has %llu links: at most %d packets can be routed",
                        np_network_spec(embedding->guest), (unsigned long long)embedding->guest->links, ROUTES_MAX);
    if ((st = np_arena_place(m, layout, "a step of the guest", &m->block)) ||
        (st = np_discipline_find(queue, &options.discipline)))
        return st;
    return np_engine_create(&options, &m->engine);
}

np_status np_embed_mover_load(np_embed_mover *m, size_t count, const np_link *link)
{
    const np_embedding *e = m->embedding;
    np_traffic_free(m->traffic);
    m->traffic = NULL;
    for (size_t i = 0; i < count; i++) {
        m->guest_link[i] = link[i];
        m->from[i] = e->map[np_network_link_tail(e->guest, link[i])];
        m->to[i] = e->map[np_network_link_head(e->guest, link[i])];
    }
    m->packets = (np_packet)count;
    return np_traffic_from_arrays(e->host, count, m->from, m->to, NULL, &m->traffic);
}

np_status np_embed_mover_load_all(np_embed_mover *m)
{
    const np_network *guest = m->embedding->guest;
    size_t count = 0;
    for (np_link l = 0; l < guest->link_numbers; l++)
        if (np_network_link_head(guest, l) != NP_NONE)
            m->guest_link[count++] = l;
    return np_embed_mover_load(m, count, m->guest_link);
}

np_status np_embed_mover_move(np_embed_mover *m, uint32_t run, const np_observer *observer, np_phase_run *out)
{
    const np_engine_watch watch = {.observer = observer};
    const np_engine_plan plan = {.path = &m->path, .phases = 1};
    const np_draws draws = {.seed = m->seed, .run = run};
    np_engine_place(m->engine, m->traffic);
    return np_engine_run(m->engine, &plan, 0, draws, observer ? &watch : NULL, out);
}

const np_observer *np_embed_mover_observer(const np_embed_mover *m, np_event_relay *relay, np_embed_phase phase)
{
    static const char *const name[] = {"queues", "schedule", "traffic queues", "traffic schedule"};
    relay->run++;
    relay->phase = phase;
    relay->name = name[phase];
    relay->number = m->guest_link;
    relay->numbers = m->embedding->guest->link_numbers;
    return relay->to ? &relay->observer : NULL;
}

np_status np_embed_mover_tell(const np_embed_mover *m, const np_step *crossing, const np_observer *observer)
{
    const np_embedding *e = m->embedding;
    const np_event_phase phase = {.name = "", .network = e->host, .packets = m->packets};
    const np_hop_ends ends = {.at = m->from, .end = m->to};
    np_phase_run run = {.packets = m->packets};
    np_hop_list hops = {.hop = NULL};
    for (np_packet p = 0; p < m->packets && observer; p++)
        for (uint32_t i = e->row[m->guest_link[p]]; i < e->row[m->guest_link[p] + 1]; i++) {
            np_hop_list_add(&hops, crossing[i], p, e->link[i]);
            run.steps = crossing[i] > run.steps ? crossing[i] : run.steps;
        }
    run.hops = hops.count;
    np_status st = observer ? np_hop_list_tell(&hops, observer, &phase, &ends, &run) : NP_OK;
    np_hop_list_clear(&hops);
    return st;
}

void np_embed_mover_clear(np_embed_mover *m)
{
    np_engine_free(m->engine);
    np_traffic_free(m->traffic);
    np_memory_free(m->block);
    *m = (np_embed_mover){0};
}
