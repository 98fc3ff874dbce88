/* NumPy arrays as demands: item (i,j) is what terminal i sends to terminal j. */
#include "base/npy.h"

#include <float.h>

#include "base/exact.h"
#include "model/traffic/amounts.h"

static np_status read_item(const np_amounts *demands, const np_text *text, const np_npy *a, uint64_t i, uint64_t j,
                           uint64_t *packets)
{
    double amount = np_npy_real(a, i, j);
    if (!(amount >= 0 && amount <= DBL_MAX))
        return np_text_raise(text, NP_ERROR_INPUT, "item [%llu, %llu] is %s: it must be 0 or more",
                             (unsigned long long)i, (unsigned long long)j, NP_REAL(amount, 6));
    np_decimal exact =
        a->kind == 'f' ? np_exact_of(amount, 8 * (unsigned)a->size) : np_exact_whole(np_npy_bits(a, i, j));
    return np_amounts_packets_of(demands, text, &exact, NP_REAL(amount, 6), packets);
}

static np_status read_row(np_amounts *demands, const np_text *text, const np_npy *a, uint64_t size, uint64_t i)
{
    np_node source, destination;
    uint64_t packets;
    np_status st = np_amounts_place(demands, text, size, i, &source);
    for (uint64_t j = 0; !st && j < a->columns; j++) {
        if ((st = read_item(demands, text, a, i, j, &packets)) ||
            (st = np_amounts_place(demands, text, size, j, &destination)))
            return st;
        if (packets && (source == NP_NONE || destination == NP_NONE))
            return np_text_raise(text, NP_ERROR_INPUT,
                                 "item [%llu, %llu]: packets go from host to host, and this is a switch",
                                 (unsigned long long)i, (unsigned long long)j);
        if (packets)
            st = np_amounts_add(demands, text, source, destination, packets, 0);
    }
    return st;
}

np_status np_array_read(np_amounts *demands, const np_text *text, const char *data, size_t length)
{
    np_npy a;
    np_status st = np_npy_open(&a, text, data, length);
    if (st)
        return st;
    if (a.rank != 2)
        return np_text_raise(text, NP_ERROR_INPUT,
                             "the array must have two dimensions: a row for each source, a column for each "
                             "destination");
    uint64_t size = a.rows > a.columns ? a.rows : a.columns;
    for (uint64_t i = 0; !st && i < a.rows; i++)
        st = read_row(demands, text, &a, size, i);
    return st;
}
