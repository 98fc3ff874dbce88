/*
 * The key of a point. Two points with one key have the same runs: it has a line for every option but those that change
 * no result, whether the file gives it or not. Where an option names a file, the line has a hash of its contents, so
 * that results go with what was read, not with the name. The first line has RESULTS_VERSION.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "lab/experiment/experiment.h"

/* Grows with each change of the library after which the same options may give other results (docs/releasing.md). */
enum { RESULTS_VERSION = 11 };

/* FNV-1a of the contents, 64 bits, against files that changed. False: it cannot be read, which the check will say. */
static bool hash_file(const char *path, uint64_t *out)
{
    unsigned char block[1 << 14];
    size_t count;
    FILE *file = fopen(path, "rbe");
    *out = UINT64_C(0xcbf29ce484222325);
    if (!file)
        return false;
    while ((count = fread(block, 1, sizeof block, file)) > 0)
        for (size_t i = 0; i < count; i++)
            *out = (*out ^ block[i]) * UINT64_C(0x100000001b3);
    bool good = !ferror(file);
    fclose(file);
    return good;
}

/* The contents of the file at the path, behind which there may be options: "links.txt:undirected". False: no memory. */
static bool write_contents(const np_field *field, const char *path, FILE *stream)
{
    uint64_t hash;
    char *file = np_memory_text(path), *colon = file;
    bool good = file, found = good && hash_file(file, &hash);
    while (!found && good && (colon = strrchr(file, ':'))) {
        *colon = 0;
        found = hash_file(file, &hash);
    }
    if (found)
        fprintf(stream, "%s.contents=%016" PRIx64 "\n", field->name, hash);
    np_memory_free(file);
    return good;
}

static bool write_option(const np_series *series, size_t number, const np_field *field, FILE *stream)
{
    static const char prefix[] = "file:";
    char room[NP_EXPERIMENT_NUMBER];
    const char *text = np_series_text(series, number, field->name, sizeof room, room), *file = strstr(text, prefix);
    if (np_field_listed(series->kind->adds, field->name) && !strcmp(text, "false"))
        return true;
    fprintf(stream, "%s=%s\n", field->name, text);
    if (!file && field->placeholder && !strcmp(field->placeholder, "FILE") && *text)
        return write_contents(field, text, stream);
    bool good = true;
    for (; file && good; file = strstr(file, prefix))
        good = write_contents(field, file += strlen(prefix), stream);
    return good;
}

np_status np_series_key(const np_series *series, size_t number, char **out)
{
    const char *keys[NP_EXPERIMENT_KEYS];
    size_t count = np_series_keys(series->kind, keys, 0, NP_EXPERIMENT_KEYS), size;
    char *text = NULL;
    FILE *stream = open_memstream(&text, &size);
    *out = NULL;
    if (stream) {
        fprintf(stream, "results %d of a series with \"%s\"\n", RESULTS_VERSION, series->kind->key);
        bool good = true;
        for (size_t i = 0; i < count && good; i++)
            if (strcmp(keys[i], "runs") != 0)
                good = write_option(series, number, np_fields_find(series->kind->fields, keys[i]), stream);
        good = good && !ferror(stream);
        if (fclose(stream) == 0 && good)
            *out = np_memory_text(text);
    }
    free(text);
    return *out ? NP_OK : NP_RAISE(NP_ERROR_MEMORY, "no memory for the key of a point");
}
