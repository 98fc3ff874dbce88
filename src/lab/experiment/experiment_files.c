/*
 * The files of an experiment's points, and what is said of them: each line once, however many points have the file.
 * None of them is written over.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/file_spec.h"
#include "base/memory.h"
#include "lab/experiment/experiment.h"

/* Says the line, unless it has been said; NULL: there is none. */
static np_status experiment_note(const np_experiment_job *job, const char *line)
{
    np_experiment_files *files = job->files;
    np_status st;
    if (!line || !files->on_note)
        return NP_OK;
    for (size_t i = 0; i < files->lines; i++)
        if (!strcmp(files->line[i], line))
            return NP_OK;
    if ((st = np_memory_grow(&files->line, files->lines, files->lines + 1, sizeof *files->line, "a note")))
        return st;
    if (!(files->line[files->lines] = np_memory_text(line)))
        return np_status_last();
    files->lines++;
    files->on_note(files->context, line);
    return NP_OK;
}

np_status np_experiment_check_file(const char *spec)
{
    const char *input = strstr(spec, "file:-");
    if (!input || (input[6] && input[6] != ':'))
        return NP_OK;
    return NP_RAISE(NP_ERROR_INPUT,
                    "'%.80s': an experiment reads a file more than once, not the standard input: save it", spec);
}

np_status np_experiment_open(const char *spec, np_network **network)
{
    if (*network && !strcmp(np_network_spec(*network), spec))
        return NP_OK;
    np_network_free(*network);
    *network = NULL;
    np_status st = np_experiment_check_file(spec);
    return st ? st : np_network_create(spec, network);
}

np_status np_experiment_network(const np_experiment_job *job, const char *spec, const np_network **out)
{
    np_status st = np_experiment_open(spec, &job->files->network);
    *out = job->files->network;
    return st ? st : experiment_note(job, np_network_note(*out));
}

np_status np_experiment_demands(const np_experiment_job *job, const char *spec, const np_network *network,
                                uint64_t *packets)
{
    np_traffic *traffic;
    np_status st;
    if (*packets)
        return NP_OK;
    if ((st = np_experiment_check_file(spec)) || (st = np_traffic_create(spec, network, 1, 0, &traffic)))
        return st;
    *packets = np_traffic_packets(traffic);
    st = experiment_note(job, np_traffic_note(traffic));
    np_traffic_free(traffic);
    return st;
}

/* ---- Inputs that are outputs ---- */

/* The text that names the file: of the experiment, or of a point; NULL: none does. */
static const char *find_input(const np_experiment *e, const struct stat *about)
{
    if (!e->line && np_file_spec_names(e->source, true, about))
        return e->source;
    for (const np_series *s = e->serie; s < e->serie + e->series; s++)
        for (size_t i = 0; i < s->points * s->keys; i++)
            if (s->text[i] && np_file_spec_names(s->text[i], true, about))
                return s->text[i];
    return NULL;
}

static np_status check_output(const np_experiment *e, const char *directory, const char *name, const char *ending)
{
    struct stat about;
    char *path;
    np_status st = np_experiment_path(directory, name, ending, &path);
    if (st)
        return st;
    bool there = !stat(path, &about) && S_ISREG(about.st_mode);
    const char *input = there ? find_input(e, &about) : NULL;
    if (input)
        st = NP_RAISE(NP_ERROR_INPUT, "%.200s would be written over: it is also read, as %.200s", path, input);
    np_memory_free(path);
    return st;
}

np_status np_experiment_check_outputs(const np_experiment *e, const char *directory)
{
    static const char *const tables[] = {".csv", ".sqlite", ".sqlite-claims"}, *const plots[] = {".gp", ".dat", ".svg",
                                                                                                 ".png"};
    np_status st = NP_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !st; i++)
        st = check_output(e, directory, e->name, tables[i]);
    for (size_t c = 0; c < e->charts; c++)
        for (size_t i = 0; i < sizeof plots / sizeof *plots && !st; i++)
            st = check_output(e, directory, e->chart[c].file, plots[i]);
    return st;
}

void np_experiment_files_clear(np_experiment_files *files)
{
    for (size_t i = 0; i < files->lines; i++)
        np_memory_free(files->line[i]);
    np_memory_free(files->line);
    np_network_free(files->network);
}
