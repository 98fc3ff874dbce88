/* See copies_machine.h. */
#include "papers/copies/copies_machine.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"

static const char what[] = "the values of a batch";

static void layout(void *object, np_arena *arena)
{
    np_copies_values *v = object;
    const size_t all = v->room * v->copies;
    np_arena_array(arena, &v->message, all, sizeof *v->message, what);
    np_arena_array(arena, &v->heard, v->room, sizeof *v->heard, what);
    np_arena_array(arena, &v->sent, all, sizeof *v->sent, what);
    np_arena_array(arena, &v->reply, all, sizeof *v->reply, what);
    np_arena_array(arena, &v->heard_reply, v->room, sizeof *v->heard_reply, what);
}

void np_copies_values_clear(np_copies_values *values) { np_memory_free(values->block); }

np_status np_copies_values_reserve(np_copies_values *values, size_t requests)
{
    return np_arena_need(values, layout, what, &values->block, &values->block_bytes, &values->room, requests);
}

/* ---- On the way ---- */

static int events(void *context, size_t count, const np_event *event)
{
    np_copies_values *v = context;
    for (size_t i = 0; i < count; i++)
        if (event[i].kind == NP_EVENT_LANDED)
            v->message[event[i].packet - v->told].at = event[i].from;
    return 0;
}

void np_copies_values_init(np_copies_values *values, const np_pram_options *options)
{
    *values = (np_copies_values){.observer = {.kinds = UINT32_C(1) << NP_EVENT_LANDED,
                                              .events = events,
                                              .context = values,
                                              .next = options->observer},
                                 .rule = options->rule,
                                 .copies = options->copies,
                                 .carried = options->carry_values};
}

void np_copies_values_begin(np_copies_values *values, const np_tags *tags, const np_request *request, size_t requests,
                            bool keep)
{
    values->tags = tags;
    values->request = request;
    for (size_t i = 0; i < requests; i++) {
        const np_copies_heard before = values->heard[i];
        values->heard[i] = (np_copies_heard){0};
        if (keep)
            values->heard[i].newest = before.newest;
    }
}

uint32_t np_copies_values_send(np_copies_values *values, uint32_t item, uint32_t end, np_node home, np_node module,
                               const np_request *request, uint64_t stamp)
{
    const size_t list = values->replies;
    values->replies += end - item;
    values->message[values->messages] = (np_copies_message){.request = *request,
                                                            .stamp = stamp,
                                                            .copy = values->heard[item].newest,
                                                            .item = item,
                                                            .end = end,
                                                            .list = (uint32_t)list,
                                                            .at = home,
                                                            .home = home,
                                                            .module = module};
    return (uint32_t)values->messages++;
}

void np_copies_values_arrive(np_copies_values *values)
{
    for (size_t i = 0; i < values->messages; i++)
        values->message[i].came = !values->carried || values->message[i].at == values->message[i].module;
}

/* ---- At a module ---- */

/* Readers get the copy, and fetchers what lower processors make of its word. */
static void answer_reader(np_copies_message *message, const np_copy *copy, const np_request *lower)
{
    message->copy = *copy;
    message->word = lower ? np_request_reply_right(lower, copy->word) : copy->word;
}

/*
 * What all messages together write; found: the newest word that their processors found, which fetches are applied to.
 */
static void write_copy(const np_copies_values *v, const np_request *all, uint64_t stamp, const np_copy *found,
                       np_copy *copy)
{
    if (all->kind == NP_ACCESS_FETCH)
        np_copy_write(copy, stamp, np_values_combine(all->type, all->op, found->word, all->value));
    else if (!all->several || v->rule != NP_RULE_TOLERANT)
        np_copy_write(copy, stamp,
                      all->several && v->rule == NP_RULE_COLLISION ? np_values_collision(all->type) : all->value);
}

/* Adds up the operands of a message. replies: NULL, or for each of them what there was before it; before: if it is the
 * first. */
static void add_operands(const np_copies_values *v, const np_copies_message *m, np_exact_sum *sum, size_t *operands,
                         np_word before, np_word *replies)
{
    for (uint32_t i = m->item; i < m->end; i++) {
        if (replies)
            replies[i - m->item] = *operands ? np_values_sum(sum) : before;
        np_values_add(sum, v->request[v->tags->item[i].index].value);
        ++*operands;
    }
}

/* np_copies_values_serve where reals are added up. */
static void serve_sum(np_copies_values *v, uint32_t first, uint32_t count, np_copy *copy, bool write)
{
    const bool fetches = v->message[first].request.kind == NP_ACCESS_FETCH;
    const np_copies_message *last = NULL;
    np_copy found = {0};
    np_exact_sum sum;
    size_t operands = 0;
    for (np_copies_message *m = &v->message[first]; m < &v->message[first + count] && write; m++)
        if (m->came)
            np_copy_read(&found, &m->copy);
    np_exact_sum_clear(&sum);
    if (fetches)
        np_values_add(&sum, write ? found.word : copy->word);
    for (np_copies_message *m = &v->message[first]; m < &v->message[first + count]; m++) {
        if (!m->came)
            continue;
        add_operands(v, m, &sum, &operands, copy->word, write ? NULL : &v->reply[m->list]);
        if (!write)
            m->copy = *copy;
        m->served = true;
        last = m;
    }
    if (last && write)
        np_copy_write(copy, last->stamp, operands == 1 && !fetches ? last->request.value : np_values_sum(&sum));
}

void np_copies_values_serve(np_copies_values *values, uint32_t first, uint32_t count, np_copy *copy, bool write)
{
    np_request all = {0};
    np_copy found = {0};
    const np_copies_message *last = NULL;
    if (count && np_request_summed(values->rule, &values->message[first].request)) {
        serve_sum(values, first, count, copy, write);
        return;
    }
    for (np_copies_message *m = &values->message[first]; m < &values->message[first + count]; m++) {
        if (!m->came)
            continue;
        if (write)
            np_copy_read(&found, &m->copy);
        else
            answer_reader(m, copy, last ? &all : NULL);
        if (last)
            np_request_combine(values->rule, &all, &m->request);
        else
            all = m->request;
        m->served = true;
        last = m;
    }
    if (last && write)
        write_copy(values, &all, last->stamp, &found, copy);
}

/* ---- Back ---- */

void np_copies_values_return(np_copies_values *values)
{
    for (size_t i = 0; i < values->messages; i++) {
        const np_copies_message *m = &values->message[i];
        np_copies_heard *heard = &values->heard[m->item];
        if (!m->served || (values->carried && m->at != m->home))
            continue;
        heard->copies++;
        if (m->copy.stamp >= heard->newest.stamp) {
            heard->newest = m->copy;
            heard->word = m->word;
            if (np_request_summed(values->rule, &m->request))
                memcpy(&values->heard_reply[m->item], &values->reply[m->list], (m->end - m->item) * sizeof(np_word));
        }
    }
    values->told += (uint32_t)values->messages;
    values->messages = values->replies = 0;
}

np_status np_copies_values_take(const np_copies_values *values, uint32_t item, uint32_t end, uint32_t quorum,
                                np_word *reply)
{
    const np_copies_heard *heard = &values->heard[item];
    const np_tag_item *own = values->tags->item;
    np_request left = values->request[own[item].index];
    const bool summed = np_request_summed(values->rule, &left);
    if (heard->copies < quorum)
        return NP_RAISE(NP_ERROR_INTERNAL, "processor %u has heard of %u copies of cell %llu, and needs %u",
                        (unsigned)left.first, heard->copies, (unsigned long long)left.address, quorum);
    for (uint32_t i = item; i < end && reply; i++) {
        const uint32_t k = own[i].index;
        if (summed) {
            reply[k] = values->heard_reply[i];
            continue;
        }
        reply[k] = i == item ? heard->word : np_request_reply_right(&left, heard->word);
        if (i > item)
            np_request_combine(values->rule, &left, &values->request[k]);
    }
    return NP_OK;
}
