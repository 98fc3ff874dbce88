/* An output as a file of NumPy: truth values are bytes, all others words. */
#include "base/npy.h"

#include "script/script.h"

_Static_assert(NP_SCRIPT_RANK_MAX <= (int)NP_NPY_RANK_MAX, "every output has a shape in a file of NumPy");

void np_script_npy_write(const np_script_output *output, FILE *stream)
{
    uint64_t extent[NP_SCRIPT_RANK_MAX];
    const size_t rank = np_script_output_shape(output, extent);
    const bool truth = *output->type == 'b';
    np_npy_head(truth ? "|b1" : *output->type == 'r' ? "<f8" : "<i8", extent, rank, stream);
    for (size_t i = 0; i < output->count; i++)
        if (truth)
            fputc(output->word[i] != 0, stream);
        else
            np_npy_item((uint64_t)output->word[i], stream);
}
