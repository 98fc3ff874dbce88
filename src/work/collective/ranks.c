/*
 * Operations among ranks: the hosts of any network, or its nodes if all are hosts. Algorithms play on the complete
 * network of the ranks, which is arithmetic and takes no memory. Rank r is at host r, or where --place puts it.
 */
#include "model/network/attributes.h"
#include "work/collective/model.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/plural.h"
#include "base/random.h"
#include "model/network/read_node.h"

enum { RANKS_MAX = 65536 }; /* of a complete network */

/* The most ranks that are a power of two. */
static uint32_t power_below(uint32_t ranks)
{
    uint32_t power = 1;
    while (power <= ranks / 2)
        power *= 2;
    return power;
}

static np_status check_hosts(const np_network *network)
{
    uint32_t ranks = np_network_terminals(network);
    if (ranks < 2)
        return NP_RAISE(NP_ERROR_APPLY, "%s: one rank has nobody to exchange with: take a network of 2 hosts or more",
                        np_network_spec(network));
    if (ranks > RANKS_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%s: %u ranks are too many: at most %d", np_network_spec(network), ranks,
                        RANKS_MAX);
    for (uint32_t r = 0; r < ranks; r++)
        if (np_network_input(network, r) != np_network_output(network, r))
            return NP_RAISE(NP_ERROR_APPLY, "%s: nodes that only send or only receive can be no ranks: try complete:%u",
                            np_network_spec(network), ranks);
    return NP_OK;
}

static void place_at_random(uint64_t seed, uint32_t ranks, np_node *place)
{
    const np_draws draws = np_draws_for((np_draws){.seed = seed}, NP_RANDOM_RANKS);
    for (uint32_t i = 0; i < ranks; i++) {
        uint32_t j = np_random_below(&draws, i, 0, i + 1);
        place[i] = place[j];
        place[j] = i;
    }
}

/* One host a line; rank r is in the r-th. */
static np_status read_places(np_text *text, const np_network *network, uint32_t ranks, uint32_t *place, bool *taken)
{
    uint32_t rank = 0;
    while (np_text_next(text)) {
        np_status st = np_text_count(text, 1, 1, "HOST");
        if (!st && rank == ranks)
            return np_text_raise(text, NP_ERROR_INPUT, "there are only %u ranks", ranks);
        if (!st)
            st = np_network_read_terminal(network, text, text->field[0], "host", &place[rank]);
        if (!st && taken[place[rank]])
            return np_text_raise(text, NP_ERROR_INPUT, "host '%s' has a rank already", np_text_show(text, 0).text);
        if (st)
            return st;
        taken[place[rank++]] = true;
    }
    return rank == ranks ? NP_OK
                         : np_text_raise(text, NP_ERROR_INPUT, "places of %u rank%s, and there are %u", rank,
                                         np_plural(rank), ranks);
}

static np_status place_by_file(const char *path, const np_network *network, uint32_t ranks, uint32_t *place)
{
    bool *taken = NULL;
    np_text text;
    NP_TEXT_FILE(file, path);
    np_status st = file.status ? file.status : np_text_open_strict(&text, path, file.data, file.length);
    if (!st && !(st = np_memory_zeroed(&taken, np_network_terminals(network), sizeof *taken, "places of ranks")))
        st = read_places(&text, network, ranks, place, taken);
    np_memory_free(taken);
    return st;
}

np_status np_ranks_place(const char *spec, const np_network *network, uint64_t seed, uint32_t ranks, np_node **out)
{
    static const char *const words[] = {"linear", "random", "file:PATH"};
    static const char file[] = "file:";
    np_status st = NP_OK;
    *out = NULL;
    if (!spec || !strcmp(spec, "linear"))
        return NP_OK;
    bool by_file = !strncmp(spec, file, strlen(file)) && spec[strlen(file)];
    if (!by_file && strcmp(spec, "random"))
        return NP_RAISE(NP_ERROR_INPUT, "place '%s': %s", spec, np_parse_hint_of(spec, words, 3).text);
    uint32_t hosts = np_network_terminals(network);
    np_node *place;
    if ((st = np_memory_array(&place, hosts, sizeof *place, "places of ranks")))
        return st;
    if (by_file)
        st = place_by_file(spec + strlen(file), network, ranks, place);
    else
        place_at_random(seed, hosts, place);
    for (uint32_t r = 0; r < ranks && !st; r++)
        place[r] = np_network_input(network, place[r]);
    if (st)
        np_memory_free(place);
    else
        *out = place;
    return st;
}

np_node np_ranks_host(const np_network *network, const np_node *host, uint32_t rank)
{
    return host ? host[rank] : np_network_input(network, rank);
}

/* Options of models where there is none, and of other models. */
static np_status check_model(const np_network *network, const np_collective_options *o, const char *model, bool ranks)
{
    bool rounds = model && !strcmp(model, "rounds");
    if (o->bytes && !(o->link_rate > 0))
        return NP_RAISE(NP_ERROR_INPUT, "without a link rate (--link-rate) sizes are data, and not bytes: write plain "
                                        "numbers, as in 1000 or 1M");
    const char *option = o->link_rate > 0 ? "link-rate" : o->place ? "place" : o->paths ? "paths" : NULL;
    if (!ranks && (option || o->packet_size > 0))
        return NP_RAISE(NP_ERROR_APPLY, "%s is of operations among ranks: say --model",
                        option ? option : "packet-size");
    if (rounds && (o->place || o->paths))
        return NP_RAISE(NP_ERROR_APPLY, "%s: model rounds knows no network: try --model steps",
                        o->place ? "place" : "paths");
    if (ranks && rounds && np_network_find_failure(np_network_spec(network)))
        return NP_RAISE(NP_ERROR_APPLY, "%s: model rounds knows no links, and so no failures: try --model flows",
                        np_network_spec(network));
    np_status st = ranks && !rounds ? NP_OK : np_attributes_heeded(network, ranks ? "model rounds" : "rounds", 0);
    if (st)
        return st;
    if (o->packet_size > 0 && strcmp(model, "steps"))
        return NP_RAISE(NP_ERROR_APPLY, "packet-size is for model steps, and not for %s", model);
    if (ranks && !rounds && o->cv != 1)
        return NP_RAISE(NP_ERROR_APPLY, "cv: model %s knows what a datum takes: leave it out", model);
    if (ranks && (o->observer || o->ci > 0))
        return NP_RAISE(NP_ERROR_APPLY, "%s of operations over links, and not of ranks",
                        o->observer ? "events, as in --trace and --picture, are" : "ci is");
    return NP_OK;
}

np_status np_rank_net_init(np_rank_net *ranks, const np_network *network, const char *operation,
                           const np_collective_options *options)
{
    np_collective_kind kind;
    np_model model;
    *ranks = (np_rank_net){.network = network, .under = network, .core = network};
    np_status st = np_collective_kind_of(operation, &kind);
    bool played = !st && (options->model || np_collective_of_ranks(kind) || !strcmp(operation, "all-to-allv") ||
                          (!strcmp(operation, "all-gather") && !np_network_all_terminals(network)));
    if (!st)
        st = np_model_of(options->model, &model);
    if (st || (st = check_model(network, options, np_model_name(model), played)))
        return st;
    ranks->shared = played || !strcmp(operation, "all-gather");
    if (!played)
        return NP_OK;
    uint32_t count = np_network_terminals(network);
    if (!(st = check_hosts(network)) && !(st = np_network_make(&ranks->complete, "complete:%u", count)) &&
        !(st = np_network_make(&ranks->small, "complete:%u", power_below(count))))
        st = np_ranks_place(options->place, network, options->seed, count, &ranks->host);
    ranks->network = ranks->complete;
    ranks->core = ranks->small;
    ranks->model = model;
    ranks->played = true;
    return st;
}

void np_rank_net_clear(np_rank_net *ranks)
{
    np_network_free(ranks->complete);
    np_network_free(ranks->small);
    np_memory_free(ranks->host);
    *ranks = (np_rank_net){0};
}
