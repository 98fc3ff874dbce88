/* See carry.h. */
#include "machine/pram/carry.h"

#include "base/arena.h"
#include "base/memory.h"

/* Of a message: on its way; a part of another one; at its module; on its way back; back at its processor. */
enum { GOING, PART, ARRIVED, ANSWERED, TAKEN };

#define NOBODY UINT32_MAX

static const char what[] = "the values of a batch";

static void layout(void *object, np_arena *arena)
{
    np_carry *c = object;
    uint32_t **const numbers[] = {&c->module, &c->home, &c->at,  &c->into, &c->head,
                                  &c->tail,   &c->next, &c->cut, &c->join, &c->split};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        np_arena_array(arena, numbers[i], c->room, sizeof **numbers[i], what);
    np_arena_array(arena, &c->message, c->room, sizeof *c->message, what);
    np_arena_array(arena, &c->kept, c->room, sizeof *c->kept, what);
    np_arena_array(arena, &c->word, c->room, sizeof *c->word, what);
    np_arena_array(arena, &c->state, c->room, sizeof *c->state, what);
    const size_t goes_back = c->retrace.each ? c->room : 0;
    np_arena_array(arena, &c->retrace.hop, goes_back * c->retrace.each, sizeof *c->retrace.hop, what);
    NP_ARENA_WORDS(arena, goes_back, what, &c->retrace.node, &c->retrace.since, &c->retrace.place);
}

void np_carry_clear(np_carry *carry) { np_memory_free(carry->block); }

/* ---- There ---- */

/* Fetches where one operand does not stand for all, and sums of reals, which no word has exactly. */
static bool is_list(const np_carry *c, uint32_t i)
{
    return (c->lists && c->message[i].kind == NP_ACCESS_FETCH) || np_request_summed(c->rule, &c->message[i]);
}

/* Two lists become one, that of the part behind the other. */
static void append(np_carry *c, uint32_t part, uint32_t message)
{
    c->cut[part] = c->tail[message];
    c->next[c->tail[message]] = c->head[part];
    c->tail[message] = c->tail[part];
}

/* The switch keeps the operand of the message, which is the left one where this matters (carry.h). */
static void merge(np_carry *c, uint32_t part, uint32_t message)
{
    c->kept[part] = c->message[message];
    np_request_combine(c->rule, &c->message[message], &c->message[part]);
}

static void join(np_carry *c, uint32_t part, uint32_t message)
{
    c->state[part] = PART;
    c->into[part] = message;
    c->join[c->joins++] = part;
    if (is_list(c, message))
        append(c, part, message);
    else
        merge(c, part, message);
}

void np_carry_join_own(np_carry *carry, uint32_t part, uint32_t message)
{
    join(carry, part, message);
    carry->own = carry->joins;
}

static uint32_t request_of(const np_carry *c, np_packet packet)
{
    if (c->request_of)
        return c->request_of[packet];
    return packet < c->count ? packet : packet - (uint32_t)c->count;
}

/* The message has ended its phase at the node. Where engines move replies through the same phase, it is home. */
static void land(np_carry *c, uint32_t i, np_node node)
{
    c->at[i] = c->leveled && !c->passes ? c->leveled->host[node] : node;
}

/* Nodes remember what passes, if replies go back by it. */
static void remember(np_carry *c, const np_event *event, uint32_t i)
{
    const bool joins = event->kind == NP_EVENT_COMBINED;
    if (!joins && event->kind != NP_EVENT_MOVED && event->kind != NP_EVENT_LANDED)
        return;
    c->retrace.hop[c->retrace.hops++] = (np_retrace_hop){.step = event->step,
                                                         .message = i,
                                                         .from = event->from,
                                                         .to = joins ? request_of(c, event->other) : event->to,
                                                         .kind = (uint8_t)event->kind};
}

static void follow(np_carry *c, const np_event *event)
{
    const uint32_t i = request_of(c, event->packet);
    if (c->retrace.each)
        remember(c, event, i);
    if (event->kind == NP_EVENT_COMBINED)
        join(c, i, request_of(c, event->other));
    else if (event->kind == NP_EVENT_SPLIT)
        c->split[c->splits++] = i;
    else if (event->kind == NP_EVENT_LANDED)
        land(c, i, event->from);
    else if (event->kind == NP_EVENT_MOVED && c->passes && c->state[i] == GOING && event->from == c->module[i])
        c->state[i] = ARRIVED;
}

static int begin(void *context, const np_event_phase *phase)
{
    np_carry *c = context;
    c->leveled = phase->leveled;
    if (c->on && c->retrace.each)
        c->retrace.phase[c->retrace.phases] =
            (np_retrace_phase){.host = phase->leveled->host, .begin = c->retrace.hops};
    return 0;
}

static int end(void *context, const np_phase_run *run)
{
    np_carry *c = context;
    if (c->on && c->retrace.each)
        c->retrace.phase[c->retrace.phases++].steps = run->steps;
    return 0;
}

static int events(void *context, size_t count, const np_event *event)
{
    np_carry *c = context;
    for (size_t i = 0; i < count && c->on; i++)
        follow(c, &event[i]);
    return 0;
}

void np_carry_init(np_carry *carry, const np_observer *next, np_access_rule rule, bool passes)
{
    const uint32_t kinds = UINT32_C(1) << NP_EVENT_MOVED | UINT32_C(1) << NP_EVENT_COMBINED |
                           UINT32_C(1) << NP_EVENT_SPLIT | UINT32_C(1) << NP_EVENT_LANDED;
    *carry = (np_carry){
        .observer = {.kinds = kinds, .begin = begin, .events = events, .end = end, .context = carry, .next = next},
        .rule = rule,
        .lists = !passes,
        .passes = passes};
}

np_status np_carry_begin(np_carry *carry, const np_request *request, size_t count)
{
    np_status st = np_arena_need(carry, layout, what, &carry->block, &carry->block_bytes, &carry->room, count);
    if (st)
        return st;
    carry->count = count;
    carry->joins = carry->splits = carry->own = 0;
    carry->retrace.hops = carry->retrace.phases = 0;
    for (uint32_t i = 0; i < count; i++) {
        carry->message[i] = request[i];
        carry->state[i] = GOING;
        carry->head[i] = carry->tail[i] = i;
        carry->next[i] = carry->at[i] = NOBODY;
    }
    carry->on = true;
    return NP_OK;
}

void np_carry_turn(np_carry *carry)
{
    for (size_t i = 0; i < carry->count; i++) {
        bool stays = carry->at[i] == NOBODY && carry->home[i] == carry->module[i];
        if (carry->state[i] == GOING && (stays || carry->at[i] == carry->module[i]))
            carry->state[i] = ARRIVED;
        if (stays)
            carry->at[i] = carry->home[i];
    }
}

/* ---- At modules ---- */

/* The items of all lists that have come are known by their word, 1 until they are served. */
static void open_lists(np_carry *c)
{
    for (size_t i = 0; i < c->count; i++)
        c->word[i] = 0;
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t k = is_list(c, i) && c->state[i] == ARRIVED ? c->head[i] : NOBODY; k != NOBODY; k = c->next[k])
            c->word[k] = 1;
}

/* Modules serve the items of lists in processor order, which is that of requests; and each other message as it came. */
static void serve(np_carry *c, np_store *store)
{
    open_lists(c);
    for (uint32_t i = 0; i < c->count; i++) {
        bool comes = is_list(c, i) ? c->word[i] != 0 : c->state[i] == ARRIVED;
        if (comes)
            c->word[i] = np_store_serve(store, &c->message[i]);
        if (c->state[i] == ARRIVED)
            c->state[i] = ANSWERED;
    }
}

/* ---- Back ---- */

/* The switch cuts the list of replies where it joined that of requests. */
static void cut(np_carry *c, uint32_t part)
{
    c->head[part] = c->next[c->cut[part]];
    c->next[c->cut[part]] = NOBODY;
}

/* The message keeps the reply to both, the part gets what the left operand makes of it. */
static void divide(np_carry *c, uint32_t part)
{
    c->word[part] = np_request_reply_right(&c->kept[part], c->word[c->into[part]]);
}

/* False: that message has no reply, and so the part gets none. */
static bool split(np_carry *c, uint32_t part)
{
    if (c->state[part] != PART || c->state[c->into[part]] != ANSWERED)
        return false;
    c->state[part] = ANSWERED;
    if (is_list(c, part))
        cut(c, part);
    else
        divide(c, part);
    return true;
}

/*
 * The module, or the node where the phase after this one began, sends the reply into the phase before its first step.
 */
static bool enter(np_retrace *r, const np_retrace_phase *phase, const np_retrace_hop *hop)
{
    const uint32_t i = hop->message;
    if (r->place[i] != phase->host[hop->from])
        return false;
    r->node[i] = hop->from;
    r->since[i] = 0;
    return true;
}

/* The reply crosses the link of its request in step `now`. */
static bool cross(np_retrace *r, const np_retrace_phase *phase, const np_retrace_hop *hop, np_step now)
{
    const uint32_t i = hop->message;
    if (r->place[i] == NP_NONE || r->node[i] != hop->to || r->since[i] >= now)
        return false;
    r->node[i] = hop->from;
    r->since[i] = now;
    r->place[i] = phase->host[hop->from];
    return true;
}

/* After step `now` the reply to all is at the node, and the part's reply leaves it. */
static bool part(np_carry *c, const np_retrace_hop *hop, np_step now)
{
    np_retrace *r = &c->retrace;
    const uint32_t i = hop->message, whole = hop->to;
    if (r->place[whole] == NP_NONE || r->node[whole] != hop->from || !split(c, i))
        return false;
    r->node[i] = hop->from;
    r->since[i] = now;
    r->place[i] = r->place[whole];
    return true;
}

/* The hops of one step, from hop[begin] up to hop[end]: replies move, then they divide. */
static bool play_step(np_carry *c, const np_retrace_phase *phase, size_t begin, size_t end)
{
    np_retrace *r = &c->retrace;
    const np_step now = phase->steps + 1 - r->hop[begin].step;
    bool good = true;
    for (size_t k = end; k-- > begin && good;)
        if (r->hop[k].kind == NP_EVENT_MOVED)
            good = cross(r, phase, &r->hop[k], now);
        else if (r->hop[k].kind == NP_EVENT_LANDED)
            good = enter(r, phase, &r->hop[k]);
    for (size_t k = end; k-- > begin && good;)
        if (r->hop[k].kind == NP_EVENT_COMBINED)
            good = part(c, &r->hop[k], now);
    return good;
}

/* Moves the replies back; place[] has, and receives, where they are. */
static np_status play(np_carry *c)
{
    const np_retrace *retrace = &c->retrace;
    size_t end = retrace->hops;
    for (unsigned p = retrace->phases; p-- > 0;) {
        const np_retrace_phase *phase = &retrace->phase[p];
        for (size_t begin = end; end > phase->begin; end = begin) {
            while (begin > phase->begin && retrace->hop[begin - 1].step == retrace->hop[end - 1].step)
                begin--;
            if (!play_step(c, phase, begin, end))
                return NP_RAISE(NP_ERROR_INTERNAL, "a reply is late, or elsewhere, in step %u of %u on its way back",
                                (unsigned)(phase->steps + 1 - retrace->hop[begin].step), (unsigned)phase->steps);
        }
    }
    return NP_OK;
}

/* Replies go back hop by hop as their requests came. */
static np_status retrace(np_carry *c)
{
    for (size_t i = 0; i < c->count; i++)
        c->retrace.place[i] = c->state[i] == ANSWERED ? c->at[i] : NP_NONE;
    np_status st = play(c);
    for (size_t i = 0; i < c->count; i++)
        c->at[i] = c->retrace.place[i];
    return st;
}

/* A request that joined another one of its own processor is home when that one is. */
static void split_own(np_carry *c, uint32_t part)
{
    c->at[part] = c->at[c->into[part]];
    split(c, part);
}

static np_status take(const np_carry *c, uint32_t i, np_word *reply)
{
    if (c->state[i] != ANSWERED || c->at[i] != c->home[i])
        return NP_RAISE(NP_ERROR_INTERNAL, "the reply to processor %u for cell %llu did not come back",
                        (unsigned)c->message[i].first, (unsigned long long)c->message[i].address);
    *reply = c->word[is_list(c, i) ? c->head[i] : i];
    return NP_OK;
}

np_status np_carry_answer(np_carry *carry, np_store *store, np_word *reply)
{
    np_status st = NP_OK;
    carry->on = false;
    serve(carry, store);
    if (carry->retrace.each)
        st = retrace(carry);
    for (size_t i = 0; i < carry->splits; i++)
        split(carry, carry->split[i]);
    for (size_t i = carry->own; i-- > 0;)
        split_own(carry, carry->join[i]);
    for (uint32_t i = 0; i < carry->count && !st; i++)
        st = take(carry, i, &reply[i]);
    return st;
}
