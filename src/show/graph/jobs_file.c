/*
 * A file of jobs: a JSON list, an object a job.
 *
 *     [{"name": "training", "collective": "all-reduce", "algorithm": "ring", "size": "1MB", "hosts": "0..7"},
 *      {"collective": "all-to-all", "size": 4096, "hosts": "random:8", "start": "5us"}]
 *
 * Objects are read one after the other, so that a message can name the line at which its job begins. Sizes and starts
 * are in the units of the run, which a link rate changes (run/flows/units.c).
 */
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/parse.h"
#include "base/room.h"
#include "model/network/network.h"
#include "model/network/read_node.h"
#include "run/flows/flows.h"
#include "show/table/json.h"

enum { SHORT_TEXT = 64 };

typedef struct np_jobs_file_made {
    np_jobs_file file; /* first: the caller's pointer is this one */
    np_jobs_item *job;
    np_node **host; /* [count] */
    json_t *texts;  /* the objects, whose texts the jobs have */
    size_t room, host_room;
} made;

typedef struct reader {
    const np_network *network;
    np_flows_units units;
    np_text text; /* the name, and the line of the job */
    made *made;
    np_jobs_item *job; /* the present one */
    np_node *host;     /* of it; NULL: none */
} reader;

static const char what[] = "a file of jobs";

static np_status refuse(const reader *r, const char *key, const char *text, const char *why)
{
    if (!text)
        return np_text_raise(&r->text, NP_ERROR_INPUT, "\"%s\": %s", key, why);
    return np_text_raise(&r->text, NP_ERROR_INPUT, "\"%s\": '%s': %s", key,
                         np_text_show_field((np_text_field){text, strlen(text)}).text, why);
}

/* A number or a string as text; NULL: it is neither. */
static const char *text_of(const json_t *value, char room[SHORT_TEXT])
{
    if (json_is_string(value))
        return json_string_value(value);
    if (json_is_integer(value))
        snprintf(room, SHORT_TEXT, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(room, SHORT_TEXT, "%s", NP_EXACT(json_real_value(value)));
    else
        return NULL;
    return room;
}

/* ---- Hosts ---- */

static np_status read_host(const reader *r, np_text_field name, np_node *number)
{
    return np_network_read_terminal(r->network, &r->text, name, "host", number);
}

static np_status make_hosts(reader *r, size_t count)
{
    if (count > np_network_terminals(r->network))
        return refuse(r, "hosts", NULL, "there are more of them than the network has");
    r->job->ranks = (uint32_t)count;
    return np_memory_array(&r->host, count + 1, sizeof *r->host, what);
}

static np_status read_list(reader *r, const json_t *list)
{
    np_status st = make_hosts(r, json_array_size(list));
    for (size_t i = 0; !st && i < json_array_size(list); i++) {
        char room[SHORT_TEXT];
        const char *text = text_of(json_array_get(list, i), room);
        np_node number;
        if (!text)
            return refuse(r, "hosts", NULL, "give names or numbers of hosts");
        if (!(st = read_host(r, (np_text_field){text, strlen(text)}, &number)))
            r->host[i] = np_network_input(r->network, number);
    }
    return st;
}

static np_status read_range(reader *r, const char *text, const char *dots)
{
    np_node first, last;
    np_status st;
    if ((st = read_host(r, (np_text_field){text, (size_t)(dots - text)}, &first)) ||
        (st = read_host(r, (np_text_field){dots + 2, strlen(dots + 2)}, &last)))
        return st;
    if (last < first)
        return refuse(r, "hosts", text, "a range goes up: give a list for another order");
    if ((st = make_hosts(r, (size_t)last - first + 1)))
        return st;
    for (np_node i = first; i <= last; i++)
        r->host[i - first] = np_network_input(r->network, i);
    return NP_OK;
}

static np_status read_hosts(reader *r, const json_t *value)
{
    static const char give[] = "give a list of hosts, a range as in \"0..7\", \"packed:8\" or \"random:8\"";
    const char *text = json_string_value(value), *colon = text ? strchr(text, ':') : NULL, *dots;
    uint64_t count;
    if (json_is_array(value))
        return read_list(r, value);
    if (!text)
        return refuse(r, "hosts", NULL, give);
    bool packed = !strncmp(text, "packed:", 7);
    r->job->random = !strncmp(text, "random:", 7);
    if (packed || r->job->random) {
        if (!np_parse_whole(colon + 1, 2, np_network_terminals(r->network), &count))
            return refuse(r, "hosts", text, "give a number from 2 to that of the network's hosts");
        r->job->ranks = (uint32_t)count;
        return NP_OK;
    }
    return (dots = strstr(text, "..")) ? read_range(r, text, dots) : refuse(r, "hosts", text, give);
}

/* ---- Jobs ---- */

static np_status read_text(const reader *r, const char *key, const json_t *value, const char **out)
{
    *out = json_string_value(value);
    return *out && **out ? NP_OK : refuse(r, key, NULL, "must be a string that is not empty");
}

static np_status read_number(const reader *r, const char *key, const json_t *value,
                             const char *(*read)(np_text_field, const np_flows_units *, double *), double *out)
{
    char room[SHORT_TEXT];
    const char *text = text_of(value, room);
    const char *wrong =
        text ? read((np_text_field){text, strlen(text)}, &r->units, out) : "must be a number or a string";
    return wrong ? refuse(r, key, text, wrong) : NP_OK;
}

static np_status read_member(reader *r, const char *key, const json_t *value)
{
    static const char *const keys[] = {"name", "collective", "algorithm", "size", "start", "hosts"};
    enum { KEYS = sizeof keys / sizeof *keys };
    size_t i = 0;
    while (i < KEYS && strcmp(keys[i], key) != 0)
        i++;
    switch (i) {
    case 0:
        return read_text(r, key, value, &r->job->name);
    case 1:
        return read_text(r, key, value, &r->job->collective);
    case 2:
        return read_text(r, key, value, &r->job->algorithm);
    case 3:
        return read_number(r, key, value, np_flows_read_size, &r->job->size);
    case 4:
        return read_number(r, key, value, np_flows_read_start, &r->job->start);
    case 5:
        return read_hosts(r, value);
    default:
        return np_text_raise(&r->text, NP_ERROR_INPUT, "a job has no \"%s\": %s",
                             np_text_show_field((np_text_field){key, strlen(key)}).text,
                             np_parse_hint_of(key, keys, KEYS).text);
    }
}

static np_status check(const reader *r, const json_t *object)
{
    static const char *const needed[] = {"collective", "hosts", "size"};
    bool barrier = r->job->collective && !strcmp(r->job->collective, "barrier");
    for (size_t i = 0; i < sizeof needed / sizeof *needed - barrier; i++)
        if (!json_object_get(object, needed[i]))
            return refuse(r, needed[i], NULL, "is missing");
    return NP_OK;
}

static np_status add_job(reader *r, json_t *object)
{
    made *m = r->made;
    const char *key;
    json_t *value;
    np_jobs_item job = {0};
    np_status st = NP_OK;
    if ((st = np_memory_room(&m->job, m->file.count, &m->room, sizeof *m->job, what)) ||
        (st = np_memory_room(&m->host, m->file.count, &m->host_room, sizeof *m->host, what)))
        return st;
    r->job = &job;
    r->host = NULL;
    json_object_foreach(object, key, value)
    {
        if ((st = read_member(r, key, value)))
            break;
    }
    job.host = r->host;
    m->host[m->file.count] = r->host;
    m->job[m->file.count++] = job;
    return st ? st : check(r, object);
}

/* ---- The file ---- */

/* Moves to the next character that is no space, and counts lines. */
static char skip(np_text *text)
{
    for (; text->at < text->end && strchr(" \t\r\n", *text->at); text->at++)
        text->line += *text->at == '\n';
    return text->at < text->end ? *text->at : 0;
}

/* The object at text->at, behind which the text then goes on. */
static np_status read_object(reader *r)
{
    np_text *text = &r->text;
    json_error_t error;
    json_t *object =
        np_json_load(text->at, (size_t)(text->end - text->at), JSON_REJECT_DUPLICATES | JSON_DISABLE_EOF_CHECK, &error);
    if (!object && (!*error.text || json_error_code(&error) == json_error_out_of_memory))
        return NP_ERROR_MEMORY; /* np_memory_lend says what was wanted */
    if (!object) {
        text->line += error.line > 1 ? (uint64_t)error.line - 1 : 0;
        return np_text_raise(text, NP_ERROR_INPUT, "this is no JSON: %s", error.text);
    }
    const char *end = text->at + error.position;
    np_status st = json_array_append_new(r->made->texts, object) ? NP_ERROR_MEMORY : add_job(r, object);
    for (; text->at < end; text->at++)
        text->line += *text->at == '\n';
    return st;
}

static np_status read_all(reader *r)
{
    static const char list[] = "a file of jobs is a list of objects, as in [{\"collective\": ...}, ...]";
    np_text *text = &r->text;
    np_status st = NP_OK;
    text->line = 1;
    bool first = true, more = skip(text) == '[';
    uint64_t begin = text->line;
    if (!more)
        return np_text_raise(text, NP_ERROR_INPUT, "%s", list);
    for (text->at++; more && !st; first = false) {
        char c = skip(text);
        if (c == ']' && first)
            break;
        if (c == ']')
            return np_text_raise(text, NP_ERROR_INPUT, "no comma may stand behind the last job");
        if (c != '{')
            return np_text_raise(text, NP_ERROR_INPUT, "%s", list);
        if ((st = read_object(r)))
            return st;
        c = skip(text);
        if (c != ',' && c != ']')
            return np_text_raise(text, NP_ERROR_INPUT, "a comma or ']' must follow a job");
        more = c == ',';
        text->at += more;
    }
    text->at++;
    if (skip(text))
        return np_text_raise(text, NP_ERROR_INPUT, "something follows the list of jobs");
    text->line = begin;
    return r->made->file.count ? NP_OK : np_text_raise(text, NP_ERROR_INPUT, "there are no jobs");
}

np_status np_jobs_file_read(const char *path, const np_network *network, const char *link_rate, np_jobs_file **out)
{
    reader r = {.network = network};
    np_status st;
    *out = NULL;
    if ((st = np_flows_read_rate(link_rate, &r.units)) || (st = np_memory_zeroed(&r.made, 1, sizeof *r.made, what)))
        return st;
    NP_TEXT_FILE(file, path);
    if (!(st = file.status) && !(r.made->texts = json_array()))
        st = NP_RAISE(NP_ERROR_MEMORY, "no memory for %s", what);
    if (!st && !(st = np_text_open_strict(&r.text, path, file.data, file.length)))
        st = read_all(&r);
    r.made->file.job = r.made->job;
    *out = &r.made->file;
    if (st) {
        np_jobs_file_free(*out);
        *out = NULL;
    }
    return st;
}

void np_jobs_file_free(np_jobs_file *file)
{
    made *m = (made *)file;
    if (!m)
        return;
    for (size_t j = 0; j < m->file.count; j++)
        np_memory_free(m->host[j]);
    json_decref(m->texts);
    NP_MEMORY_FREE(m->host, m->job, m);
}
