/*
 * Products of any networks (Sibeyn, lecture notes, off-line routing): product:A,B has a copy of A for each node of B
 * and a copy of B for each node of A. Node (a, b) is joined to (a', b) if A joins a to a', and to (a, b') if B joins b
 * to b'. There may be more than two factors. The product is associative, and so are the numbers below: A x (B x C) is
 * product:A,B,C.
 *
 * Commas divide the factors. A factor whose own parameters have commas is put in parentheses:
 * product:ring:5,(cayley:1230,1023).
 *
 * Node (x_0, .., x_(k-1)) is sum of x_i stride[i], row by row, as on meshes: the last factor varies fastest. Ports are
 * those of factor 0, then those of factor 1, and so on. A port that a factor lacks at x_i the product lacks too.
 *
 * Degrees and diameters add up. Links are the sum of N / n_i times the links of factor i. No formula of the bisection
 * is known for all products.
 *
 * What a family promises depends on the factors. The descriptor that is listed is for factors that promise nothing
 * more than to be connected; `create` exchanges it for another one where all factors promise more, or one promises
 * less.
 */
#include <string.h>

#include "base/memory.h"
#include "model/network/attributes.h"

enum { PARAMETERS_MAX = 1 << 16 }; /* letters of a factor: ours */

/* ---- The text ---- */

/* The length of the factor that begins the text: up to a comma outside of parentheses, or the end. */
static size_t length_of(const char *text)
{
    size_t depth = 0, i = 0;
    for (; text[i] && (depth || text[i] != ','); i++)
        depth += text[i] == '(' ? 1 : text[i] == ')' && depth ? -(size_t)1 : 0;
    return i;
}

static bool in_parentheses(const char *text, size_t length)
{
    size_t depth = 0, i = 0;
    do {
        depth += text[i] == '(';
        depth -= text[i] == ')';
    } while (depth && ++i < length);
    return length >= 2 && text[0] == '(' && i + 1 == length;
}

static uint32_t count_factors(const char *text)
{
    uint32_t count = 1;
    for (text += length_of(text); *text; text += length_of(text))
        count++, text++;
    return count;
}

/* ---- The factors ---- */

static np_status refuse(const np_network *factor, const char *reason)
{
    return NP_RAISE(NP_ERROR_INPUT, "factor %.200s: %s", np_network_spec(factor), reason);
}

static np_status check_factor(const np_network *factor)
{
    if (factor->factors)
        return refuse(factor, "it is a product itself: write its factors in its place, as in product:A,B,C");
    if (factor->nodes < 2)
        return refuse(factor, "a factor has at least two nodes: leave it out");
    if (factor->family->one_way || factor->host || factor->family->input || !np_network_all_terminals(factor))
        return refuse(factor, "packets do not start and end at all its nodes: try mesh, ring, tree, complete or ccc");
    return np_attributes_heeded(factor, "product", 0);
}

static np_status make_factor(const char *text, size_t length, np_network **out)
{
    char *spec;
    np_status st;
    if (in_parentheses(text, length))
        text++, length -= 2;
    if (!length || length > PARAMETERS_MAX)
        return NP_RAISE(NP_ERROR_INPUT,
                        "product: a factor %s: write networks between commas, as in product:complete:4,ring:6",
                        length ? "is too long" : "is empty");
    if ((st = np_memory_array(&spec, length + 1, 1, "a string")))
        return st;
    memcpy(spec, text, length);
    spec[length] = 0;
    st = np_network_create(spec, out);
    np_memory_free(spec);
    if (st == NP_ERROR_INPUT)
        st = np_status_prefix(st, "factor of a product (commas within a factor need parentheses around it): ");
    if (!st && (st = check_factor(*out))) { /* it may have factors of its own, which the product does not free */
        np_network_free(*out);
        *out = NULL;
    }
    return st;
}

static np_status make_factors(np_network *network, const char *text)
{
    uint32_t count = count_factors(text);
    np_status st;
    if (count < 2 || count > NP_MAX_DIMENSIONS)
        return NP_RAISE(NP_ERROR_INPUT,
                        "product:%.200s: a product has 2 to %d factors, not %u: try product:complete:4,ring:6", text,
                        NP_MAX_DIMENSIONS, count);
    if ((st = np_memory_zeroed(&network->factor, count, sizeof *network->factor, "the factors of a product")))
        return st;
    network->factors = count;
    for (uint32_t i = 0; i < count; i++) {
        size_t length = length_of(text);
        if ((st = make_factor(text, length, &network->factor[i])))
            return st;
        text += length + 1;
    }
    return NP_OK;
}

/* ---- The product ---- */

static np_status number_nodes(np_network *network)
{
    uint64_t nodes = 1;
    for (uint32_t i = network->factors; i--;) {
        const np_network *factor = network->factor[i];
        network->side[i] = factor->nodes;
        network->stride[i] = (uint32_t)nodes;
        network->by_side[i] = np_divider_of(network->side[i]);
        network->by_stride[i] = np_divider_of(network->stride[i]);
        network->ports += factor->ports;
        if ((nodes *= factor->nodes) >= UINT32_C(1) << 31)
            return NP_RAISE(NP_ERROR_LIMIT, "%s has too many nodes: at most 2^31 - 1", network->spec);
    }
    network->nodes = (uint32_t)nodes;
    return NP_OK;
}

/* The node that the port of node x of a factor leads to; NP_NONE: none. */
static np_node across(const np_network *factor, np_node x, np_port port)
{
    np_link first = np_network_first_link(factor, x);
    return port < np_network_first_link(factor, x + 1) - first ? np_network_link_head(factor, first + port) : NP_NONE;
}

static void heads(const np_network *network, size_t count, const np_link *link, np_node *head)
{
    for (size_t i = 0; i < count; i++) {
        np_node u = np_divide(link[i], network->by_ports);
        np_port port = link[i] - u * network->ports;
        uint32_t f = 0;
        for (; port >= network->factor[f]->ports; f++)
            port -= network->factor[f]->ports;
        np_node x = np_network_coordinate(network, u, f), y = across(network->factor[f], x, port);
        head[i] = y == NP_NONE ? NP_NONE : u + (y - x) * network->stride[f]; /* modulo 2^32 */
    }
}

static uint64_t count_links(const np_network *network)
{
    uint64_t links = 0;
    for (uint32_t i = 0; i < network->factors; i++)
        links += network->factor[i]->links * (network->nodes / network->side[i]);
    return links;
}

static uint64_t degree(const np_network *network)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < network->factors; i++) {
        const np_network *factor = network->factor[i];
        sum += factor->family->degree ? factor->family->degree(factor) : factor->ports;
    }
    return sum;
}

static bool diameter(const np_network *network, uint64_t *out)
{
    uint64_t sum = 0, one;
    for (uint32_t i = 0; i < network->factors; i++) {
        const np_network *factor = network->factor[i];
        if (!np_network_diameter_by_formula(factor, &one))
            return false;
        sum += one;
    }
    *out = sum;
    return true;
}

/* Automorphisms of the factors, each on its own coordinate. */
static np_node relative(const np_network *network, np_node u, np_node v)
{
    np_node image = 0;
    for (uint32_t i = 0; i < network->factors; i++) {
        const np_network *factor = network->factor[i];
        np_node x = np_network_coordinate(network, u, i), y = np_network_coordinate(network, v, i);
        image += factor->family->relative(factor, x, y) * network->stride[i];
    }
    return image;
}

static np_status create(np_network *network, const char *parameters);

#define DESCRIPTOR                                                                                                     \
    .info = {"product",                                                                                                \
             "product of any networks: a copy of each factor for every choice of nodes of the others",                 \
             "Sibeyn, lecture notes, off-line routing",                                                                \
             .parameters = "A,B,...",                                                                                  \
             .example = "product:complete:4,ring:6",                                                                   \
             .takes = "A: 2 to 31 networks; packets start and end at all nodes of each"},                              \
    .kind = NP_KIND_FACTORED, .create = create, .heads = heads, .count_links = count_links, .degree = degree,          \
    .diameter = diameter

const np_network_family np_product_family = {DESCRIPTOR};
static const np_network_family with_lists = {DESCRIPTOR, .given = true};
static const np_network_family regular = {DESCRIPTOR, .regular = true};
static const np_network_family symmetric = {DESCRIPTOR, .regular = true, .node_symmetric = true, .relative = relative};

#undef DESCRIPTOR

static const np_network_family *family_for(const np_network *network)
{
    bool same = true, all_symmetric = true;
    for (uint32_t i = 0; i < network->factors; i++) {
        const np_network_family *family = network->factor[i]->family;
        if (family->given)
            return &with_lists;
        same = same && family->regular;
        all_symmetric = all_symmetric && family->regular && family->node_symmetric && family->relative;
    }
    return all_symmetric ? &symmetric : same ? &regular : &np_product_family;
}

static np_status create(np_network *network, const char *parameters)
{
    np_status st;
    if ((st = make_factors(network, parameters)) || (st = number_nodes(network)))
        return st;
    network->family = family_for(network);
    return NP_OK;
}
