/*
 * np_worst_find: the shares of each link (shares.h), a bound for each, and assignments for the links with the highest
 * bounds, as long as these are above the best load found.
 *
 * A link is bounded by what each source, and by what each destination can put on it at most. Where an automorphism of
 * the network that the rule respects takes any node to any other, the links out of node 0 stand for all.
 *
 * The links of a host that hangs on one switch carry what the host sends or receives, whatever the permutation is: one
 * packet. With valiant a packet goes from its source to each terminal with the same chance, and from each with the same
 * chance to its destination: so a link expects the same of all permutations, twice what the rule brings it with all
 * pairs of terminals, over their number (Valiant & Brebner 1981, section 2).
 */
#include <stdlib.h>
#include <string.h>

#include "base/account.h"
#include "base/arena.h"
#include "base/exact.h"
#include "base/memory.h"
#include "model/network/attributes.h"
#include "model/traffic/traffic.h"
#include "netpram/worst.h"
#include "verdict/throughput/own_paths.h"
#include "verdict/worst/shares.h"

typedef struct made {
    np_worst result; /* first: the caller's pointer is this one */
    char *paths;
    np_node *source, *destination;
} made;

/* A link that stands for those alike, and how much it can expect at most. */
typedef struct candidate {
    np_link link;
    int64_t bound;
} candidate;

typedef struct search {
    const np_network *network;
    const np_worst_options *options;
    np_path *path;
    bool valiant;
    np_shares shares;
    bool *wanted;         /* [link_numbers] */
    bool *hangs;          /* [nodes] a host on one switch: its links are known */
    candidate *candidate; /* [candidates] */
    size_t candidates, solved;

    /* Of the link that is looked at. */
    uint32_t rows, columns;       /* sets that put something on it */
    bool more_rows, more_columns; /* one more row or column takes what is left */
    uint32_t *row, *column;       /* [from.sets], [to.sets] their numbers */
    uint32_t *row_at, *column_at; /* [from.sets], [to.sets] their places in `row` and `column`; NP_NONE: nowhere */
    uint32_t *supply, *demand;    /* [from.sets + 1], [to.sets + 1] */
    int64_t *row_most, *column_most;
    int64_t *matrix;       /* [from.sets + 1][to.sets + 1] shares */
    np_assigned *assigned; /* [from.sets + to.sets + ...] of the whole permutation */
    uint32_t *has, *lacks; /* [from.sets], [to.sets] terminals that are not assigned */
    void *block;

    int64_t best; /* load, in NP_SHARES_UNIT; with valiant over the number of terminals */
    np_link best_link;
    np_node *destination; /* [terminals] */
} search;

/* ---- Which links stand for all ---- */

static const np_network *core_of(const search *s) { return s->network->switches ? s->network->switches : s->network; }

/* Links that leave a node stand for those of any other one. */
static bool is_symmetric(const search *s)
{
    const np_path *path = s->path->inner ? s->path->inner : s->path;
    np_kind translated = NP_KIND_CLOSED_GRIDS | NP_KIND_HYPERCUBE | NP_KIND_COMPLETE;
    if (s->shares.spreads)
        return core_of(s)->family->node_symmetric;
    /* Translations of these keep the numbers of ports. */
    return np_network_is(core_of(s), translated) && !path->listed && !path->rule->chooser;
}

/*
 * Does another link of the open grid stand for this one? At (x_0, .., x_(k-1)), next hop up or down in dimension i:
 * mirrors take down to up, and other coordinates to the lower half; dimensions of the same side may be exchanged.
 */
static bool is_mirrored(const np_network *grid, np_link link)
{
    np_node u = np_network_link_tail(grid, link), v = np_network_link_head(grid, link);
    uint32_t i = 0;
    if (v < u)
        return true;
    while (v - u != grid->stride[i])
        i++;
    for (uint32_t k = 0; k < grid->dimensions; k++)
        if ((k < i && grid->side[k] == grid->side[i]) ||
            (k != i && 2 * np_network_coordinate(grid, u, k) >= grid->side[k]))
            return true;
    return false;
}

static void want_links(search *s, np_node node)
{
    for (np_link link = np_network_first_link(s->network, node); link < np_network_first_link(s->network, node + 1);
         link++) {
        np_node head = np_network_link_head(s->network, link);
        s->wanted[link] = head != NP_NONE && head != node;
    }
}

static void want_all(search *s)
{
    for (np_node u = 0; u < s->network->nodes; u++)
        want_links(s, u);
}

/* ---- The matrix of a link ---- */

/*
 * The sets that put something on the link become the rows and columns of its matrix. If more put something on it than
 * it leads to, or fewer, one more row or column without weight takes the rest: what does not count goes anywhere.
 */
static void number(search *s)
{
    const np_shares *shares = &s->shares;
    for (uint32_t i = 0; i < s->rows; i++)
        s->row_at[s->row[i]] = NP_NONE;
    for (uint32_t j = 0; j < s->columns; j++)
        s->column_at[s->column[j]] = NP_NONE;
    s->rows = s->columns = 0;
    for (size_t k = 0; k < shares->shares; k++) {
        const np_share_of_link *e = &shares->share[k];
        if (s->row_at[e->row] == NP_NONE) {
            s->row_at[e->row] = s->rows;
            s->row[s->rows++] = e->row;
        }
        if (s->column_at[e->column] == NP_NONE) {
            s->column_at[e->column] = s->columns;
            s->column[s->columns++] = e->column;
        }
    }
}

/* Supplies and demands, and what is to be added to either. */
static void balance(search *s)
{
    uint64_t supply = 0, demand = 0;
    for (uint32_t i = 0; i < s->rows; i++)
        supply += s->supply[i] = s->shares.from.size[s->row[i]];
    for (uint32_t j = 0; j < s->columns; j++)
        demand += s->demand[j] = s->shares.to.size[s->column[j]];
    s->more_rows = supply < demand;
    s->more_columns = demand < supply;
    s->supply[s->rows] = (uint32_t)(demand - supply);
    s->demand[s->columns] = (uint32_t)(supply - demand);
}

/* Fills in the matrix, and what each row and column has at most. */
static void fill_matrix(search *s)
{
    const np_shares *shares = &s->shares;
    number(s);
    balance(s);
    size_t width = s->columns + s->more_columns;
    memset(s->matrix, 0, (s->rows + s->more_rows) * width * sizeof *s->matrix);
    memset(s->row_most, 0, s->rows * sizeof *s->row_most);
    memset(s->column_most, 0, s->columns * sizeof *s->column_most);
    for (size_t k = 0; k < shares->shares; k++) {
        uint32_t i = s->row_at[shares->share[k].row], j = s->column_at[shares->share[k].column];
        int64_t *cell = &s->matrix[i * width + j];
        *cell += shares->share[k].share;
        s->row_most[i] = *cell > s->row_most[i] ? *cell : s->row_most[i];
        s->column_most[j] = *cell > s->column_most[j] ? *cell : s->column_most[j];
    }
}

static int64_t bound_of(search *s)
{
    int64_t by_rows = 0, by_columns = 0;
    fill_matrix(s);
    for (uint32_t i = 0; i < s->rows; i++)
        by_rows += s->row_most[i] * s->supply[i];
    for (uint32_t j = 0; j < s->columns; j++)
        by_columns += s->column_most[j] * s->demand[j];
    return by_rows < by_columns ? by_rows : by_columns;
}

/* What the link expects of all pairs of terminals. */
static int64_t total_of(const search *s)
{
    const np_shares *shares = &s->shares;
    int64_t sum = 0;
    for (size_t k = 0; k < shares->shares; k++) {
        const np_share_of_link *e = &shares->share[k];
        sum += e->share * shares->from.size[e->row] * shares->to.size[e->column];
    }
    return sum;
}

/* ---- Links of hosts ---- */

static uint32_t width_of(const np_network *network, np_link link)
{
    np_node from = np_network_link_tail(network, link), to = np_network_link_head(network, link);
    uint32_t width = 0;
    for (np_link other = np_network_first_link(network, from); other < np_network_first_link(network, from + 1);
         other++)
        width += np_network_link_head(network, other) == to;
    return width;
}

/* What the link of a host expects of any permutation in which the host does not send to itself. */
static int64_t host_load(search *s, np_link link)
{
    int64_t width = width_of(s->network, link), terminals = s->network->terminals;
    int64_t load = s->valiant ? 2 * (terminals - 1) * NP_SHARES_UNIT : NP_SHARES_UNIT;
    s->shares.rounded |= load % width != 0;
    return load / width;
}

static void take_host_links(search *s)
{
    for (np_link link = 0; link < s->network->link_numbers; link++) {
        if (!s->wanted[link] ||
            !(s->hangs[np_network_link_tail(s->network, link)] || s->hangs[np_network_link_head(s->network, link)]))
            continue;
        s->wanted[link] = false;
        int64_t load = host_load(s, link);
        if (load > s->best) {
            s->best = load;
            s->best_link = link;
        }
    }
}

static void mark_hosts(search *s)
{
    for (int outputs = 0; outputs < 2; outputs++) {
        const np_siblings *sets = outputs ? &s->shares.to : &s->shares.from;
        for (uint32_t k = 0; k < sets->sets; k++)
            for (uint32_t m = sets->first[k]; m < sets->first[k + 1] && sets->gate[k] != NP_NONE; m++)
                s->hangs[outputs ? np_network_output(s->network, sets->member[m])
                                 : np_network_input(s->network, sets->member[m])] = true;
    }
}

/* ---- The search ---- */

static int by_bound(const void *left, const void *right)
{
    const candidate *a = left, *b = right;
    if (a->bound != b->bound)
        return a->bound > b->bound ? -1 : 1;
    return a->link < b->link ? -1 : a->link > b->link;
}

/* All wanted links, with their bounds; with valiant, with their loads. */
static np_status list_candidates(search *s)
{
    np_status st = NP_OK;
    for (np_link link = 0; link < s->network->link_numbers && !st; link++) {
        if (!s->wanted[link])
            continue;
        if ((st = np_watch_share(&s->options->watch, "links", (double)link / s->network->link_numbers)) ||
            (st = np_shares_find(&s->shares, link)))
            break;
        int64_t bound = s->valiant ? 2 * total_of(s) : bound_of(s);
        s->candidate[s->candidates++] = (candidate){link, bound};
    }
    qsort(s->candidate, s->candidates, sizeof *s->candidate, by_bound);
    return st;
}

/* What was assigned, by the numbers of the sets; who is left sends to who is left. */
static np_status hand_over(search *s, const np_assignment *a)
{
    const np_siblings *from = &s->shares.from, *to = &s->shares.to;
    np_assignment all = {.assigned = s->assigned};
    memcpy(s->has, from->size, from->sets * sizeof *s->has);
    memcpy(s->lacks, to->size, to->sets * sizeof *s->lacks);
    for (uint32_t k = 0; k < a->parts; k++) {
        const np_assigned *part = &a->assigned[k];
        if (part->row == s->rows || part->column == s->columns)
            continue;
        np_assigned whole = {s->row[part->row], s->column[part->column], part->amount};
        all.assigned[all.parts++] = whole;
        s->has[whole.row] -= whole.amount;
        s->lacks[whole.column] -= whole.amount;
    }
    for (uint32_t i = 0, j = 0; i < from->sets && j < to->sets;) {
        uint32_t amount = s->has[i] < s->lacks[j] ? s->has[i] : s->lacks[j];
        if (amount)
            all.assigned[all.parts++] = (np_assigned){i, j, amount};
        s->has[i] -= amount;
        s->lacks[j] -= amount;
        i += !s->has[i];
        j += j < to->sets && !s->lacks[j];
    }
    return np_siblings_send(from, to, &all, s->destination);
}

static np_status solve(search *s, np_link link)
{
    np_status st = np_shares_find(&s->shares, link);
    if (st)
        return st;
    fill_matrix(s);
    np_assignment a = {.rows = s->rows + s->more_rows,
                       .columns = s->columns + s->more_columns,
                       .supply = s->supply,
                       .demand = s->demand,
                       .wide = s->matrix,
                       .enough = s->best};
    if (!(st = np_assignment_solve(&a)) && a.parts && a.value > s->best) {
        s->best = a.value;
        s->best_link = link;
        st = hand_over(s, &a);
    }
    s->solved++;
    np_assignment_clear(&a);
    return st;
}

static np_status solve_all(search *s)
{
    np_status st = NP_OK;
    for (size_t k = 0; k < s->candidates && s->candidate[k].bound > s->best && !st; k++)
        if (!(st = np_watch_share(&s->options->watch, "assignments", (double)k / (double)s->candidates)))
            st = solve(s, s->candidate[k].link);
    return st;
}

static void take_loads(search *s)
{
    if (!s->candidates || s->candidate[0].bound <= s->best)
        return;
    s->best = s->candidate[0].bound;
    s->best_link = s->candidate[0].link;
}

static void layout(void *object, np_arena *arena)
{
    static const char what[] = "the shares of a link";
    search *s = object;
    size_t from = s->shares.from.sets, to = s->shares.to.sets;
    NP_ARENA_WORDS(arena, from, what, &s->row, &s->row_at, &s->has);
    NP_ARENA_WORDS(arena, to, what, &s->column, &s->column_at, &s->lacks);
    np_arena_array(arena, &s->supply, from + 1, sizeof *s->supply, what);
    np_arena_array(arena, &s->demand, to + 1, sizeof *s->demand, what);
    np_arena_array(arena, &s->row_most, from, sizeof *s->row_most, what);
    np_arena_array(arena, &s->column_most, to, sizeof *s->column_most, what);
    np_arena_array(arena, &s->matrix, from * to + from + to, sizeof *s->matrix, what); /* never both one more */
    np_arena_array(arena, &s->assigned, s->network->terminals + from + to, sizeof *s->assigned, what);
}

static np_status allocate(search *s)
{
    np_status st;
    size_t links = 0;
    for (np_link link = 0; link < s->network->link_numbers; link++)
        links += s->wanted[link];
    if ((st = np_memory_array(&s->candidate, links, sizeof *s->candidate, "the links to look at")) || s->valiant)
        return st;
    if ((st = np_arena_place(s, layout, "the shares of a link", &s->block)))
        return st;
    memset(s->row_at, 0xff, s->shares.from.sets * sizeof *s->row_at);
    memset(s->column_at, 0xff, s->shares.to.sets * sizeof *s->column_at);
    return NP_OK;
}

/* Everybody sends to the next one: nobody to itself. */
static void rotate(search *s)
{
    for (np_node i = 0; i < s->network->terminals; i++)
        s->destination[i] = (i + 1) % s->network->terminals;
}

/* Links for which others stand are not wanted. The numbers of a switch's links begin with those to other switches. */
static void drop_alike(search *s)
{
    const np_network *core = core_of(s);
    if (is_symmetric(s))
        memset(s->wanted + np_network_first_link(s->network, 1), 0,
               s->network->link_numbers - np_network_first_link(s->network, 1));
    if (!s->shares.spreads || !np_network_is(core, NP_KIND_OPEN_GRIDS))
        return;
    for (np_node u = 0; u < core->nodes; u++)
        for (np_port port = 0; port < core->ports; port++) {
            np_link link = np_network_link_at(core, u, port);
            if (link != NP_NONE && is_mirrored(core, link))
                s->wanted[np_network_link_at(s->network, u, port)] = false;
        }
}

static np_status run(search *s)
{
    np_status st;
    want_all(s);
    if ((st = np_shares_init(&s->shares, s->path, s->wanted, &s->options->watch)))
        return st;
    mark_hosts(s);
    take_host_links(s);
    drop_alike(s);
    if ((st = allocate(s)) || (st = list_candidates(s)))
        return st;
    if (!s->valiant)
        return solve_all(s);
    take_loads(s);
    return NP_OK;
}

/* ---- The result ---- */

static void fill(const search *s, made *m)
{
    np_worst *r = &m->result;
    np_wide scale = s->valiant ? s->network->terminals : 1;
    /* The shares of a pair are off by half a unit at most. With valiant a load is twice that of all pairs. */
    np_wide slip = s->shares.rounded ? scale * s->network->terminals : 0, unit = NP_SHARES_UNIT * scale;
    r->paths = m->paths;
    r->moves = s->network->terminals > 1;
    r->exact = !s->shares.rounded;
    r->alike = s->valiant;
    r->links = s->candidates;
    r->solved = s->solved;
    r->packets = s->network->terminals;
    r->source = m->source;
    r->destination = m->destination;
    if (!r->moves)
        return;
    r->worst = (np_worst_link){.network = s->network,
                               .factor = np_exact_ratio(unit, (np_wide)s->best + slip, false),
                               .load = np_exact_ratio((np_wide)s->best, unit, true),
                               .from = np_network_link_tail(s->network, s->best_link),
                               .to = np_network_link_head(s->network, s->best_link),
                               .link = s->best_link};
}

static np_status take_rule(search *s, const char *rule)
{
    s->valiant = np_own_paths_take_valiant(&rule);
    np_status st = np_path_create(rule, s->network, &s->path);
    return !st && s->valiant ? np_own_paths_refuse_valiant(s->network) : st;
}

np_status np_worst_check(const np_network *network, const char *rule)
{
    search s = {.network = network};
    np_status st = take_rule(&s, rule);
    if (!st && network->terminals > 1)
        st = np_shares_check(s.path);
    np_path_free(s.path);
    return st;
}

static np_status find(search *s, made *m)
{
    np_node terminals = s->network->terminals;
    np_status st;
    if ((st = take_rule(s, s->options->paths)) || (st = np_own_paths_name(s->path, s->valiant, &m->paths)) ||
        (st = np_memory_zeroed(&s->wanted, s->network->link_numbers, 1, "links")) ||
        (st = np_memory_zeroed(&s->hangs, s->network->nodes, 1, "hosts")) ||
        (st = np_memory_array(&m->source, terminals, sizeof *m->source, "a permutation")) ||
        (st = np_memory_array(&m->destination, terminals, sizeof *m->destination, "a permutation")))
        return st;
    s->destination = m->destination;
    rotate(s);
    if (terminals > 1 && (st = run(s)))
        return st;
    for (np_node i = 0; i < terminals; i++) {
        m->source[i] = np_network_input(s->network, i);
        m->destination[i] = np_network_output(s->network, m->destination[i]);
    }
    fill(s, m);
    return NP_OK;
}

static void clear(search *s)
{
    np_shares_clear(&s->shares);
    np_path_free(s->path);
    NP_MEMORY_FREE(s->wanted, s->hangs, s->candidate, s->block);
}

np_status np_worst_find(const np_network *network, const np_worst_options *given, np_worst **out)
{
    np_worst_options options;
    made *m;
    *out = NULL;
    np_status st = np_options_take(&np_worst_options_fields, given, &options);
    if (st || (st = np_attributes_heeded(network, "a worst permutation", NP_HEEDS_COSTS)))
        return st;
    NP_ACCOUNT(options.memory_limit, "a smaller network");
    if ((st = np_memory_zeroed(&m, 1, sizeof *m, "a worst permutation")))
        return st;
    search s = {.network = network, .options = &options};
    m->result.network = network;
    st = find(&s, m);
    clear(&s);
    if (st)
        np_worst_free(&m->result);
    else
        *out = &m->result;
    return st;
}

np_status np_worst_save(const np_worst *worst, const char *path)
{
    return np_traffic_save(worst->network, worst->packets, worst->source, worst->destination, path);
}

void np_worst_free(np_worst *worst)
{
    made *m = (made *)worst;
    if (!m)
        return;
    NP_MEMORY_FREE(m->paths, m->source, m->destination, m);
}
