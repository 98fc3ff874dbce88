/*
 * Programs as text with everything that the language has, on every machine and under every rule: as the interpreter
 * says, to the word, the step, the access and the violation. tests/fuzz/fuzz_script.c does the same with programs that
 * are drawn.
 */
#include "support.h"

#include "oracle/script_judge.h"

static const char *const programs[] = {
    /* masks in masks, and levels in levels */
    "shared a[n], b[n, 0..2], s\noutput a, b, s\n"
    "for i in 0..n-1 pardo\n  var t := i mod 3, turns := 0\n  while t >= 0 do\n"
    "    if t = 1 and a[i] = 0 then a[i] := t else b[i, t] := b[i, t] + i end\n    t := t - 1\n    turns := turns + "
    "1\n  end\n"
    "  for j in 0..turns pardo\n    var u := t + j\n    repeat u := u + 1\n      s := u until u > 2 or s > n\n"
    "    for k in 0..u pardo b[i, k mod 3] := i + j + k end\n  end\nend\n",
    /* recursion inside of pardo, values and arrays handed down, returns from inside of loops */
    "shared a[n], b[2 * n]\noutput a, b\n"
    "function power(x : int, e : int) : int\n  if e = 0 then return 1 end\n  var half := power(x, e div 2)\n"
    "  if e mod 2 = 1 then return half * half * x end\n  return half * half\nend\n"
    "procedure find(c[] : int, from : int, key : int)\n  shared own[length(c)]\n  for k in from..length(c)-1 do\n"
    "    own[k] := c[k] + own[0]\n    if own[k] > key then c[k] := key\n return end\n  end\n  c[0] := c[0] + 1\nend\n"
    "for i in 0..n-1 pardo a[i] := power(i, i mod 5) end\n"
    "for i in 0..n-1 pardo find(a, i, 3) end\nfind(b, 0, power(2, 3))\n",
    /* fetches, draws, conditional expressions, all dimensions, reals */
    "shared c[3], m[-1..1, n, 2]\nshared r[n] : real\noutput c, m, r\n"
    "for i in 0..n-1, j in 0..i where (i + j) mod 2 = 0 pardo\n  var was := fetch_add(c[i mod 3], j + 1)\n"
    "  m[if was > 2 then 1 else -1, j, i mod 2] := random(100) + fetch_max(c[2], was)\n"
    "  r[i] := r[i] / 2 + real(was) * 0.25 + sqrt(r[j])\nend\n"
    "for k in 7..1 by -3 do\n  for i in 0..n-1 pardo m[0, i, 0] := m[0, i, 0] << 1 | k end\nend\n",
    /* concurrent writes and fetches of reals; a local array of reals beside one of ints and one of bools */
    "shared r[2], s, got[n] : real\noutput r, s, got\n"
    "for i in 0..n-1 pardo\n  shared x[2] : real\n  shared k[2]\n  shared b[2] : bool\n"
    "  x[i mod 2] := 0.1 * real(i) - 1e16\n  k[0] := i\n  b[1] := i > 2\n"
    "  got[i] := fetch_add(s, x[i mod 2] + (if b[1] then 1e16 else 0.5))\n  got[i] := got[i] + fetch_min(r[k[0] mod "
    "2], "
    "-0.5 * real(i))\n"
    "  r[0] := fetch_max(s, 0.25 * real(i)) - sqrt(-1.0 * real(i div 6))\nend\n",
    /* at local arrays; the least and the largest of 0.0, -0.0 and nan */
    "shared t[n] : real\noutput t\nprocedure meet(step : real)\n  shared k[2]\n  shared x[2], y[2] : real\n"
    "  for i in 0..n-1 pardo\n    k[i mod 2] := i\n    x[i mod 2] := step * real(i) + 0.1\n    y[0] := if i mod 2 = 0 "
    "then 0.0 else -0.0\n    t[i] := fetch_add(x[1], y[0] - step)\n  end\nend\n"
    "meet(1e16)\nfor i in 0..n-1 pardo\n  var zero := 0.0 * (real(i mod 2) - 0.5), none := sqrt(t[i])\n"
    "  t[i] := 1.0 / min(zero, 0.0) + 1.0 / max(-0.0, zero) + min(none, zero) - max(1.0, none)\nend\n"
    "for i in 0..n-1 pardo\n  var zero := 0.0 * (real(i mod 2) - 0.5)\n"
    "  if i < 4 then t[i] := 1.0 / min(zero, 0.0) end\n  if i > 1 then t[i] := 1.0 / max(-0.0, zero) end\nend\n",
    /* of bools, which stay bools */
    "shared odd, all[2], got[n] : bool\noutput odd, all, got\n"
    "for i in 0..n-1 pardo\n  got[i] := fetch_xor(odd, true)\n  all[0] := fetch_or(all[1], i > 3)\n"
    "  all[i mod 2] := fetch_and(odd, i < 9)\nend\n",
    /* steps of pardo, also downwards and of no index; functions of reals; the print of some processors */
    "shared a[n], m[n, n], r[n] : real\noutput a, m, r\n"
    "for i in n-1..0 by -2 pardo\n  a[i] := a[i] + i\n"
    "  for j in i..n-1 by 1 + i mod 3, k in j..0 by -(1 + j) where k != 2 pardo\n    m[j, k] := m[k, i] + 10 * i + j\n"
    "  end\nend\n"
    "for i in 0..n-1 by 9223372036854775807 pardo a[i] := a[i] + 100 end\n"
    "for i in n..0 by 3 pardo a[0] := 5 end\n"
    "for i in 0..n-1 pardo\n  var x := 0.3 * real(i) - 0.5\n"
    "  r[i] := sin(x) * cos(i) - tan(exp(x)) + log(x + 1.0) / log2(x + 3.0) + x ** i ** (x + 1.0)\n"
    "  print i, \" has \", a[i], \" and \", log2(i + 1) where i mod 3 = 1\nend\n",
    /* control variables and booleans, print and assert */
    "shared a[n]\nvar round := 0, going := true\noutput a, round, going\n"
    "while going do\n  round := round + 1\n  for i in 0..n-1 pardo\n    if a[i] < i then a[i] := a[i] + round end\n"
    "    if i = n - 1 then print \"round \", round, \" of \", i, \" \", a[i] >= i end\n  end\n"
    "  going := not (a[n-1] >= n - 1 or round > 9)\nend\nassert round <= 10, \"rounds\"\n",
};

/* Does the program end where its rule has no meaning? */
static bool judge(const np_script *script, const char *machine, np_access_rule rule, uint64_t n)
{
    oracle_script_end end = oracle_judge_script(script, machine, rule, 1 + rule, n);
    assert_true(end == ORACLE_SCRIPT_DONE || (end == ORACLE_SCRIPT_FAILED && rule >= NP_RULE_COLLISION));
    return end == ORACLE_SCRIPT_FAILED;
}

static void test_programs(void **state)
{
    (void)state;
    unsigned failures = 0;
    static const char *const machines[] = {"ideal", "butterfly:2", "leveled:mesh:3x3", "two-phase:hypercube:3",
                                           "copies:complete:7"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        np_script *script;
        assert_ok(np_script_create("p.pram", programs[i], strlen(programs[i]), NULL, &script));
        for (size_t k = 0; k < sizeof machines / sizeof *machines; k++)
            for (unsigned rule = SUPPORT_FEWER(0, (i + k) % 3); rule < NP_RULES; rule += SUPPORT_FEWER(1, 3))
                for (uint64_t n = 1; n < 8; n += SUPPORT_FEWER(1, 2) + k)
                    failures += judge(script, machines[k], (np_access_rule)rule, n);
        np_script_free(script);
    }
    assert_true(failures > SUPPORT_SAMPLE(20U)); /* what has no meaning, such as crcw-and of reals */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
