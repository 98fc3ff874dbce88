/* Options of merging from words: what is taken, what is refused, and that a refusal changes nothing. */
#include "netpram/merging.h"
#include "support.h"

static np_merge_options options;

static np_status try(const char *name, const char *text)
{
    return np_fields_set(&np_merge_options_fields, &options, name, text);
}

static void set(const char *name, const char *text) { assert_ok(try(name, text)); }

static void words_are_taken(void **state)
{
    (void)state;
    np_merge_options_init(&options);
    set("queue_size", "16");
    set("queue-size", "17"); /* as on the command line */
    assert_int_equal(options.queue_size, 17);
    set("room", "freed");
    assert_int_equal(options.room, NP_ROOM_FREED);
    static const char *const rules[] = {"none", "first", "sum", "min", "max", "and", "or"};
    for (int i = NP_COMBINE_NONE; i <= NP_COMBINE_OR; i++) {
        set("combine", rules[i]);
        assert_int_equal(options.combine, i);
    }
    assert_false(options.ranks_given);
    set("ranks", "hash");
    assert_int_equal(options.ranks, NP_RANKS_HASH);
    set("ranks", "random");
    assert_int_equal(options.ranks, NP_RANKS_RANDOM);
    assert_true(options.ranks_given);
    set("ranks", "file:a b");
    assert_int_equal(options.ranks, NP_RANKS_FILE);
    assert_string_equal(options.rank_file, "a b");
    set("rank_range", "1");
    assert_int_equal(options.rank_range, 1);
    set("independence", "4096");
    assert_int_equal(options.independence, 4096);
    set("message_length", "7");
    assert_int_equal(options.message_least, 7);
    assert_int_equal(options.message_most, 7);
    set("message-length", "1..65535");
    assert_int_equal(options.message_least, 1);
    assert_int_equal(options.message_most, 65535);
    static const char *const modes[] = {"cycles", "asynchronous", "pipelined"};
    for (int i = NP_MESSAGES_CYCLES; i <= NP_MESSAGES_PIPELINED; i++) {
        set("messages", modes[i]);
        assert_int_equal(options.message_mode, i);
    }
    set("no_ghosts", "true");
    assert_true(options.no_ghosts);
    set("no_ghosts", "false");
    assert_false(options.no_ghosts);
    set("ghosts", "room");
    assert_int_equal(options.ghosts, NP_GHOSTS_ROOM);
    set("ghosts", "free");
    assert_int_equal(options.ghosts, NP_GHOSTS_FREE);
}

static void mistakes_change_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *message;
    } cases[] = {
        {"queue_size", "0", "queue_size 0: must be a whole number in 1..1073741824"},
        {"queue_size", "", "queue_size : must be a whole number in 1..1073741824"},
        {"queue_size", "1e3", "queue_size 1e3: must be"},
        {"rank_range", "1073741825", "rank_range 1073741825: must be a whole number in 1..1073741824"},
        {"independence", "4097", "independence 4097: must be a whole number in 1..4096"},
        {"room", "fred", "room fred: did you mean 'freed'?"},
        {"combine", "summ", "combine summ: did you mean 'sum'?"},
        {"combine", "", "combine : choose from"},
        {"ranks", "hsh", "ranks hsh: did you mean 'hash'?"},
        {"ranks", "file:", "ranks file:: did you mean 'file:PATH'?"},
        {"messages", "pipeline", "messages pipeline: did you mean 'pipelined'?"},
        {"message_length", "0", "message_length 0: must be a length in 1..65535 or a range such as 1..8"},
        {"message_length", "3..2", "message_length 3..2: must be"},
        {"message_length", "1..", "message_length 1..: must be"},
        {"message_length", "1..65536", "message_length 1..65536: must be"},
        {"message_length", "2 ", "message_length 2 : must be"},
        {"no_ghosts", "yes", "no_ghosts yes: choose from"},
        {"queue-sise", "2", "no option 'queue-sise' of merging: did you mean 'queue_size'?"},
        {"queue_size_", "2", "no option 'queue_size_' of merging"},
        {"queue", "2", "no option 'queue' of merging"},
    };
    np_merge_options before;
    memset(&before, 0, sizeof before); /* the padding too: they are compared as bytes */
    memset(&options, 0, sizeof options);
    options.queue_size = before.queue_size = 3;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_refused(try(cases[i].name, cases[i].text), NP_ERROR_INPUT, cases[i].message);
        assert_memory_equal(&options, &before, sizeof options);
    }
}

/* Each name is known, none twice, and no row takes any text. */
static void names_are_listed(void **state)
{
    (void)state;
    const np_field *field;
    for (size_t i = 0; (field = np_fields_row(&np_merge_options_fields, i, NULL)); i++) {
        assert_int_equal(try(field->name, "?"), NP_ERROR_INPUT);
        assert_null(strstr(np_last_error(), "no option"));
        assert_ptr_equal(np_fields_find(&np_merge_options_fields, field->name), field);
    }
    assert_int_equal(np_merge_options_fields.count, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_taken),
        cmocka_unit_test(mistakes_change_nothing),
        cmocka_unit_test(names_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
