/*
 * The machine copies:NETWORK: shared memory by several hash functions. Each cell has a copies in different modules, and
 * a read or a write reaches b of them, more than half (copies_machine.h). Processors may choose which, so a crowded
 * module is avoided: with a = 3, b = 2 on a complete network of n processors a PRAM step takes O(log log n) rounds with
 * high probability, while one hash function takes as many as the fullest module has requests, Theta(log n / log log n).
 *
 *   Upfal & Wigderson 1987                      2b - 1 copies, majorities, time stamps
 *   Karp, Luby & Meyer auf der Heide 1996       two or three hash functions: O(log log n) on average
 *   Dietzfelbinger & Meyer auf der Heide 1993   a = 3, b = 2, in rounds, without further random choices
 *
 * A round. Every processor that has not reached b copies sends a request to the module of each copy that it has not
 * reached. A module serves c cells of those that came (options.serves) and refuses the others. Replies go back. A
 * processor with b copies drops out; the others try again in the next round. Which cells a module serves, if more than
 * c are asked for, is options.answers:
 *
 * By the arbitrary rule it serves c of them, drawn from the seed. All processors begin at once. In each round some
 * module serves a cell, so rounds end. This rule is ours.
 *
 * By the c-collision rule (Dietzfelbinger & Meyer auf der Heide 1993; Meyer auf der Heide, Scheideler & Stemann 1996)
 * it serves none of them, as on an optical crossbar. Processors make no other choice, so a round has a reason: a
 * request that is left after t rounds has a - b + 1 modules that did not answer in round t, and each of them was asked
 * by c others that were left after t - 1 rounds. This is a tree (the witness), whose nodes below the root have
 * a - b modules each, besides the one that leads up. If at most n / s requests begin together, a request below the root
 * has in expectation at most
 *
 *     f(s) = C(a - 1, a - b) ((a / s)^c / c!)^(a - b)
 *
 * choices of what is right below it. A tree of t levels has (c (a - b))^t nodes, so if f(s) < 1 and c (a - b) >= 2, the
 * expected number of trees is below 1 at t = log log n / log(c (a - b)) + O(1). Trees that meet themselves are the
 * other half of the proof in these papers. They let a share of n / s processors begin when the share before it is
 * served, s being a constant that is large enough. Ours is the least with f(s) < 1: for a = 3, b = 2, c = 3 it is 3,
 * as f(2) = 9/8 and f(3) = 1/3. Shares are of ceil(n / s) requests that follow one another, and a batch of more than n
 * has more of them.
 *
 * A round may serve nobody: if all modules are asked for more than c cells. As nothing is drawn, all further rounds
 * would be the same. The papers leave this case to its small probability. Here the next round is by the arbitrary
 * rule, and it is counted (np_batch_cost.stalled).
 *
 * Where else we depart from the papers. Karp, Luby & Meyer auf der Heide serve n log log n processors with n modules,
 * of which each plays log log n of them. Here a batch is a whole PRAM step, and a processor sends all its requests in
 * each round, or with `slack` h so many of them, in sequence, and the next h when these have reached b copies. A class
 * of several requests begins with the first of them that begins. By the c-collision rule fewer requests than one of
 * each processor begin together, so there is no slack.
 *
 * Several requests for one cell. Requests of one kind for one cell are a class. A processor sends one message for all
 * of its own. All messages of a class for one copy come to one module in one round, so the module combines them, and
 * serves and answers them as one: on a complete network each reply has a link of its own, as readers of a window of the
 * module have in these papers. So a class has one history, and all rules of access are served. It counts as one request
 * by the c-collision rule, and begins with the share of the first of its requests. On other networks nothing combines
 * on the way, and a class of many requests takes many steps.
 *
 * The order within a step. First come the rounds of reads and fetches, which find the newest word. Then come those of
 * writes and fetches, which give copies the new word, with a stamp t for fetches and t + 1 for writes: a write to a
 * cell replaces what fetches of the same batch left. So a batch may have two sequences of rounds. No read sees a write
 * of its own step. Answers are what the copies hold. The memory of the front end (np_store) is not used. Messages carry
 * the words and stamps, and modules and processors know only what comes to them (copies_machine.h): what the machine
 * knows of classes says who is served and when a round is over, and nothing else. With options.carry_values an engine
 * moves the messages, and says where they land.
 *
 * Charges. A round takes the steps of its requests, as many steps as the busiest module has cells to serve, and the
 * steps of its replies. On a complete network the steps of requests, and of replies, are the messages of the busiest
 * link: one, if no processor has two requests. A test holds this to the queueing engine, which routes them if they
 * carry values or are observed. On other networks a scheme with unbounded queues routes them: `cubes` on hypercubes,
 * `valiant` on others (`greedy` where packets cannot go by way of any node). All nodes know when a round is over, free
 * of charge. Initialisation: the coefficients of a functions, one a step, and n steps. No new functions are drawn.
 */
#include <stdio.h>

#include "base/arena.h"
#include "base/memory.h"
#include "netpram/route.h"
#include "papers/copies/copies_machine.h"

enum { NONE = UINT32_MAX };

typedef np_copies_machine copies_machine;
typedef np_copies_attempt attempt;

typedef enum copies_half { READING, WRITING } copies_half;

static const char what[] = "the requests of a batch";

static const copies_machine *of(const np_machine *machine) { return (const copies_machine *)machine; }

static void clear(np_network_machine *m)
{
    copies_machine *c = (copies_machine *)m;
    np_copies_clear(&c->memory);
    np_tags_clear(&c->tags);
    np_tags_clear(&c->pairs);
    np_copies_values_clear(&c->values);
    NP_MEMORY_FREE(c->block, c->turn);
}

static void layout(void *object, np_arena *arena)
{
    copies_machine *c = object;
    const size_t all = c->room * c->memory.copies;
    np_arena_array(arena, &c->attempt, all, sizeof *c->attempt, what);
    NP_ARENA_WORDS(arena, c->room, what, &c->reached, &c->head, &c->next, &c->left);
    NP_ARENA_WORDS(arena, all, what, &c->source, &c->destination);
}

static np_status reserve(copies_machine *c, size_t count)
{
    np_status st = np_tags_reserve(&c->tags, count);
    if (!st && !c->scheme && c->share > 1)
        st = np_tags_reserve(&c->pairs, count * c->memory.copies);
    if (!st)
        st = np_copies_values_reserve(&c->values, count);
    return st ? st : np_arena_need(c, layout, what, &c->block, &c->block_bytes, &c->room, count);
}

/* ---- Messages ---- */

/* The requests of class k from its i-th on that are of one processor: *end is behind them. */
static np_request own_requests(const copies_machine *c, uint32_t k, uint32_t i, uint32_t *end)
{
    const uint32_t processor = c->tags.item[i].index / c->share;
    np_request all = c->base.request[c->tags.item[i].index];
    for (*end = i + 1; *end < c->tags.begin[k + 1] && c->tags.item[*end].index / c->share == processor; ++*end)
        np_request_combine(c->base.rule, &all, &c->base.request[c->tags.item[*end].index]);
    return all;
}

/*
 * The processor sends its message, number `place` of the attempt; or the module sends it back. Returns whether it does.
 */
static bool carry(copies_machine *c, const attempt *a, uint32_t place, uint32_t item, np_node home, bool back)
{
    np_copies_values *v = &c->values;
    const uint32_t number = a->first + place;
    uint32_t end;
    if (back) {
        v->message[number].at = v->message[number].module;
        if (!v->message[number].served)
            return false;
    } else {
        const np_request own = own_requests(c, a->class, item, &end);
        const uint64_t stamp = c->memory.clock + (own.kind == NP_ACCESS_FETCH ? 1 : 2);
        np_copies_values_send(v, item, end, home, np_network_output(c->base.network, a->module), &own, stamp);
    }
    v->sent[c->packets] = v->told + number;
    return true;
}

/* A message of the attempt from, or to, every processor that has a request of its class; none to its own module. */
static void add_messages(copies_machine *c, attempt *a, bool back)
{
    const np_network *network = c->base.network;
    const np_node module = np_network_output(network, a->module);
    uint32_t last = NONE, place = 0;
    if (!back)
        a->first = (uint32_t)c->values.messages;
    for (uint32_t i = c->tags.begin[a->class]; i < c->tags.begin[a->class + 1]; i++) {
        const uint32_t processor = c->tags.item[i].index / c->share;
        const np_node node = np_network_input(network, processor);
        if (processor == last)
            continue;
        last = processor;
        if (!carry(c, a, place++, i, node, back))
            continue;
        c->messages++;
        if (node != module) {
            c->source[c->packets] = back ? module : node;
            c->destination[c->packets++] = back ? node : module;
        }
    }
}

static void set_messages(copies_machine *c, bool back)
{
    c->packets = c->messages = 0;
    for (size_t i = 0; i < c->attempts; i++)
        if (!back || c->attempt[i].served)
            add_messages(c, &c->attempt[i], back);
}

/* Messages of the busiest link of a complete network. A processor's only request has copies in different modules. */
static uint32_t busiest_link(copies_machine *c)
{
    uint32_t most = c->packets != 0;
    if (c->share == 1)
        return most;
    for (size_t i = 0; i < c->packets; i++)
        c->pairs.item[i] = (np_tag_item){(uint64_t)c->source[i] << 32 | c->destination[i], (uint32_t)i};
    np_tags_sort(&c->pairs, c->packets);
    for (uint32_t k = 0; k < c->pairs.groups; k++)
        if (c->pairs.begin[k + 1] - c->pairs.begin[k] > most)
            most = c->pairs.begin[k + 1] - c->pairs.begin[k];
    return most;
}

/* Routes the messages. On a complete network queues are not told of. Observers hear of the round. */
static np_status route(copies_machine *c, bool back)
{
    np_network_machine *m = &c->base;
    const uint32_t queue_max = m->done.queue_max;
    const np_observer *observer = np_network_machine_observer(m, back);
    snprintf(c->round, sizeof c->round, "%s %llu", m->relay.name, (unsigned long long)c->rounds + 1);
    m->relay.name = c->round;
    m->relay.phase = (2 * (uint32_t)c->rounds + back) * c->phases;
    m->relay.number = c->values.sent;
    m->relay.numbers = c->values.told + (uint32_t)c->values.messages;
    np_status st = np_network_machine_route(m, c->scheme, (uint32_t)c->rounds, back, c->packets, c->source,
                                            c->destination, observer);
    if (np_network_is(m->network, NP_KIND_COMPLETE))
        m->done.queue_max = queue_max;
    return st;
}

/* The requests of the round go to the modules, or the replies back. */
static np_status move(copies_machine *c, bool back)
{
    np_status st = NP_OK;
    set_messages(c, back);
    if (!c->scheme)
        c->base.done.steps += busiest_link(c);
    else if (c->packets)
        st = route(c, back);
    if (!st)
        (back ? np_copies_values_return : np_copies_values_arrive)(&c->values);
    return st;
}

/* ---- A round ---- */

static void make_attempts(copies_machine *c)
{
    const np_draws draws = {
        .seed = c->base.seed, .run = c->base.batches, .phase = (uint16_t)c->rounds, .purpose = NP_RANDOM_TURN};
    c->attempts = 0;
    for (uint32_t i = 0; i < c->unfinished; i++) {
        const uint32_t class = c->left[i];
        const np_address x = c->base.request[c->tags.item[c->tags.begin[class]].index].address;
        for (uint32_t k = 0; k < c->memory.copies; k++)
            if (!(c->reached[class] >> k & 1))
                c->attempt[c->attempts++] = (attempt){.lot = np_random_u64(&draws, class, k),
                                                      .class = class,
                                                      .module = c->memory.module[np_copies_at(&c->memory, x, k)],
                                                      .copy = (uint8_t)k};
    }
}

/* Each module chooses one more attempt to serve, if any is left. Returns whether any did. */
static bool choose(copies_machine *c)
{
    bool any = false;
    for (uint32_t i = 0; i < c->memory.modules; i++)
        c->turn[i] = NONE;
    for (uint32_t i = 0; i < c->attempts; i++) {
        const attempt *a = &c->attempt[i];
        uint32_t *turn = &c->turn[a->module];
        if (!a->served && (*turn == NONE || a->lot < c->attempt[*turn].lot))
            *turn = i;
    }
    for (uint32_t i = 0; i < c->memory.modules; i++)
        if (c->turn[i] != NONE) {
            c->attempt[c->turn[i]].served = any = true;
            c->base.load[i]++;
        }
    return any;
}

/* The arbitrary rule: each module serves c of its attempts. Returns the cells of the busiest module. */
static uint32_t answer_some(copies_machine *c)
{
    uint32_t served = 0;
    while (served < c->serves && choose(c))
        served++;
    return served;
}

/* The c-collision rule: a module with at most c attempts serves all of them, others none. Returns as answer_some. */
static uint32_t answer_few(copies_machine *c)
{
    uint32_t most = 0, *asked = c->turn;
    for (uint32_t i = 0; i < c->memory.modules; i++)
        asked[i] = 0;
    for (uint32_t i = 0; i < c->attempts; i++)
        asked[c->attempt[i].module]++;
    for (uint32_t i = 0; i < c->attempts; i++) {
        attempt *a = &c->attempt[i];
        if (!(a->served = asked[a->module] <= c->serves))
            continue;
        c->base.load[a->module]++;
        most = asked[a->module] > most ? asked[a->module] : most;
    }
    return most;
}

/* They are sent one attempt after the other. */
static uint32_t messages_of(const copies_machine *c, const attempt *a)
{
    const size_t next = (size_t)(a - c->attempt) + 1;
    return (next < c->attempts ? c->attempt[next].first : (uint32_t)c->values.messages) - a->first;
}

static void serve_attempt(copies_machine *c, copies_half half, const attempt *a)
{
    const np_address x = c->base.request[c->tags.item[c->tags.begin[a->class]].index].address;
    np_copy *copy = &c->memory.copy[np_copies_at(&c->memory, x, a->copy)];
    c->reached[a->class] |= 1U << a->copy;
    np_copies_values_serve(&c->values, a->first, messages_of(c, a), copy, half == WRITING);
}

static void serve_attempts(copies_machine *c, copies_half half)
{
    for (size_t i = 0; i < c->attempts; i++)
        if (c->attempt[i].served)
            serve_attempt(c, half, &c->attempt[i]);
}

static void drop_finished(copies_machine *c)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->unfinished; i++)
        if ((uint32_t)__builtin_popcount(c->reached[c->left[i]]) < c->memory.quorum)
            c->left[kept++] = c->left[i];
    c->unfinished = kept;
}

static np_status play_round(copies_machine *c, copies_half half, np_batch_cost *cost)
{
    np_status st;
    make_attempts(c);
    if ((st = move(c, false)))
        return st;
    const uint32_t busiest = c->answers == NP_ANSWERS_COLLISION && !c->stuck ? answer_few(c) : answer_some(c);
    c->stuck = !busiest;
    cost->stalled += c->stuck;
    c->base.done.steps += busiest;
    serve_attempts(c, half);
    cost->refused += c->messages;
    if ((st = move(c, true)))
        return st;
    cost->refused -= c->messages;
    drop_finished(c);
    c->rounds++;
    return NP_OK;
}

/* ---- A batch ---- */

static unsigned kind_of(const copies_machine *c, uint32_t class)
{
    return c->base.request[c->tags.item[c->tags.begin[class]].index].kind;
}

/* Processors take what they have heard in the half that is over: of a class that takes part, each by itself. */
static np_status take(const copies_machine *c, uint32_t k, np_word *reply)
{
    np_status st = NP_OK;
    for (uint32_t i = c->tags.begin[k], end; i < c->tags.begin[k + 1] && !st; i = end) {
        own_requests(c, k, i, &end);
        st = np_copies_values_take(&c->values, i, end, c->memory.quorum, reply);
    }
    return st;
}

static np_status take_all(const copies_machine *c, unsigned apart, np_word *reply)
{
    np_status st = NP_OK;
    for (uint32_t k = 0; k < c->tags.groups && !st; k++)
        if (kind_of(c, k) != apart)
            st = take(c, k, reply);
    return st;
}

/* The first share that has a request of the class. */
static uint32_t share_of(const copies_machine *c, uint32_t k)
{
    uint32_t first = NONE;
    for (uint32_t i = c->tags.begin[k]; i < c->tags.begin[k + 1]; i++) {
        const uint32_t index = c->tags.item[i].index;
        const uint32_t share = c->slack ? index % c->share / c->slack : index / c->together;
        first = share < first ? share : first;
    }
    return first;
}

/* Which classes begin with which share. Those of kind `apart` take no part. */
static void split(copies_machine *c, unsigned apart)
{
    for (uint32_t s = 0; s < c->parts; s++)
        c->head[s] = NONE;
    for (uint32_t k = c->tags.groups; k-- > 0;)
        if (kind_of(c, k) != apart) {
            uint32_t *head = &c->head[share_of(c, k)];
            c->next[k] = *head;
            *head = k;
        }
}

/* The share begins, and rounds go on until all its classes have reached b copies. */
static np_status play_share(copies_machine *c, copies_half half, uint32_t share, np_batch_cost *cost)
{
    np_status st = NP_OK;
    c->unfinished = 0;
    for (uint32_t k = c->head[share]; k != NONE; k = c->next[k]) {
        c->reached[k] = 0;
        c->left[c->unfinished++] = k;
    }
    while (c->unfinished && !st)
        st = play_round(c, half, cost);
    return st;
}

/* Rounds of all shares, one after the other. reply: of readers; NULL: of none. */
static np_status play_rounds(copies_machine *c, copies_half half, np_word *reply, np_batch_cost *cost)
{
    const unsigned apart = half == READING ? NP_ACCESS_WRITE : NP_ACCESS_READ;
    np_status st = NP_OK;
    np_copies_values_begin(&c->values, &c->tags, c->base.request, c->base.count, half == WRITING);
    split(c, apart);
    for (uint32_t s = 0; s < c->parts && !st; s++)
        st = play_share(c, half, s, cost);
    return st ? st : take_all(c, apart, reply);
}

static void sort_requests(copies_machine *c)
{
    for (size_t i = 0; i < c->base.count; i++) {
        const np_request *request = &c->base.request[i];
        c->tags.item[i] = (np_tag_item){np_tag_of(NP_ORDER_MODULE, 0, request->address, request->kind), (uint32_t)i};
    }
    np_tags_sort(&c->tags, c->base.count);
}

static void charge(const copies_machine *c, np_batch_cost *cost)
{
    const np_network_machine *m = &c->base;
    cost->network_steps += m->done.steps;
    cost->queue_max = m->done.queue_max > cost->queue_max ? m->done.queue_max : cost->queue_max;
    cost->requests += m->count;
    cost->replies += m->count;
    cost->combined += m->count - c->tags.groups;
    cost->rounds += c->rounds;
    cost->rounds_max = c->rounds > cost->rounds_max ? c->rounds : cost->rounds_max;
    for (uint32_t i = 0; i < c->memory.modules; i++)
        cost->module_load_max = m->load[i] > cost->module_load_max ? m->load[i] : cost->module_load_max;
}

static np_status serve(np_machine *machine, np_store *store, const np_request *request, size_t count, np_word *reply,
                       np_batch_cost *cost)
{
    copies_machine *c = (copies_machine *)machine;
    np_status st;
    (void)store; /* copies hold the words */
    c->share = np_machine_requests_each(count, c->base.senders);
    if ((st = reserve(c, count)))
        return st;
    c->base.request = request;
    c->base.count = count;
    c->base.relay.run = c->base.batches++;
    c->values.told = 0;
    c->base.done = (np_network_pass){0};
    c->rounds = 0;
    c->together = c->shares == 1 ? UINT32_MAX : (c->memory.modules - 1) / c->shares + 1;
    c->parts = c->slack ? (c->share - 1) / c->slack + 1 : (uint32_t)((count - 1) / c->together) + 1;
    for (uint32_t i = 0; i < c->memory.modules; i++)
        c->base.load[i] = 0;
    sort_requests(c);
    if ((st = play_rounds(c, READING, reply, cost)))
        return st;
    if ((st = play_rounds(c, WRITING, NULL, cost)))
        return st;
    c->memory.clock += 2;
    charge(c, cost);
    return NP_OK;
}

/* ---- The machine ---- */

static np_status grow(np_machine *machine, uint64_t cells, np_batch_cost *cost)
{
    copies_machine *c = (copies_machine *)machine;
    const uint32_t coefficients = c->base.placement.coefficients;
    const uint64_t steps = coefficients ? (uint64_t)c->memory.copies * coefficients + machine->n : 0;
    if (cells >= UINT32_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%llu cells on %s: at most %u", (unsigned long long)cells,
                        np_network_spec(c->base.network), UINT32_MAX - 1);
    if (!c->memory.cells && cells) {
        cost->network_steps += steps;
        cost->initialisation_steps += steps;
    }
    return np_copies_grow(&c->memory, cells);
}

static void put(np_machine *machine, np_address base, uint64_t count, const np_word *value)
{
    np_copies_put(&((copies_machine *)machine)->memory, base, count, value);
}

static void get(const np_machine *machine, np_address base, uint64_t count, np_word *value)
{
    np_copies_get(&of(machine)->memory, base, count, value);
}

/* Cells of a module are copies. */
static void measure(const np_machine *machine, np_pram_report *out)
{
    const np_copies *memory = &of(machine)->memory;
    np_placement_measure(&memory->function[0], memory->modules, memory->held, memory->cells * memory->copies, out);
}

/* The schemes that route on the network, and their phases. */
typedef struct way {
    const char *scheme;
    uint32_t phases;
} way;

/* The first that applies. scheme NULL: each message has a link, and is not routed unless an engine is needed. */
static np_status choose_scheme(const np_network *network, bool routes, way *out)
{
    static const way ways[] = {{"cubes", 2}, {"valiant", 2}, {"greedy", 1}};
    enum { WAYS = sizeof ways / sizeof *ways };
    *out = routes ? ways[WAYS - 1] : (way){NULL, 0};
    if (np_network_is(network, NP_KIND_COMPLETE))
        return NP_OK;
    if (np_network_input(network, 0) != np_network_output(network, 0))
        return NP_RAISE(
            NP_ERROR_APPLY,
            "copies:%s: its inputs and outputs are apart, so replies have no way back: try copies:butterfly:4",
            np_network_spec(network));
    for (size_t i = 0; i < WAYS; i++) {
        *out = ways[i];
        if (!np_scheme_applies(out->scheme, network))
            return NP_OK;
    }
    return np_scheme_applies(out->scheme, network);
}

/*
 * Of the witness trees at the head of this file: how many a request among n / shares has for each one at the level
 * above, in expectation.
 */
static double growth(const np_copies *memory, uint32_t serves, uint32_t shares)
{
    const uint32_t a = memory->copies, spare = a - memory->quorum;
    double module = 1, all = 1;
    for (uint32_t i = 1; i <= serves; i++)
        module *= (double)a / shares / i;
    for (uint32_t i = 1; i <= spare; i++)
        all *= module * (a - i) / i;
    return all;
}

static np_status choose_shares(copies_machine *c)
{
    const uint32_t a = c->memory.copies, spare = a - c->memory.quorum;
    c->shares = 1;
    if (c->answers != NP_ANSWERS_COLLISION)
        return NP_OK;
    if (c->slack)
        return NP_RAISE(NP_ERROR_APPLY,
                        "slack %u: is for answers arbitrary: by the collision rule a share of the processors begins "
                        "with one request each",
                        c->slack);
    if (!spare)
        return NP_RAISE(NP_ERROR_INPUT,
                        "answers collision: an access that reaches %u of %u copies cannot avoid a module: try 2 of 3",
                        a, a);
    if (c->serves * spare < 2)
        return NP_RAISE(NP_ERROR_INPUT,
                        "answers collision: serves %u: rounds are few only if c (a - b) is 2 or more: try %u of %u "
                        "copies with serves 3",
                        c->serves, c->memory.quorum, a);
    while (growth(&c->memory, c->serves, c->shares) >= 1)
        c->shares++;
    return NP_OK;
}

static np_status set_up(np_network_machine *m, const char *network, const np_pram_options *options)
{
    copies_machine *c = (copies_machine *)m;
    way chosen;
    np_status st = choose_scheme(m->network, m->observed, &chosen);
    (void)network;
    if (st)
        return st;
    c->scheme = chosen.scheme;
    c->phases = chosen.phases;
    np_copies_values_init(&c->values, options);
    np_event_relay_init(&m->relay, c->values.carried ? &c->values.observer : options->observer);
    c->answers = options->answers;
    c->slack = options->slack;
    c->serves = options->serves ? options->serves : c->answers == NP_ANSWERS_COLLISION ? 3 : 1;
    c->memory.modules = c->base.terminals;
    c->memory.held = c->base.held;
    if ((st = np_copies_init(&c->memory, options, c->base.placement.coefficients)) || (st = choose_shares(c)))
        return st;
    return np_memory_array(&c->turn, c->memory.modules, sizeof *c->turn, "the modules of a machine");
}

static const np_network_ways ways = {
    .bytes = sizeof(copies_machine), .example = "copies:complete:256", .set_up = set_up, .clear = clear};

static np_status create(const char *parameters, const np_pram_options *options, np_machine **out)
{
    return np_network_machine_create(&ways, parameters, options, out);
}

const np_machine_ops np_machine_copies = {
    .info = {"copies",
             "a processor and a module at every node of a network; each cell has --copies, and an access reaches most",
             "Upfal & Wigderson 1987; Dietzfelbinger & Meyer auf der Heide 1993", .parameters = "NETWORK",
             .example = "copies:mesh:4x4", .takes = "slack, map, zeta, carry_values, copies, quorum, serves, answers"},
    .create = create,
    .free = np_network_machine_free,
    .measure = measure,
    .serve = serve,
    .grow = grow,
    .whole = true,
    .observed = true,
    .put = put,
    .get = get,
};
