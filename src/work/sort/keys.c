/* The words of keys that have been read or made, and writing keys in another order. */
#include "work/sort/keys.h"

#include <inttypes.h>

#include "base/memory.h"
#include "base/npy.h"

size_t np_keys_count(const np_keys *keys) { return keys->count; }

np_key_kind np_keys_kind(const np_keys *keys) { return keys->kind; }

const uint64_t *np_keys_words(const np_keys *keys) { return keys->word; }

const char *const np_keys_kind_words[] = {"auto", "integers", "floats", "text", NULL};

const char *np_keys_kind_name(np_key_kind kind)
{
    return (unsigned)kind <= NP_KEYS_TEXT ? np_keys_kind_words[kind] : NULL;
}

void np_keys_free(np_keys *keys)
{
    if (!keys)
        return;
    NP_MEMORY_FREE(keys->data, keys->line, keys->word, keys);
}

np_status np_keys_draw(const char *order, size_t count, uint64_t seed, uint32_t run, np_keys **out)
{
    np_keys *keys = NULL;
    np_status st;
    *out = NULL;
    if (!(st = np_memory_zeroed(&keys, 1, sizeof *keys, "keys")) &&
        !(st = np_memory_array(&keys->word, count, sizeof *keys->word, "keys")))
        st = np_keys_make(order, count, seed, run, keys->word);
    if (st) {
        np_keys_free(keys);
        return st;
    }
    keys->count = count;
    keys->kind = NP_KEYS_INTEGERS;
    *out = keys;
    return NP_OK;
}

/* The bits of a key's number. */
static uint64_t bits_of(const np_keys *keys, size_t i)
{
    const uint64_t sign = UINT64_C(1) << 63, word = keys->word[i];
    if (keys->kind == NP_KEYS_FLOATS)
        return word & sign ? word ^ sign : ~word;
    return keys->negative ? word ^ sign : word;
}

static void write_array(const np_keys *keys, const uint32_t *order, FILE *stream)
{
    np_npy_head(keys->kind == NP_KEYS_FLOATS ? "<f8"
                : keys->negative             ? "<i8"
                                             : "<u8",
                &(uint64_t){keys->count}, 1, stream);
    for (size_t i = 0; i < keys->count; i++)
        np_npy_item(bits_of(keys, order[i]), stream);
}

np_status np_keys_write(const np_keys *keys, const uint32_t *order, const char *path)
{
    np_output *output;
    bool array = np_npy_is(path);
    if (array && keys->kind == NP_KEYS_TEXT)
        return NP_RAISE(NP_ERROR_INPUT, "%.200s: keys that are texts are no array of NumPy: name a .txt", path);
    np_status st = np_output_open(path, &output);
    if (st)
        return st;
    FILE *stream = np_output_stream(output);
    if (array)
        write_array(keys, order, stream);
    for (size_t i = 0; i < keys->count && !array; i++) {
        if (keys->line) /* a failure shows when it is committed */
            fwrite(keys->line[order[i]].at, 1, keys->line[order[i]].length, stream);
        else
            fprintf(stream, "%" PRIu64, keys->word[order[i]]);
        putc('\n', stream);
    }
    return np_output_commit(output);
}
