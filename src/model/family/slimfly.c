/*
 * Slim Fly (Besta & Hoefler 2014): the graphs of McKay, Miller & Siran (1998), in the form of Hafner (2004). Diameter
 * 2, and almost as many switches as that allows.
 *
 * For a prime power Q = 4w + delta, delta in -1, 0, 1, there are 2 Q^2 switches, (0, x, y) and (1, m, c) for elements
 * x, y, m, c of the field of Q elements. With sets X and X' of elements: (0, x, y) and (0, x, y') are joined if y - y'
 * is in X, (1, m, c) and (1, m, c') if c - c' is in X', (0, x, y) and (1, m, c) if y = m x + c. With a generator e of
 * the field, X' = e X, and delta =  1: X has e^0, e^2, .., e^(Q-3); delta =  0: X has e^0, e^2, .., e^(Q-2); delta =
 * -1: X has e^0, e^2, .., e^(2w-2) and e^(2w-1), e^(2w+1), .., e^(4w-3). In each case X has (Q - delta)/2 elements, and
 * with an element its negative. So the degree is (3 Q - delta)/2.
 *
 * Switch (s, a, b) is number s Q^2 + a Q + b, with elements as numbers (galois.h).
 */
#include "base/galois.h"
#include "model/family/fabric.h"
#include "model/family/parameter.h"

/* ours: Q^2 (3 Q + 1) links have numbers of 32 bits, up to 1125; 1123 is the last prime power of that form */
enum { ORDER_MIN = 3, ORDER_MAX = 1123 };

static int delta_of(uint32_t q) { return q % 4 == 3 ? -1 : (int)(q % 4); }

/* Which power of e is the k-th of X? */
static uint32_t exponent_of(uint32_t q, uint32_t k)
{
    uint32_t w = (q + 1) / 4;
    return q % 4 == 3 && k >= w ? 2 * w - 1 + 2 * (k - w) : 2 * k;
}

static uint32_t size_of(uint32_t q) { return (uint32_t)((int)q - delta_of(q)) / 2; }

/* Within (s, a, .): y and y + d, for all d of e^shift X */
static void join_inside(np_fabric *fabric, const np_galois *field, uint32_t s)
{
    uint32_t q = field->q;
    for (uint32_t a = 0; a < q; a++)
        for (uint32_t y = 0; y < q; y++)
            for (uint32_t k = 0; k < size_of(q); k++) {
                uint32_t difference = field->power[(exponent_of(q, k) + s) % (q - 1)];
                uint32_t z = np_galois_add(field, y, difference), first = (s * q + a) * q;
                if (z > y)
                    np_fabric_join(fabric, first + y, first + z);
            }
}

static void join_across(np_fabric *fabric, const np_galois *field)
{
    uint32_t q = field->q;
    for (uint32_t x = 0; x < q; x++)
        for (uint32_t m = 0; m < q; m++)
            for (uint32_t c = 0; c < q; c++) {
                uint32_t y = np_galois_add(field, np_galois_multiply(field, m, x), c);
                np_fabric_join(fabric, x * q + y, (q + m) * q + c);
            }
}

static bool suits(uint32_t q)
{
    uint32_t p;
    return q >= ORDER_MIN && q % 4 != 2 && np_is_prime_power(q, &p);
}

static np_status create(np_network *network, const char *parameters)
{
    uint32_t q, near;
    np_galois field = {0};
    np_fabric fabric;
    np_status st = np_parameter_whole(network, "the order Q", parameters, ORDER_MIN, ORDER_MAX, &q);
    if (st)
        return st;
    for (near = q; !suits(near); near--)
        continue;
    if (near != q)
        return NP_RAISE(NP_ERROR_INPUT,
                        "slimfly:%u: Q must be a prime power of the form 4w - 1, 4w or 4w + 1: try slimfly:%u", q,
                        near);
    uint64_t square = (uint64_t)q * q;
    if (!(st = np_galois_init(&field, q)) &&
        !(st = np_fabric_begin(&fabric, network, 2 * square, 0, square * size_of(q) + square * q))) {
        join_inside(&fabric, &field, 0);
        join_inside(&fabric, &field, 1);
        join_across(&fabric, &field);
        network->side[0] = q;
        st = np_fabric_end(&fabric, network);
    }
    np_galois_clear(&field);
    return st;
}

static uint64_t degree(const np_network *network)
{
    uint32_t q = network->side[0];
    return q + size_of(q);
}

const np_network_family np_slimfly = {
    .info = {"slimfly", "Slim Fly: 2 Q^2 switches of diameter 2, for a prime power Q = 4w - 1, 4w or 4w + 1",
             "Besta & Hoefler 2014; McKay, Miller & Siran 1998", .parameters = "Q", .example = "slimfly:5",
             .takes = "Q 3..1123"},
    .kind = NP_KIND_FABRIC,
    .regular = true,
    .create = create,
    .degree = degree,
    .linear = &(const np_linear){0, 2, 1},
};
