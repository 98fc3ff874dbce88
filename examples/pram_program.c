/*
 * A program for a shared-memory machine, written from scratch: is there a 1 among n bits, and where is the first?
 * Every processor i with x[i] = 1 writes i to one cell. Under crcw-min the least of them is what stays there: two
 * steps, however large n is.
 *
 * The same program runs on the ideal PRAM and on a butterfly with 64 processors; then under a rule that forbids
 * it, to see what a violation looks like.
 */
#include <inttypes.h>
#include <stdio.h>

#include <netpram/netpram.h>

enum { N = 200 };

/* Step 1: processor i reads x[i]. Step 2: those that read 1 write i to `first`. */
static np_status find_first(np_pram *pram, const np_word *bits, np_word *answer)
{
    const np_word none = -1;
    np_address x, first, address[N];
    np_word value[N];
    uint8_t active[N];
    np_status st;
    if ((st = np_pram_allocate(pram, N, "x", &x)) || (st = np_pram_allocate(pram, 1, "first", &first)) ||
        (st = np_pram_put(pram, x, N, bits)) || (st = np_pram_put(pram, first, 1, &none)))
        return st;

    for (size_t i = 0; i < N; i++)
        address[i] = x + i;
    if ((st = np_pram_read(pram, N, address, NULL, value, "read x[i]")))
        return st;

    for (size_t i = 0; i < N; i++) {
        active[i] = value[i] == 1;
        address[i] = first;
        value[i] = (np_word)i;
    }
    if ((st = np_pram_write(pram, N, address, active, value, "write i to first")))
        return st;
    return np_pram_get(pram, first, 1, answer);
}

static void print_report(const np_pram_report *report, np_word answer)
{
    printf("%s, %s: the first 1 is at %" PRId64 "\n", report->machine, np_access_rule_name(report->rule), answer);
    printf("  %" PRIu64 " PRAM steps, %" PRIu64 " accesses, %" PRIu64 " network steps, %" PRIu64
           " requests met on the way\n",
           report->steps, report->work, report->network_steps, report->combined);
    for (size_t i = 0; i < report->kept; i++) {
        const np_violation *v = &report->violation[i];
        printf("  violation in step %" PRIu64 " (%s): processors %u and %u write %" PRId64 " and %" PRId64
               " to %s[%" PRIu64 "]\n",
               v->step, v->label, v->first, v->second, v->first_value, v->second_value, v->array, v->offset);
    }
}

static np_status run(const char *machine, np_access_rule rule, const np_word *bits, np_word *answer)
{
    np_pram_options options;
    np_pram_report report;
    np_pram *pram = NULL;
    np_status st;
    np_pram_options_init(&options);
    options.machine = machine;
    options.rule = rule;
    if ((st = np_pram_create(&options, &pram)) || (st = find_first(pram, bits, answer)) ||
        (st = np_pram_report_get(pram, &report)))
        goto out;
    print_report(&report, *answer);
out:
    np_pram_free(pram);
    return st;
}

int main(void)
{
    np_word bits[N] = {0}, ideal = 0, network = 0, forbidden = 0;
    bits[17] = bits[40] = bits[199] = 1;
    if (run("ideal", NP_RULE_MIN, bits, &ideal) || run("butterfly:4", NP_RULE_MIN, bits, &network) ||
        run("ideal", NP_RULE_CREW, bits, &forbidden)) {
        fprintf(stderr, "pram_program: %s\n", np_last_error());
        return 1;
    }
    return ideal != 17 || network != 17;
}
