/* See row_memory.h. */
#include "oracle/row_memory.h"

#include <stdlib.h>

#include "support.h"

/* ---- Numbers modulo 2^61 - 1 ---- */

static const uint64_t prime = (UINT64_C(1) << 61) - 1;

static uint64_t add(uint64_t a, uint64_t b) { return (a + b) % prime; }

/* By doubling, bit by bit. */
static uint64_t multiply(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    for (; b; b /= 2, a = add(a, a))
        if (b % 2)
            product = add(product, a);
    return product;
}

/* ---- Layouts ---- */

static oracle_node *node_at(const oracle_memory *m, unsigned c, unsigned r) { return &m->node[(c << m->n) + r]; }

static void *room(uint64_t count, size_t size)
{
    void *array = calloc(count + 1, size);
    assert_non_null(array);
    return array;
}

/* Puts a pair into the first unused one of `count` from `first` on. */
static bool put(oracle_node *node, uint64_t first, uint64_t count, uint64_t cell, int64_t word)
{
    for (uint64_t i = first; i < first + count; i++)
        if (!node->pair[i].used) {
            node->pair[i] = (oracle_pair){true, cell, word};
            return true;
        }
    return false;
}

/* A.1: `search` pairs in each memory for place after place of M_1, M_2, ...; the cells of a place go round the
 * memories. */
static void lay_out_preliminary(oracle_memory *m, unsigned r, uint64_t cells, const uint64_t *hash, const int64_t *word)
{
    const uint64_t modules = (uint64_t)m->n << m->n, each = m->table / modules;
    uint64_t number = 0;
    for (unsigned c = 0; c < m->n; c++) {
        node_at(m, c, r)->pairs = m->search * m->n * each;
        node_at(m, c, r)->pair = room(node_at(m, c, r)->pairs, sizeof(oracle_pair));
    }
    for (unsigned c = 0; c < m->n; c++)
        for (uint64_t location = 0; location < each; location++, number++) {
            unsigned memory = 0;
            node_at(m, c, r)->first[location] = m->search * number;
            for (uint64_t x = 0; x < cells; x++)
                if (hash[x] % m->table == location * modules + (c << m->n) + r) {
                    assert_true(put(node_at(m, memory, r), m->search * number, m->search, x, word[x]));
                    memory = (memory + 1) % m->n;
                }
        }
}

/* A.2: no empty spaces. Pair after pair of the row goes to memory after memory. */
static void lay_out_improved(oracle_memory *m, unsigned r, uint64_t cells, const uint64_t *hash, const int64_t *word)
{
    const uint64_t modules = (uint64_t)m->n << m->n, each = m->table / modules;
    uint64_t number = 0;
    for (unsigned c = 0; c < m->n; c++)
        node_at(m, c, r)->pair = room(cells, sizeof(oracle_pair));
    for (unsigned c = 0; c < m->n; c++)
        for (uint64_t location = 0; location < each; location++) {
            node_at(m, c, r)->first[location] = number;
            for (uint64_t x = 0; x < cells; x++)
                if (hash[x] % m->table == location * modules + (c << m->n) + r) {
                    oracle_node *node = node_at(m, (unsigned)(number % m->n), r);
                    node->pair[node->pairs++] = (oracle_pair){true, x, word[x]};
                    number++;
                }
            node_at(m, c, r)->count[location] = number - node_at(m, c, r)->first[location];
        }
}

oracle_memory *oracle_memory_make(unsigned n, unsigned search, bool improved, uint64_t table, uint64_t cells,
                                  const uint64_t *hash, const int64_t *word)
{
    const uint64_t modules = (uint64_t)n << n;
    oracle_memory *m = room(1, sizeof *m);
    *m = (oracle_memory){.n = n, .search = search, .improved = improved, .table = table};
    m->node = room(modules, sizeof *m->node);
    for (uint64_t v = 0; v < modules; v++) {
        m->node[v].first = room(table / modules, sizeof(uint64_t));
        m->node[v].count = room(table / modules, sizeof(uint64_t));
    }
    for (unsigned r = 0; r < 1U << n; r++)
        (improved ? lay_out_improved : lay_out_preliminary)(m, r, cells, hash, word);
    return m;
}

void oracle_memory_free(oracle_memory *memory)
{
    for (uint64_t v = 0; v < (uint64_t)memory->n << memory->n; v++) {
        free(memory->node[v].first);
        free(memory->node[v].count);
        free(memory->node[v].pair);
    }
    free(memory->node);
    free(memory);
}

/* Is pair i of column c one that a message for the place looks at? */
static bool is_of_place(const oracle_memory *m, const oracle_node *home, uint64_t location, unsigned c, uint64_t i)
{
    const uint64_t first = home->first[location], g = i * m->n + c;
    return m->improved ? g >= first && g < first + home->count[location] : i >= first && i < first + m->search;
}

uint64_t oracle_memory_search(const oracle_memory *memory, uint64_t cell, uint64_t hash, int64_t *word)
{
    const oracle_memory *m = memory;
    const uint64_t modules = (uint64_t)m->n << m->n, place = hash % m->table, location = place / modules;
    const unsigned r = (unsigned)(place % modules) % (1U << m->n);
    const oracle_node *home = &m->node[place % modules];
    uint64_t probes = 0;
    for (unsigned c = m->n; c-- > 0;)
        for (uint64_t i = 0; i < node_at(m, c, r)->pairs; i++) {
            if (!is_of_place(m, home, location, c, i))
                continue;
            const oracle_pair *pair = &node_at(m, c, r)->pair[i];
            probes++;
            if (pair->used && pair->cell == cell) {
                *word = pair->word;
                return probes;
            }
        }
    fail_msg("cell %llu is not in row %u", (unsigned long long)cell, r);
    return probes;
}

/* ---- A.3 ---- */

/* A message on its way round the row. begun: the node of column n - 1 has added its coefficients; ended: that of column
 * 0. */
typedef struct message {
    size_t request;
    unsigned home, column, row;
    bool begun, ended, done;
    uint64_t x, y;
} message;

/* What the node of the message's column does: it holds coefficients search c .. search c + search - 1, the last one
 * first. */
static void node_works(unsigned n, unsigned search, unsigned coefficients, const uint64_t *coefficient, message *m)
{
    if (m->column == n - 1)
        m->begun = true;
    if (m->begun && !m->ended) {
        for (unsigned k = search * (m->column + 1); k-- > search * m->column;)
            if (k < coefficients)
                m->y = add(multiply(m->y, m->x % prime), coefficient[k]);
        m->ended = m->column == 0;
    }
    m->done = m->ended && m->column == m->home;
}

/* All messages that are not done move to the next lower column, round the row. */
static bool move(unsigned n, message *m, size_t messages)
{
    bool any = false;
    for (size_t i = 0; i < messages; i++)
        for (size_t k = 0; k < i; k++)
            if (!m[i].done && !m[k].done)
                assert_false(m[i].row == m[k].row && m[i].column == m[k].column); /* they would take one link */
    for (size_t i = 0; i < messages; i++)
        if (!m[i].done) {
            m[i].column = m[i].column ? m[i].column - 1 : n - 1;
            any = true;
        }
    return any;
}

uint64_t oracle_evaluate(unsigned n, unsigned search, unsigned coefficients, const uint64_t *coefficient,
                         size_t requests, const uint32_t *processor, const uint64_t *cell, uint64_t *hash)
{
    message *m = room(requests, sizeof *m);
    bool *sent = room(requests, sizeof *sent), *busy = room((uint64_t)n << n, sizeof *busy);
    uint64_t steps = 0;
    for (size_t left = requests; left;) { /* the next request of every processor that has one */
        size_t messages = 0;
        memset(busy, 0, ((size_t)n << n) * sizeof *busy);
        for (size_t i = 0; i < requests; i++) {
            if (sent[i] || busy[processor[i]])
                continue;
            sent[i] = busy[processor[i]] = true;
            m[messages++] = (message){.request = i,
                                      .home = processor[i] % n,
                                      .column = processor[i] % n,
                                      .row = processor[i] / n,
                                      .x = cell[i]};
        }
        for (size_t i = 0; i < messages; i++)
            node_works(n, search, coefficients, coefficient, &m[i]);
        for (; move(n, m, messages); steps++)
            for (size_t i = 0; i < messages; i++)
                if (!m[i].done)
                    node_works(n, search, coefficients, coefficient, &m[i]);
        for (size_t i = 0; i < messages; i++)
            hash[m[i].request] = m[i].y;
        left -= messages;
    }
    free(m);
    free(sent);
    free(busy);
    return steps;
}
