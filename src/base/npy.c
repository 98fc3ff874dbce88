/* See npy.h. */
#include "base/npy.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

enum { BEFORE = 10, ALIGNED = 64 }; /* bytes before the header: magic, version, its length */

bool np_npy_is(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && !strcasecmp(path + length - 4, ".npy");
}

static void write_shape(const uint64_t *extent, size_t rank, char *to, size_t room)
{
    int length = 0;
    for (size_t i = 0; i < rank; i++)
        length += snprintf(to + length, room - (size_t)length, "%s%" PRIu64, i ? ", " : "", extent[i]);
    if (rank == 1)
        snprintf(to + length, room - (size_t)length, ",");
}

void np_npy_head(const char *type, const uint64_t *extent, size_t rank, FILE *stream)
{
    char shape[24 * NP_NPY_RANK_MAX] = "", header[sizeof shape + 80];
    write_shape(extent, rank, shape, sizeof shape);
    int length =
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
    int padded = (length + 1 + BEFORE + ALIGNED - 1) / ALIGNED * ALIGNED - BEFORE;
    fwrite("\x93NUMPY\x01\x00", 1, 8, stream);
    fputc(padded & 255, stream);
    fputc(padded >> 8, stream);
    fprintf(stream, "%s%*s\n", header, padded - 1 - length, "");
}

void np_npy_item(uint64_t bits, FILE *stream)
{
    for (unsigned byte = 0; byte < 8; byte++)
        fputc((int)(bits >> 8 * byte & 255), stream);
}
