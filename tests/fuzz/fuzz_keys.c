/* Files of keys, of every kind: refused with a line that names the file, or words in the order of the lines. */
#include "fuzz.h"

#include <string.h>

#include "base/memory.h"
#include "work/sort/keys.h"

const fuzz_rule fuzz_grammar[] = {
    {"file", "$key\n|$key\n$file|$key\n$file|$key\n$file|$key"},
    {"key",
     "$number|-$number|+$number|$number.$number|$number.$number$power$number|inf|-inf|nan|abc|b a|$bytes| $number | "
     "0x1p-1074"},
    {"power", "e|e-"},
    {NULL, NULL},
};

static void check(const np_keys *keys, const char *data, size_t size)
{
    FUZZ_CHECK(np_keys_count(keys) > 0 && np_keys_kind(keys) != NP_KEYS_AUTO);
    for (size_t i = 0; i < keys->count; i++) {
        const np_keys_line *line = &keys->line[i];
        FUZZ_CHECK(line->at >= keys->data && line->at + line->length <= keys->data + size);
        FUZZ_CHECK(!memchr(line->at, '\n', line->length));
        FUZZ_CHECK(!i || line->at > keys->line[i - 1].at);
        if (i && line->length == line[-1].length && !memcmp(line->at, line[-1].at, line->length))
            FUZZ_CHECK(keys->word[i] == keys->word[i - 1]);
    }
    FUZZ_CHECK(!memcmp(keys->data, data, size)); /* reading puts back what it marks */
}

static void parse(const uint8_t *data, size_t size, np_key_kind kind)
{
    np_keys *keys;
    char *copy;
    if (np_memory_array(&copy, size + 1, 1, "a text"))
        return;
    memcpy(copy, data, size);
    np_status st = np_keys_parse("fuzz", copy, size, kind, &keys);
    if (!st) {
        check(keys, (const char *)data, size);
    } else {
        FUZZ_CHECK(st == NP_ERROR_INPUT && !keys);
        fuzz_check_message("fuzz");
    }
    np_keys_free(keys);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (np_key_kind kind = NP_KEYS_AUTO; kind <= NP_KEYS_TEXT; kind++)
        parse(data, size, kind);
    return 0;
}
