/*
 * An output as a file of NumPy, version 1.0 of its format (numpy.lib.format, NEP 1): magic bytes, a header whose length is
 * padded so that the words begin at a multiple of 64 bytes, and the words, low bytes first.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "script/script.h"

enum { MAGIC = 8, ALIGNED = 64 };

static int write_shape(const np_script_output *output, char *to, size_t room)
{
    uint64_t extent[NP_SCRIPT_RANK_MAX];
    const size_t rank = np_script_output_shape(output, extent);
    int length = 0;
    for (size_t d = 0; d < rank; d++)
        length += snprintf(to + length, room - (size_t)length, "%s%" PRIu64, d ? ", " : "", extent[d]);
    if (rank == 1)
        length += snprintf(to + length, room - (size_t)length, ",");
    return length;
}

static void write_header(const np_script_output *output, FILE *stream)
{
    const char *type = *output->type == 'r' ? "<f8" : *output->type == 'b' ? "|b1" : "<i8";
    char shape[24 * NP_SCRIPT_RANK_MAX] = "", header[sizeof shape + 80];
    write_shape(output, shape, sizeof shape);
    int length =
        snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
    unsigned padded = ((unsigned)length + 1 + MAGIC + 2 + ALIGNED - 1) / ALIGNED * ALIGNED - MAGIC - 2;
    fwrite("\x93NUMPY\x01\x00", 1, MAGIC, stream);
    fputc((int)(padded & 255), stream);
    fputc((int)(padded >> 8), stream);
    fprintf(stream, "%s%*s\n", header, (int)padded - 1 - length, "");
}

void np_script_npy_write(const np_script_output *output, FILE *stream)
{
    const unsigned size = *output->type == 'b' ? 1 : 8;
    write_header(output, stream);
    for (size_t i = 0; i < output->count; i++)
        for (unsigned byte = 0; byte < size; byte++)
            fputc((int)((uint64_t)output->word[i] >> 8 * byte & 255), stream);
}
