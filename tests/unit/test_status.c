/* The thread's last error: kept, cut to its room, prefixed, and one for each thread. */
#include "support.h"

#include <pthread.h>

#include "base/status.h"

static void test_names(void **state)
{
    (void)state;
    static const struct {
        np_status status;
        const char *name;
    } expected[] = {
        {NP_OK, "ok"},
        {NP_ERROR_INPUT, "input"},
        {NP_ERROR_APPLY, "not applicable"},
        {NP_ERROR_LIMIT, "limit"},
        {NP_ERROR_MEMORY, "memory"},
        {NP_ERROR_IO, "io"},
        {NP_ERROR_CANCELLED, "cancelled"},
        {NP_ERROR_INTERNAL, "internal"},
        {NP_ERROR_DEADLOCK, "deadlock"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_string_equal(np_status_name(expected[i].status), expected[i].name);
    assert_string_equal(np_status_name((np_status)-9), "unknown");
    assert_string_equal(np_status_name((np_status)1), "unknown");
}

static void test_raise_keeps_the_message(void **state)
{
    (void)state;
    assert_int_equal(NP_RAISE(NP_ERROR_INPUT, "side %d of '%s'", 7, "mesh"), NP_ERROR_INPUT);
    assert_string_equal(np_last_error(), "side 7 of 'mesh'");
    assert_int_equal(NP_RAISE(NP_ERROR_IO, "again: %s", np_last_error()), NP_ERROR_IO);
    assert_string_equal(np_last_error(), "again: side 7 of 'mesh'");
}

static void test_prefix(void **state)
{
    (void)state;
    np_status st = NP_RAISE(NP_ERROR_INPUT, "bad number");
    assert_int_equal(np_status_prefix(st, "%s:%d: ", "links.txt", 3), NP_ERROR_INPUT);
    assert_string_equal(np_last_error(), "links.txt:3: bad number");
}

/* Whatever it quotes: no line ends, no commands to the terminal. */
static void test_a_message_is_one_line(void **state)
{
    (void)state;
    np_status st = NP_RAISE(NP_ERROR_INPUT, "spec '%s'", "a\nb\x1b[2J\tc \xc3\xa9");
    assert_string_equal(np_last_error(), "spec 'a\\x0ab\\x1b[2J\\x09c \xc3\xa9'");
    (void)np_status_prefix(st, "%s: ", "x\ny");
    assert_string_equal(np_last_error(), "x\\x0ay: spec 'a\\x0ab\\x1b[2J\\x09c \xc3\xa9'");
}

/* However long, a message ends within its room and is not empty. */
static void test_long_messages_are_cut(void **state)
{
    (void)state;
    char text[2000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    np_status st = NP_RAISE(NP_ERROR_INPUT, "%s", text);
    size_t room = strlen(np_last_error());
    assert_in_range(room, 100, 1999);
    (void)np_status_prefix(st, "first: ");
    assert_int_equal(strlen(np_last_error()), room);
    assert_memory_equal(np_last_error(), "first: xxx", 10);
    (void)np_status_prefix(st, "%s", text);
    assert_int_equal(strlen(np_last_error()), room);
}

static void *other_thread(void *context)
{
    bool *empty_at_first = context;
    *empty_at_first = !*np_last_error();
    (void)NP_RAISE(NP_ERROR_LIMIT, "the other thread's");
    return NULL;
}

static void test_threads_have_their_own(void **state)
{
    (void)state;
    pthread_t thread;
    bool empty_at_first = false;
    (void)NP_RAISE(NP_ERROR_INPUT, "mine");
    assert_int_equal(pthread_create(&thread, NULL, other_thread, &empty_at_first), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(empty_at_first);
    assert_string_equal(np_last_error(), "mine");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_raise_keeps_the_message),
        cmocka_unit_test(test_prefix),
        cmocka_unit_test(test_a_message_is_one_line),
        cmocka_unit_test(test_long_messages_are_cut),
        cmocka_unit_test(test_threads_have_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
