/*
 * See matching.h. Each row in turn looks for an augmenting path, breadth first (Kuhn 1955). A row that finds none never
 * will, so one round is enough. 64 columns are looked at at a time.
 */
#include "base/matching.h"

#include <stdbool.h>
#include <string.h>

static const uint32_t nobody = UINT32_MAX;

void np_matching_layout(np_matching *matching, np_arena *arena)
{
    static const char what[] = "a matching";
    NP_ARENA_WORDS(arena, matching->columns, what, &matching->row_of, &matching->before);
    NP_ARENA_WORDS(arena, matching->rows, what, &matching->column_of, &matching->queue);
    np_arena_array(arena, &matching->seen, np_matching_words(matching->columns), sizeof *matching->seen, what);
}

/* The free column is matched with the row before it, the column of this row with the row before that, and so on. */
static void augment(np_matching *m, uint32_t column)
{
    while (column != nobody) {
        uint32_t row = m->before[column], next = m->column_of[row];
        m->row_of[column] = row;
        m->column_of[row] = column;
        column = next;
    }
}

/* Reaches the columns of the row that are new. True: one of them was free, and the path is augmented. */
static bool reach(np_matching *m, uint32_t row, uint32_t *queued)
{
    size_t words = np_matching_words(m->columns);
    for (size_t w = 0; w < words; w++) {
        uint64_t fresh = m->bit[row * words + w] & ~m->seen[w];
        m->seen[w] |= fresh;
        for (; fresh; fresh &= fresh - 1) {
            uint32_t column = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(fresh);
            m->before[column] = row;
            if (m->row_of[column] == nobody) {
                augment(m, column);
                return true;
            }
            m->queue[(*queued)++] = m->row_of[column];
        }
    }
    return false;
}

static bool match(np_matching *m, uint32_t root)
{
    uint32_t queued = 1;
    memset(m->seen, 0, np_matching_words(m->columns) * sizeof *m->seen);
    m->queue[0] = root;
    for (uint32_t i = 0; i < queued; i++)
        if (reach(m, m->queue[i], &queued))
            return true;
    return false;
}

uint32_t np_matching_find(np_matching *m)
{
    uint32_t size = 0;
    for (uint32_t c = 0; c < m->columns; c++)
        m->row_of[c] = nobody;
    for (uint32_t r = 0; r < m->rows; r++)
        m->column_of[r] = nobody;
    for (uint32_t r = 0; r < m->rows; r++)
        size += match(m, r);
    return size;
}
