/*
 * PolarFly (Lakhotia and others 2022): the polarity graphs of Erdos & Renyi (1962) and Brown (1966), of diameter 2. For
 * a prime power Q the switches are the points of the projective plane over the field of Q elements, and two are joined
 * if they are orthogonal: a a' + b b' + c c' = 0. A point that is orthogonal to itself (Q + 1 of them are: quadrics)
 * has a cable less, since there are no loops: degree Q + 1, and Q there.
 *
 * A point has coordinates (1, y, z), number y Q + z; or (0, 1, z), number Q^2 + z; or (0, 0, 1), number Q^2 + Q.
 *
 * Diameter: the point that is orthogonal to two different points is their middle, or one of them, which joins them.
 */
#include "base/galois.h"
#include "model/family/fabric.h"
#include "model/family/parameter.h"

enum { ORDER_MIN = 2, ORDER_MAX = 1621 }; /* ours: Q (Q + 1)^2 links have numbers of 32 bits */

typedef struct plane {
    const np_galois *field;
    np_fabric *fabric;
    np_node at; /* the point whose neighbours are listed */
} plane;

/* A cable is named by its smaller end. */
static void join(plane *p, np_node to)
{
    if (to > p->at)
        np_fabric_join(p->fabric, p->at, to);
}

/* All (1, y, z) with a + b y + c z = 0, then (0, 1, z) with b + c z = 0, then (0, 0, 1) if c = 0. */
static void join_orthogonal(plane *p, uint32_t a, uint32_t b, uint32_t c)
{
    const np_galois *field = p->field;
    uint32_t q = field->q;
    for (uint32_t y = 0; y < q; y++) {
        uint32_t rest = np_galois_subtract(field, 0, np_galois_add(field, a, np_galois_multiply(field, b, y)));
        if (c)
            join(p, y * q + np_galois_divide(field, rest, c));
        else if (!rest)
            for (uint32_t z = 0; z < q; z++)
                join(p, y * q + z);
    }
    if (c)
        join(p, q * q + np_galois_divide(field, np_galois_subtract(field, 0, b), c));
    else if (!b)
        for (uint32_t z = 0; z < q; z++)
            join(p, q * q + z);
    if (!c)
        join(p, q * q + q);
}

static void join_all(np_fabric *fabric, const np_galois *field)
{
    plane p = {field, fabric, 0};
    uint32_t q = field->q;
    for (uint32_t y = 0; y < q; y++)
        for (uint32_t z = 0; z < q; z++, p.at++)
            join_orthogonal(&p, 1, y, z);
    for (uint32_t z = 0; z < q; z++, p.at++)
        join_orthogonal(&p, 0, 1, z);
    join_orthogonal(&p, 0, 0, 1);
}

static np_status create(np_network *network, const char *parameters)
{
    uint32_t q, near, prime;
    np_galois field = {0};
    np_fabric fabric;
    np_status st = np_parameter_whole(network, "the order Q", parameters, ORDER_MIN, ORDER_MAX, &q);
    if (st)
        return st;
    for (near = q; !np_is_prime_power(near, &prime); near--)
        continue;
    if (near != q)
        return NP_RAISE(NP_ERROR_INPUT, "polarfly:%u: Q must be a prime power: try polarfly:%u", q, near);
    uint64_t order = q;
    if (!(st = np_galois_init(&field, q)) && !(st = np_fabric_begin(&fabric, network, order * order + order + 1, 0,
                                                                    order * (order + 1) * (order + 1) / 2))) {
        join_all(&fabric, &field);
        network->side[0] = q;
        st = np_fabric_end(&fabric, network);
    }
    np_galois_clear(&field);
    return st;
}

static uint64_t degree(const np_network *network) { return network->side[0] + 1; }

const np_network_family np_polarfly = {
    .info = {"polarfly", "PolarFly: Q^2 + Q + 1 switches of degree Q + 1 and diameter 2, for a prime power Q",
             "Lakhotia and others 2022; Erdos & Renyi 1962", .parameters = "Q", .example = "polarfly:7",
             .takes = "Q 2..1621"},
    .kind = NP_KIND_FABRIC,
    .create = create,
    .degree = degree,
    .linear = &(const np_linear){0, 2, 1},
};
