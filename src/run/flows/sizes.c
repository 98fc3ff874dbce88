/*
 * A distribution of sizes: lines "size share", where share is that of flows of at most this size, from 0 to 1 or from 0
 * to 100. In between, the share grows in proportion to the size. This is the form in which workloads of data centres
 * are published (Alizadeh et al. 2013, pFabric; Li et al. 2019, HPCC).
 */
#include "base/decimal.h"
#include "base/memory.h"
#include "base/room.h"
#include "base/text.h"
#include "run/flows/flows.h"

static np_status add_point(np_sizes *sizes, const np_text *text, const np_flows_units *units)
{
    np_size_point point, *last = sizes->count ? &sizes->point[sizes->count - 1] : NULL;
    np_status st = np_text_count(text, 2, 2, "size share");
    if (st)
        return st;
    const char *wrong = np_flows_read_size(text->field[0], units, &point.size);
    if (wrong)
        return np_text_raise(text, NP_ERROR_INPUT, "size '%s': %s", np_text_show(text, 0).text, wrong);
    if (!np_decimal_real(text->field[1], &point.share))
        return np_text_raise(text, NP_ERROR_INPUT, "'%s %s': write a size and the share of flows up to it",
                             np_text_show(text, 0).text, np_text_show(text, 1).text);
    if (last && (point.size < last->size || point.share < last->share))
        return np_text_raise(text, NP_ERROR_INPUT, "sizes and shares must not fall");
    if ((st = np_memory_room(&sizes->point, sizes->count, &sizes->room, sizeof *sizes->point, "sizes of flows")))
        return st;
    sizes->point[sizes->count++] = point;
    return NP_OK;
}

/* Shares of 0 to 1. */
static np_status finish(np_sizes *sizes, const np_text *text)
{
    double whole = sizes->count ? sizes->point[sizes->count - 1].share : 0;
    if (whole != 1 && whole != 100)
        return np_text_raise(text, NP_ERROR_INPUT,
                             "the last share must be 1 or 100: all flows are no larger than the last size");
    for (size_t i = 0; i < sizes->count; i++)
        sizes->point[i].share /= whole;
    if (!(np_sizes_mean(sizes) > 0))
        return np_text_raise(text, NP_ERROR_INPUT, "all sizes are 0");
    return NP_OK;
}

static np_status read_points(np_sizes *sizes, np_text *text, const np_flows_units *units)
{
    np_status st = NP_OK;
    while (!st && np_text_next(text))
        if (sizes->count || !(np_text_is(text, 0, "size") || np_text_is(text, 0, "bytes")))
            st = add_point(sizes, text, units);
    return st ? st : finish(sizes, text);
}

np_status np_sizes_parse(const char *name, const char *data, size_t length, const np_flows_units *units,
                         np_sizes *sizes)
{
    np_text text;
    np_status st = np_text_open_strict(&text, name, data, length);
    if (st)
        return st;
    text.separator = np_text_separator(text, name);
    return read_points(sizes, &text, units);
}

np_status np_sizes_read(const char *path, const np_flows_units *units, np_sizes *sizes)
{
    NP_TEXT_FILE(file, path);
    return file.status ? file.status : np_sizes_parse(path, file.data, file.length, units, sizes);
}

double np_sizes_mean(const np_sizes *sizes)
{
    double mean = sizes->point[0].share * sizes->point[0].size;
    for (size_t i = 1; i < sizes->count; i++) {
        const np_size_point *p = &sizes->point[i];
        mean += (p->share - p[-1].share) * (p->size + p[-1].size) / 2;
    }
    return mean;
}

double np_sizes_at(const np_sizes *sizes, double u)
{
    size_t low = 0, high = sizes->count - 1; /* the first point whose share is u or more */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (sizes->point[middle].share < u)
            low = middle + 1;
        else
            high = middle;
    }
    const np_size_point *p = &sizes->point[low];
    if (!low || p->share == p[-1].share)
        return p->size;
    return p[-1].size + (p->size - p[-1].size) * ((u - p[-1].share) / (p->share - p[-1].share));
}
