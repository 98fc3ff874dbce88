/*
 * Names of nodes. The hash table is open, with linear probing, at most half
 * full. Its slots hold numbers; the texts are compared.
 */
#include "model/network/names.h"

#include <string.h>

#include "base/memory.h"

enum { NEAREST_TRIED = 100000 }; /* ours: an error line is not worth more time */

void np_names_clear(np_names *names)
{
    NP_MEMORY_FREE(names->text, names->at, names->slot);
    *names = (np_names){.text = NULL};
}

np_status np_names_copy(const np_names *names, np_names *copy)
{
    static const char what[] = "the names of the nodes";
    np_status st;
    *copy = *names;
    copy->text = NULL;
    copy->at = NULL;
    copy->slot = NULL;
    if ((st = np_memory_array(&copy->text, names->space, sizeof *copy->text, what)) ||
        (st = np_memory_array(&copy->at, names->room, sizeof *copy->at, what)) ||
        (st = np_memory_array(&copy->slot, names->slots, sizeof *copy->slot, what)))
        return st;
    memcpy(copy->text, names->text, names->length * sizeof *copy->text);
    memcpy(copy->at, names->at, names->count * sizeof *copy->at);
    memcpy(copy->slot, names->slot, names->slots * sizeof *copy->slot);
    return NP_OK;
}

/* FNV-1a, and a last multiplication that spreads the low bits. */
static uint64_t hash_of(const char *name, size_t length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
    return (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15) >> 20;
}

static bool is(const np_names *names, uint32_t number, const char *name, size_t length)
{
    const char *other = np_names_get(names, number);
    return !strncmp(other, name, length) && !other[length];
}

/* The slot of the name, or the free one where it belongs. */
static size_t slot_of(const np_names *names, const char *name, size_t length)
{
    size_t i = hash_of(name, length) & (names->slots - 1);
    while (names->slot[i] && !is(names, names->slot[i] - 1, name, length))
        i = (i + 1) & (names->slots - 1);
    return i;
}

static np_status grow_slots(np_names *names)
{
    size_t slots = names->slots ? 2 * names->slots : 1024;
    uint32_t *slot;
    np_status st = np_memory_zeroed(&slot, slots, sizeof *slot, "the names of the nodes");
    if (st)
        return st;
    np_memory_free(names->slot);
    names->slot = slot;
    names->slots = slots;
    for (uint32_t i = 0; i < names->count; i++) {
        const char *name = np_names_get(names, i);
        slot[slot_of(names, name, strlen(name))] = i + 1;
    }
    return NP_OK;
}

static np_status grow(np_names *names, size_t length)
{
    size_t room = names->room ? 2 * names->room : 1024, space = 2 * (names->space + length) + 1024;
    np_status st;
    if (names->count == names->room) {
        if ((st = np_memory_grow(&names->at, names->count, room, sizeof *names->at, "the names of the nodes")))
            return st;
        names->room = room;
    }
    if (names->space - names->length <= length) {
        if ((st = np_memory_grow(&names->text, names->length, space, 1, "the names of the nodes")))
            return st;
        names->space = space;
    }
    return 2 * (names->count + 1) > names->slots ? grow_slots(names) : NP_OK;
}

np_status np_names_add(np_names *names, const char *name, size_t length, uint32_t *number)
{
    np_status st = grow(names, length);
    if (st)
        return st;
    size_t slot = slot_of(names, name, length);
    if (!names->slot[slot]) {
        memcpy(names->text + names->length, name, length);
        names->text[names->length + length] = 0;
        names->at[names->count++] = names->length;
        names->length += length + 1;
        names->slot[slot] = (uint32_t)names->count;
    }
    *number = names->slot[slot] - 1;
    return NP_OK;
}

uint32_t np_names_find(const np_names *names, const char *name, size_t length)
{
    if (!names->count)
        return NP_NONE;
    uint32_t number = names->slot[slot_of(names, name, length)];
    return number ? number - 1 : NP_NONE;
}

np_parse_hint np_names_hint(const np_names *names, const char *word)
{
    np_parse_hint hint;
    np_parse_hint_init(&hint, word);
    for (uint32_t i = 0; i < names->count && i < NEAREST_TRIED; i++)
        np_parse_hint_add(&hint, np_names_get(names, i));
    return hint;
}
