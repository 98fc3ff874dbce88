/* Highway's sort for C: Blacher, Giesen, Sanders & Wassenberg 2022, "Vectorized and performance-portable Quicksort". */
#include <cstddef>
#include <cstdint>

#include <hwy/contrib/sort/vqsort.h>

extern "C" void np_mpi_sort_vectorized(uint64_t *keys, size_t count);

void np_mpi_sort_vectorized(uint64_t *keys, size_t count)
{
    hwy::Sorter sorter;
    sorter(keys, count, hwy::SortAscending());
}
