/*
 * PRAM programs that are divided over ranks: whatever the ranks, all that one process says of a run on the ideal
 * machine is said on each of them, to the byte (oracle/divided_judge.h). tests/fuzz/fuzz_script.c does the same with
 * programs that are drawn.
 */
#include "support.h"

#include "base/memory.h"
#include "machine/programs/text.h"
#include "oracle/divided_judge.h"
#include "oracle/job.h"

static const uint32_t numbers[] = {1, 2, 3, 4, 7};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

/* Under every rule; sanitized, a program has every other one. Returns how many runs ended with an error. */
static unsigned judge_rules(const np_script *script, unsigned program, uint64_t n)
{
    unsigned failed = 0;
    for (unsigned rule = SUPPORT_FEWER(0, program % 2); rule < NP_RULES; rule += SUPPORT_FEWER(1, 2))
        for (unsigned k = 0; k < NUMBERS; k++) {
            if (!support_takes(rule, k, 1))
                continue;
            const oracle_divided run = oracle_divided_of(script, (np_access_rule)rule, 1 + rule, n);
            failed += oracle_judge_divided(&run, numbers[k]) != NP_OK;
        }
    return failed;
}

static void test_library(void **state)
{
    (void)state;
    for (const np_entry *const *entry = np_programs.built_in; *entry; entry++) {
        const np_program_ops *ops = (const np_program_ops *)*entry;
        np_script *script;
        if (!ops->text || !support_takes((size_t)(entry - np_programs.built_in), 0, 1))
            continue;
        assert_ok(np_program_text_compile(ops, &script));
        judge_rules(script, (unsigned)(entry - np_programs.built_in) / 4, 23);
        np_script_free(script);
    }
}

/*
 * Wide levels: steps with more requests than there is always room for, hot cells, pieces of 512 lanes that two ranks
 * have parts of, arrays of lanes, masks, draws, levels in levels of unequal width, and what is printed. Hot cells are
 * accessed again and again, because accesses are not joined before the checks have found all rules too weak.
 */
static const char *const wide[] = {
    "shared A[n], B[n], C[n], s\noutput A, B, C, s\n"
    "for i in 0 .. n - 1 pardo\n  var r := random(n)\n  A[i] := r\n  B[r] := i\n  C[i] := fetch_add(s, r)\n"
    "  if A[0] + s > C[r] then B[i] := A[0] end\nend\n",
    "shared A[n], B[n]\noutput A, B\n"
    "for i in 0 .. n div 10 - 1 where i mod 3 = 1 pardo\n  shared own[i mod 5 + 1]\n"
    "  for j in 0 .. i mod 17 pardo own[j mod (i mod 5 + 1)] := j + random(9) end\n  A[i] := own[i mod 5]\n"
    "  for j in i .. 10 * i pardo\n    B[j] := B[j] + own[0] * fetch_add(A[j], i)\n  end\n"
    "  if i mod 1000 = 1 then print i, \" has \", own[0] end\nend\n",
    "shared h[7], a[n], s[n]\nshared r[5] : real\nshared b[3] : bool\noutput h, a, s, r, b\n"
    "for round in 1 .. 3 do\n  for i in 0 .. n - 1 pardo\n    h[i mod 2] := random(9) + i\n    h[2] := 0 - i mod 5000\n"
    "    r[i mod 3] := 0.1 * real(i mod 4000 - round)\n    b[i mod 2] := i mod 3 > round\n"
    "    a[i] := fetch_add(h[3], i) + fetch_max(h[4], i * (round - 2)) + fetch_min(h[5 + i mod 2], 99999 - i)\n"
    "    if h[0] mod 2 = i mod 2 then a[i] := a[i] + fetch_xor(h[3], i) end\n"
    "    s[i] := fetch_and(h[4], i + 7) + fetch_or(h[5], i) + h[i mod 7]\n    r[4] := fetch_max(r[3], r[0] + real(i))\n"
    "  end\nend\n",
    /* Branches that no lane takes, or only one, in some rounds: there is no step, and no draw. */
    "shared A[n], B[n], s\noutput A, B, s\nfor round in 1 .. 3 do\n"
    "for i in 0 .. n - 1 pardo\n  if i < 0 then A[i] := 1 end\n"
    "  if i >= n then\n    B[i mod n] := random(9)\n  else\n    A[i] := random(5)\n  end\n"
    "  if i = 7 then\n    A[i] := A[i + 1]\n    if A[i] = 99 then s := 5 end\n    B[3] := random(7)\n  end\n"
    "  if i < (round - 2) * n then\n    var r := random(3)\n    B[i] := r\n  else\n    B[i] := B[i] + random(100)\n"
    "  end\n  if i > n then\n    while B[i mod n] > 0 do B[i mod n] := 0 end\n    if i > 0 then s := 1 end\n  end\n"
    "  if A[i] > 99 then assert B[i] = 1, \"no\" end\n  var k := 0\n  if i mod 3 = 0 then k := random(50) end\n"
    "  A[i] := A[i] + k\nend\nend\n",
    "function steps(k : int) : int\n  var c := 0\n  while k > 1 do\n    if c > 20 then return 0 - c end\n"
    "    k := if k mod 2 = 0 then k div 2 else 3 * k + 1\n    c := c + 1\n  end\n  return c\nend\n"
    "shared C[n]\noutput C\nfor i in 0 .. n - 1 pardo C[i] := steps(i) end\n",
};

static void test_wide(void **state)
{
    unsigned ended = 0;
    (void)state;
    for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
        static const np_access_rule rules[] = {NP_RULE_EREW,     NP_RULE_COMMON, NP_RULE_ARBITRARY,
                                               NP_RULE_PRIORITY, NP_RULE_ADD,    NP_RULE_MIN};
        np_script *script;
        assert_ok(np_script_create("p.pram", wide[i], strlen(wide[i]), NULL, &script));
        for (unsigned rule = 0; rule < sizeof rules / sizeof *rules; rule++)
            for (unsigned k = 1; k < NUMBERS; k += 2) {
                if (!support_takes(i + rule, k / 2, 2))
                    continue;
                const oracle_divided run = oracle_divided_of(script, rules[rule], 7, 20011);
                ended += oracle_judge_divided(&run, numbers[k]) == NP_OK;
            }
        np_script_free(script);
    }
    assert_true(ended > SUPPORT_FEWER(20U, 2U)); /* but what has no meaning, as crcw-add of bools */
}

/* Of several failures that one counts to which one process comes first, though other ranks come to theirs before. */
static const char *const failing[] = {
    "shared A[n]\nfor i in 0 .. n - 1 pardo\n  var k := 7 div (if i >= 1030 then 0 else 1)\n  A[i] := k\nend\n",
    "shared A[n]\nfor i in 0 .. n - 1 pardo\n  var k := 7 div (if i = 1005 then 0 else 1) + 5 mod (if i = 990 then 0 "
    "else 1)\n  A[i] := k\nend\n",
    "shared A[n]\nfor i in 0 .. n - 1 pardo\n  if i > 1500 then A[i] := 0 end\n  assert i != n - 1, \"late\"\n"
    "  A[if i = 3 then n else i] := i\nend\n",
    "shared A[n] : real\nfor i in 0 .. n - 1 pardo A[i mod (n - 2)] := 0.5 end\n",
    "for i in 0 .. n - 1 pardo\n  shared x[i .. 2 * (1500 - i) + i]\n  x[i] := 1\nend\n",
    "function deep(k : int) : int\n  return deep(k + 1)\nend\nshared A[n]\n"
    "for i in 0 .. n - 1 where i > 1500 pardo A[i] := deep(i) end\n",
};

static void test_failures(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof failing / sizeof *failing; i++) {
        np_script *script;
        assert_ok(np_script_create("p.pram", failing[i], strlen(failing[i]), NULL, &script));
        for (unsigned k = 0; k < NUMBERS; k++) {
            const oracle_divided run = oracle_divided_of(script, NP_RULE_XOR, 7, 2000);
            assert_true(oracle_judge_divided(&run, numbers[k]));
        }
        np_script_free(script);
    }
}

/* ---- A PRAM that C drives: every rank makes the same calls, and gets all replies ---- */

enum { CELLS = 700, PROCESSORS = 500 };

typedef struct driven {
    np_access_rule rule;
    char *text[8];
} driven;

static void say_words(FILE *to, const char *what, size_t count, const np_word *word)
{
    fprintf(to, "%s", what);
    for (size_t i = 0; i < count; i++)
        fprintf(to, " %lld", (long long)word[i]);
    fprintf(to, "\n");
}

/* A step of each kind, moves, words from outside; reals, and a processor in three that is off. */
static np_status drive(np_pram *pram, FILE *to)
{
    np_word word[CELLS] = {0}, value[PROCESSORS] = {0};
    np_address ints, reals, at[PROCESSORS], there[PROCESSORS];
    uint8_t on[PROCESSORS];
    np_status st;
    for (size_t i = 0; i < CELLS; i++)
        word[i] = (np_word)(i * i % 1009);
    if ((st = np_pram_allocate(pram, CELLS, "ints", &ints)) || (st = np_pram_put(pram, ints, CELLS, word)) ||
        (st = np_pram_allocate_typed(pram, 3, "reals", NP_CELL_REAL, &reals)))
        return st;
    for (size_t i = 0; i < PROCESSORS; i++) {
        at[i] = ints + i * 37 % CELLS;
        there[i] = ints + i * i % 11 * 60;
        on[i] = i % 3 != 1;
    }
    if ((st = np_pram_read(pram, PROCESSORS, at, on, value, "read")))
        return st;
    say_words(to, "read", PROCESSORS, value);
    if ((st = np_pram_fetch(pram, NP_FETCH_ADD, PROCESSORS, there, NULL, value, "fetch")))
        return st;
    say_words(to, "fetched", PROCESSORS, value);
    if ((st = np_pram_write(pram, PROCESSORS, there, on, value, "write")) ||
        (st = np_pram_move(pram, PROCESSORS, at, there, on, "move")))
        return st;
    for (size_t i = 0; i < PROCESSORS; i++) {
        value[i] = np_word_of_real(0.1 * (double)i);
        there[i] = reals + i % 2;
    }
    if ((st = np_pram_write(pram, PROCESSORS, there, NULL, value, "reals")) ||
        (st = np_pram_get(pram, ints + 5, CELLS - 5, word)))
        return st;
    say_words(to, "ints", CELLS - 5, word);
    if ((st = np_pram_get(pram, reals, 3, word)))
        return st;
    say_words(to, "reals", 3, word);
    return np_pram_access(pram, &(np_pram_step){.count = 1, .address = &(np_address){CELLS + 3}, .value = value});
}

static char *drive_on(const driven *d, const np_job *job)
{
    np_pram_options options;
    np_pram_report report;
    np_pram *pram;
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    np_pram_options_init(&options);
    options.rule = d->rule;
    options.machine = job ? "mpi" : "ideal";
    options.job = job;
    options.threads = 1;
    if (np_pram_create(&options, &pram))
        abort();
    np_status st = drive(pram, to);
    fprintf(to, "%s %s\n", np_status_name(st), np_last_error());
    if (np_pram_report_get(pram, &report))
        abort();
    fprintf(to, "%llu %llu %u %llu %d\n", (unsigned long long)report.steps, (unsigned long long)report.work,
            report.processors, (unsigned long long)report.violations, (int)report.weakest);
    for (size_t i = 0; i < report.kept; i++)
        fprintf(to, "%s[%llu] %u %u\n", report.violation[i].array, (unsigned long long)report.violation[i].offset,
                report.violation[i].first, report.violation[i].second);
    np_pram_free(pram);
    fclose(to);
    return text;
}

static void drive_rank(void *context, const np_job *job)
{
    driven *d = context;
    d->text[job->rank] = drive_on(d, job);
}

static void assert_same(const char *text, const char *one)
{
    size_t i = 0;
    while (text[i] && text[i] == one[i])
        i++;
    if (text[i] != one[i])
        fail_msg("a rank says ...%.200s\nand one process ...%.200s", text + (i < 50 ? 0 : i - 50),
                 one + (i < 50 ? 0 : i - 50));
}

static void test_driven(void **state)
{
    (void)state;
    for (unsigned rule = 0; rule < NP_RULES; rule++)
        for (unsigned k = 0; k < NUMBERS; k++) {
            driven d = {.rule = (np_access_rule)rule};
            char *one = drive_on(&d, NULL);
            oracle_job_run(numbers[k], drive_rank, &d);
            for (uint32_t r = 0; r < numbers[k]; r++) {
                assert_same(d.text[r], one);
                free(d.text[r]);
            }
            free(one);
        }
}

/* The one program of the library that is in C. */
static void read_rank(void *context, const np_job *job)
{
    np_program_result **result = context;
    np_pram_options options;
    np_pram_options_init(&options);
    options.machine = job ? "mpi" : "ideal";
    options.job = job;
    options.rule = NP_RULE_EREW;
    if (np_program_run("random-reads", &options, NULL, &result[job ? job->rank : 3]))
        abort();
}

static void test_random_reads(void **state)
{
    np_program_result *result[4];
    (void)state;
    read_rank(result, NULL);
    oracle_job_run(3, read_rank, result);
    for (int i = 0; i < 3; i++) {
        assert_true(result[i]->correct);
        assert_int_equal(result[i]->checksum, result[3]->checksum);
        assert_int_equal(result[i]->report.work, result[3]->report.work);
        assert_int_equal(result[i]->report.violations, result[3]->report.violations);
    }
    for (int i = 0; i < 4; i++)
        np_program_result_free(result[i]);
}

/* ---- Each allocation fails in turn, on whichever rank comes to it: all end, and with one status ---- */

typedef struct attempt {
    const np_script *script;
    np_status status[8];
} attempt;

static void try_rank(void *context, const np_job *job)
{
    attempt *a = context;
    oracle_divided run = oracle_divided_of(a->script, NP_RULE_EREW, 1, 300);
    np_script_result *result;
    run.pram.machine = "mpi";
    run.pram.job = job;
    a->status[job->rank] = np_script_run(a->script, &run.pram, &run.options, NULL, &result);
    np_script_result_free(result);
}

/* Violations with their places, lines that are printed, local arrays, a judge. */
static const char thrifty[] =
    "program p\nsolves prefix-sums\ninput v : array\nshared s[n], h\noutput s\n"
    "for i in 0 .. n - 1 pardo\n  shared own[i mod 3]\n  var t := v[i]\n  h := t\n  s[i] := fetch_add(h, t)\n"
    "  if i mod 100 = 0 then print s[i] end\nend\n";

static void test_allocations(void **state)
{
    (void)state;
    attempt a = {0};
    np_script *script;
    assert_ok(np_script_create("p.pram", thrifty, strlen(thrifty), NULL, &script));
    a.script = script;
    unsigned failed = 0;
    for (long n = 1, last = 0; !last; n++) {
        np_memory_fail_after(n);
        oracle_job_run(3, try_rank, &a);
        np_memory_fail_after(0);
        last = a.status[0] == NP_OK;
        failed += !last;
        for (uint32_t r = 0; r < 3; r++)
            if (a.status[r] != (last ? NP_OK : NP_ERROR_MEMORY))
                fail_msg("allocation %ld fails, and rank %u ends with %s, rank 0 with %s", n, r,
                         np_status_name(a.status[r]), np_status_name(a.status[0]));
    }
    assert_true(failed > 30);
    np_script_free(script);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_library),      cmocka_unit_test(test_wide),
                                       cmocka_unit_test(test_failures),     cmocka_unit_test(test_driven),
                                       cmocka_unit_test(test_random_reads), cmocka_unit_test(test_allocations)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
