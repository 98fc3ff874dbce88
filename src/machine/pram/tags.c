/* Sorting by tag: least digit first, a byte at a time. The sort keeps the order of equal tags. See tags.h. */
#include "machine/pram/tags.h"

#include "base/arena.h"
#include "base/memory.h"

static void layout(void *object, np_arena *arena)
{
    np_tags *tags = object;
    np_arena_array(arena, &tags->item, tags->room, sizeof *tags->item, "tags");
    np_arena_array(arena, &tags->spare, tags->room, sizeof *tags->spare, "tags");
    np_arena_array(arena, &tags->begin, tags->room + 1, sizeof *tags->begin, "tags");
    NP_ARENA_WORDS(arena, tags->room, "tags", &tags->module, &tags->processor);
}

void np_tags_clear(np_tags *tags)
{
    np_memory_free(tags->block);
    *tags = (np_tags){0};
}

np_status np_tags_reserve(np_tags *tags, size_t count)
{
    if (count >> 30)
        return NP_RAISE(NP_ERROR_LIMIT, "%zu requests in one batch: at most 2^30 - 1; take a smaller slack", count);
    return np_arena_need(tags, layout, "tags", &tags->block, &tags->block_bytes, &tags->room, count);
}

enum { DIGIT_BITS = 8, DIGITS = 64 / DIGIT_BITS, VALUES = 1 << DIGIT_BITS };

static inline unsigned digit_of(uint64_t key, unsigned digit) { return key >> digit * DIGIT_BITS & (VALUES - 1); }

static void sort_by(np_tags *tags, size_t count, unsigned digit, const uint32_t *frequency)
{
    uint32_t at[VALUES], sum = 0;
    for (unsigned v = 0; v < VALUES; v++) {
        at[v] = sum;
        sum += frequency[v];
    }
    for (size_t i = 0; i < count; i++)
        tags->spare[at[digit_of(tags->item[i].key, digit)]++] = tags->item[i];
    np_tag_item *sorted = tags->spare;
    tags->spare = tags->item;
    tags->item = sorted;
}

void np_tags_sort(np_tags *tags, size_t count)
{
    uint32_t frequency[DIGITS][VALUES] = {{0}};
    for (size_t i = 0; i < count; i++)
        for (unsigned digit = 0; digit < DIGITS; digit++)
            frequency[digit][digit_of(tags->item[i].key, digit)]++;
    for (unsigned digit = 0; digit < DIGITS && count; digit++)
        if (frequency[digit][digit_of(tags->item[0].key, digit)] != count) /* else all keys have the same digit */
            sort_by(tags, count, digit, frequency[digit]);
    tags->groups = 0;
    for (size_t i = 0; i < count; i++)
        if (!i || tags->item[i].key != tags->item[i - 1].key)
            tags->begin[tags->groups++] = (uint32_t)i;
    tags->begin[tags->groups] = (uint32_t)count;
}

/* Group k as one request: the combination of its requests. */
static void serve_group(const np_tags *tags, uint32_t k, np_store *store, np_access_rule rule,
                        const np_request *request, np_word *reply)
{
    const np_tag_item *item = tags->item + tags->begin[k];
    const uint32_t count = tags->begin[k + 1] - tags->begin[k];
    np_request all = request[item[0].index], left = all;
    for (uint32_t i = 1; i < count; i++)
        np_request_combine(rule, &all, &request[item[i].index]);
    const np_word word = np_store_serve(store, &all);
    reply[item[0].index] = word;
    for (uint32_t i = 1; i < count; i++) {
        reply[item[i].index] = np_request_reply_right(&left, word);
        np_request_combine(rule, &left, &request[item[i].index]);
    }
}

/* Memory adds reals up itself. */
static void serve_each(const np_tags *tags, uint32_t k, np_store *store, const np_request *request, np_word *reply)
{
    for (uint32_t i = tags->begin[k]; i < tags->begin[k + 1]; i++)
        reply[tags->item[i].index] = np_store_serve(store, &request[tags->item[i].index]);
}

void np_tags_serve(const np_tags *tags, np_store *store, np_access_rule rule, const np_request *request, np_word *reply)
{
    for (uint32_t k = 0; k < tags->groups; k++)
        if (np_request_summed(rule, &request[tags->item[tags->begin[k]].index]))
            serve_each(tags, k, store, request, reply);
        else
            serve_group(tags, k, store, rule, request, reply);
}
