/* The words after a path. */
#include "base/file_spec.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "netpram/field.h"

/* The option that the text begins with; NULL: none. */
static const np_file_option *option_at(const np_file_option *table, const char *text)
{
    for (const np_file_option *o = table; o->word; o++) {
        size_t length = strlen(o->word);
        bool alone = o->word[length - 1] != '=';
        if (!strncmp(text, o->word, length) && (!alone || !text[length] || text[length] == ':'))
            return o;
    }
    return NULL;
}

/* An option that is said twice, and what was said first. */
typedef struct said_twice {
    const np_file_option *option; /* NULL: none is */
    const char *first;
} said_twice;

static const char *value_of(const np_file_option *option, const void *options)
{
    const char *value;
    memcpy(&value, (const char *)options + option->at, sizeof value);
    return value;
}

/* Once the second value has its end: is it the same? */
static np_status check_same(const said_twice *twice, const void *options, const char *path)
{
    if (!twice->option || !strcmp(twice->first, value_of(twice->option, options)))
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT, "file '%.200s': %s is said to be '%.60s' and '%.60s': choose one", path,
                    twice->option->word, twice->first, value_of(twice->option, options));
}

np_status np_file_spec_parse(const char *parameters, const np_file_option *table, void *options, char **copy,
                             const char **path)
{
    said_twice twice = {NULL, NULL};
    np_status st = NP_OK;
    *path = *copy = np_memory_text(parameters);
    if (!*copy)
        return np_status_last();
    for (char *colon = *copy; !st && (colon = strchr(colon, ':')); colon++) {
        const np_file_option *o = option_at(table, colon + 1);
        if (!o)
            continue;
        const char *value = colon + 1 + strlen(o->word);
        *colon = 0;
        if (value[-1] == '=' && (!*value || *value == ':'))
            return NP_RAISE(NP_ERROR_INPUT, "file '%.200s': '%s' lacks its value", *path, o->word);
        st = check_same(&twice, options, *path);
        twice = (said_twice){value_of(o, options) ? o : NULL, value_of(o, options)};
        memcpy((char *)options + o->at, &value, sizeof value);
    }
    return st ? st : check_same(&twice, options, *path);
}

/* ---- Files that are named ---- */

/* Is it the file `about`? path[0 .. length) */
static bool is_file(const char *path, size_t length, const struct stat *about)
{
    char name[PATH_MAX];
    struct stat found;
    if (!length || length >= sizeof name)
        return false;
    memcpy(name, path, length);
    name[length] = 0;
    bool there = !strcmp(name, "-") ? !fstat(STDIN_FILENO, &found) : !stat(name, &found);
    return there && found.st_dev == about->st_dev && found.st_ino == about->st_ino;
}

/* Does a path that begins here name the file? */
static bool begins_path(const char *text, const struct stat *about)
{
    for (size_t length = strcspn(text, ":,}"); text[length]; length += 1 + strcspn(text + length + 1, ":,}"))
        if (is_file(text, length, about))
            return true;
    return is_file(text, strlen(text), about);
}

bool np_file_spec_names(const char *text, bool whole, const struct stat *about)
{
    static const char *const words[] = {"file:", "listed:"};
    if (whole && strncmp(text, "file:", 5) && begins_path(text, about))
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (const char *at = text; (at = strstr(at, words[i]));)
            if (begins_path(at += strlen(words[i]), about))
                return true;
    return false;
}

const char *np_file_ending(const char *path)
{
    static const char endings[] =
        "csv, tsv, json, jsonl, ndjson, npy, npz, svg, png, pdf, html, xml, xlsx, ods, parquet, gz, "
        "zip, mtx, graphml, gml, dot, sqlite";
    const char *dot = strrchr(path, '.');
    return dot && np_field_listed(endings, dot + 1) ? dot + 1 : NULL;
}
