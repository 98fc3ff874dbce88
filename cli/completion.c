/*
 * netpram --completion: a script by which bash completes verbs, options and the values of options. It is made from the
 * tables by which the command line is read. The script calls `netpram list` for names when it needs them.
 */
#include <stdio.h>
#include <string.h>

#include "command.h"

#define FILES "COMPREPLY=($(compgen -f -- \"$cur\"))"
#define NAMES "words=$(_netpram_names %s)"

/* Does the value name something in the file system? */
static bool names_file(const char *value) { return !strcmp(value, "FILE") || !strcmp(value, "DIR"); }

/* Prints the words of "begin|freed". Of a word such as file:PATH the part before the capitals is printed. */
static void print_words(const char *value)
{
    for (const char *p = value; *p; p++)
        if (*p == '|')
            putchar(' ');
        else if (*p >= 'A' && *p <= 'Z')
            p += strcspn(p, "|") - 1;
        else
            putchar(*p);
}

/* Prints what may follow each option that has a value. */
static void print_values(const cli_verb *verb, const cli_options *options)
{
    for (const cli_option *option = options->option; option < options->option + options->own; option++) {
        if (!*option->value)
            continue;
        printf("    %s:--%s) ", verb->name, option->name);
        if (names_file(option->value))
            printf(FILES);
        if (option->field->list)
            printf(NAMES, option->field->list);
        else if (strchr(option->value, '|')) {
            printf("words='");
            print_words(option->value);
            putchar('\'');
        }
        printf(" ;;\n");
    }
}

/* Prints what may stand elsewhere: a subject, or an option. */
static void print_options(const cli_verb *verb, const cli_options *options)
{
    const char *list = verb->subjects[0].list;
    printf("    %s:*) ", verb->name);
    if (names_file(verb->subject))
        printf(FILES "; ");
    if (list)
        printf(NAMES "; ", list);
    printf("words+=' --help");
    for (size_t i = 0; i < options->own; i++)
        printf(" --%s", options->option[i].name);
    printf("' ;;\n");
}

void cli_completion_print(const cli_verb *const *verbs, size_t count)
{
    printf("# bash completion for netpram %s\n"
           "_netpram_names()\n{\n"
           "    \"${COMP_WORDS[0]}\" list \"$1\" --format json 2> /dev/null | sed -n 's/^ *{\"name\": "
           "\"\\([^\"]*\\)\".*/\\1/p'\n}\n"
           "_netpram()\n{\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} words=\n"
           "    COMPREPLY=()\n"
           "    if [ \"$prev$cur\" = file: ]; then\n        COMPREPLY=($(compgen -f))\n        return\n    fi\n"
           "    if [ \"$prev\" = : ] && [ \"${COMP_WORDS[COMP_CWORD - 2]}\" = file ]; then\n"
           "        COMPREPLY=($(compgen -f -- \"$cur\"))\n        return\n    fi\n"
           "    if [ \"$cur\" = = ]; then\n        cur=\n"
           "    elif [ \"$prev\" = = ]; then\n        prev=${COMP_WORDS[COMP_CWORD - 2]}\n    fi\n"
           "    if [ \"$COMP_CWORD\" = 1 ]; then\n        words='help --help --version",
           np_version());
    for (size_t i = 0; i < count; i++)
        printf(" %s", verbs[i]->name);
    printf("'\n    else case ${COMP_WORDS[1]}:$prev in\n");
    for (size_t i = 0; i < count; i++) {
        cli_options options;
        cli_options_init(&options, verbs[i], NULL);
        print_values(verbs[i], &options);
        print_options(verbs[i], &options);
    }
    printf("    esac; fi\n    COMPREPLY+=($(compgen -W \"$words\" -- \"$cur\"))\n}\ncomplete -F _netpram netpram\n");
}
