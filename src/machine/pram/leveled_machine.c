/*
 * The machine leveled:NETWORK: a PRAM on any network that is routed as a leveled one (Leighton,
 * Maggs, Ranade & Rao 1994, sections 2.3.1 and 3 to 7): meshes, hypercubes, shuffle-exchanges,
 * fat-trees, butterflies. The network's leveled routing gives the paths. Nodes merge packets in the order
 * of their ranks; a rank is a random polynomial of what the request asks for. Queues hold at most b
 * packets (options.queue_size).
 *
 * What is moved. Every request for a module elsewhere is a packet from its processor to its module.
 * Requests for the processor's own module do not move. A class is all requests of one kind for one
 * cell. A class has one number, by which its packets are ranked, and its packets combine where they
 * meet: packets combine by class, not by destination. They can do so because paths that are chosen
 * for combining (np_selection.combine) depend on the destination alone once packets have met, and
 * because one cell is in one module. A packet that became part of another packet in one phase of
 * the leveled routing is not sent in the next phase. Packets of one class do not meet if they take
 * different phases, as on meshes, or if they start where their phase ends. So several packets of
 * one class may come to the module, and module_load_max counts all of them.
 *
 * What is computed apart from the network. The engine combines by simple rules, which are not the
 * rules of requests. So packets carry nothing (but see carry.h for options.carry_values), and the values are combined
 * here: memory serves a
 * class once, as one request, in the order of processors, and each reply depends on the requests to
 * the left of it (request.h). Combination is associative, so every tree of meetings can give the
 * same result. One case costs more: operations that must be in processor order, in a network where
 * packets meet in another order. The packet would then have to carry a list of operations. This can
 * happen on these networks, but not on butterfly:n.
 *
 * Replies. They retrace the requests' steps in the opposite order: the schedule of the requests is
 * read backwards, phase by phase, the last phase first. Count the T steps of a phase from 1: if a
 * request crossed a link in step t, the link carries the reply backwards in step T + 1 - t. So a
 * link carries one reply a step, and a node handles the replies of one class in a step. Replies
 * part where requests combined, at the mirrored step. A reply waits where its request waited and
 * for as long, so queues are as long as they were. No ghosts are needed. But two things are needed.
 * Links must carry messages both ways, which shuffle links and the links of butterfly-io do not do
 * by themselves. And a node needs memory: for every message that it passes on, it remembers the
 * step and the links by which the message came. There may be as many such messages as cross the
 * node's links in a phase. (On Ranade's butterfly direction bits are enough, since replies there
 * keep the order of requests.) With options.carry_values the way back is run: every reply is moved
 * over each of these links in its step. Without, only tags move, and the way back is charged: it takes as many steps as
 * the way there. tests/prop/test_replies_retrace.c plays it for tags.
 *
 * Charges. T steps on the way there, the sum over the phases, and T steps back. A module answers
 * one request a step, in the step after it came; requests of the module's own processor are there
 * at once. So a batch takes T + max(T + 1, module load) steps. This is 2 T + 1, unless the slack is
 * so large that a module's own processor sends it more requests than the network has steps. Steps
 * are steps of the leveled network; in each of them a node acts for all logical nodes that it
 * stands for.
 *
 * Physical steps (model/leveled/physical.h): P on the way there, with ghosts; and B back, the same for the
 * packets alone, since the replies cross the same links backwards and need no ghosts. So a batch takes
 * P + max(B + 1, module load). Without options.physical, P and B are the most that they can be.
 */
#include "base/decimal.h"
#include "base/arena.h"
#include "base/memory.h"
#include "engine/merging/merge.h"
#include "machine/pram/network_machine.h"

/* The most bytes of a leveled network. Ours: on larger ones a batch takes minutes. */
static const uint64_t BYTES_MAX = UINT64_C(1) << 34;

typedef struct leveled_machine {
    np_network_machine base;
    np_leveled_routing *routing;
    np_merge *merge;
    np_path_set path_set;
    np_tags tags;
    uint32_t *class_of; /* [count] the class of each request */
    uint8_t *gone;      /* [packets] the packet has become part of another */
    np_link
        *crossed[NP_LEVELED_ROUTING_PHASES]; /* np_event_leveled.link, if somebody observes; NULL: as in np_leveled */
    uint32_t slowdown[NP_LEVELED_ROUTING_PHASES]; /* np_emulation.steps */
    bool physical;                                /* the steps are played on the links */
    size_t room;                                  /* of class_of and gone */
    void *block;                                  /* both */
    size_t block_bytes;
} leveled_machine;

static void clear(np_network_machine *m)
{
    leveled_machine *l = (leveled_machine *)m;
    for (unsigned i = 0; i < NP_LEVELED_ROUTING_PHASES; i++)
        np_memory_free(l->crossed[i]);
    np_merge_free(l->merge);
    np_leveled_routing_free(l->routing);
    np_path_set_clear(&l->path_set);
    np_tags_clear(&l->tags);
    np_memory_free(l->block);
}

static const char what[] = "the requests of a batch";

static void layout(void *object, np_arena *arena)
{
    leveled_machine *l = object;
    np_arena_array(arena, &l->class_of, l->room, sizeof *l->class_of, what);
    np_arena_array(arena, &l->gone, l->room, sizeof *l->gone, what);
}

static np_status reserve(leveled_machine *l, size_t count)
{
    np_status st = np_tags_reserve(&l->tags, count);
    return st ? st : np_arena_need(l, layout, what, &l->block, &l->block_bytes, &l->room, count);
}

/* Numbers the classes of a batch: the groups of equal tags. */
static void number_classes(leveled_machine *l)
{
    np_tags *tags = &l->tags;
    const np_request *request = l->base.request;
    for (size_t i = 0; i < l->base.count; i++) {
        np_address x = request[i].address;
        tags->item[i] = (np_tag_item){np_tag_of(NP_ORDER_MODULE, l->base.module[x], x, request[i].kind), (uint32_t)i};
    }
    np_tags_sort(tags, l->base.count);
    for (uint32_t k = 0; k < tags->groups; k++)
        for (uint32_t i = tags->begin[k]; i < tags->begin[k + 1]; i++)
            l->class_of[tags->item[i].index] = k;
}

/* One phase: the packets that have not become part of another go on. */
static np_status run_phase(leveled_machine *l, unsigned phase, const np_traffic *traffic, np_phase_run *out)
{
    const np_leveled_routing *routing = l->routing;
    np_path_set *path_set = &l->path_set;
    np_draws draws = {.seed = l->base.seed, .run = l->base.batches, .phase = (uint16_t)phase};
    const np_leveled *lv = routing->phase[phase].leveled;
    const np_link *crossed = l->crossed[phase] ? l->crossed[phase] : lv->link;
    const np_event_leveled seen = {lv->nodes, lv->edges, lv->tail, lv->head,
                                   lv->host,  lv->walk,  crossed,  .of_run = false};
    const np_event_phase told = {.name = routing->phase[phase].name,
                                 .network = l->base.network,
                                 .leveled = &seen,
                                 .packets = (np_packet)l->base.packets};
    np_selection selection = {.phase = phase, .draws = draws, .traffic = traffic, .combine = true};
    np_merge_job job = {.leveled = lv,
                        .path_set = path_set,
                        .ranked = routing->phase[phase].ranked,
                        .draws = draws,
                        .workers = 1,
                        .observer = np_network_machine_observer(&l->base, false),
                        .phase = &told};
    np_status st;
    if ((st = routing->ops->select(routing, &selection, path_set)))
        return st;
    np_path_set_drop(path_set, l->gone);
    for (np_packet i = 0; i < path_set->packets; i++)
        path_set->target[i] = l->class_of[l->base.mover[path_set->packet[i]]];
    if ((st = np_merge_run(l->merge, &job, NULL, out)))
        return st;
    const uint8_t *delivered = np_merge_delivered(l->merge);
    for (np_packet i = 0; i < path_set->packets; i++)
        l->gone[path_set->packet[i]] = !delivered[i];
    return NP_OK;
}

/* Moves all packets to their modules; out->steps is then T, out->physical P, and *back B. */
static np_status send(leveled_machine *l, np_network_pass *out, uint64_t *back)
{
    np_traffic *traffic;
    const np_network_machine *m = &l->base;
    np_status st = np_traffic_from_arrays(m->network, m->packets, m->source, m->destination, NULL, &traffic);
    for (size_t p = 0; p < l->base.packets; p++)
        l->gone[p] = 0;
    for (unsigned phase = 0; phase < l->routing->phases && !st; phase++) {
        np_phase_run run = {0};
        st = run_phase(l, phase, traffic, &run);
        const uint64_t most = (uint64_t)run.steps * l->slowdown[phase];
        out->steps += run.steps;
        out->physical += l->physical ? run.physical_steps : most;
        *back += l->physical ? np_merge_physical_back(l->merge) : most;
        out->combined += run.combined;
        out->ghosts += run.ghosts;
        out->queue_max = run.queue_real_max > out->queue_max ? run.queue_real_max : out->queue_max;
    }
    np_traffic_free(traffic);
    return st;
}

static np_status pass(np_network_machine *m, np_network_pass *out)
{
    leveled_machine *l = (leveled_machine *)m;
    uint64_t back = 0;
    np_status st = reserve(l, m->count);
    if (st)
        return st;
    number_classes(l);
    if (m->packets && (st = send(l, out, &back)))
        return st;
    if (m->carry.on)
        np_carry_turn(&m->carry);
    out->load = np_network_machine_load(m, l->gone);
    out->steps += out->steps + 1 > out->load ? out->steps + 1 : out->load;
    out->physical += back + 1 > out->load ? back + 1 : out->load;
    return NP_OK;
}

static void answer(np_network_machine *m, np_store *store, np_word *reply)
{
    np_tags_serve(&((leveled_machine *)m)->tags, store, m->rule, m->request, reply);
}

static np_merge_options merging_of(const np_pram_options *options, uint32_t terminals)
{
    np_merge_options merge;
    np_merge_options_init(&merge);
    merge.queue_size = np_rehash_queue_size(options, terminals);
    merge.combine = NP_COMBINE_FIRST;
    merge.ranks = NP_RANKS_HASH;
    merge.physical = options->physical;
    return merge;
}

static np_status measure(leveled_machine *l)
{
    np_status st = NP_OK;
    for (unsigned i = 0; i < l->routing->phases && !st; i++) {
        np_emulation emulation = {0};
        st = np_leveled_emulation(l->routing->phase[i].leveled, &emulation);
        l->slowdown[i] = emulation.steps;
    }
    return st;
}

static np_status set_up(np_network_machine *m, const char *network, const np_pram_options *options)
{
    leveled_machine *l = (leveled_machine *)m;
    np_status st;
    (void)network;
    np_merge_options merge = merging_of(options, l->base.terminals);
    l->physical = options->physical;
    if (np_leveled_routing_bytes(l->base.network) > BYTES_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "the leveled networks of %s need more than %s GB: take a smaller network",
                        np_network_spec(l->base.network), NP_REAL((double)BYTES_MAX / 1e9, 3));
    if ((st = np_leveled_routing_create(l->base.network, &l->routing)))
        return st;
    for (unsigned i = 0; i < l->routing->phases; i++)
        l->base.carry.retrace.each += l->routing->phase[i].leveled->depth + 1;
    for (unsigned i = 0; i < l->routing->phases && l->base.observed && !st; i++)
        st = np_leveled_routing_crossed(l->routing, i, &l->crossed[i]);
    if (st || (st = measure(l)))
        return st;
    return np_merge_create(&merge, &l->merge);
}

static const np_network_ways ways = {
    .bytes = sizeof(leveled_machine),
    .example = "leveled:hypercube:8",
    .set_up = set_up,
    .clear = clear,
    .pass = pass,
    .answer = answer,
};

static np_status create(const char *parameters, const np_pram_options *options, np_machine **out)
{
    return np_network_machine_create(&ways, parameters, options, out);
}

const np_machine_ops np_machine_leveled = {
    .info = {"leveled",
             "a processor and a module at every terminal of a network that is routed as a leveled one; combining",
             "Leighton, Maggs, Ranade & Rao 1994", .parameters = "NETWORK", .example = "leveled:mesh:4x4",
             .takes = "slack, queue_size, map, zeta, allotted, physical, carry_values"},
    .create = create,
    .free = np_network_machine_free,
    .measure = np_network_machine_measure,
    .serve = np_network_machine_serve,
    .grow = np_network_machine_grow,
    .observed = true,
};
