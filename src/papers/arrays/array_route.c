/*
 * Packets of a box go along its lines in one dimension after the other, by the merging engine. A line has links both
 * ways. So it is two leveled chains of nodes: the node at x is on level x of one chain and on level side - 1 - x of the
 * other. All lines of the box together are one leveled network of side - 1 levels that crosses each link once. So its
 * steps are the steps of the array.
 *
 * Departure. The paper routes on the plateaus of section 6, through all dimensions without a pause. The links of the
 * plateaus lead upwards only and close to rings, so packets walk each dimension three times. A box of a mesh has no
 * wraparound links. Without them a packet has to choose between up and down in each dimension: there would be 2^k
 * orthants, as in section 3, which share their links. Our routing takes at most side steps, and delays, for each
 * dimension. The packets that end at a node between two dimensions are its load there (load_max); only the queues at
 * links are bounded. For random destinations the load is a random load; for others the caller must keep it small.
 *
 * The packet that has farthest to go comes first: on one line no rule is better. If the caller gave ranks (--ranks),
 * the ranks of the caller are used.
 */
#include "papers/arrays/array_flashsort.h"

static np_leveled sizes_of(uint32_t lines, uint32_t side)
{
    uint32_t nodes = lines * side, rows = 2 * lines, edges = rows * (side - 1);
    np_leveled sizes = np_leveled_sizes(side - 1, 2 * nodes, edges, edges, nodes, 2 * nodes);
    sizes.rows = rows & (rows - 1) ? 0 : rows; /* all of them go straight */
    return sizes;
}

/* `lines` lines of `side` nodes. */
typedef struct shape {
    uint32_t lines, side;
} shape;

/* Nodes by level: the lines upwards, then the lines downwards. */
static np_status make(const void *context, np_leveled **out)
{
    uint32_t lines = ((const shape *)context)->lines, side = ((const shape *)context)->side;
    np_leveled sizes = sizes_of(lines, side);
    np_status st = np_leveled_create(&sizes, out);
    if (st)
        return st;
    for (uint32_t level = 0; level < side; level++)
        for (uint32_t line = 0; line < 2 * lines; line++)
            np_leveled_add_node(*out, level,
                                line < lines ? line * side + level : (line - lines + 1) * side - 1 - level);
    for (uint32_t v = 0; v < 2 * lines * (side - 1); v++) {
        bool down = v % (2 * lines) >= lines;
        np_link link = 2 * (*out)->host[v] + down;
        np_leveled_add_edge(*out, v, v + 2 * lines, 1, &link);
    }
    return np_leveled_finish(*out);
}

/* Sends a packet along dimension d from coordinate x to y, by up or down links. */
static void send(np_array_flash *flash, const np_array_box *box, uint32_t d, uint32_t number, np_node from, np_node to)
{
    uint32_t side = box->side[d], lines = box->nodes / side, x = np_array_box_coordinate(box, from, d);
    uint32_t y = np_array_box_coordinate(box, to, d), line = np_array_box_line_of(box, d, from);
    bool down = y < x;
    uint32_t level = down ? side - 1 - x : x, last = down ? side - 1 - y : y;
    np_path_set_add(&flash->engine.path_set, number, level * 2 * lines + (down ? lines : 0) + line, to);
    flash->engine.path_set.rank[flash->engine.path_set.packets - 1] = side - last;
    for (; level < last; level++)
        np_path_set_hop(&flash->engine.path_set, 0);
}

/* What observers call item i of the list. */
static uint32_t word_of(const np_array_box *box, const np_array_list *list, uint32_t i)
{
    return list->word ? list->word + i : np_sort_teller_copy(box->teller, list->item[i], list->kind);
}

/* What observers hear of: an edge of the lines, in the box. */
typedef struct told {
    const np_array_box *box;
    uint32_t d;
    const np_leveled *leveled;
} told;

static np_link link_of(const void *context, uint32_t edge)
{
    const told *of = context;
    np_link link = of->leveled->link[of->leveled->walk[edge]]; /* as in make */
    uint32_t side = of->box->side[of->d], stride = of->box->network->stride[of->d], line = link / 2 / side;
    np_node from = np_array_box_line_start(of->box, of->d, line) + link / 2 % side * stride;
    return np_network_link_between(of->box->network, from, link % 2 ? from - stride : from + stride);
}

static np_status run_line(np_array_flash *flash, const np_array_box *box, uint32_t d, uint16_t phase,
                          np_sort_cost *cost)
{
    const np_sorting *sorting = flash->sorting;
    const shape lines = {box->nodes / box->side[d], box->side[d]};
    const np_leveled *leveled;
    np_phase_run run;
    np_status st =
        np_sort_engine_leveled(&flash->engine, (uint64_t)lines.lines << 32 | lines.side, make, &lines, &leveled);
    if (st)
        return st;
    const told moves = {box, d, leveled};
    np_sort_move move = {.leveled = leveled,
                         .ranked = !sorting->options->merge.ranks_given,
                         .draws = sorting->draws,
                         .wait = cost->steps,
                         .link_of = link_of,
                         .context = &moves};
    move.draws.phase = phase;
    if ((st = np_sort_engine_run(&flash->engine, &move, &run)))
        return st;
    np_sort_cost own = np_sort_cost_of(&run);
    own.delay_max += cost->delay_max; /* of a packet in all dimensions: at most their sum */
    np_sort_cost_add(cost, &own);
    return NP_OK;
}

/* The most packets at one node. */
static uint32_t load_of(np_array_flash *flash, uint32_t count, const uint32_t *node)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++)
        if (++flash->load[node[i]] > most)
            most = flash->load[node[i]];
    for (uint32_t i = 0; i < count; i++)
        flash->load[node[i]] = 0;
    return most;
}

/* Routes the packets in dimension d. */
static np_status route_line(np_array_flash *flash, const np_array_box *box, uint32_t d, const np_array_list *list,
                            const uint32_t *target, uint16_t phase, np_sort_cost *cost)
{
    uint32_t stride = box->network->stride[d], count = list->count, load;
    np_status st = np_path_set_reset(&flash->engine.path_set, count, (size_t)count * (box->side[d] - 1));
    if (st)
        return st;
    for (uint32_t i = 0; i < count; i++) {
        np_node at = list->node[i];
        uint32_t x = np_array_box_coordinate(box, at, d), y = np_array_box_coordinate(box, target[i], d);
        np_node to = at + (y - x) * stride; /* modulo 2^32 */
        if (x != y)
            send(flash, box, d, list->id[i], at, to);
        if (x != y && box->teller)
            np_sort_teller_carry(box->teller, list->id[i], word_of(box, list, i));
        list->node[i] = to;
    }
    if (!flash->engine.path_set.packets)
        return NP_OK;
    if ((st = run_line(flash, box, d, phase, cost)))
        return st;
    load = load_of(flash, count, list->node);
    cost->load_max = load > cost->load_max ? load : cost->load_max;
    return NP_OK;
}

np_status np_array_route(np_array_flash *flash, const np_array_box *box, const np_array_list *list,
                         const uint32_t *target, const uint32_t *order, uint16_t phase, np_sort_cost *cost)
{
    np_status st = NP_OK;
    cost->packets += list->count;
    for (uint32_t j = 0; j < box->network->dimensions && !st; j++)
        if (box->side[order[j]] > 1)
            st = route_line(flash, box, order[j], list, target, phase, cost);
    return st;
}
