/*
 * LogGOPS on random schedules, against a slow player that goes from nanosecond to nanosecond and at each looks for what
 * may happen: no heap, no lists, no events. It shares no code with the library's.
 */
#include "../support.h"
#include "netpram/replay.h"

enum { ITEMS = 40, RANKS = 4, UNITS = 2, END = 20000, NEVER = 1 << 30 };

typedef struct item {
    int kind; /* 0 send, 1 receive, 2 calculation */
    int rank, peer, tag, size, cpu, nic;
    int waits, wait[3];
    bool for_start[3];
    int line[3]; /* where the file says so, among all lines with `requires` */
    int freed;   /* order of being free by what it waits for, known or to be known; -1: not yet */
    int known;   /* order of becoming known; -1: not yet */
    int posts;   /* of a receive: not before */
    int start, done;
    int message; /* of a send: when it is there; NEVER */
    int end;     /* and when the cpu that receives it is free */
    int message_known;
    int there; /* order of being posted, or received */
    bool received, matched;
} item;

typedef struct world {
    item item[ITEMS];
    int items, L, o, g, G, O, S, order;
    int cpu[RANKS][UNITS], sending[RANKS][UNITS], receiving[RANKS][UNITS];
    int makespan;
} world;

static uint32_t state_of_draws;

static int draw(int below)
{
    state_of_draws = state_of_draws * 1664525u + 1013904223u;
    return (int)((state_of_draws >> 8) % (uint32_t)below);
}

static int most(int a, int b) { return a > b ? a : b; }
static int rest(const item *i) { return i->size ? i->size - 1 : 0; }

/* When the item is free by what it waits for; NEVER: something has not come yet. */
static int free_at(const world *w, const item *i)
{
    int at = 0;
    for (int k = 0; k < i->waits; k++)
        at = most(at, i->for_start[k] ? w->item[i->wait[k]].start : w->item[i->wait[k]].done);
    return at;
}

/* The line by which i waits for the item with this number; -1: none. */
static int line_for(const item *i, int number)
{
    for (int k = 0; k < i->waits; k++)
        if (i->wait[k] == number)
            return i->line[k];
    return -1;
}

/* Notes those that have just become free: those that wait for the one that changed, in the order of the lines. */
static void set_free(world *w, const item *changed)
{
    for (;;) {
        item *best = NULL;
        int number = changed ? (int)(changed - w->item) : -1;
        for (item *i = w->item; i < w->item + w->items; i++)
            if (i->freed < 0 && free_at(w, i) < NEVER && (!best || line_for(i, number) < line_for(best, number)))
                best = i;
        if (!best)
            return;
        best->freed = w->order++;
    }
}

static bool goes_before(const item *a, const item *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a->kind != b->kind ? a->kind < b->kind : a->freed < b->freed;
}

/* The next one that is free and not known. */
static item *next_free(world *w)
{
    item *best = NULL;
    for (int i = 0; i < w->items; i++)
        if (w->item[i].freed >= 0 && w->item[i].known < 0 && (!best || goes_before(&w->item[i], best)))
            best = &w->item[i];
    return best;
}

/* What one event has set free becomes known: by ranks, sends, receives and calculations. */
static void know(world *w)
{
    for (item *i; (i = next_free(w));) {
        i->known = w->order++;
        i->posts = most(free_at(w, i), w->cpu[i->rank][i->cpu]);
    }
}

static void use(world *w, int *cpu, int until)
{
    *cpu = until;
    w->makespan = most(w->makespan, until);
}

static bool match(const item *receive, const item *send)
{
    return (receive->peer == send->rank || receive->peer < 0) && send->peer == receive->rank &&
           (receive->tag == send->tag || receive->tag < 0);
}

/* The other half of a message, the first that was there: a posted receive, or a message that was received early. */
static item *other(world *w, const item *one)
{
    item *best = NULL;
    for (int i = 0; i < w->items; i++) {
        item *c = &w->item[i];
        bool fits = one->kind == 0 ? c->kind == 1 && c->start < NEVER && match(c, one)
                                   : c->kind == 0 && c->received && match(one, c);
        if (fits && !c->matched && (!best || c->there < best->there))
            best = c;
    }
    return best;
}

static void pair(world *w, item *send, item *receive, int now)
{
    send->matched = receive->matched = true;
    if (send->size > w->S)
        send->done = now;
    set_free(w, send);
    receive->done = most(now, send->end);
    set_free(w, receive);
}

static void do_send(world *w, item *i, int t)
{
    int *cpu = &w->cpu[i->rank][i->cpu];
    i->start = t;
    use(w, cpu, t + w->o + rest(i) * w->O);
    w->sending[i->rank][i->nic] = t + w->g + rest(i) * w->G;
    set_free(w, i);
    if (i->size <= w->S)
        i->done = *cpu;
    set_free(w, i);
    i->message = t + w->o + w->L;
    i->message_known = w->order++;
}

static void do_receive(world *w, item *i, int t)
{
    i->start = t;
    i->there = w->order++;
    set_free(w, i);
    item *send = other(w, i);
    if (send)
        pair(w, send, i, t);
}

static void do_calc(world *w, item *i, int t)
{
    i->start = t;
    use(w, &w->cpu[i->rank][i->cpu], t + i->size);
    set_free(w, i);
    i->done = t + i->size;
    set_free(w, i);
}

static void do_message(world *w, item *i, int t)
{
    int *cpu = &w->cpu[i->peer][i->cpu];
    use(w, cpu, t + w->o + most(rest(i) * w->O, rest(i) * w->G));
    w->receiving[i->peer][i->nic] = t + w->g + rest(i) * w->G;
    i->received = true;
    i->there = w->order++;
    i->end = *cpu;
    item *receive = other(w, i);
    if (receive)
        pair(w, i, receive, t);
}

/* May it happen at t? `comes`: the message of a send. */
static bool may(const world *w, const item *i, bool comes, int t)
{
    if (comes)
        return i->kind == 0 && i->message <= t && !i->received && w->cpu[i->peer][i->cpu] <= t &&
               w->receiving[i->peer][i->nic] <= t;
    return i->known >= 0 && i->start == NEVER && free_at(w, i) <= t &&
           (i->kind == 1 ? i->posts : w->cpu[i->rank][i->cpu]) <= t &&
           (i->kind != 0 || w->sending[i->rank][i->nic] <= t);
}

/* What may happen at t and became known first happens. */
static bool step(world *w, int t)
{
    static void (*const act[])(world *, item *, int) = {do_send, do_receive, do_calc, do_message};
    item *best = NULL;
    int kind = 0, order = 0;
    for (int i = 0; i < w->items; i++)
        for (int comes = 0; comes < 2; comes++) {
            item *c = &w->item[i];
            int o = comes ? c->message_known : c->known;
            if (may(w, c, comes, t) && (!best || o < order)) {
                best = c;
                kind = comes ? 3 : c->kind;
                order = o;
            }
        }
    if (best)
        act[kind](w, best, t);
    know(w);
    return best;
}

/* The makespan; -1: it never ends. */
static int play(world *w)
{
    set_free(w, NULL);
    know(w);
    for (int t = 0; t < END; t++)
        while (step(w, t))
            ;
    for (int i = 0; i < w->items; i++)
        if (w->item[i].done == NEVER)
            return -1;
    return w->makespan;
}

static void add(world *w, item i)
{
    int before = w->items;
    i.freed = i.known = -1;
    i.start = i.done = i.message = NEVER;
    i.waits = 0;
    for (int tries = draw(4); tries && i.waits < 3; tries--) { /* for earlier ones of the rank, each once */
        int for_item = before ? draw(before) : 0;
        bool taken = !before || w->item[for_item].rank != i.rank;
        for (int k = 0; k < i.waits; k++)
            taken |= i.wait[k] == for_item;
        if (taken)
            continue;
        i.for_start[i.waits] = draw(3) == 0;
        i.line[i.waits] = draw(1 << 16) * 128 + before * 3 + i.waits; /* each another one */
        i.wait[i.waits++] = for_item;
    }
    w->item[w->items++] = i;
}

static void make(world *w)
{
    *w = (world){.L = draw(30), .o = draw(10), .g = draw(20), .G = draw(4), .O = draw(3), .S = draw(12)};
    int pairs = 2 + draw(12);
    for (int p = 0; p < pairs; p++) {
        int from = draw(RANKS), to = draw(RANKS), tag = draw(2), size = draw(16);
        int cpu = draw(UNITS), nic = draw(UNITS);
        item send = {.kind = 0, .rank = from, .peer = to, .tag = tag, .size = size, .cpu = cpu, .nic = nic};
        item receive = {.kind = 1, .rank = to, .peer = from, .tag = tag, .size = size, .cpu = draw(UNITS)};
        receive.peer = draw(8) ? from : -1;
        receive.tag = draw(8) ? tag : -1;
        bool first = draw(2);
        add(w, first ? send : receive);
        if (draw(3) == 0)
            add(w, (item){.kind = 2, .rank = draw(RANKS), .size = draw(40), .cpu = draw(UNITS)});
        add(w, first ? receive : send);
    }
}

static void write_item(FILE *f, const item *i, int number)
{
    static const char *const kinds[] = {"send", "recv", "calc"}, *const ends[] = {"to", "from"};
    fprintf(f, "l%d: %s %d", number, kinds[i->kind], i->size);
    if (i->kind < 2)
        fprintf(f, "b %s %d tag %d nic %d", ends[i->kind], i->peer, i->tag, i->nic);
    fprintf(f, " cpu %d\n", i->cpu);
}

/* Writes the lines with `requires` of a rank, in their order. */
static void write_waits(FILE *f, const world *w, int rank)
{
    for (int last = -1, next;; last = next) {
        const item *best = NULL;
        int which = 0;
        for (const item *i = w->item; i < w->item + w->items; i++)
            for (int k = 0; k < i->waits && i->rank == rank; k++)
                if (i->line[k] > last && (!best || i->line[k] < best->line[which])) {
                    best = i;
                    which = k;
                }
        if (!best)
            return;
        next = best->line[which];
        fprintf(f, "l%d %s l%d\n", (int)(best - w->item), best->for_start[which] ? "irequires" : "requires",
                best->wait[which]);
    }
}

/* The items of rank 0 first, as the file has them, so that the numbers of both are in one order. */
static void sort(world *w)
{
    world copy = *w;
    int place[ITEMS], at = 0;
    for (int rank = 0; rank < RANKS; rank++)
        for (int i = 0; i < w->items; i++)
            if (copy.item[i].rank == rank)
                w->item[place[i] = at++] = copy.item[i];
    for (int i = 0; i < w->items; i++)
        for (int k = 0; k < w->item[i].waits; k++)
            w->item[i].wait[k] = place[w->item[i].wait[k]];
}

static char *write(const world *w)
{
    char *path = support_file("");
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "num_ranks %d\n", RANKS);
    for (int rank = 0; rank < RANKS; rank++) {
        fprintf(f, "rank %d {\n", rank);
        for (int i = 0; i < w->items; i++)
            if (w->item[i].rank == rank)
                write_item(f, &w->item[i], i);
        write_waits(f, w, rank);
        fprintf(f, "}\n");
    }
    fclose(f);
    return path;
}

static void test_random(void **state)
{
    (void)state;
    np_network *network = support_network("complete:4");
    int ended = 0;
    for (uint32_t seed = 1; seed <= SUPPORT_SAMPLE(1500); seed++) {
        world w;
        char costs[128];
        np_replay_options options;
        np_replay_result *r;
        state_of_draws = seed * 2654435761u;
        make(&w);
        sort(&w);
        char *path = write(&w);
        np_replay_options_init(&options);
        snprintf(costs, sizeof costs, "L=%d,o=%d,g=%d,G=%d,O=%d,S=%d", w.L, w.o, w.g, w.G, w.O, w.S);
        options.loggops = costs;
        np_status st = np_replay(network, path, &options, &r);
        int makespan = play(&w);
        if (st ? makespan >= 0 : makespan != (int)r->makespan)
            fail_msg("seed %u: %s %g, and %d by the slow player", seed, st ? np_last_error() : "",
                     st ? -1. : r->makespan, makespan);
        ended += !st;
        if (!st)
            np_replay_result_free(r);
        remove(path);
        free(path);
    }
    assert_true(ended > SUPPORT_SAMPLE(300));
    np_network_free(network);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
