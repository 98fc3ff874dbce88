#include "oracle/recorded.h"

#include <unistd.h>

#include "support.h"

char *recorded_read(char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t length = 0;
    assert_non_null(file);
    if (getdelim(&text, &length, '\0', file) < 0) { /* of an empty file it leaves room without a text */
        free(text);
        text = calloc(1, 1);
    }
    fclose(file);
    unlink(path);
    free(path);
    return text;
}

const np_observer *recorded_begin(recorded *files)
{
    np_record_options asked;
    np_record_options_init(&asked);
    asked.trace = files->trace = support_file("");
    asked.links = files->links = support_file("");
    asked.nodes = files->nodes = support_file("");
    asked.packets = files->packets = support_file("");
    asked.steps = files->steps = support_file("");
    assert_ok(np_record_open(&asked, "command", &files->record));
    return np_record_observer(files->record);
}

static void read_all(recorded *files)
{
    char **const all[] = {&files->trace, &files->links, &files->nodes, &files->packets, &files->steps};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = recorded_read(*all[i]);
}

void recorded_end(recorded *files)
{
    assert_ok(np_record_commit(files->record));
    read_all(files);
}

void recorded_discard(recorded *files)
{
    np_record_discard(files->record);
    read_all(files);
    recorded_clear(files);
}

void recorded_clear(recorded *files)
{
    free(files->trace);
    free(files->links);
    free(files->nodes);
    free(files->packets);
    free(files->steps);
}

void recorded_judge(const char *what, const char *of, const recorded *files, oracle_verdict *verdict)
{
    oracle_judge_trace(files->trace, verdict);
    if (*verdict->wrong)
        fail_msg("%s, %s: %s", what, of, verdict->wrong);
}

double recorded_steps(const char *trace)
{
    double steps = 0;
    for (const char *line = trace; (line = strstr(line, "\"end\", \"steps\": ")); line++)
        steps += strtod(line + strlen("\"end\", \"steps\": "), NULL);
    return steps;
}

bool recorded_refused(const char *trace)
{
    oracle_verdict verdict;
    oracle_judge_trace(trace, &verdict);
    return *verdict.wrong;
}

const char *recorded_next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

const char *recorded_column(const char *line, unsigned column)
{
    while (column--)
        line = strchr(line, ',') + 1;
    return line;
}

double recorded_total(const char *table, int key, const char *value, unsigned of, bool sum)
{
    double all = 0;
    for (const char *line = recorded_next_line(table); *line; line = recorded_next_line(line)) {
        const char *at = key < 0 ? value : recorded_column(line, (unsigned)key);
        if (key >= 0 && (strncmp(at, value, strlen(value)) != 0 || at[strlen(value)] != ','))
            continue;
        double number = strtod(recorded_column(line, of), NULL);
        all = sum ? all + number : number > all ? number : all;
    }
    return all;
}
