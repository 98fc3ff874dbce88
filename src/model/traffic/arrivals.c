/*
 * Packets over time. A process says when a terminal creates its next packet, by inverting a distribution at a number
 * drawn for (terminal, which packet). All are renewal processes whose arrival before is all that counts, but for:
 *
 *   poisson   in continuous time, each arrival in the cycle in which it falls. So the arrivals of a cycle are a Poisson
 *             number N. Cycles with arrivals are geometric; the j-th arrival of a cycle has another one behind it with
 *             probability P[N > j] / P[N >= j], and j is what np_arrival.part keeps
 *   on-off    a source is on and off in turns; both times are geometric, with the means ON and OFF. While it is on it
 *             creates a packet in each cycle with one probability. After an arrival it is on
 *   periodic  the k-th arrival is at (k + phase) / rate, rounded down, with a phase in [0, 1) drawn for the terminal
 *
 * Draws have the purpose NP_RANDOM_CREATION: phase 0 for the first number and the packet's choices, phase 1 and other
 * seeds for more numbers.
 */
#include "model/traffic/arrivals.h"

#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/memory.h"
#include "base/parse.h"
#include "base/real.h"
#include "model/traffic/trace.h"
#include "model/traffic/traffic.h"

enum {
    TOGETHER = 256, /* ours: arrivals of one cycle of poisson, at most */
    GAP_BITS = 10   /* ours: of a table of gaps */
};
#define POISSON_MOST 64.0 /* ours: rate at which more than TOGETHER have probability below 1e-70 */

typedef struct process process;

/* Who sends to whom. */
typedef struct ends {
    char *spec;
    const np_network *network;
    const np_traffic_generator *anew; /* each packet is drawn by it; NULL: among those of the lists */
    np_traffic_plan plan;             /* of anew */
    np_node terminals;
    uint64_t *begin; /* [nodes + 2] where the destinations of a node begin */
    np_node *to;     /* [packets] terminals */
    double *share;   /* [terminals] of the rate; NULL: all are 1 */
    double shares;   /* their sum */
    np_trace *trace; /* instead of all of these but `share`; NULL: they are drawn */
} ends;

struct np_arrivals {
    ends *ends;
    bool owns;
    const process *process;
    double on, off;       /* of on-off */
    double rate;          /* of the busiest */
    uint32_t least, most; /* flits */
    np_draws draws;
    double together[TOGETHER];   /* poisson, where all send alike: P[N > j] / P[N >= j] */
    double inverse;              /* 1 / ln(1 - p) of the geometric gap, where all send alike */
    uint16_t gap[1 << GAP_BITS]; /* the gap by the first bits of the number that is drawn; 0: it needs them all */
};

struct process {
    const char *name;
    double rate_most;
    /* The probability that the geometric gap is over in a cycle, at this rate. */
    double (*chance)(const np_arrivals *a, double rate);
    /* u: (0, 1). false: never. */
    bool (*next)(const np_arrivals *a, np_node terminal, uint64_t k, double u, double previous, np_arrival *out);
};

/* ---- Times ---- */

static double unit(uint64_t bits) { return ((double)(bits >> 11) + 0.5) * 0x1p-53; }

/* A number for the `times`-th time, 1, 2, .... */
static double again(const np_arrivals *a, np_node terminal, uint64_t k, uint64_t times)
{
    np_draws draws = a->draws;
    draws.phase = 1;
    draws.seed ^= np_random_mix(k >> 32 << 32 ^ times);
    return unit(np_random_u64(&draws, terminal, (uint32_t)k));
}

static double rate_of(const np_arrivals *a, np_node terminal)
{
    return a->ends->share ? a->rate * a->ends->share[terminal] : a->rate;
}

static double inverse_of(double chance) { return 1 / np_log1p(chance < 1 ? -chance : -1.0); }

/* 1, 2, ...: by 1 / ln(1 - p). At p = 1 it is -0, and the gap 1. */
static double geometric(double u, double inverse) { return 1 + floor(np_log(u) * inverse); }

static double gap(const np_arrivals *a, np_node terminal, double u)
{
    return geometric(u, a->ends->share ? inverse_of(a->process->chance(a, rate_of(a, terminal))) : a->inverse);
}

/* 2^32 cycles and more are never. */
static bool at(double time, uint32_t part, np_arrival *out)
{
    if (!(time < NP_NONE))
        return false;
    out->time = (np_step)time;
    out->part = part;
    return true;
}

/*
 * Numbers that begin with the same bits lie between two, and the gap falls with the number. So where it is the same at
 * both ends, and not near its steps, it is the same for all: np_log errs by less than MARGIN.
 */
#define MARGIN 1e-12
static void find_gaps(np_arrivals *a)
{
    for (uint64_t i = 0; i < 1 << GAP_BITS; i++) {
        uint64_t low = i << (64 - GAP_BITS), high = low | ~UINT64_C(0) >> GAP_BITS;
        double most = floor(np_log(unit(low)) * a->inverse * (1 + MARGIN));
        double least = floor(np_log(unit(high)) * a->inverse * (1 - MARGIN));
        a->gap[i] = most == least && most < UINT16_MAX ? (uint16_t)(1 + most) : 0;
    }
}

static double chance_bernoulli(const np_arrivals *a, double rate)
{
    (void)a;
    return rate;
}

static bool next_bernoulli(const np_arrivals *a, np_node terminal, uint64_t k, double u, double previous,
                           np_arrival *out)
{
    (void)k;
    return at(previous + gap(a, terminal, u), 0, out);
}

static bool next_periodic(const np_arrivals *a, np_node terminal, uint64_t k, double u, double previous,
                          np_arrival *out)
{
    (void)u, (void)previous;
    return at(floor(((double)k + again(a, terminal, 0, 1)) / rate_of(a, terminal)), 0, out);
}

static double chance_poisson(const np_arrivals *a, double rate)
{
    (void)a;
    return 1 - np_exp(-rate);
}

/* together[j - 1] = P[N > j] / P[N >= j] */
static void find_together(double rate, double *together)
{
    double term[TOGETHER + 2], tail = 0;
    term[0] = np_exp(-rate);
    for (int j = 1; j < TOGETHER + 2; j++)
        term[j] = term[j - 1] * rate / j;
    for (int j = TOGETHER + 1; j > 0; j--) { /* tail: P[N > j] */
        if (j <= TOGETHER)
            together[j - 1] = tail + term[j] > 0 ? tail / (tail + term[j]) : 0;
        tail += term[j];
    }
}

static bool next_poisson(const np_arrivals *a, np_node terminal, uint64_t k, double u, double previous, np_arrival *out)
{
    double own[TOGETHER];
    uint32_t part = k ? out->part : 0;
    if (part && a->ends->share)
        find_together(rate_of(a, terminal), own);
    if (part && part <= TOGETHER && again(a, terminal, k, 1) < (a->ends->share ? own : a->together)[part - 1])
        return at(previous, part + 1, out);
    return at(previous + gap(a, terminal, u), 1, out);
}

static double chance_on(const np_arrivals *a, double rate) { return rate * (a->on + a->off) / a->on; }

static bool next_on_off(const np_arrivals *a, np_node terminal, uint64_t k, double u, double previous, np_arrival *out)
{
    double inverse = inverse_of(chance_on(a, rate_of(a, terminal)));
    double on = inverse_of(1 / a->on), off = inverse_of(1 / a->off), wait = geometric(u, inverse);
    uint64_t times = 1;
    bool rests = !k && again(a, terminal, k, times++) * (a->on + a->off) >= a->on;
    /* When on, the source stays so for a geometric time less 1 after a cycle; at the start, one with that one. */
    double left = rests ? 0 : geometric(again(a, terminal, k, times++), on) - (k > 0);
    while (wait > left) {
        previous += left + geometric(again(a, terminal, k, times++), off);
        left = geometric(again(a, terminal, k, times++), on);
        wait = geometric(again(a, terminal, k, times++), inverse);
        if (previous > NP_NONE)
            return false;
    }
    return at(previous + wait, 0, out);
}

static const process processes[] = {{"bernoulli", 1, chance_bernoulli, next_bernoulli},
                                    {"poisson", POISSON_MOST, chance_poisson, next_poisson},
                                    {"periodic", 1, chance_bernoulli, next_periodic},
                                    {"on-off", 1, chance_on, next_on_off}};

static uint32_t length_of(const np_arrivals *a, uint32_t word)
{
    return a->least + (uint32_t)((uint64_t)word * (a->most - a->least + 1) >> 32);
}

/* The seeds of packet k: of its creation, and of its destination where that is drawn anew. */
static uint64_t seed_of(const np_arrivals *a, uint64_t k) { return a->draws.seed ^ k >> 32; }
static uint64_t seed_of_end(const np_arrivals *a, uint64_t k) { return seed_of(a, k) ^ np_random_mix(k + 1); }

bool np_arrivals_next(const np_arrivals *a, np_node terminal, uint64_t k, int64_t previous, np_arrival *out)
{
    uint32_t block[4];
    np_draws draws = a->draws;
    draws.seed = seed_of(a, k);
    if (a->ends->trace)
        return np_trace_next(a->ends->trace, terminal, k, out);
    if (!(rate_of(a, terminal) > 0))
        return false;
    np_random_block(&draws, terminal, (uint32_t)k, block);
    if (!a->process->next(a, terminal, k, unit((uint64_t)block[1] << 32 | block[0]), (double)previous, out))
        return false;
    out->flits = length_of(a, block[3]);
    const ends *e = a->ends;
    if (!e->anew) {
        np_node u = np_network_input(e->network, terminal);
        out->to = e->to[e->begin[u] + (block[2] * (e->begin[u + 1] - e->begin[u]) >> 32)];
        return true;
    }
    np_node source;
    draws.seed = seed_of_end(a, k);
    draws.purpose = NP_RANDOM_TRAFFIC;
    return !e->anew->part(&e->plan, &draws, terminal, 1, &source, &out->to);
}

/* ---- Side by side ---- */

extern const np_traffic_generator np_traffic_random_function;

bool np_arrivals_usual(const np_arrivals *a)
{
    return !a->ends->trace && !a->ends->share && a->process->next == next_bernoulli && a->rate > 0 &&
           a->ends->anew == &np_traffic_random_function;
}

void np_arrivals_next_some(const np_arrivals *a, size_t count, np_arrivals_which *which, int64_t previous,
                           np_arrival *out)
{
    uint64_t seed[NP_RANDOM_LANES] = {0}, choice[NP_RANDOM_LANES] = {0};
    uint32_t item[NP_RANDOM_LANES] = {0}, draw[NP_RANDOM_LANES] = {0}, zero[NP_RANDOM_LANES] = {0};
    uint32_t block[4][NP_RANDOM_LANES], to[4][NP_RANDOM_LANES];
    for (size_t i = 0; i < count; i++) {
        item[i] = which[i].terminal;
        draw[i] = (uint32_t)which[i].k;
        seed[i] = seed_of(a, which[i].k);
        choice[i] = seed_of_end(a, which[i].k);
    }
    np_draws traffic = np_draws_for(a->draws, NP_RANDOM_TRAFFIC);
    np_random_blocks(&a->draws, seed, item, draw, block);
    np_random_blocks(&traffic, choice, item, zero, to);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = (uint64_t)block[1][i] << 32 | block[0][i];
        uint16_t gap = a->gap[bits >> (64 - GAP_BITS)];
        double time = (double)previous + (gap ? gap : geometric(unit(bits), a->inverse));
        if (!(which[i].more = at(time, 0, &out[i])))
            continue;
        out[i].flits = length_of(a, block[3][i]);
        out[i].to = np_random_scaled((uint64_t)to[1][i] << 32 | to[0][i], a->ends->terminals);
    }
}

/* ---- Who sends to whom ---- */

static void free_ends(ends *e)
{
    if (!e)
        return;
    NP_MEMORY_FREE(e->spec, e->begin, e->to, e->share);
    np_trace_free(e->trace);
    np_memory_free(e);
}

static np_node terminal_at(const np_network *network, np_node output)
{
    return network->host                       ? network->host_number[output]
           : np_network_all_terminals(network) ? output
                                               : output - network->output_first;
}

/* begin[u] = where the packets of input node u begin. */
static np_status list_packets(ends *e, const np_traffic *traffic)
{
    const np_node *source = np_traffic_sources(traffic), *destination = np_traffic_destinations(traffic);
    np_node nodes = np_network_nodes(e->network);
    np_packet packets = np_traffic_packets(traffic);
    np_status st;
    if ((st = np_memory_zeroed(&e->begin, (size_t)nodes + 2, sizeof *e->begin, "who sends to whom")) ||
        (st = np_memory_array(&e->to, packets, sizeof *e->to, "who sends to whom")))
        return st;
    for (np_packet i = 0; i < packets; i++)
        e->begin[source[i] + 2]++;
    for (np_node u = 0; u < nodes; u++)
        e->begin[u + 2] += e->begin[u + 1];
    for (np_packet i = 0; i < packets; i++)
        e->to[e->begin[source[i] + 1]++] = terminal_at(e->network, destination[i]);
    return NP_OK;
}

static uint64_t packets_of(const ends *e, np_node terminal)
{
    np_node u = np_network_input(e->network, terminal);
    return e->begin[u + 1] - e->begin[u];
}

/* What a terminal sends: flits, or packets. Terminals that share a node draw each among all of its packets. */
static uint64_t amount_of(const ends *e, np_node terminal)
{
    return e->trace ? np_trace_flits(e->trace, terminal) : packets_of(e, terminal);
}

static np_status find_shares(ends *e, bool alike)
{
    uint64_t least = UINT64_MAX, most = 0;
    np_status st;
    for (np_node t = 0; t < e->terminals; t++) {
        uint64_t here = amount_of(e, t);
        least = here < least ? here : least;
        most = here > most ? here : most;
    }
    e->shares = e->terminals;
    if (!most)
        return NP_RAISE(NP_ERROR_INPUT, "traffic '%.80s' has no packet: nothing is to be sent", e->spec);
    if (least == most || (least && alike))
        return NP_OK;
    if ((st = np_memory_array(&e->share, e->terminals, sizeof *e->share, "who sends how much")))
        return st;
    e->shares = 0;
    for (np_node t = 0; t < e->terminals; t++)
        e->shares += e->share[t] = alike ? amount_of(e, t) > 0 : (double)amount_of(e, t) / (double)most;
    return NP_OK;
}

static np_status make_lists(ends *e, const np_arrivals_options *options, unsigned as)
{
    np_traffic *traffic;
    np_status st = np_traffic_create(e->spec, e->network, options->seed, 0, &traffic);
    if (st)
        return st;
    if (!(st = list_packets(e, traffic)))
        st = find_shares(e, as & NP_ARRIVALS_ALIKE);
    np_traffic_free(traffic);
    return st;
}

static np_status make_ends(const np_network *network, const np_arrivals_options *options, unsigned as, ends **out)
{
    const np_traffic_generator *generator;
    ends *e;
    np_status st = np_memory_zeroed(out, 1, sizeof **out, "who sends to whom");
    if (st)
        return st;
    e = *out;
    e->network = network;
    e->terminals = np_network_terminals(network);
    e->shares = e->terminals;
    if (!(e->spec = np_memory_text(options->traffic)))
        return np_status_last();
    const char *file = np_trace_file(e->spec);
    if (file) {
        st = np_trace_open(file, network, as & NP_ARRIVALS_SINGLE, &e->trace);
        return st ? st : find_shares(e, as & NP_ARRIVALS_ALIKE);
    }
    if ((st = np_traffic_plan_of(e->spec, network, &generator, &e->plan)))
        return st;
    /* A generator of a program may end before the member `anew`. */
    if (np_registry_built_in(&np_traffic_generators, &generator->info) && generator->anew && e->plan.random) {
        e->anew = generator;
        return NP_OK;
    }
    return make_lists(e, options, as);
}

/* ---- Options ---- */

/* "ON,OFF": mean cycles, 1 or more each. */
static np_status read_on_off(np_arrivals *a, const char *text)
{
    char on[32];
    const char *comma = strchr(text, ',');
    size_t length = comma ? (size_t)(comma - text) : 0;
    uint64_t ons, offs;
    snprintf(on, sizeof on, "%.*s", (int)(length < 31 ? length : 31), text);
    if (!length || length > 31 || !np_parse_decimal(on, &ons) || !np_parse_decimal(comma + 1, &offs) ||
        ons < NP_TRAFFIC_WHOLE || offs < NP_TRAFFIC_WHOLE)
        return NP_RAISE(
            NP_ERROR_INPUT,
            "arrivals 'on-off:%.40s': write the mean cycles that a source is on and off, 1 or more each, as "
            "in on-off:20,80",
            text);
    a->on = (double)ons / NP_TRAFFIC_WHOLE;
    a->off = (double)offs / NP_TRAFFIC_WHOLE;
    return NP_OK;
}

static np_status read_process(np_arrivals *a, const char *text)
{
    size_t length = strcspn(text, ":");
    for (size_t i = 0; i < sizeof processes / sizeof *processes; i++)
        if (strlen(processes[i].name) == length && !strncmp(processes[i].name, text, length))
            a->process = &processes[i];
    if (!a->process || (!text[length] != (a->process->next != next_on_off)))
        return NP_RAISE(NP_ERROR_INPUT, "arrivals '%.60s': write bernoulli, poisson, periodic or on-off:ON,OFF", text);
    return text[length] ? read_on_off(a, text + length + 1) : NP_OK;
}

/* "L" or "A-B" */
static np_status read_length(np_arrivals *a, const char *text)
{
    const char *rest = text;
    uint64_t least = 1, most = 1;
    bool read = !text || np_parse_u64(&rest, &least);
    if (read && text && (most = least, *rest == '-')) {
        rest++;
        read = np_parse_u64(&rest, &most);
    }
    if (!read || (text && *rest) || !least || most < least || most > UINT16_MAX)
        return NP_RAISE(NP_ERROR_INPUT,
                        "packet length '%.40s': write flits, 1..65535, as in 4, or the least and the "
                        "most, as in 1-8",
                        text);
    a->least = (uint32_t)least;
    a->most = (uint32_t)most;
    return NP_OK;
}

static np_status set_rate(np_arrivals *a, double rate)
{
    double most = a->process->next == next_on_off ? a->on / (a->on + a->off) : a->process->rate_most;
    if (!(rate >= 0 && rate <= most * (1 + 1e-12)))
        return NP_RAISE(NP_ERROR_INPUT, "a terminal cannot create %s packets a cycle: arrivals %s give %s at most%s",
                        NP_REAL(rate, 6), a->process->name, NP_REAL(most, 6),
                        most < POISSON_MOST && rate <= POISSON_MOST ? ", poisson more" : "");
    a->rate = rate < most ? rate : most;
    a->inverse = inverse_of(a->process->chance(a, a->rate));
    if (a->process->next == next_poisson)
        find_together(a->rate, a->together);
    if (a->process->next == next_bernoulli && a->rate > 0)
        find_gaps(a);
    return NP_OK;
}

np_status np_arrivals_create(const np_network *network, const np_arrivals_options *options, np_arrivals **out)
{
    return np_arrivals_create_as(network, options, 0, out);
}

np_status np_arrivals_create_as(const np_network *network, const np_arrivals_options *options, unsigned as,
                                np_arrivals **out)
{
    np_status st = np_memory_zeroed(out, 1, sizeof **out, "arrivals");
    np_arrivals *a = *out;
    if (st)
        return st;
    a->owns = true;
    a->draws = (np_draws){options->seed, options->run, 0, NP_RANDOM_CREATION};
    if ((st = read_process(a, options->process)) || (st = read_length(a, options->length)) ||
        (st = set_rate(a, options->rate)) || (st = make_ends(network, options, as, &a->ends))) {
        np_arrivals_free(a);
        *out = NULL;
    }
    return st;
}

np_status np_arrivals_at(const np_arrivals *arrivals, double rate, uint32_t run, np_arrivals **out)
{
    np_status st = np_memory_array(out, 1, sizeof **out, "arrivals");
    if (st)
        return st;
    **out = *arrivals;
    (*out)->owns = false;
    (*out)->draws.run = run;
    if ((st = set_rate(*out, rate))) {
        np_arrivals_free(*out);
        *out = NULL;
    }
    return st;
}

void np_arrivals_free(np_arrivals *arrivals)
{
    if (arrivals && arrivals->owns)
        free_ends(arrivals->ends);
    np_memory_free(arrivals);
}

const np_trace *np_arrivals_trace(const np_arrivals *arrivals) { return arrivals->ends->trace; }

double np_arrivals_length(const np_arrivals *arrivals)
{
    np_trace_counts total;
    if (!arrivals->ends->trace)
        return ((double)arrivals->least + arrivals->most) / 2;
    total = np_trace_total(arrivals->ends->trace);
    return (double)total.flits / (double)total.packets;
}

uint32_t np_arrivals_length_max(const np_arrivals *arrivals)
{
    return arrivals->ends->trace ? np_trace_total(arrivals->ends->trace).longest : arrivals->most;
}

double np_arrivals_share(const np_arrivals *arrivals, np_node terminal)
{
    return arrivals->ends->share ? arrivals->ends->share[terminal] : 1;
}

double np_arrivals_shares(const np_arrivals *arrivals) { return arrivals->ends->shares; }

/* ---- On average ---- */

/*
 * A packet for each terminal among which a packet of each is drawn; not for those whose own node is the sender's, which
 * load no link.
 */
static np_status list_all(const ends *e, np_node count, np_traffic **out)
{
    const np_network *network = e->network;
    size_t most = (size_t)e->terminals * count;
    np_node *from, *to = NULL, first, each;
    np_packet packets = 0;
    np_status st = np_memory_array(&from, most, sizeof *from, "packets on average");
    if (!st)
        st = np_memory_array(&to, most, sizeof *to, "packets on average");
    for (np_node u = 0; u < e->terminals && !st; u++) {
        e->anew->among(&e->plan, u, &first, &each);
        for (np_node i = 0; i < count; i++) {
            from[packets] = np_network_input(network, u);
            to[packets] = np_network_output(network, (np_node)(((uint64_t)first + i) % e->terminals));
            packets += from[packets] != to[packets];
        }
    }
    if (!st)
        st = np_traffic_from_arrays(network, packets, from, to, NULL, out);
    NP_MEMORY_FREE(from, to);
    return st;
}

static np_status sample(const np_arrivals *a, np_traffic **out)
{
    const np_network *network = a->ends->network;
    np_node *from, *to = NULL, terminals = a->ends->terminals;
    np_arrival arrival = {0};
    np_status st = np_memory_array(&from, NP_ARRIVALS_SAMPLE, sizeof *from, "a sample of packets");
    if (!st)
        st = np_memory_array(&to, NP_ARRIVALS_SAMPLE, sizeof *to, "a sample of packets");
    for (np_packet i = 0; i < NP_ARRIVALS_SAMPLE && !st; i++) {
        (void)np_arrivals_next(a, i % terminals, i / terminals, i ? 0 : -1, &arrival);
        from[i] = np_network_input(network, i % terminals);
        to[i] = np_network_output(network, arrival.to);
    }
    if (!st)
        st = np_traffic_from_arrays(network, NP_ARRIVALS_SAMPLE, from, to, NULL, out);
    NP_MEMORY_FREE(from, to);
    return st;
}

np_status np_arrivals_mean(const np_arrivals *a, np_traffic **out, double *weight, bool *exact)
{
    const ends *e = a->ends;
    uint64_t most = 0;
    np_node first, count = 0;
    np_arrivals *some;
    *out = NULL;
    *exact = true;
    if (e->anew && e->anew->among)
        e->anew->among(&e->plan, 0, &first, &count);
    if (count && (uint64_t)e->terminals * count <= (uint64_t)NP_ARRIVALS_MEAN * NP_ARRIVALS_MEAN) {
        *weight = 1.0 / count;
        return list_all(e, count, out);
    }
    if (!e->anew) {
        for (np_node t = 0; t < e->terminals; t++)
            most = packets_of(e, t) > most ? packets_of(e, t) : most;
        *weight = (double)e->terminals / e->network->input_nodes / (double)most; /* terminals may share nodes */
        return np_traffic_create(e->spec, e->network, a->draws.seed, 0, out);
    }
    *exact = false;
    *weight = (double)e->terminals / NP_ARRIVALS_SAMPLE;
    np_status st = np_arrivals_at(a, 0.1, 0, &some);
    if (!st)
        st = sample(some, out);
    np_arrivals_free(some);
    return st;
}
