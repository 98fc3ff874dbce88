/* See ranks_file.h. */
#include "papers/ranks/ranks_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/parse.h"
#include "base/random.h"
#include "base/text.h"
#include "base/written.h"
#include "run/route/ranked.h"

void np_ranks_write(const np_ranks_about *about, const uint32_t *rank, np_packet packets, FILE *stream)
{
    fprintf(stream, "# ranks of %u packets in 1..%u, lines: packet rank\n", packets, about->range);
    np_instance_write("network", about->network, stream);
    np_instance_write("traffic", about->traffic, stream);
    np_instance_write("paths", about->paths, stream);
    fprintf(stream, "# seed %" PRIu64 "\n# links %016" PRIx64 "\n# demands %016" PRIx64 "\n# queue size %u\n",
            about->seed, about->links, about->demands, about->queue_size);
    if (about->steps)
        fprintf(stream, "# at most %u steps\n", about->steps);
    for (np_packet i = 0; i < packets; i++)
        fprintf(stream, "%u %u\n", i, rank[i]);
}

/* ---- Sums ---- */

static uint64_t add(uint64_t sum, uint64_t word) { return np_random_mix(sum ^ word) + word; }

uint64_t np_ranks_links(const np_network *network)
{
    uint64_t sum = add(0, np_network_nodes(network));
    for (np_link l = 0; l < np_network_link_numbers(network); l++) {
        np_node head = np_network_link_head(network, l);
        sum = add(sum, head == NP_NONE ? head : (uint64_t)np_network_link_tail(network, l) << 32 | head);
    }
    return sum | 1;
}

uint64_t np_ranks_demands(const np_traffic *traffic)
{
    uint64_t sum = 0;
    for (np_packet p = 0; p < np_traffic_packets(traffic); p++)
        sum = add(sum, (uint64_t)np_traffic_sources(traffic)[p] << 32 | np_traffic_destinations(traffic)[p]);
    return sum | 1;
}

/* ---- The head ---- */

enum { LINE = 512 };

/* What the head says; "": nothing. */
typedef struct head {
    char network[LINE], traffic[LINE], paths[LINE], seed[LINE], links[LINE], demands[LINE];
} head;

/* Moves *at past a line of the head, a comment, and copies it. False: there are no more. */
static bool take_line(const char **at, const char *end, char *line)
{
    if (*at >= end || **at != '#')
        return false;
    const char *newline = memchr(*at, '\n', (size_t)(end - *at)), *stop = newline ? newline : end;
    size_t length = (size_t)(stop - *at);
    length -= length && stop[-1] == '\r';
    snprintf(line, LINE, "%.*s", (int)(length < LINE ? length : LINE), *at);
    *at = newline ? newline + 1 : end;
    return true;
}

static void read_head(const char *data, size_t length, head *h)
{
    const struct {
        const char *begin;
        char *place;
    } keys[] = {{"# network ", h->network}, {"# traffic ", h->traffic}, {"# paths ", h->paths},
                {"# seed ", h->seed},       {"# links ", h->links},     {"# demands ", h->demands}};
    char line[LINE];
    memset(h, 0, sizeof *h);
    for (const char *at = data; take_line(&at, data + length, line);)
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
            if (!strncmp(line, keys[i].begin, strlen(keys[i].begin)))
                strcpy(keys[i].place, line + strlen(keys[i].begin));
}

/* Is the text that of the file? As a spec, it was written by np_written. */
static bool is_same(const char *said, const char *text)
{
    char shown[LINE];
    return !strcmp(said, np_written_copy(text, shown, sizeof shown));
}

/* By the sum, or, where there is none, by the name. */
static bool is_same_thing(const char *said, const char *name, const char *said_sum, uint64_t sum)
{
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, sum);
    return *said_sum ? !strcmp(said_sum, text) : is_same(said, name);
}

static np_status refuse(const char *name, const char *what, const char *said, const char *want)
{
    return NP_RAISE(NP_ERROR_INPUT, "%.100s: these ranks are for %s %.100s, and this is %.100s%s", name, what, said,
                    want, is_same(said, want) ? ", which is another one now" : "");
}

/* The runs of random traffic differ, and threads come to them in any order: the message is the same for all. */
static np_status refuse_traffic(const char *name, const char *said, const char *want)
{
    if (!is_same(said, want))
        return refuse(name, "traffic", said, want);
    return NP_RAISE(
        NP_ERROR_INPUT,
        "%.100s: these ranks are for traffic %.100s as run 0 had it when they were made, and a run here has "
        "another: take one run, or make them anew",
        name, said);
}

np_status np_ranks_check(const char *name, const char *data, size_t length, const np_ranks_about *about)
{
    char seed[24];
    head h;
    read_head(data, length, &h);
    snprintf(seed, sizeof seed, "%" PRIu64, about->seed);
    if (!*h.seed || (!*h.network && !*h.links))
        return NP_RAISE(NP_ERROR_INPUT,
                        "%.200s does not say for which network and seed its ranks are: 'netpram ranks' writes lines "
                        "'# network %.80s' and '# seed %s' at its head",
                        name, about->network, seed);
    if (!is_same_thing(h.network, about->network, h.links, about->links))
        return refuse(name, "network", h.network, about->network);
    if (strcmp(h.seed, seed))
        return refuse(name, "seed", h.seed, seed);
    if (*h.paths && !is_same(h.paths, about->paths))
        return refuse(name, "paths", h.paths, about->paths);
    if ((*h.demands || *h.traffic) && about->traffic &&
        !is_same_thing(h.traffic, about->traffic, h.demands, about->demands))
        return refuse_traffic(name, h.traffic, about->traffic);
    return NP_OK;
}

/* The steps in the line "# at most .. steps", which np_ranks_write writes; 0 for any other line. */
static np_step claim_of(const char *line)
{
    static const char before[] = "# at most ";
    const char *at = line + strlen(before);
    uint64_t steps;
    if (strncmp(line, before, strlen(before)) || !np_parse_u64(&at, &steps) || strcmp(at, " steps") ||
        steps > UINT32_MAX)
        return 0;
    return (np_step)steps;
}

np_status np_ranks_read_claim(const char *path, np_step *steps)
{
    char line[LINE];
    NP_TEXT_FILE(file, path);
    *steps = 0;
    for (const char *at = file.data; !file.status && !*steps && take_line(&at, file.data + file.length, line);)
        *steps = claim_of(line);
    return file.status;
}

static np_status parse_line(const np_text *text, np_packet packets, uint32_t range, uint32_t *rank)
{
    uint64_t packet, value;
    np_status st;
    if ((st = np_text_count(text, 2, 2, "packet rank")))
        return st;
    if (!packets)
        return np_text_raise(text, NP_ERROR_INPUT, "a rank, but the traffic has no packets");
    if ((st = np_text_number(text, 0, "packet", 0, packets - 1, &packet)) ||
        (st = np_text_number(text, 1, "rank", 1, range, &value)))
        return st;
    if (rank[packet])
        return np_text_raise(text, NP_ERROR_INPUT, "packet %" PRIu64 " has a rank already: give it one", packet);
    rank[packet] = (uint32_t)value;
    return NP_OK;
}

static np_status check_all(const np_text *text, const uint32_t *rank, np_packet packets, np_packet given)
{
    for (np_packet i = 0; i < packets; i++)
        if (!rank[i])
            return np_text_raise(text, NP_ERROR_INPUT, "ranks for %u of %u packets: packet %u has none", given, packets,
                                 i);
    return NP_OK;
}

np_status np_ranks_parse(const char *name, const char *data, size_t length, np_packet packets, uint32_t range,
                         uint32_t **rank)
{
    np_packet given = 0;
    np_text text;
    np_status st;
    *rank = NULL;
    if ((st = np_memory_zeroed(rank, packets, sizeof **rank, "the packets' ranks")))
        return st;
    st = np_text_open(&text, name, data, length);
    while (!st && np_text_next(&text)) {
        st = parse_line(&text, packets, range, *rank);
        given++;
    }
    if (!st)
        st = check_all(&text, *rank, packets, given);
    if (st) {
        np_memory_free(*rank);
        *rank = NULL;
    }
    return st;
}

np_status np_ranks_read(const char *path, const np_ranks_about *about, np_packet packets, uint32_t range,
                        uint32_t **rank)
{
    NP_TEXT_FILE(file, path);
    np_status st = file.status ? file.status : np_ranks_check(path, file.data, file.length, about);
    *rank = NULL;
    return st ? st : np_ranks_parse(path, file.data, file.length, packets, range, rank);
}

/* ---- For the scheme `ranked` ---- */

/* The ranks must be for this run's traffic; a later run may have drawn other paths. */
static np_status read_for(const np_route_plan *plan, const np_runner_job *job, uint64_t *demands, uint32_t **rank)
{
    const np_merge_options *options = &plan->options.merge;
    const np_ranks_about about = {.network = np_network_spec(plan->network),
                                  .traffic = plan->spec,
                                  .paths = plan->paths,
                                  .seed = job->draws.seed,
                                  .links = np_ranks_links(plan->network),
                                  .demands = np_ranks_demands(job->traffic)};
    if (*rank && *demands == about.demands)
        return NP_OK;
    np_memory_free(*rank);
    *demands = about.demands;
    return np_ranks_read(options->rank_file, &about, np_traffic_packets(job->traffic), options->rank_range, rank);
}

const np_rank_source np_rank_source_file = {
    .info = {"file", "ranks that 'netpram ranks' found", "Leighton, Maggs, Ranade & Rao 1994, section 11"},
    .read = read_for,
};

/* ---- Instances ---- */

np_status np_instance_init(np_instance *instance, const np_network *network, const np_traffic *traffic,
                           const char *file)
{
    *instance = (np_instance){.network = np_memory_text(np_network_spec(network)),
                              .traffic = np_memory_text(np_traffic_spec(traffic)),
                              .file = file ? np_memory_text(file) : NULL};
    return instance->network && instance->traffic && (instance->file || !file) ? NP_OK : np_status_last();
}

void np_instance_clear(np_instance *instance) { NP_MEMORY_FREE(instance->network, instance->traffic, instance->file); }

void np_instance_write(const char *word, const char *spec, FILE *stream)
{
    fprintf(stream, "# %s ", word);
    np_written(NP_MEDIUM_TERMINAL, spec, stream);
    fputc('\n', stream);
}
