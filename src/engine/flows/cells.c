/*
 * Lists of cells in one array. Class c has lists of 2, 3, 4, 6, 8, 12, ... cells: two classes for each power of two, so
 * that at most a third of a list is unused. A list that is given back serves the next one of its class.
 */
#include "engine/flows/inside.h"

void np_cells_init(np_cells *cells)
{
    *cells = (np_cells){.cell = NULL};
    for (unsigned c = 0; c < NP_CELL_CLASSES; c++)
        cells->vacant[c] = NP_NO_CELL;
}

uint32_t np_cells_room(uint32_t class) { return (uint32_t)(2 + class % 2) << class / 2; }

uint32_t np_cells_class(uint32_t count)
{
    uint32_t class = 0;
    while (np_cells_room(class) < count)
        class ++;
    return class;
}

np_status np_cells_take(np_cells *cells, uint32_t class, uint32_t *list)
{
    size_t size = np_cells_room(class);
    if (cells->vacant[class] != NP_NO_CELL) {
        *list = cells->vacant[class];
        cells->vacant[class] = cells->cell[*list].one;
        return NP_OK;
    }
    if (cells->count + size >= NP_NO_CELL)
        return NP_RAISE(NP_ERROR_LIMIT, "the paths of all flows have 2^32 links or more");
    np_status st = np_memory_need(&cells->cell, cells->count, cells->count + size, &cells->room, sizeof *cells->cell,
                                  "the paths of flows");
    if (st)
        return st;
    *list = (uint32_t)cells->count;
    cells->count += size;
    return NP_OK;
}

void np_cells_give(np_cells *cells, uint32_t class, uint32_t list)
{
    cells->cell[list].one = cells->vacant[class];
    cells->vacant[class] = list;
}
