/* How texts from outside are written: what a terminal, JSON, CSV and XML get. */
#include "support.h"

#include <stdlib.h>

#include "base/written.h"

static void assert_written(np_medium medium, const char *text, const char *want)
{
    char *got = NULL;
    size_t size;
    FILE *stream = open_memstream(&got, &size);
    np_written(medium, text, stream);
    fclose(stream);
    assert_string_equal(got, want);
    free(got);
}

static void test_terminal(void **state)
{
    (void)state;
    assert_written(NP_MEDIUM_TERMINAL, "Z\xc3\xbcrich \xe2\x86\x92 \xf0\x9f\x98\x80",
                   "Z\xc3\xbcrich \xe2\x86\x92 \xf0\x9f\x98\x80");
    assert_written(NP_MEDIUM_TERMINAL, "\x1b[2J\n\t\x7f", "\\x1b[2J\\x0a\\x09\\x7f");
    assert_written(NP_MEDIUM_TERMINAL,
                   "\xc2\x9b"
                   "31m",
                   "\\u009b31m");                               /* C1, in UTF-8 */
    assert_written(NP_MEDIUM_TERMINAL, "\xc2\xa0", "\xc2\xa0"); /* the first one behind it */
    assert_written(NP_MEDIUM_TERMINAL,
                   "\xe2\x80\xae"
                   "x\xe2\x81\xa6",
                   "\\u202ex\\u2066"); /* right to left */
    assert_written(NP_MEDIUM_TERMINAL, "\xd8\x9c\xe2\x80\x8e\xe2\x80\xa9", "\\u061c\\u200e\\u2029");
    /* Latin 1; cut short; too long; a surrogate; beyond the last character; no character */
    assert_written(NP_MEDIUM_TERMINAL, "\xe9t\xe9", "\\xe9t\\xe9");
    assert_written(NP_MEDIUM_TERMINAL, "\xe2\x86", "\\xe2\\x86");
    assert_written(NP_MEDIUM_TERMINAL, "\xc0\xaf", "\\xc0\\xaf");
    assert_written(NP_MEDIUM_TERMINAL, "\xed\xa0\x80", "\\xed\\xa0\\x80");
    assert_written(NP_MEDIUM_TERMINAL, "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
    assert_written(NP_MEDIUM_TERMINAL, "\xef\xbf\xbf", "\\xef\\xbf\\xbf");
}

static void test_copy(void **state)
{
    char out[8];
    (void)state;
    assert_string_equal(np_written_copy("1234567", out, sizeof out), "1234567");
    assert_string_equal(np_written_copy("12345678", out, sizeof out), "1234567");
    assert_string_equal(np_written_copy("123456\xc3\xbc", out, sizeof out), "123456"); /* no half of it */
    assert_string_equal(np_written_copy("1234\x1b", out, sizeof out), "1234");
    assert_string_equal(np_written_copy("", out, 1), "");
    assert_true(np_written_plain("Z\xc3\xbcrich"));
    assert_false(np_written_plain("Z\xfcrich"));
    assert_false(np_written_plain("a\tb"));
}

static void test_json(void **state)
{
    (void)state;
    assert_written(NP_MEDIUM_JSON, "a \"b\" \\", "\"a \\\"b\\\" \\\\\"");
    assert_written(NP_MEDIUM_JSON, "\x1b\n\xc2\x9b\xe2\x80\xae", "\"\\u001b\\u000a\\u009b\\u202e\"");
    assert_written(NP_MEDIUM_JSON, "\xe9", "\"\\\\xe9\"");
    assert_written(NP_MEDIUM_JSON, "</script>\xc3\xbc", "\"</script>\xc3\xbc\"");
}

static void test_csv(void **state)
{
    (void)state;
    assert_written(NP_MEDIUM_CSV, "plain", "plain");
    assert_written(NP_MEDIUM_CSV, "a,b", "\"a,b\"");
    assert_written(NP_MEDIUM_CSV, "5\" disk", "\"5\"\" disk\"");
    assert_written(NP_MEDIUM_CSV, "a\nb", "\"a\nb\"");
    assert_written(NP_MEDIUM_CSV, "\x1b\xe9", "\x1b\xe9"); /* a file keeps the bytes */
    assert_written(NP_MEDIUM_CSV_SHOWN, "\x1b\xe9,", "\"\\x1b\\xe9,\"");
    assert_written(NP_MEDIUM_CSV, "=1+2", "'=1+2");
    assert_written(NP_MEDIUM_CSV, "@SUM(A1)", "'@SUM(A1)");
    assert_written(NP_MEDIUM_CSV, "=A1,\"x\"", "\"'=A1,\"\"x\"\"\"");
    assert_written(NP_MEDIUM_CSV, "+1+1", "'+1+1");
    assert_written(NP_MEDIUM_CSV, "-x", "'-x");
    assert_written(NP_MEDIUM_CSV, "-+", "-+"); /* a phase */
    assert_written(NP_MEDIUM_CSV, "=", "'=");
    assert_written(NP_MEDIUM_CSV, "\tx", "'\tx");
    assert_written(NP_MEDIUM_CSV, "\rx", "\"'\rx\"");
    assert_written(NP_MEDIUM_CSV, "-5", "-5");
    assert_written(NP_MEDIUM_CSV, "+1.5e3", "+1.5e3");
    assert_written(NP_MEDIUM_CSV, "a=b", "a=b");
    assert_written(NP_MEDIUM_CSV, "", "");
}

static void test_xml(void **state)
{
    (void)state;
    assert_written(NP_MEDIUM_XML, "a<b> & \"c\" ]]>", "a&lt;b&gt; &amp; &quot;c&quot; ]]&gt;");
    assert_written(NP_MEDIUM_XML, "\xc3x\xff'", "\\xc3x\\xff'");
    assert_written(NP_MEDIUM_XML, "\x1b\xe9\xe2\x80\xae", "\\x1b\\xe9\\u202e");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terminal), cmocka_unit_test(test_copy), cmocka_unit_test(test_json),
        cmocka_unit_test(test_csv),      cmocka_unit_test(test_xml),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
