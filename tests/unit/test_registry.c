/* Registries: finding by name and alias, the nearest name, entries registered at run time, by several threads too. */
#include "base/registry.h"

#include <pthread.h>
#include <stdio.h>

#include "../support.h"

typedef struct tool {
    np_entry info;
    int weight;
} tool;

static const tool hammer = {.info = {"hammer", "drives nails", "", .aliases = "mallet gavel"}, .weight = 2},
                  saw = {.info = {"saw", "cuts", ""}, .weight = 1}, other_saw = {.info = {"saw", "cuts metal", ""}};

static const np_registry tools = {
    .list = "tools",
    .title = "tools (--tool)",
    .what = "tool",
    .also = "any",
    .built_in = NP_ENTRIES(&hammer.info, &saw.info, &other_saw.info),
};

static void test_find(void **state)
{
    (void)state;
    const tool *found;
    assert_ok(np_registry_find(&tools, "hammer", &found));
    assert_int_equal(found->weight, 2);
    assert_ok(np_registry_find(&tools, "gavel", &found));
    assert_ptr_equal(found, &hammer);
    assert_ok(np_registry_find(&tools, "saw", &found));
    assert_ptr_equal(found, &saw); /* the first of the name */
    assert_ok(np_registry_find_spec(&tools, "saw:3:4", &found));
    assert_ptr_equal(found, &saw);
    assert_false(np_entry_is(&hammer.info, "mallet gavel"));
    assert_false(np_entry_is(&hammer.info, ""));
}

static void test_unknown(void **state)
{
    (void)state;
    const tool *found = &saw;
    assert_refused(np_registry_find(&tools, "hamer", &found), NP_ERROR_INPUT,
                   "no tool 'hamer': did you mean 'hammer'? ('netpram list tools' names all)");
    assert_null(found);
    assert_refused(np_registry_find(&tools, "saw:3", &found), NP_ERROR_INPUT, "no tool 'saw:3': did you mean 'saw'?");
    assert_refused(np_registry_find_spec(&tools, "an:y", &found), NP_ERROR_INPUT, "did you mean 'any'?");
    char word[1000];
    memset(word, 'm', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    assert_refused(np_registry_find_spec(&tools, word, &found), NP_ERROR_INPUT, "choose from 'any', 'hammer', 'saw'");
}

static void test_register_refuses(void **state)
{
    (void)state;
    const char *const malformed[] = {NULL, "", "9lives", "-x", "a b", "mesh:4", "long-long-long-long-long-long-32"};
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
        const np_entry entry = {malformed[i], "help", .source = ""};
        assert_refused(np_registry_add(&tools, &entry, NULL), NP_ERROR_INPUT, "a name is a letter");
    }
    const char *const taken[] = {"hammer", "mallet", "any"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        const np_entry entry = {taken[i], "help", .source = ""};
        assert_refused(np_registry_add(&tools, &entry, NULL), NP_ERROR_INPUT, "choose another name");
    }
    const np_entry helpless = {"file", NULL, .source = ""}, sourceless = {"file", "smooths", .source = NULL};
    assert_refused(np_registry_add(&tools, &helpless, NULL), NP_ERROR_INPUT, "tool 'file' lacks its help");
    assert_refused(np_registry_add(&tools, &sourceless, NULL), NP_ERROR_INPUT, "tool 'file' lacks its source");
    assert_int_equal(np_registry_count(&tools), 3);
}

enum { THREADS = 8, EACH = 20 };

static char names[THREADS * EACH][16];
static tool many[THREADS * EACH];

/* Readers meet the registry at any time: entries do not move, and what is found is whole. */
static void *add_some(void *argument)
{
    const size_t first = EACH * (size_t)(uintptr_t)argument;
    for (size_t i = first; i < first + EACH; i++) {
        size_t failures = np_registry_add(&tools, &many[i].info, NULL) != NP_OK;
        const tool *found;
        failures += np_registry_find(&tools, many[i].info.name, &found) || found != &many[i];
        failures += np_registry_entry(&tools, 1) != &saw;
        if (failures)
            return argument ? argument : &many;
    }
    return NULL;
}

static void test_threads_register(void **state)
{
    (void)state;
    pthread_t thread[THREADS];
    for (size_t i = 0; i < THREADS * EACH; i++) {
        snprintf(names[i], sizeof names[i], "tool-%zu", i);
        many[i] = (tool){.info = {names[i], "one of many", ""}, .weight = (int)i};
    }
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, add_some, (void *)(uintptr_t)i), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *failed;
        assert_int_equal(pthread_join(thread[i], &failed), 0);
        assert_null(failed);
    }
    assert_int_equal(np_registry_count(&tools), 3 + THREADS * EACH);
    assert_refused(np_registry_add(&tools, &many[0].info, NULL), NP_ERROR_INPUT, "'tool-0' already");
}

/* What every entry of every list has, and names that `netpram list` and errors can print. */
static void test_lists(void **state)
{
    (void)state;
    for (np_list list = 0; list < NP_LISTS; list++) {
        const np_entry *entry;
        size_t count = 0;
        assert_non_null(strstr(np_list_title(list), "("));
        for (; (entry = np_list_get(list, count)); count++)
            if (!*entry->name || strpbrk(entry->name, ": ") || !*entry->help || !entry->source)
                fail_msg("%s: entry %zu, '%s'", np_list_name(list), count, entry->name);
        assert_true(count > 1);
    }
    assert_null(np_list_name(NP_LISTS));
    assert_null(np_list_title(NP_LISTS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_register_refuses),
        cmocka_unit_test(test_threads_register),
        cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
