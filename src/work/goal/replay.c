/*
 * Replays a schedule by a model. With flows the player and the engine of flows take turns: a message that departs is
 * added to the engine, and the player's next event is a flow of no size, which ends when it starts.
 *
 * With steps the network is played step by step (packets.h) from one event of the player to the next.
 *
 * Times of flows are counted in ticks, of which a byte takes 2^30 or more on a link of width 1, as in run/flows.
 */
#include <math.h>
#include <string.h>

#include "base/account.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/plural.h"
#include "base/quantity.h"
#include "base/watch.h"
#include "engine/flows/fair.h"
#include "model/network/attributes.h"
#include "model/path/path.h"
#include "netpram/replay.h"
#include "work/collective/model.h"
#include "work/collective/lanes.h"
#include "work/goal/goal.h"
#include "work/goal/packets.h"

enum { BYTE_BITS = 30, TELL = 4096 /* events between two looks at the watch */ };

static const uint64_t ALARM = UINT64_MAX; /* the name of the flow that wakes the player */

typedef enum replay_model { LOGGOPS, FLOWS, STEPS, MODELS } replay_model;

static const char *const models[MODELS] = {"loggops", "flows", "steps"};

typedef struct replay {
    replay_model model;
    const np_network *network;
    const char *file;
    np_replay_options options;
    np_goal goal;
    np_goal_player *player;
    np_node *host; /* NULL: in order */
    /* of flows */
    np_lane_list pairs;
    np_fair *fair;
    np_goal_time alarm; /* NP_FAIR_NEVER: none is set */
    double unit;        /* steps, or with a link rate nanoseconds, that a byte takes */
    unsigned bits;      /* a step or nanosecond is 2^bits ticks */
    /* of steps */
    np_packets *packets;
    np_goal_time now;
    /* for the watch */
    uint64_t told; /* steps, messages or moments so far */
} replay;

static const char what[] = "a replay";

/* ---- Options ---- */

#define AT(member) offsetof(np_replay_options, member)

static const np_field rows[] = {
    {"model", NP_FIELD_TEXT, AT(model),
     .help = "What messages cost: LogGOPS; or flows that share links fairly, or packets, on the network",
     .preset = "loggops", .placeholder = "loggops|flows|steps", .group = "How to replay:"},
    {"loggops", NP_FIELD_TEXT, AT(loggops),
     .help = "Latency, overhead, gap, gap a byte, overhead a byte in ns, rendezvous threshold in bytes (default: "
             "L=2500,o=1500,g=1000,G=6,O=0,S=65535)",
     .placeholder = "L=..,.."},
    {"link_rate", NP_FIELD_REAL, AT(link_rate), "bit/s",
     .help = "Of model flows, as in 100Gbit/s: times are ns (default: a link sends a byte a step)", .least = 1,
     .set = np_rate_set, .placeholder = "RATE"},
    {"place", NP_FIELD_TEXT, AT(place),
     .help = "Of flows and steps: ranks on hosts; a file has a host a line (default: linear)",
     .placeholder = "linear|random|file:PATH"},
    {"paths", NP_FIELD_TEXT, AT(paths), .help = "Of flows and steps (default: shortest ones)", .placeholder = "RULE",
     .list = "paths"},
    {"packet_size", NP_FIELD_REAL, AT(packet_size), "bytes",
     .help = "Of model steps: the size of a packet (default: 1)", .least = 1, .set = np_size_set,
     .placeholder = "SIZE"},
    {"seed", NP_FIELD_SEED, AT(seed), .help = "Where all random choices come from", .preset = "1", .placeholder = "N"},
    {"memory", NP_FIELD_BYTES, AT(memory_limit), "bytes",
     .help = "Refuse what needs more, as in 4G (default: what is available)", .placeholder = "BYTES"},
};

const np_fields np_replay_options_fields = NP_OPTIONS("replay_options", "a replay", np_replay_options, rows, NULL);

typedef struct parameter {
    const char *name;
    size_t at; /* in the result */
    uint64_t preset;
} parameter;

#define IN(member) offsetof(np_replay_result, member)

static const parameter parameters[] = {
    {"L", IN(latency), 2500}, {"o", IN(overhead), 1500},   {"g", IN(gap), 1000},
    {"G", IN(byte_gap), 6},   {"O", IN(byte_overhead), 0}, {"S", IN(threshold), 65535},
};

enum { PARAMETERS = sizeof parameters / sizeof *parameters };

static uint64_t *value_of(np_replay_result *r, const parameter *p) { return (uint64_t *)((char *)r + p->at); }

static const parameter *find_parameter(const char *name, size_t length)
{
    for (size_t i = 0; i < PARAMETERS; i++)
        if (strlen(parameters[i].name) == length && !memcmp(parameters[i].name, name, length))
            return &parameters[i];
    return NULL;
}

static bool is_of_network(const parameter *p) { return *p->name == 'L' || *p->name == 'G'; }

/* One of "L=2500", length bytes of the text. */
static np_status read_parameter(const char *text, size_t length, replay_model model, unsigned *given,
                                np_replay_result *out)
{
    char number[24];
    const char *equals = memchr(text, '=', length);
    const parameter *p = equals ? find_parameter(text, (size_t)(equals - text)) : NULL;
    size_t digits = equals ? (size_t)(text + length - equals) - 1 : 0;
    if (!p)
        return NP_RAISE(NP_ERROR_INPUT, "loggops '%.40s': give L, o, g, G, O and S, as in L=2500,o=1500", text);
    if (model != LOGGOPS && is_of_network(p))
        return NP_RAISE(NP_ERROR_APPLY, "loggops: %s is the network's with model %s: leave it out", p->name,
                        models[model]);
    if (*given & 1U << (p - parameters))
        return NP_RAISE(NP_ERROR_INPUT, "loggops: %s is given twice", p->name);
    *given |= 1U << (p - parameters);
    snprintf(number, sizeof number, "%.*s", (int)(digits < sizeof number ? digits : sizeof number - 1), equals + 1);
    if (digits >= sizeof number || !np_parse_whole(number, 0, UINT64_C(1) << 40, value_of(out, p)))
        return NP_RAISE(NP_ERROR_INPUT, "loggops: %s must be a whole number from 0 to 2^40", p->name);
    return NP_OK;
}

static np_status read_costs(const np_replay_options *o, replay_model model, np_replay_result *out)
{
    np_status st = NP_OK;
    unsigned given = 0; /* bits of parameters */
    for (size_t i = 0; i < PARAMETERS; i++)
        *value_of(out, &parameters[i]) = model != LOGGOPS && *parameters[i].name != 'S' ? 0 : parameters[i].preset;
    for (const char *at = o->loggops; at && !st; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        st = read_parameter(at, strcspn(at, ","), model, &given, out);
    return st;
}

static np_status check(const np_network *network, const np_replay_options *o, replay_model *out)
{
    np_status st;
    for (*out = 0; *out < MODELS && strcmp(models[*out], o->model) != 0;)
        ++*out;
    if (*out == MODELS)
        return NP_RAISE(NP_ERROR_INPUT, "no model '%s': %s", o->model, np_parse_hint_of(o->model, models, MODELS).text);
    const char *option = o->place ? "place" : o->paths ? "paths" : NULL;
    if (*out == LOGGOPS && option)
        return NP_RAISE(NP_ERROR_APPLY, "%s: model loggops knows no network, try --model flows", option);
    if (*out == LOGGOPS && o->seed != 1)
        return NP_RAISE(NP_ERROR_APPLY, "seed %llu: model loggops draws nothing, leave it out",
                        (unsigned long long)o->seed);
    if (*out != FLOWS && o->link_rate > 0)
        return NP_RAISE(NP_ERROR_APPLY, "link-rate is for model flows, and not for %s", o->model);
    if (*out != FLOWS && (st = np_attributes_heeded(network, *out == STEPS ? "model steps" : "model loggops",
                                                    *out == STEPS ? NP_HEEDS_COSTS : 0)))
        return st;
    if (*out != STEPS && o->packet_size > 0)
        return NP_RAISE(NP_ERROR_APPLY, "packet-size is for model steps, and not for %s", o->model);
    return NP_OK;
}

/* Tells the watch now and then. unit: what is counted. */
static np_status tell(replay *r, const char *unit)
{
    if (++r->told % TELL)
        return NP_OK;
    const np_progress at = {r->options.model, unit, r->told, 0, np_goal_share(r->player)};
    return np_watch_check(&r->options.watch, at);
}

/* ---- Flows ---- */

/* Wakes the player when it has something to do, if it is not to be woken before. */
static np_status set_alarm(replay *r)
{
    np_goal_time next;
    if (!np_goal_player_next(r->player, &next) || next >= r->alarm)
        return NP_OK;
    np_goal_time now = np_fair_now(r->fair);
    r->alarm = next > now ? next : now;
    return np_fair_add(r->fair, &(np_fair_flow){.name = ALARM, .start = r->alarm});
}

/* Of a message, which fits: check_ticks. */
static np_fair_size units_of(const replay *r, uint64_t bytes)
{
    return (np_fair_size)ldexp((double)bytes * r->unit, (int)(r->bits + r->pairs.bits));
}

/* Delays are steps, or with a link rate seconds, where times are ns. */
static np_fair_time delay_of(const replay *r, size_t pair)
{
    double unit = r->options.link_rate > 0 ? 1e9 : 1;
    return r->pairs.delay ? (np_fair_time)ldexp(r->pairs.delay[pair] * unit, (int)r->bits) : 0;
}

static np_status depart(void *self, uint32_t item, np_goal_time time)
{
    replay *r = self;
    const np_goal_item *send = &r->goal.item[item];
    size_t pair = np_lane_list_place(&r->pairs, np_ranks_host(r->network, r->host, send->rank),
                                     np_ranks_host(r->network, r->host, send->peer));
    np_fair_flow flow = {.name = item,
                         .path = r->pairs.link + r->pairs.first[pair],
                         .hops = (uint32_t)(r->pairs.first[pair + 1] - r->pairs.first[pair]),
                         .start = time,
                         .delay = delay_of(r, pair),
                         .size = units_of(r, send->size)};
    return np_fair_add(r->fair, &flow);
}

static np_status finished(void *self, uint64_t name, np_fair_time now)
{
    replay *r = self;
    np_status st = NP_OK;
    if (name == ALARM && now == r->alarm) {
        r->alarm = NP_FAIR_NEVER;
        st = np_goal_player_run(r->player, now);
    } else if (name != ALARM) {
        if (!(st = np_goal_arrive(r->player, (uint32_t)name, now)))
            st = tell(r, "messages");
    }
    return st ? st : set_alarm(r);
}

static np_status find_pairs(replay *r)
{
    np_status st = NP_OK;
    for (size_t i = 0; i < r->goal.items && !st; i++)
        if (r->goal.item[i].kind == NP_GOAL_SEND)
            st = np_lane_list_add(&r->pairs, np_ranks_host(r->network, r->host, r->goal.item[i].rank),
                                  np_ranks_host(r->network, r->host, r->goal.item[i].peer));
    const np_lane_options o = {r->options.paths, r->options.seed, r->options.link_rate > 0, &r->options.watch};
    return st ? st : np_lane_list_find(&r->pairs, r->network, &o);
}

/* Do all times and sizes fit the bits that count them? */
static np_status check_ticks(const replay *r, const np_replay_result *costs)
{
    double bytes = ldexp(1 / r->unit, NP_FAIR_SIZE_BITS - (int)(r->bits + r->pairs.bits)), sum = 0;
    int time_bits = NP_FAIR_TIME_BITS - (int)r->bits;
    for (size_t i = 0; i < r->goal.items; i++) {
        const np_goal_item *item = &r->goal.item[i];
        double size = (double)item->size, each = (double)(costs->overhead + costs->gap);
        sum += item->kind == NP_GOAL_CALC ? size : 2 * (each + size * (double)costs->byte_overhead);
        if ((item->kind == NP_GOAL_SEND && size >= bytes) || sum >= ldexp(1, time_bits))
            return NP_RAISE(
                NP_ERROR_LIMIT,
                "%s:%u: this takes too long for model flows: a message of %s bytes or more, or all items up "
                "to it 2^%d %s",
                r->file, item->line, NP_REAL(bytes, 3), time_bits, costs->unit);
    }
    return NP_OK;
}

static np_status play_flows(replay *r)
{
    const np_fair_driver driver = {.self = r, .finished = finished};
    np_status st;
    r->alarm = NP_FAIR_NEVER;
    if ((st = np_fair_create(r->network->link_numbers, r->pairs.capacity, &r->fair)) || (st = set_alarm(r)) ||
        (st = np_fair_run(r->fair, &driver)))
        return st;
    return np_fair_standing(r->fair) ? NP_RAISE(NP_ERROR_LIMIT, "more flows over a link than can be told apart")
                                     : NP_OK;
}

/* ---- Steps ---- */

static np_status depart_in_packets(void *self, uint32_t item, np_goal_time time)
{
    replay *r = self;
    const np_goal_item *send = &r->goal.item[item];
    double each = np_model_packet(r->options.packet_size, r->options.link_rate);
    size_t lane = np_lane_list_place(&r->pairs, np_ranks_host(r->network, r->host, send->rank),
                                     np_ranks_host(r->network, r->host, send->peer));
    uint64_t packets = (uint64_t)ceil((double)send->size / each);
    if (!packets || r->pairs.first[lane] == r->pairs.first[lane + 1])
        return np_goal_arrive(r->player, item, time);
    if (time > r->now) /* later: it comes to itself, and is sent then */
        return np_goal_depart_later(r->player, item, time);
    return np_packets_send(r->packets, item, lane, packets);
}

static np_status arrived(void *self, uint32_t item)
{
    replay *r = self;
    return np_goal_arrive(r->player, item, r->now);
}

/* Plays steps, and what happens between them, until nothing does. */
static np_status step_on(replay *r)
{
    np_goal_time next;
    np_status st = NP_OK;
    while (!st) {
        bool more = np_goal_player_next(r->player, &next);
        if (more && next <= r->now)
            st = np_goal_player_run(r->player, r->now);
        else if (np_packets_move(r->packets)) {
            r->now++;
            if (!(st = np_packets_step(r->packets, arrived, r)))
                st = tell(r, "steps");
        } else if (more)
            r->now = next;
        else
            break;
    }
    return st;
}

static np_status play_steps(replay *r)
{
    np_status st = np_packets_create(&r->pairs, r->network, r->goal.items, &r->packets);
    return st ? st : step_on(r);
}

/* ---- Any model ---- */

static np_goal_costs costs_of(const np_replay_result *r, unsigned bits)
{
    return (np_goal_costs){.latency = (np_goal_time)r->latency << bits,
                           .overhead = (np_goal_time)r->overhead << bits,
                           .gap = (np_goal_time)r->gap << bits,
                           .byte_gap = (np_goal_time)r->byte_gap << bits,
                           .byte_overhead = (np_goal_time)r->byte_overhead << bits,
                           .calc = (np_goal_time)1 << bits,
                           .threshold = r->threshold};
}

static np_status play_loggops(replay *r)
{
    np_goal_time next;
    np_status st = NP_OK;
    while (!st && np_goal_player_next(r->player, &next))
        if (!(st = np_goal_player_run(r->player, next)))
            st = tell(r, "moments");
    return st;
}

static np_status play(replay *r, np_replay_result *out)
{
    static np_status (*const by[MODELS])(replay *) = {play_loggops, play_flows, play_steps};
    const np_goal_carrier carrier = {r, r->model == FLOWS ? depart : r->model == STEPS ? depart_in_packets : NULL};
    np_status st = r->model == LOGGOPS ? NP_OK : find_pairs(r);
    r->unit = r->options.link_rate > 0 ? 8e9 / r->options.link_rate : 1;
    while (r->model == FLOWS && ldexp(r->unit, (int)r->bits) < ldexp(1, BYTE_BITS))
        r->bits++;
    const np_goal_costs costs = costs_of(out, r->bits);
    if (!st && r->model == FLOWS)
        st = check_ticks(r, out);
    if (!st)
        st = np_goal_player_create(&r->goal, &costs, &carrier, &r->player);
    if (!st)
        st = by[r->model](r);
    if (!st)
        st = np_goal_player_finish(r->player, r->file);
    if (st)
        return st;
    if (r->model != FLOWS && np_goal_makespan(r->player) > (np_goal_time)1 << 53)
        return NP_RAISE(NP_ERROR_LIMIT, "%s: the makespan is above 2^53 %s: more than can be told exactly", r->file,
                        out->unit);
    out->makespan = ldexp((double)np_goal_makespan(r->player), -(int)r->bits);
    out->unreceived = np_goal_unreceived(r->player);
    return NP_OK;
}

static np_status place(replay *r)
{
    uint32_t hosts = np_network_terminals(r->network);
    if (r->goal.ranks > hosts)
        return NP_RAISE(NP_ERROR_APPLY, "%s has %u host%s, and %s has %u ranks: take a larger network",
                        np_network_spec(r->network), hosts, np_plural(hosts), r->file, r->goal.ranks);
    for (uint32_t i = 0; i < r->goal.ranks; i++)
        if (np_network_input(r->network, i) != np_network_output(r->network, i))
            return NP_RAISE(NP_ERROR_APPLY, "%s: nodes that only send or only receive can be no ranks",
                            np_network_spec(r->network));
    return np_ranks_place(r->options.place, r->network, r->options.seed, r->goal.ranks, &r->host);
}

static void count(const np_goal *goal, np_replay_result *out)
{
    for (size_t i = 0; i < goal->items; i++) {
        const np_goal_item *item = &goal->item[i];
        out->sends += item->kind == NP_GOAL_SEND;
        out->receives += item->kind == NP_GOAL_RECEIVE;
        out->calcs += item->kind == NP_GOAL_CALC;
        out->bytes += item->kind == NP_GOAL_SEND ? (double)item->size : 0;
    }
}

/* What is known of the result before anything is played. */
static np_status describe(const replay *r, np_replay_result *out)
{
    const np_replay_options *o = &r->options;
    const char *spec = np_network_spec(r->network), *placed = o->place ? o->place : "linear";
    if (!(out->network = np_memory_text(spec)) || !(out->file = np_memory_text(r->file)) ||
        !(out->model = np_memory_text(o->model)) || !(out->place = np_memory_text(placed)))
        return np_status_last();
    out->unit = r->model == LOGGOPS || o->link_rate > 0 ? "ns" : "steps";
    out->packet_size = r->model != STEPS ? 0 : np_model_packet(o->packet_size, o->link_rate);
    out->nodes = r->network->nodes;
    out->ranks = r->goal.ranks;
    out->link_rate = o->link_rate;
    out->seed = o->seed;
    count(&r->goal, out);
    return NP_OK;
}

void np_replay_result_free(np_replay_result *result)
{
    if (!result)
        return;
    NP_MEMORY_FREE((char *)result->network, (char *)result->file, (char *)result->model, (char *)result->place, result);
}

static np_status prepare(replay *r, np_replay_result *out)
{
    np_status st;
    if ((st = check(r->network, &r->options, &r->model)) || (st = read_costs(&r->options, r->model, out)) ||
        (st = np_goal_read(&r->goal, r->file)))
        return st;
    return place(r);
}

static void clear(replay *r)
{
    np_goal_player_free(r->player);
    np_fair_free(r->fair);
    np_packets_free(r->packets);
    np_lane_list_clear(&r->pairs);
    np_goal_clear(&r->goal);
    np_memory_free(r->host);
}

np_status np_replay_check(const np_network *network, const char *file, const np_replay_options *given)
{
    replay r = {.network = network, .file = file};
    np_replay_result costs = {0};
    np_status st = np_options_take(&np_replay_options_fields, given, &r.options);
    if (st)
        return st;
    NP_ACCOUNT(r.options.memory_limit, "a shorter schedule");
    if (!(st = prepare(&r, &costs)) && r.options.paths)
        st = np_path_check(r.options.paths, network);
    clear(&r);
    return st;
}

np_status np_replay(const np_network *network, const char *file, const np_replay_options *given, np_replay_result **out)
{
    replay r = {.network = network, .file = file};
    np_replay_result *result;
    double begin = np_clock_seconds();
    np_status st = np_options_take(&np_replay_options_fields, given, &r.options);
    *out = NULL;
    if (st)
        return st;
    NP_ACCOUNT(r.options.memory_limit, "a shorter schedule");
    if ((st = np_memory_zeroed(&result, 1, sizeof *result, what)))
        return st;
    if (!(st = prepare(&r, result)) && !(st = describe(&r, result)))
        st = play(&r, result);
    clear(&r);
    result->wall_seconds = np_clock_seconds() - begin;
    if (st)
        np_replay_result_free(result);
    else
        *out = result;
    return st;
}
