/* Files of numbers, text and NumPy's: refused with a line that names the file, or as many numbers as were counted. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/values.h"

const fuzz_rule fuzz_grammar[] = {
    {"file", "$line\n|$line\n$file|$line\n$file|\x93NUMPY\x01$zero$head"},
    {"line",
     "$number|-$number|$number.$number|$number, -$number|$number;$number|$number $number $number|x,y|# c|$bytes"},
    {"zero", "$bytes"},
    {"head", "v$zero{'descr': '$order$kind$size', 'fortran_order': $truth, 'shape': ($number, $number), }$bytes"},
    {"order", "<|>|=|$bytes"},
    {"kind", "i|u|f|b|c"},
    {"size", "1|2|4|8|16"},
    {"truth", "True|False"},
    {NULL, NULL},
};

static void parse(const char *data, size_t size, bool real)
{
    np_values v;
    np_status st = np_values_open(&v, real ? "fuzz" : "fuzz.csv", data, size, real);
    if (!st) {
        FUZZ_CHECK(v.count && v.count <= size + v.rows /* "," are two, empty */ && v.rows && v.rows <= v.count);
        FUZZ_CHECK(!v.columns || v.rows * v.columns == v.count);
        int64_t *word = malloc(v.count * sizeof *word); /* exact: the sanitizer sees one more */
        FUZZ_CHECK(word);
        st = np_values_take(&v, word);
        free(word);
    }
    if (st) {
        FUZZ_CHECK(st == NP_ERROR_INPUT);
        fuzz_check_message("fuzz");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *exact = malloc(size ? size : 1);
    FUZZ_CHECK(exact);
    memcpy(exact, data, size);
    parse(exact, size, false);
    parse(exact, size, true);
    free(exact);
    return 0;
}
