/* The words after a path. */
#include "base/file_spec.h"

#include <string.h>

#include "base/memory.h"

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

np_status np_file_spec_parse(const char *parameters, const np_file_option *table, void *options, char **copy,
                             const char **path)
{
    *path = *copy = np_memory_text(parameters);
    if (!*copy)
        return np_status_last();
    for (char *colon = *copy; (colon = strchr(colon, ':')); colon++) {
        const np_file_option *o = option_at(table, colon + 1);
        if (!o)
            continue;
        const char *value = colon + 1 + strlen(o->word);
        *colon = 0;
        if (value[-1] == '=' && (!*value || *value == ':'))
            return NP_RAISE(NP_ERROR_INPUT, "file '%.200s': '%s' lacks its value", *path, o->word);
        memcpy((char *)options + o->at, &value, sizeof value);
    }
    return NP_OK;
}
