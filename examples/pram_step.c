/*
 * The steps of a PRAM one by one. np_pram_access does one step, in which some
 * processors read, some write, some fetch and add, and some rest. Eight
 * workers take tasks from a shared queue:
 *
 *   step 1  every worker adds 1 to `next` and gets the number of its task;
 *   step 2  workers with an even task read its input, the others rest;
 *   step 3  workers with an even task write its result, the others write 1 to `skipped`.
 *
 * After each step the program prints what the machine did for it.
 */
#include <inttypes.h>
#include <stdio.h>

#include <netpram/netpram.h>

enum { WORKERS = 8 };

static np_status do_step(np_pram *pram, np_pram_step step, const np_word *value)
{
    np_pram_report before, after;
    np_status st;
    if ((st = np_pram_report_get(pram, &before)) || (st = np_pram_access(pram, &step)) ||
        (st = np_pram_report_get(pram, &after)))
        return st;
    printf("step %" PRIu64 " (%s): %" PRIu64 " accesses, %" PRIu64 " steps of the network, %" PRIu64
           " requests combined; values",
           after.steps, step.label, after.work - before.work, after.network_steps - before.network_steps,
           after.combined - before.combined);
    for (int i = 0; i < WORKERS; i++)
        printf(" %" PRId64, value[i]);
    putchar('\n');
    return NP_OK;
}

static np_status work(np_pram *pram, np_word *skipped, np_word *result)
{
    np_word input[WORKERS], value[WORKERS], task[WORKERS];
    np_address next, in, out, skips, address[WORKERS];
    uint8_t even[WORKERS];
    np_status st;
    if ((st = np_pram_allocate(pram, 1, "next", &next)) || (st = np_pram_allocate(pram, WORKERS, "input", &in)) ||
        (st = np_pram_allocate(pram, WORKERS, "output", &out)) || (st = np_pram_allocate(pram, 1, "skipped", &skips)))
        return st;
    for (int i = 0; i < WORKERS; i++) {
        input[i] = 10 * i;
        address[i] = next;
        task[i] = 1; /* what the worker adds; then what it gets */
    }
    if ((st = np_pram_put(pram, in, WORKERS, input)))
        return st;

    np_pram_step step = {.label = "take a task", .count = WORKERS, .address = address, .value = task};
    step.all = NP_ACCESS_FETCH;
    step.op = NP_FETCH_ADD;
    if ((st = do_step(pram, step, task)))
        return st;

    for (int i = 0; i < WORKERS; i++) {
        even[i] = task[i] % 2 == 0;
        address[i] = in + (np_address)task[i];
        value[i] = -1;
    }
    step = (np_pram_step){.label = "read inputs", .count = WORKERS, .address = address, .value = value};
    step.all = NP_ACCESS_READ;
    step.active = even;
    if ((st = do_step(pram, step, value)))
        return st;

    for (int i = 0; i < WORKERS; i++) {
        address[i] = even[i] ? out + (np_address)task[i] : skips;
        value[i] = even[i] ? value[i] + 1 : 1;
    }
    step = (np_pram_step){.label = "write results", .count = WORKERS, .address = address, .value = value};
    step.all = NP_ACCESS_WRITE;
    if ((st = do_step(pram, step, value)))
        return st;
    if ((st = np_pram_get(pram, skips, 1, skipped)))
        return st;
    return np_pram_get(pram, out, WORKERS, result);
}

int main(void)
{
    np_pram_options options;
    np_pram *pram = NULL;
    np_word skipped = 0, result[WORKERS] = {0};
    np_pram_options_init(&options);
    options.machine = "butterfly:2";
    options.rule = NP_RULE_ADD; /* concurrent writes are added: `skipped` counts them */
    np_status st = np_pram_create(&options, &pram);
    if (!st)
        st = work(pram, &skipped, result);
    if (st)
        fprintf(stderr, "pram_step: %s\n", np_last_error());
    else
        printf("%" PRId64 " tasks skipped; result 6 is %" PRId64 "\n", skipped, result[6]);
    np_pram_free(pram);
    return st || skipped != 4 || result[6] != 61;
}
