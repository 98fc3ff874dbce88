/* See address_map.h. */
#include "machine/pram/address_map.h"

#include "base/memory.h"
#include "base/polynomial.h"

enum { CELLS_TRIED = 64, STRIDE_BITS = 40 };

static void draw(np_placement *placement)
{
    np_draws draws = np_draws_for((np_draws){.seed = placement->seed}, NP_RANDOM_HASH);
    np_polynomial_draw(&draws, placement->drawn++, placement->coefficients, placement->coefficient);
}

void np_placement_draw(np_placement *placement)
{
    do
        draw(placement);
    while (placement->map == NP_MAP_LINEAR && np_placement_bad_stride(placement));
}

np_status np_placement_init(np_placement *placement, np_address_map map, uint64_t modules, uint32_t hash_coefficients,
                            uint64_t seed)
{
    *placement = (np_placement){.map = map, .modules = modules, .seed = seed};
    placement->coefficients = map == NP_MAP_HASH ? hash_coefficients : map == NP_MAP_LINEAR ? 2 : 0;
    np_status st = np_memory_zeroed(&placement->coefficient, placement->coefficients, sizeof *placement->coefficient,
                                    "coefficients of a hash function");
    if (!st)
        np_placement_draw(placement);
    return st;
}

void np_placement_clear(np_placement *placement)
{
    np_memory_free(placement->coefficient);
    *placement = (np_placement){0};
}

void np_placement_run(const np_placement *placement, uint64_t first, size_t count, uint64_t *hash)
{
    if (placement->map == NP_MAP_NONE)
        for (size_t i = 0; i < count; i++)
            hash[i] = first + i;
    else
        np_polynomial_run(placement->coefficient, placement->coefficients, first, count, hash);
}

/* Finds a module that holds most of the cells by majority vote: keep a candidate, then count its cells. */
static bool keeps_together(const np_placement *placement, uint64_t stride)
{
    uint64_t module[CELLS_TRIED], candidate = 0;
    unsigned votes = 0, held = 0;
    for (unsigned i = 0; i < CELLS_TRIED; i++) {
        np_placement_run(placement, i * stride, 1, &module[i]);
        module[i] %= placement->modules;
        if (!votes)
            candidate = module[i];
        votes += module[i] == candidate ? 1 : -1U;
    }
    for (unsigned i = 0; i < CELLS_TRIED; i++)
        held += module[i] == candidate;
    return held > CELLS_TRIED * 3 / 4;
}

uint64_t np_placement_bad_stride(const np_placement *placement)
{
    if (placement->modules == 1)
        return 0; /* the one module holds all cells of any map */
    for (unsigned bit = 0; bit < STRIDE_BITS; bit++)
        if (keeps_together(placement, UINT64_C(1) << bit))
            return UINT64_C(1) << bit;
    for (uint64_t stride = placement->modules; stride >> STRIDE_BITS == 0; stride *= 2)
        if (keeps_together(placement, stride))
            return stride;
    return 0;
}

void np_placement_measure(const np_placement *placement, uint32_t parts, const uint64_t *held, uint64_t cells,
                          np_pram_report *out)
{
    for (uint32_t i = 0; i < parts; i++)
        out->row_cells_max = held[i] > out->row_cells_max ? held[i] : out->row_cells_max;
    out->row_cells_mean = (cells + parts - 1) / parts;
    out->bad_stride = np_placement_bad_stride(placement);
}
