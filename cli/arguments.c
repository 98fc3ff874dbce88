/*
 * argp answers a mistaken option with several lines and no hint. So the names
 * are looked at first, by the same rules: a long option may be cut short where
 * that is unambiguous, "--" ends the options, a value follows '=' or is the
 * next word.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/parse.h"
#include "command.h"

enum { OPTIONS_MAX = 64 };

static const struct argp_option builtin[] = {
    {"help", '?', NULL, 0, NULL, 0},
    {"usage", -1, NULL, 0, NULL, 0},
    {0},
};

/* All options of a verb that have a name. */
static size_t gather_from(const struct argp *argp, const struct argp_option **all, size_t count)
{
    for (const struct argp_option *option = argp->options; (option->name || option->doc) && count < OPTIONS_MAX; option++)
        if (option->name) /* else the title of a group */
            all[count++] = option;
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        count = gather_from(child->argp, all, count);
    return count;
}

static size_t gather(const struct argp *argp, const struct argp_option **all)
{
    size_t count = gather_from(argp, all, 0);
    const struct argp_option *option;
    for (option = builtin; option->name && count < OPTIONS_MAX; option++)
        all[count++] = option;
    return count;
}

/* The option that `word` (length bytes, without dashes) names; NULL after a line is printed. */
static const struct argp_option *find(const struct argp_option *const *all, size_t count, const char *word,
                                      size_t length)
{
    const struct argp_option *found = NULL;
    const char *names[OPTIONS_MAX];
    char name[64];
    for (size_t i = 0; i < count; i++) {
        names[i] = all[i]->name;
        if (strncmp(names[i], word, length))
            continue;
        if (!names[i][length])
            return all[i];
        if (found && length) {
            cli_fail("option --%.*s could be --%s or --%s", (int)length, word, found->name, names[i]);
            return NULL;
        }
        found = all[i];
    }
    if (found && length)
        return found;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    cli_fail("no option --%s: did you mean --%s?", name, np_parse_nearest(name, names, count));
    return NULL;
}

/* One option of argv at *i; *i moves on to its value if that is the next word. */
static int look_at(const struct argp_option *const *all, size_t count, int argc, char **argv, int *i)
{
    const char *word = argv[*i];
    if (word[1] != '-')
        return !strcmp(word, "-?") ? 0 : cli_fail("no option %s: options are written out, as in --help", word);
    size_t length = strcspn(word + 2, "=");
    const struct argp_option *option = find(all, count, word + 2, length);
    bool given = word[2 + length] == '=';
    if (!option)
        return CLI_BAD_INPUT;
    if (given && !option->arg)
        return cli_fail("option --%s takes no value: '%s'", option->name, word + 3 + length);
    if (option->arg && !given && ++*i >= argc)
        return cli_fail("option --%s needs a value: --%s %s", option->name, option->name, option->arg);
    return 0;
}

int cli_arguments(const struct argp *argp, int argc, char **argv, void *input)
{
    const struct argp_option *all[OPTIONS_MAX];
    size_t count = gather(argp, all);
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
        if (argv[i][0] == '-' && argv[i][1] && look_at(all, count, argc, argv, &i))
            return CLI_BAD_INPUT;
    argp_err_exit_status = CLI_BAD_INPUT;
    return argp_parse(argp, argc, argv, 0, NULL, input) ? CLI_BAD_INPUT : 0;
}

char *cli_begin(const struct argp *argp, int argc, char **argv, void *input, const bool *seed_given, int *status)
{
    char *plain = cli_command_line(argc, argv, ""); /* before argp reorders argv */
    char *seeded = cli_command_line(argc, argv, "--seed 1");
    *status = cli_arguments(argp, argc, argv, input);
    free(*seed_given ? seeded : plain);
    return *seed_given ? plain : seeded;
}

error_t cli_number(const char *option, const char *text, uint64_t low, uint64_t high, uint64_t *out)
{
    if (np_parse_whole(text, low, high, out))
        return 0;
    cli_fail("--%s %s: must be a whole number in %llu..%llu", option, text, (unsigned long long)low,
             (unsigned long long)high);
    return EINVAL;
}

error_t cli_old_subject(const char *what, const char *text, const char **subject)
{
    if (!*subject) {
        *subject = text;
        return 0;
    }
    cli_fail("one %s at a time: '%s' is one too many", what, text);
    return EINVAL;
}

error_t cli_bytes(const char *option, const char *text, uint64_t *out)
{
    static const char suffixes[] = "KMGT";
    const char *p = text;
    if (np_parse_u64(&p, out)) {
        const char *suffix = *p ? strchr(suffixes, *p) : NULL;
        unsigned shift = suffix ? 10 * (unsigned)(suffix - suffixes + 1) : 0;
        bool ends = suffix ? !p[1] : !*p;
        if (ends && *out && *out <= UINT64_MAX >> shift) {
            *out <<= shift;
            return 0;
        }
    }
    cli_fail("--%s %s: must be a number of bytes, with K, M, G or T if you like, as in 4G", option, text);
    return EINVAL;
}

error_t cli_format(const char *text, np_report_format *out)
{
    if (!np_report_format_of(text, out))
        return 0;
    cli_fail_last();
    return EINVAL;
}

uint64_t cli_memory_available(void)
{
    unsigned long long kilobytes = 0;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1)
            break;
    if (file)
        fclose(file);
    if (kilobytes)
        return kilobytes * 1024;
    long pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}
