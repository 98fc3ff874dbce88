/*
 * PRAM steps in the trace: a JSON line each (docs/outputs.md). It is put together by hand, because a step may have
 * millions of processors.
 */
#include <inttypes.h>
#include <math.h>

#include "base/written.h"
#include "show/record/record.h"

static const char *const kinds[] = {"read", "write", "fetch"};

static unsigned kind_of(const np_pram_step *step, size_t i) { return step->kind ? step->kind[i] : (unsigned)step->all; }

static void write_kind(FILE *stream, const np_pram_step *step, size_t i)
{
    fprintf(stream, "\"%s\"", kinds[kind_of(step, i)]);
}

/* What a list has of a processor. */
typedef void write_one(FILE *stream, const np_pram_seen *seen, size_t i);

static void write_processor(FILE *stream, const np_pram_seen *seen, size_t i)
{
    (void)seen;
    fprintf(stream, "%zu", i);
}

static void write_one_kind(FILE *stream, const np_pram_seen *seen, size_t i) { write_kind(stream, seen->access, i); }

/* Names of arrays are names of programs, without quotes or such. */
static void write_cell(FILE *stream, const np_pram_seen *seen, size_t i)
{
    const char *array;
    uint64_t offset;
    np_pram_cell(seen->pram, seen->access->address[i], &array, &offset);
    fprintf(stream, "[\"%s\", %" PRIu64 "]", array, offset);
}

/* A word of the cell of processor i. What is no number is null, as JSON has no such numbers. */
static void write_word(FILE *stream, const np_pram_seen *seen, size_t i, np_word word)
{
    const np_cell_type type = np_pram_cell_type(seen->pram, seen->access->address[i]);
    char text[32];
    np_script_word(np_cell_type_name(type), word, text);
    fputs(type == NP_CELL_REAL && !isfinite(np_real_of_word(word)) ? "null" : text, stream);
}

static void write_value(FILE *stream, const np_pram_seen *seen, size_t i)
{
    write_word(stream, seen, i, seen->access->value[i]);
}

static void write_operand(FILE *stream, const np_pram_seen *seen, size_t i)
{
    if (kind_of(seen->access, i) == NP_ACCESS_FETCH)
        write_word(stream, seen, i, seen->operand[i]);
    else
        fputs("null", stream);
}

static void write_list(FILE *stream, const np_pram_seen *seen, const char *key, write_one *one)
{
    const np_pram_step *step = seen->access;
    const char *before = "";
    fprintf(stream, ", \"%s\": [", key);
    for (size_t i = 0; i < step->count; i++) {
        if (step->active && !step->active[i])
            continue;
        fputs(before, stream);
        one(stream, seen, i);
        before = ", ";
    }
    fputc(']', stream);
}

np_status np_record_access_line(FILE *stream, const np_pram_seen *seen)
{
    const np_pram_step *step = seen->access;
    fprintf(stream, "{\"event\": \"access\", \"step\": %" PRIu64 ", \"label\": ", seen->step);
    np_written(NP_MEDIUM_JSON, step->label ? step->label : "", stream);
    if (!step->kind) {
        fputs(", \"kind\": ", stream);
        write_kind(stream, step, 0);
    }
    write_list(stream, seen, "processors", write_processor);
    if (step->kind)
        write_list(stream, seen, "kinds", write_one_kind);
    write_list(stream, seen, "cells", write_cell);
    if (seen->operand)
        write_list(stream, seen, "operands", write_operand);
    write_list(stream, seen, "values", write_value);
    fprintf(stream, ", \"network_steps\": %" PRIu64 ", \"violations\": %" PRIu64 "}\n", seen->network_steps,
            seen->violations);
    return NP_OK;
}
