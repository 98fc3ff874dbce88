/*
 * PRAM programs as text: refused with one line that begins with the file's name and a place; or compiled, and run as
 * the interpreter says (oracle/script.h), on a machine and under a rule that depend on the text; and divided over ranks
 * as in one process.
 */
#include "fuzz.h"

#include "oracle/divided_judge.h"
#include "oracle/script_judge.h"

const fuzz_rule fuzz_grammar[] = {
    {"program", "$whole|$whole|$whole|$whole|$whole|$whole|$bytes"},
    {"whole", "$head\nshared a[n], b[2*n], m[n,1..3], s\nshared r[n], w : real\nshared p[n], o : bool\nvar x, y, "
              "z\nvar i, j, k, t\nvar q : real\n"
              "output a, b, m, s, r, w, p, o, x\n$f\n$g\n$h\n$block\n"},
    {"head", "|program p|rule $rule|option o : int := $small \"help\"|sizes $small .. 9 \"items\"|solves $problem|"
             "solves $problem\ninput v : array below $small sorted|input G : graph tree"},
    {"problem", "any|sort|prefix-sums|nonsense|"},
    {"rule",
     "erew|crew|crcw-weak|crcw-common|crcw-tolerant|crcw-collision|crcw-arbitrary|crcw-priority|crcw-add|crcw-min|"
     "crcw-max|crcw-and|crcw-or|crcw-xor|nonsense"},
    {"f",
     "procedure f(u : int, c[] : int)\nvar t := u\nvar q := 1.5\n$inner\nc[$index] := $int\nend|"
     "procedure f(u : int, c[] : int)\nvar t := u\nvar q := 1.5\nif $bool then return end\n$inner\nend|"
     "procedure f(u : int, c[] : int)\nvar t := u\nvar q := 1.5\nwhile u > 0 do u := u - 1\nif $bool then return end\n"
     "$inner end\nend"},
    {"g",
     "function g(u : int) : int\nvar t := u\nvar q := 0.0\n$inner\nreturn $int\nend|"
     "function g(u : int) : int\nvar t := u\nvar q := 0.0\nif $bool then return $int end\n$inner\nreturn $int end"},
    {"h", "function h(u : int) : int\nif u > 0 and u < 9 then return $small + h(u - 1) end\nreturn u end|"
          "function h(u : int) : int\nvar v := 0\nfor k in 0..u mod 4 do v := v + h(k - 1) end\nreturn v + 1 end"},
    {"block", "$top|$top\n$top|$top\n$top\n$top|$top\n$top\n$top\n$top\n$top"},
    {"top", "$pardo|$pardo|$pardo|$statement|for k in $small..$small do $pardo end|f($int, a)|x := $int|x := h($int)"},
    {"pardo", "for i in $range pardo $own end|for i in $range where $bool pardo $own end|"
              "for i in $range, j in $range pardo $own end|for i in 0..n-1 pardo $own end|"
              "for i in $range by $step pardo $own end|for i in $range by $step, j in $range by $step pardo $own end"},
    {"step", "1|2|3|-1|-2|$small|$int"},
    {"own", "var t := $int\nvar q := $real\n$inner"},
    {"range", "0..n-1|0..n-1|0..n-1|1..$int|$int..$int|0..3"},
    {"inner", "$statement|$statement|$simple|$simple\n$statement|$simple\n$simple\n$simple"},
    {"simple", "$cell := $int|a[i mod n] := $int|b[i mod n] := t|t := $int|q := $real|s := i|t := a[t mod n]|b[t mod "
               "n] := a[i mod n]"},
    {"statement",
     "$use|$cell := $int|$cell := $int|$cell := $cell + $int|t := $int|t := $int|q := $real|"
     "if $bool then $inner end|if $bool then $inner else $inner end|if $bool then $statement elif $bool then "
     "$statement end|"
     "t := 3\nwhile t > 0 and $bool do t := t - 1\n$statement end|t := 3\nrepeat $statement\nt := t - 1 until t < 0 or "
     "$bool|"
     "for k in $small..$small do $inner end|for k in $int..$int by $int do $statement end|for j in 0..$int pardo $own "
     "end|"
     "fetch_add($cell, $int)|t := $fetch($cell, $int)|r[$index] := $real|$place := $real|$place := $real|$truth := "
     "$bool|$truth := $bool|q := $adds($place, $real)|"
     "r[i mod n] := fetch_add(w, $real)|$truth := $bits($truth, $bool)|q := $fetch($place, $real)|shared v[2] : real\n "
     "v[1] := "
     "$real\n q := v[1]|shared u[2] : bool\n u[0] := $bool\n t := int(u[0])|print $int, \" \", $bool|print $int where "
     "$bool|"
     "assert $bool|shared c[$small + 1]\n c[0] := $int|shared d[$int..$int]\n s := d[$int]|f($int, b)|f($small, a)|"
     "shared e[1..2, n]\n e[1, $index] := $int\n t := e[1, 0]"},
    {"use", "$cell := t|a[t mod n] := $int|t := $int|s := t + 1"},
    {"fetch", "fetch_add|fetch_min|fetch_max|fetch_and|fetch_or|fetch_xor"},
    {"adds", "fetch_add|fetch_add|fetch_min|fetch_max"},
    {"bits", "fetch_and|fetch_or|fetch_xor"},
    {"place", "r[$index]|r[i mod n]|r[0]|w|w"},
    {"truth", "p[$index]|p[i mod n]|o|o"},
    {"cell", "a[$index]|a[$index]|b[$index]|m[$index, 1 + $index mod 3]|s"},
    {"index", "i mod n|j mod n|t mod n|0|n-1|$int mod n|$int|a[i mod n] mod n"},
    {"int",
     "$small|$small|$small|$small|$small|$small|n|n|n|i|i|i|i|i|j|j|k|k|t|t|t|t|x|a[i mod n]|a[i mod n]|$cell|$int + "
     "$int|$int - $int|$int * $int|$int div $small|$int mod $small|"
     "-$int|min($int, $int)|max($int, $int)|abs($int)|if $bool then $int else $int|$int & $int|$int ^ $int|"
     "$int << $small|$int >> $small|length(b)|length(m, 2)|log2($small)|ceil_log2(n)|random($small + 1)|~$int|"
     "$small ** $small|g($int)|h($small)|int($real)|floor($real)|$fetch($cell, $int)|9223372036854775807|123456"},
    {"small", "0|1|2|3|4|7"},
    {"bool", "true|false|i < 2|t > 1|i = j|t mod 2 = 0|$int < $int|$int = $int|$int != $int|$int >= $int|($bool and "
             "$bool)|($bool or $bool)|not ($bool)|$truth|$bits($truth, $bool)|"
             "(i >= 0 and i < n - 1 and a[i + 1] > $int)|($bool xor $bool)|$real < $real"},
    {"real", "1.5|0.25|2e3|q|q|q|1.0|real($int)|($real + $real)|$real * $real|$real / "
             "$real|r[$index]|sqrt($real)|-$real|q|exp($real)|log($real)|log2($real)|sin($real)|cos($int)|tan($real)|"
             "atan($real)|$real ** $real|min($real, $real)|max($real, $real)|w|1e16 * real(i)|"
             "1e300 * $real|-0.0|1.0 / 0.0|0.1|$adds($place, $real)"},
    {NULL, NULL},
};

static const char *const machines[] = {
    "ideal", "ideal", "ideal", "ideal", "butterfly:2", "leveled:mesh:2x3", "two-phase:hypercube:2"};

/* Two ranks divide a level of 64 processors, though others are inside of it; a smaller one is divided at its inside. */
static void judge_divided(const np_script *script, size_t size)
{
    const bool wide = size % 3 == 0;
    oracle_divided run =
        oracle_divided_of(script, (np_access_rule)(size / 5 % NP_RULES), size, wide ? 67 : 1 + size % 11);
    run.pram.cells = 1 << 16;
    run.options.program.turns_max = 6000;
    oracle_judge_divided(&run, wide ? 2 : 1 + (uint32_t)(size % 7));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    np_script_problem problem;
    np_script *script;
    if (np_script_create("input.pram", (const char *)data, size, &problem, &script)) {
        fuzz_check_message("input.pram:");
        FUZZ_CHECK(!script && problem.line && *problem.message);
        return 0;
    }
    FUZZ_CHECK(!problem.line);
    np_script_about about = np_script_about_get(script);
    if (!*about.input) {
        fuzz_judge_begins();
        oracle_judge_script(script, machines[size % (sizeof machines / sizeof *machines)],
                            (np_access_rule)(size / 7 % NP_RULES), size, 1 + size % 6);
        judge_divided(script, size);
        fuzz_judge_ends();
    }
    np_script_free(script);
    return 0;
}
