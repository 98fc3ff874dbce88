/* Lines on stderr. They contain values of the command line and of files; control characters must not break the line. */
#define _GNU_SOURCE /* open_memstream */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/written.h"
#include "command.h"

enum { LINE_MAX_BYTES = 1024 };

static bool failed;

static void print_line(const char *format, va_list arguments)
{
    char line[LINE_MAX_BYTES], shown[2 * LINE_MAX_BYTES];
    if (!cli_job_speaks())
        return;
    vsnprintf(line, sizeof line, format, arguments);
    np_written_copy(line, shown, sizeof shown);
    dprintf(STDERR_FILENO, "netpram: %s\n", shown); /* not by stderr: who waits for an end may have its lock */
}

int cli_fail(const char *format, ...)
{
    va_list arguments;
    if (cli_interrupted()) /* the failure is that of an end in the middle */
        cli_interrupt_die();
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
    failed = true;
    return CLI_BAD_INPUT;
}

bool cli_failed(void) { return failed; }

/* The option of the command that the library names at `at`, as C does; *length: of the word, or of one character. */
static const char *option_at(const char *said, const char *at, size_t *length)
{
    size_t word = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
    bool whole = (at == said || at[-1] == ' ') && (at[word] == ':' || at[word] == ' ');
    *length = word ? word : 1;
    return whole && memchr(at, '_', word) ? cli_verb_option(at, word) : NULL;
}

/* The library names an option that was given as C does, such as packet_flits: here it is --packet-flits. */
int cli_fail_last(void)
{
    char line[LINE_MAX_BYTES] = "";
    const char *said = np_last_error();
    for (size_t used = 0, length; *said && used < sizeof line; said += length) {
        const char *option = option_at(np_last_error(), said, &length);
        used += (size_t)snprintf(line + used, sizeof line - used, "%s%.*s", option ? "--" : "",
                                 option ? (int)strlen(option) : (int)length, option ? option : said);
    }
    return cli_fail("%s", line);
}

void cli_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(format, arguments);
    va_end(arguments);
}

static void put_quoted(const char *word, FILE *stream)
{
    size_t plain = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@");
    if (*word && !word[plain]) {
        fputs(word, stream);
        return;
    }
    fputc('\'', stream);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", stream);
        else
            fputc(*word, stream);
    }
    fputc('\'', stream);
}

char *cli_command_line(int argc, char **argv, const char *extra)
{
    char *line = NULL;
    size_t size;
    FILE *stream = open_memstream(&line, &size);
    if (!stream)
        return NULL;
    fputs(argv[0], stream); /* "netpram VERB" */
    for (int i = 1; i < argc; i++) {
        if (*extra && !strcmp(argv[i], "--")) { /* options must come before it */
            fprintf(stream, " %s", extra);
            extra = "";
        }
        fputc(' ', stream);
        put_quoted(argv[i], stream);
    }
    if (*extra)
        fprintf(stream, " %s", extra);
    if (fclose(stream)) {
        free(line);
        return NULL;
    }
    return line;
}
