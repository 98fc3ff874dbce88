/*
 * Events of PRAMs. The traces of every machine of the list are judged by the model alone (oracle/trace_judge.h), and
 * the tables say what the report says.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memmem */
#endif
#include "support.h"

#include "base/memory.h"
#include "machine/pram/machine.h"
#include "oracle/recorded.h"

/* The tests run in the folder tests. */
static char *read_docs(void)
{
    FILE *file = fopen("../docs/outputs.md", "r");
    size_t length = 0;
    char *text = NULL;
    assert_non_null(file);
    assert_true(getdelim(&text, &length, '\0', file) > 0);
    fclose(file);
    return text;
}

static const char *const machines[] = {"ideal",
                                       "butterfly:3",
                                       "leveled:hypercube:4",
                                       "leveled:mesh:4x4",
                                       "leveled:fat-tree:3",
                                       "leveled:shuffle-exchange:4",
                                       "leveled:butterfly:3",
                                       "leveled:butterfly-io:3",
                                       "two-phase:hypercube:4",
                                       "copies:complete:8",
                                       "copies:hypercube:3",
                                       "copies:mesh:3x3"};

enum { MACHINES = sizeof machines / sizeof *machines };

static bool crowded; /* the programs below have queues of one packet, and several requests a processor */

static np_status run_program(const char *machine, const char *program, uint32_t allotted, const np_observer *observer,
                             np_program_result **out)
{
    np_program_options input;
    np_pram_options pram;
    np_pram_options_init(&pram);
    np_program_options_init(&input);
    pram.machine = machine;
    pram.observer = observer;
    const bool copies = !strncmp(machine, "copies", 6);
    pram.allotted = copies ? 0 : allotted;
    pram.hash_coefficients = 4;
    pram.queue_size = crowded && strncmp(machine, "two-phase", 9) && !copies ? 1 : 4;
    pram.slack = crowded && !copies ? 8 : 1;
    input.n = crowded && !strcmp(program, "random-reads") ? 60 : 16;
    input.steps = strcmp(program, "random-reads") ? 0 : 2; /* other programs have no such size */
    return np_program_run(program, &pram, &input, out);
}

/* The text in the line; NULL: it has none. Not strstr, of which the address sanitizer reads the whole trace. */
static const char *find_in_line(const char *line, const char *text)
{
    return memmem(line, strcspn(line, "\n"), text, strlen(text));
}

static unsigned long in_line(const char *line, const char *key)
{
    const char *at = find_in_line(line, key);
    assert_non_null(at);
    return strtoul(at + strlen(key), NULL, 10);
}

static bool tells(const char *line, const char *event)
{
    size_t length = strlen(event);
    return !strncmp(line, "{\"event\": \"", 11) && !strncmp(line + 11, event, length) && line[11 + length] == '"';
}

/*
 * On butterfly:3, of 8 rows: the reply to request i is home where the request began, at column 6n - c of the row. If
 * the request became a part of another one, this reply is packet i + R, of R requests.
 */
static void check_replies(const char *trace)
{
    enum { ROWS = 8, COLUMNS = 18, MOST = 512 };
    unsigned long begun[MOST], requests = 0, landings = 0, begins = 0, parts = 0, splits = 0;
    for (const char *line = trace; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        bool phase = tells(line, "phase");
        if (phase) {
            requests = find_in_line(line, "\"requests route\"") ? in_line(line, "\"packets\": ") / 2 : 0;
        }
        assert_true(requests <= MOST);
        if (!requests || phase)
            continue;
        if (tells(line, "injected")) {
            begun[in_line(line, "\"packet\": ")] = in_line(line, "\"at\": ");
            begins++;
        }
        parts += tells(line, "combined");
        splits += tells(line, "split");
        if (!tells(line, "landed"))
            continue;
        unsigned long packet = in_line(line, "\"packet\": "), from = begun[packet % requests];
        assert_int_equal(in_line(line, "\"at\": "), (COLUMNS - from / ROWS) * ROWS + from % ROWS);
        landings++;
    }
    assert_true(begins > 0 && landings == begins && parts == splits);
}

/*
 * On `copies` a message is a packet. In a round it goes to a module, and its reply, which is the same packet, goes back
 * to where it began, in the same round; without a reply it is refused. What a processor asks of a module at its own
 * node does not move, so the report may count more.
 */
typedef struct message {
    unsigned long round, home, place; /* round 0: nobody has sent it in this run */
    bool back;
} message;

/* A batch is over: how many messages have come back, to where they began. */
static unsigned long come_back(message *of, size_t count)
{
    unsigned long back = 0;
    for (size_t i = 0; i < count; i++)
        if (of[i].back) {
            assert_int_equal(of[i].place, of[i].home);
            back++;
        }
    memset(of, 0, count * sizeof *of);
    return back;
}

static void check_rounds(const char *trace, const np_pram_report *report)
{
    enum { MOST = 4096 };
    static message of[MOST];
    unsigned long now = 0, run = 0, asked = 0, answered = 0, most = 0;
    bool back = false;
    for (const char *line = trace; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const bool begins = tells(line, "injected");
        if (tells(line, "phase")) {
            back = find_in_line(line, "\"replies ") != NULL;
            now = in_line(line, back ? "\"replies " : "\"requests ");
            most = now > most ? now : most;
            if (run != in_line(line, "\"run\": "))
                answered += come_back(of, MOST);
            run = in_line(line, "\"run\": ");
        }
        if (!begins && !tells(line, "landed"))
            continue;
        message *m = &of[in_line(line, "\"packet\": ")];
        assert_true(m < of + MOST && (m->round == now || (begins && !m->round && !back)));
        m->place = in_line(line, "\"at\": ");
        m->back = back;
        if (m->round)
            continue;
        m->round = now;
        m->home = m->place;
        asked++;
    }
    answered += come_back(of, MOST);
    assert_int_equal(most, report->rounds_max);
    assert_true(answered > 0 && asked > answered && asked - answered <= report->refused);
}

static void observe_program(const char *machine, const char *program, uint32_t allotted)
{
    bool butterfly = !strncmp(machine, "butterfly", 9), copies = !strncmp(machine, "copies", 6);
    np_program_result *result, *unseen;
    oracle_verdict verdict;
    recorded f;
    assert_ok(run_program(machine, program, allotted, recorded_begin(&f), &result));
    recorded_end(&f);
    recorded_judge(machine, program, &f, &verdict);
    assert_true(result->correct && verdict.moves > 0);
    /* The rest is what modules take, and replies that retrace the way of their requests. Of batches that are given up
     * on a butterfly, the steps after that are told, too. */
    bool cut = allotted && butterfly;
    assert_true(recorded_steps(f.trace) > 0 && (cut || recorded_steps(f.trace) < (double)result->report.network_steps));
    assert_true(recorded_total(f.steps, -1, "", 4, true) == (double)verdict.moves);
    assert_int_equal(!strstr(f.trace, "\"moves "), !result->report.rehashes);
    assert_int_equal(!strstr(f.trace, "\"replies "), strncmp(machine, "two-phase", 9) != 0 && !copies);
    if (copies)
        check_rounds(f.trace, &result->report);
    if (butterfly)
        check_replies(f.trace);
    /* Batches of cells combine, too; requests of one processor do untold, and on `copies` those at a module. */
    if (!allotted && !(butterfly && crowded) && !copies)
        assert_true(recorded_total(f.steps, -1, "", 6, true) == (double)result->report.combined);
    /* Nothing changes because somebody looks. */
    assert_ok(run_program(machine, program, allotted, NULL, &unseen));
    assert_true(unseen->report.network_steps == result->report.network_steps &&
                unseen->report.queue_max == result->report.queue_max);
    np_program_result_free(unseen);
    np_program_result_free(result);
    recorded_clear(&f);
}

/* A machine that is not observed is in docs/outputs.md. */
static void every_machine_has_events(void **state)
{
    const np_observer observer = {.kinds = 0};
    char *docs = read_docs();
    const np_machine_ops *ops;
    (void)state;
    for (size_t i = 0; (ops = np_registry_entry(&np_machines, i)); i++) {
        unsigned done = 0;
        char word[64];
        snprintf(word, sizeof word, "`%s`", ops->info.name);
        for (size_t k = 0; k < MACHINES; k++) {
            np_program_result *result;
            if (strncmp(machines[k], ops->info.name, strcspn(machines[k], ":")) != 0)
                continue;
            done++;
            if (ops->observed) {
                observe_program(machines[k], "random-reads", 0);
                observe_program(machines[k], "maximum", 0);
                observe_program(machines[k], "random-reads", 1);
                crowded = true;
                observe_program(machines[k], "random-reads", 0);
                crowded = false;
            } else {
                assert_refused(run_program(machines[k], "maximum", 0, &observer, &result), NP_ERROR_APPLY,
                               "does not say which packets move");
                assert_non_null(strstr(docs, word));
            }
        }
        assert_true(done || ops->divided); /* what has no processes here has nothing to show */
    }
    free(docs);
}

/* ---- Failures ---- */

/* They are run with batches that are too short, so that cells are hashed anew. */
static const char *const programs[] = {"random-reads", "maximum"};

enum { PROGRAMS = sizeof programs / sizeof *programs };

static int refuse(void *context, size_t count, const np_event *event)
{
    (void)context, (void)count, (void)event;
    return 1;
}

static void observers_can_cancel(void **state)
{
    const np_observer observer = {.events = refuse};
    np_program_result *result;
    (void)state;
    for (size_t i = 0; i < PROGRAMS; i++)
        assert_refused(run_program("butterfly:3", programs[i], 1, &observer, &result), NP_ERROR_CANCELLED, "cancelled");
}

static void every_allocation_may_fail(void **state)
{
    const np_observer observer = {.kinds = 0};
    (void)state;
    for (size_t i = 0; i < PROGRAMS; i++) {
        np_program_result *result = NULL;
        for (long n = 1; !result; n = support_next_failure(n)) {
            np_memory_fail_after(n);
            np_status st = run_program("butterfly:3", programs[i], 1, &observer, &result);
            np_memory_fail_after(0);
            assert_int_equal(st, result ? NP_OK : NP_ERROR_MEMORY);
            assert_true(n < 3000);
        }
        np_program_result_free(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_machine_has_events),
                                       cmocka_unit_test(observers_can_cancel),
                                       cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
