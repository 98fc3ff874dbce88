/*
 * See offline_rows.h. All rows of a phase start at the same instant, and each is
 * routed by itself. The phase takes as long as its slowest row. Node = base + place *
 * stride, at coordinate `place` of the phase's dimension.
 */
#include "papers/offline/offline_rows.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/watch.h"

static uint32_t longest(const np_product *product)
{
    return product->axes.side[product->order[product->axes.count - 1]];
}

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "an off-line schedule";
    np_offline_rows *rows = object;
    size_t nodes = rows->plan.product.nodes, side = longest(&rows->plan.product);
    NP_ARENA_WORDS(arena, nodes, what, &rows->holds, &rows->delay);
    NP_ARENA_WORDS(arena, side, what, &rows->to, &rows->waited);
    np_arena_array(arena, &rows->real, side, sizeof *rows->real, what);
    np_arena_array(arena, &rows->items, side, sizeof *rows->items, what);
}

uint64_t np_offline_rows_bytes(const np_product *product)
{
    np_offline_rows rows = {.plan.product = *product};
    return np_offline_plan_bytes(product) + np_line_bytes(longest(product)) + np_arena_bytes(&rows, 0, layout);
}

np_status np_offline_rows_init(np_offline_rows *rows, const np_network *network, np_line_rule rule)
{
    np_status st;
    *rows = (np_offline_rows){.ports = network->ports};
    if ((st = np_offline_plan_init(&rows->plan, network)))
        return st;
    const np_product *product = &rows->plan.product;
    if ((st = np_line_init(&rows->line, longest(product), product->axes.wrap, rule)) ||
        (st = np_arena_place(rows, layout, "an off-line schedule", &rows->block)))
        np_offline_rows_clear(rows);
    return st;
}

void np_offline_rows_clear(np_offline_rows *rows)
{
    np_offline_plan_clear(&rows->plan);
    np_line_clear(&rows->line);
    np_memory_free(rows->block);
    *rows = (np_offline_rows){.ports = 0};
}

np_status np_offline_rows_place(np_offline_rows *rows, const np_traffic *traffic)
{
    for (np_node u = 0; u < rows->plan.product.nodes; u++)
        rows->holds[u] = u;
    return np_offline_plan_make(&rows->plan, traffic);
}

/* Passes a hop of the row on as a hop of the network. */
static void pass_hop(void *context, np_step step, uint32_t began, uint32_t place, bool up)
{
    const np_offline_rows *rows = context;
    const np_product *product = &rows->plan.product;
    np_node from = rows->base + place * product->axes.stride[rows->dimension];
    np_port port = np_axes_port(&product->axes, rows->dimension, up);
    np_link link = from * rows->ports + port;
    np_hop_list_add(rows->hops, step, rows->plan.packet[rows->items[began]], link);
}

static void add_row(const np_line_run *row, np_phase_run *out)
{
    out->steps = row->steps > out->steps ? row->steps : out->steps;
    out->hops += row->hops;
    out->congestion = row->congestion > out->congestion ? row->congestion : out->congestion;
    out->population_max = row->population_max > out->population_max ? row->population_max : out->population_max;
}

/* Routes the row of nodes that begins at rows->base. */
static np_status run_row(np_offline_rows *rows, uint32_t phase, np_phase_run *out)
{
    const np_offline_plan *plan = &rows->plan;
    uint32_t stride = plan->product.axes.stride[rows->dimension];
    np_line_run row;
    np_status st;
    for (uint32_t i = 0; i < rows->line.nodes; i++) {
        np_node item = rows->items[i] = rows->holds[rows->base + i * stride];
        rows->to[i] = np_offline_plan_target(plan, phase, item);
        rows->real[i] = plan->packet[item] != NP_NONE;
    }
    if ((st = np_line_route(&rows->line, rows->to, rows->real, rows->waited, &row)))
        return st;
    for (uint32_t i = 0; i < rows->line.nodes; i++) {
        np_packet packet = plan->packet[rows->items[i]];
        rows->holds[rows->base + rows->to[i] * stride] = rows->items[i];
        if (packet != NP_NONE) {
            rows->delay[packet] = rows->waited[i];
            out->delay_sum += rows->waited[i];
            out->delay_max = rows->waited[i] > out->delay_max ? rows->waited[i] : out->delay_max;
            out->packets++;
        }
    }
    add_row(&row, out);
    return NP_OK;
}

static np_status check_arrival(const np_offline_rows *rows)
{
    const np_offline_plan *plan = &rows->plan;
    for (np_node u = 0; u < plan->product.nodes; u++)
        if (plan->to[rows->holds[u]] != u)
            return NP_RAISE(NP_ERROR_INTERNAL, "after the last phase node %u holds what belongs at %u", u,
                            plan->to[rows->holds[u]]);
    return NP_OK;
}

np_status np_offline_rows_run(np_offline_rows *rows, uint32_t phase, np_phase_run *out)
{
    const np_product *product = &rows->plan.product;
    uint32_t i = rows->dimension = np_product_dimension(product, phase), stride = product->axes.stride[i];
    np_status st = NP_OK;
    *out = (np_phase_run){.packets = 0};
    rows->line.nodes = product->axes.side[i];
    rows->line.on_hop = rows->hops ? pass_hop : NULL;
    rows->line.context = rows;
    for (np_node high = 0; high < product->nodes && !st;
         high += stride * product->axes.side[i]) /* below 2^31: no overflow */
        for (np_node low = 0; low < stride && !st; low++) {
            rows->base = high + low;
            if (!(st = run_row(rows, phase, out)))
                st = np_watch_share(rows->watch, NULL, (high + (double)low * product->axes.side[i]) / product->nodes);
        }
    out->queue_max = out->hops > 0;
    return !st && phase + 1 == np_product_phases(product) ? check_arrival(rows) : st;
}
