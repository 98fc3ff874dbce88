/*
 * Arrays and variables, as they are behind the step. Cells that the step has read are marked by r, written ones by w,
 * and cells of a fetch by f. What a cell held before the step is shown where the step has changed it.
 */
#include "base/parse.h"
#include "debug.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 78, COLUMNS = 64, ROWS = 24 };

bool debug_is_on(const np_script_step *step, size_t processor) { return !step->on || step->on[processor]; }

size_t debug_first(const np_script_step *step)
{
    size_t i = 0;
    while (i < step->count && !debug_is_on(step, i))
        i++;
    return i < step->count ? i : 0;
}

/* ---- Names with indices ---- */

static void skip(const char **at)
{
    while (isspace((unsigned char)**at))
        ++*at;
}

static bool read_number(const char **at, np_word *out)
{
    char *end;
    skip(at);
    *out = strtoll(*at, &end, 10);
    bool is = end != *at;
    *at = end;
    skip(at);
    return is;
}

/* "3", "0..5" or "" for all. */
static bool read_range(const char **at, np_word low, np_word extent, np_word *from, uint64_t *count)
{
    np_word to;
    skip(at);
    *from = low;
    *count = (uint64_t)extent;
    if (**at == ',' || **at == ']')
        return true;
    if (!read_number(at, from))
        return false;
    to = *from;
    if (!strncmp(*at, "..", 2)) {
        *at += 2;
        if (!read_number(at, &to))
            return false;
    }
    *count = to < *from ? 0 : (uint64_t)to - (uint64_t)*from + 1;
    return true;
}

static bool complain(bool quiet, const char *text, const char *why)
{
    if (!quiet)
        printf("%s: %s\n", text, why);
    return false;
}

static bool complain_of_name(const np_script_step *step, bool quiet, const char *name)
{
    np_parse_hint hint;
    char why[200];
    np_parse_hint_init(&hint, name);
    for (size_t i = 0; i < np_script_names(step); i++)
        np_parse_hint_add(&hint, np_script_name_get(step, i).name);
    snprintf(why, sizeof why, "no such name here: %s", hint.nearest ? hint.text : "print without a name lists them");
    return complain(quiet, name, why);
}

static bool read_indices(const np_script_step *step, const char *text, const char **at, bool quiet, debug_part *out)
{
    const np_script_array *a = &out->array;
    (void)step;
    for (uint8_t d = 0; d < a->rank; d++) {
        out->low[d] = a->low[d];
        out->count[d] = (uint64_t)a->extent[d];
    }
    if (**at != '[')
        return true;
    for (uint8_t d = 0; d < a->rank; d++) {
        ++*at;
        if (!read_range(at, a->low[d], a->extent[d], &out->low[d], &out->count[d]))
            return complain(quiet, text, "an index is a whole number, or a range such as 0..7");
        if (**at != (d + 1 < a->rank ? ',' : ']'))
            return complain(quiet, text, "the array has another number of indices");
        if (out->low[d] < a->low[d] || (uint64_t)(out->low[d] - a->low[d]) + out->count[d] > (uint64_t)a->extent[d])
            return complain(quiet, text, a->cells ? "there is no such cell" : "the array has no cells yet");
    }
    if (!a->rank)
        return complain(quiet, text, "it is one cell, without indices");
    ++*at;
    return true;
}

static bool read_processor(const np_script_step *step, const char *text, const char **at, bool quiet, debug_part *out)
{
    np_word processor;
    skip(at);
    out->chosen = !strncmp(*at, "of ", 3);
    if (out->chosen) {
        *at += 3;
        if (!read_number(at, &processor) || processor < 0 || (uint64_t)processor >= step->count ||
            !debug_is_on(step, (size_t)processor))
            return complain(quiet, text, "no such processor is on: active lists them");
        out->processor = (size_t)processor;
    }
    return !**at || complain(quiet, text, "NAME, NAME[3], NAME[0..7] or NAME[2, 0..7] is needed, then perhaps of 5");
}

bool debug_part_parse(const np_script_step *step, const char *text, bool quiet, debug_part *out)
{
    char name[DEBUG_TEXT];
    size_t length = 0;
    const char *at = text;
    *out = (debug_part){.processor = debug_first(step)};
    skip(&at);
    while (length + 1 < sizeof name &&
           (isalnum((unsigned char)at[length]) || (at[length] && strchr("_.'", at[length]))))
        length++;
    memcpy(name, at, length);
    name[length] = '\0';
    if (!np_script_name_find(step, name, &out->name))
        return complain_of_name(step, quiet, length ? name : text);
    at += length;
    out->about = np_script_name_get(step, out->name);
    const char *rest = strstr(at, "of ");
    debug_part chosen = *out;
    if (rest && !read_processor(step, text, &rest, true, &chosen))
        return complain(quiet, text, "no such processor is on: active lists them");
    out->processor = chosen.processor;
    if (out->about.shared) {
        out->array = np_script_array_get(step, out->name, out->processor);
        skip(&at);
        if (!read_indices(step, text, &at, quiet, out))
            return false;
    }
    return read_processor(step, text, &at, quiet, out);
}

/* The place of a cell among those that the part has: an index in each dimension. */
static bool find_place(const debug_part *part, np_address address, uint64_t place[NP_SCRIPT_RANK_MAX])
{
    const np_script_array *a = &part->array;
    if (address < a->base || address - a->base >= a->cells)
        return false;
    uint64_t offset = address - a->base;
    for (int d = a->rank; d-- > 0;) {
        place[d] = offset % (uint64_t)a->extent[d] - (uint64_t)(part->low[d] - a->low[d]);
        offset /= (uint64_t)a->extent[d];
        if (place[d] >= part->count[d])
            return false;
    }
    return true;
}

bool debug_part_has(const debug_part *part, np_address address)
{
    uint64_t place[NP_SCRIPT_RANK_MAX];
    return find_place(part, address, place);
}

/* ---- Grids ---- */

size_t debug_grid(size_t rows, const char *const *title, size_t columns, char (*text)[DEBUG_ROWS][DEBUG_CELL],
                  size_t most)
{
    size_t left = 0, end = 0;
    for (size_t r = 0; r < rows; r++)
        left = strlen(title[r]) > left ? strlen(title[r]) : left;
    for (size_t begin = 0; begin < columns && most--; begin = end) {
        size_t width[COLUMNS + 1], used = 2 + left;
        for (end = begin; end < columns; end++) {
            width[end] = 0;
            for (size_t r = 0; r < rows; r++)
                width[end] = strlen(text[end][r]) > width[end] ? strlen(text[end][r]) : width[end];
            if (end > begin && used + 2 + width[end] > WIDTH)
                break;
            used += 2 + width[end];
        }
        for (size_t r = 0; r < rows; r++) {
            char line[WIDTH + COLUMNS * 2 + DEBUG_CELL * 2];
            int at = snprintf(line, sizeof line, "  %-*s", (int)left, title[r]);
            for (size_t i = begin; i < end; i++)
                at += snprintf(line + at, sizeof line - (size_t)at, "  %*s", (int)width[i], text[i][r]);
            while (at && line[at - 1] == ' ')
                line[--at] = '\0';
            if (at && (r < 2 || strlen(line) > left + 2))
                printf("%s\n", line);
        }
    }
    return end;
}

/* ---- Arrays ---- */

/* A row of an array: cells base .. base + count - 1. */
typedef struct row {
    const char *type;
    np_address base;
    size_t count;
    np_word now[COLUMNS], before[COLUMNS];
    char mark[COLUMNS]; /* ' ', 'r', 'w' or 'f' */
    bool touched, changed;
} row;

static bool load(const np_script_step *step, row *r)
{
    if (np_pram_get(step->pram, r->base, r->count, r->now))
        return false;
    memcpy(r->before, r->now, r->count * sizeof *r->now);
    memset(r->mark, ' ', sizeof r->mark);
    for (size_t i = 0; i < step->count; i++) {
        if (!debug_is_on(step, i) || step->address[i] < r->base || step->address[i] - r->base >= r->count)
            continue;
        size_t at = (size_t)(step->address[i] - r->base);
        r->mark[at] = "rwf"[step->kind];
        r->before[at] = step->before[i];
        r->touched = true;
        r->changed |= step->kind != NP_ACCESS_READ;
    }
    return true;
}

static void show_row(const row *r, np_word low)
{
    static const char *const still[] = {"index", "value", "read"}, *const moved[] = {"index", "before", "after",
                                                                                     "written"};
    char text[COLUMNS][DEBUG_ROWS][DEBUG_CELL];
    for (size_t i = 0; i < r->count; i++) {
        size_t at = 0;
        snprintf(text[i][at++], DEBUG_CELL, "%" PRId64, low + (np_word)i);
        if (r->changed)
            np_script_word(r->type, r->before[i], text[i][at++]);
        np_script_word(r->type, r->now[i], text[i][at++]);
        snprintf(text[i][at], DEBUG_CELL, "%c", r->mark[i]);
    }
    debug_grid((r->changed ? 3u : 2u) + r->touched, r->changed ? moved : still, r->count, text, SIZE_MAX);
}

/* A row of several: its indices, and each value with its mark. */
static void put_cells(const row *r, char (*text)[DEBUG_CELL])
{
    for (size_t i = 0; i < r->count; i++) {
        char before[32], now[32];
        np_script_word(r->type, r->before[i], before);
        np_script_word(r->type, r->now[i], now);
        if (strcmp(before, now) != 0)
            snprintf(text[i], DEBUG_CELL, "%.16s>%.16s%c", before, now, r->mark[i]);
        else
            snprintf(text[i], DEBUG_CELL, "%s%c", now, r->mark[i]);
    }
}

static void put_head(const debug_part *part, const np_script_step *step)
{
    const np_script_array *a = &part->array;
    printf("%s", part->about.name);
    for (uint8_t d = 0; d < a->rank; d++)
        printf("%s%" PRId64 "..%" PRId64, d ? ", " : "[", a->low[d], a->low[d] + a->extent[d] - 1);
    printf("%s : %s", a->rank ? "]" : "", part->about.type);
    if (!part->about.one && step->count > 1)
        printf(", as processor %zu has it", part->processor);
    fputc('\n', stdout);
}

/* The first cell of the part's row `number`, and its indices but the last. */
static np_address find_row(const debug_part *part, uint64_t number, char *label, size_t room)
{
    const np_script_array *a = &part->array;
    uint64_t offset = 0, stride = 1, index[NP_SCRIPT_RANK_MAX];
    int at = 0;
    for (int d = a->rank; d-- > 0;) {
        index[d] = d == a->rank - 1 ? 0 : number % part->count[d];
        number = d == a->rank - 1 ? number : number / part->count[d];
        offset += stride * (index[d] + (uint64_t)(part->low[d] - a->low[d]));
        stride *= (uint64_t)a->extent[d];
    }
    *label = '\0';
    for (int d = 0; d + 1 < a->rank; d++)
        at += snprintf(label + at, room - (size_t)at, "%s%" PRId64, d ? ", " : "", part->low[d] + (np_word)index[d]);
    return a->base + offset;
}

static void left_out(uint64_t shown, uint64_t all, const char *what)
{
    if (shown < all)
        printf("  ... %" PRIu64 " %s more: name a range, as in NAME[0..9]\n", all - shown, what);
}

static void show_line(const np_script_step *step, const debug_part *part)
{
    uint64_t all = part->count[0];
    char label[8];
    row r = {.type = part->about.type,
             .base = find_row(part, 0, label, sizeof label),
             .count = (size_t)(all < COLUMNS ? all : COLUMNS)};
    if (load(step, &r))
        show_row(&r, part->low[0]);
    left_out(r.count, all, "cells");
}

static void show_cell(const np_script_step *step, const debug_part *part)
{
    row r = {.type = part->about.type, .base = part->array.base, .count = 1};
    char before[32], now[32];
    if (!load(step, &r))
        return;
    np_script_word(r.type, r.before[0], before);
    np_script_word(r.type, r.now[0], now);
    if (r.changed)
        printf("%s: %s > %s\n", part->about.name, before, now);
    else
        printf("%s = %s%s\n", part->about.name, now, r.touched ? ", read" : "");
}

static void show_plane(const np_script_step *step, const debug_part *part)
{
    static char text[ROWS + 1][COLUMNS][DEBUG_CELL], label[ROWS + 1][160];
    uint8_t last = (uint8_t)(part->array.rank - 1);
    uint64_t rows = 1, columns = part->count[last] < 16 ? part->count[last] : 16;
    for (uint8_t d = 0; d < last; d++)
        rows *= part->count[d];
    size_t shown = (size_t)(rows < ROWS ? rows : ROWS), left = 0;
    for (size_t i = 0; i < columns; i++)
        snprintf(text[0][i], DEBUG_CELL, "%" PRId64 " ", part->low[last] + (np_word)i);
    for (size_t k = 0; k < shown; k++) {
        row r = {.type = part->about.type, .count = (size_t)columns};
        r.base = find_row(part, k, label[k + 1], sizeof label[0]);
        if (!load(step, &r))
            return;
        put_cells(&r, text[k + 1]);
        left = strlen(label[k + 1]) > left ? strlen(label[k + 1]) : left;
    }
    for (size_t k = 0; k <= shown; k++) {
        char line[16 * (DEBUG_CELL + 2) + 176];
        int at = snprintf(line, sizeof line, "  %*s", (int)left, k ? label[k] : "");
        for (size_t i = 0; i < columns; i++) {
            size_t width = 0;
            for (size_t j = 0; j <= shown; j++)
                width = strlen(text[j][i]) > width ? strlen(text[j][i]) : width;
            at += snprintf(line + at, sizeof line - (size_t)at, " %*s", (int)width, text[k][i]);
        }
        while (at && line[at - 1] == ' ')
            line[--at] = '\0';
        printf("%s\n", line);
    }
    left_out(columns, part->count[last], "columns");
    left_out(shown, rows, "rows");
}

/* ---- Variables ---- */

static void show_variable(const np_script_step *step, const debug_part *part)
{
    static const char *const titles[] = {"processor", "value"};
    char text[COLUMNS][DEBUG_ROWS][DEBUG_CELL];
    size_t shown = 0, i = part->chosen ? part->processor : 0;
    if (part->about.one || part->chosen) {
        np_script_word(part->about.type, np_script_value_get(step, part->name, part->processor), text[0][0]);
        printf("%s = %s\n", part->about.name, text[0][0]);
        return;
    }
    printf("%s : %s, of the processors that are on\n", part->about.name, part->about.type);
    for (; i < step->count && shown < COLUMNS; i++) {
        if (!debug_is_on(step, i))
            continue;
        snprintf(text[shown][0], DEBUG_CELL, "%zu", i);
        np_script_word(part->about.type, np_script_value_get(step, part->name, i), text[shown++][1]);
    }
    debug_grid(2, titles, shown, text, SIZE_MAX);
    if (shown < step->active)
        printf("  ... %zu processors more: name one, as in %s of 99\n", step->active - shown, part->about.name);
}

void debug_part_show(const np_script_step *step, const debug_part *part)
{
    if (!part->about.shared) {
        show_variable(step, part);
        return;
    }
    if (!part->array.rank) {
        show_cell(step, part);
        return;
    }
    put_head(part, step);
    for (uint8_t d = 0; d < part->array.rank; d++)
        if (!part->count[d]) {
            printf("  no cells\n");
            return;
        }
    if (part->array.rank < 2)
        show_line(step, part);
    else
        show_plane(step, part);
}

void debug_names_show(const np_script_step *step)
{
    for (size_t i = np_script_names(step); i-- > 0;) {
        np_script_name about = np_script_name_get(step, i);
        debug_part part = {.name = i, .about = about, .processor = debug_first(step)};
        size_t seen;
        char word[32];
        if (!np_script_name_find(step, about.name, &seen) || seen != i)
            continue; /* it is hidden */
        if (about.shared) {
            part.array = np_script_array_get(step, i, part.processor);
            put_head(&part, step);
        } else if (about.one) {
            np_script_word(about.type, np_script_value_get(step, i, part.processor), word);
            printf("%s = %s\n", about.name, word);
        } else
            printf("%s : %s, of each processor\n", about.name, about.type);
    }
}
