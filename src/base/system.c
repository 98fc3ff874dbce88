/* Reading what the kernel tells. */
#include "base/system.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"

enum {
    LINE = 8192
}; /* ours: a mount of the files that we look for takes less, that of a container's root may take more */

static void skip_line(FILE *file)
{
    int c;
    do
        c = getc(file);
    while (c != '\n' && c != EOF);
}

static void visit_lines(FILE *file, np_system_visit *visit, void *self)
{
    char line[LINE];
    while (fgets(line, sizeof line, file)) {
        size_t length = strcspn(line, "\n");
        bool whole = length + 1 < sizeof line;
        line[length] = '\0';
        if (!whole)
            skip_line(file);
        else if (!visit(self, line))
            return;
    }
}

void np_system_lines(const char *root, const char *path, np_system_visit *visit, void *self)
{
    char name[PATH_MAX];
    if (snprintf(name, sizeof name, "%s%s", root, path) >= (int)sizeof name)
        return;
    FILE *file = fopen(name, "re");
    if (!file)
        return;
    visit_lines(file, visit, self);
    fclose(file);
}

typedef struct search {
    const char *key;
    uint64_t *out;
    bool found;
} search;

static bool look(void *self, char *line)
{
    search *s = self;
    size_t length = strlen(s->key);
    const char *at = line + length;
    if (strncmp(line, s->key, length))
        return true;
    at += strspn(at, " \t");
    s->found = np_parse_u64(&at, s->out);
    return false;
}

bool np_system_number(const char *root, const char *path, const char *key, uint64_t *out)
{
    search s = {key, out, false};
    np_system_lines(root, path, look, &s);
    return s.found;
}
