/*
 * Explains the slowest batch of a PRAM on a butterfly. The slowest batch is known only at the end,
 * and a record of all batches would be large. So the machine keeps the slowest batch so far as it
 * was sent (slowest.c). Here it is sent again through a network of its own, with a record. The six
 * phases are a function of the batch, so the second run is the same as the first.
 */
#include "base/memory.h"
#include "papers/explain/polarized.h"
#include "machine/pram/inside.h"

static const uint64_t RECORD_MAX = UINT64_C(4) << 30; /* ours */

static np_status check_size(const np_pram *pram, const np_slowest *slowest)
{
    uint64_t switches = (6 * (uint64_t)slowest->n + 1) << slowest->n;
    uint64_t each = sizeof(uint32_t) + sizeof(uint8_t);
    if (slowest->steps <= RECORD_MAX / each / switches)
        return NP_OK;
    return NP_RAISE(
        NP_ERROR_LIMIT, "explaining a batch of %llu steps on %s takes %llu MiB: at most %llu; try a smaller butterfly",
        (unsigned long long)slowest->steps, pram->spec, (unsigned long long)(slowest->steps * switches * each >> 20),
        (unsigned long long)(RECORD_MAX >> 20));
}

static np_status find_slowest(const np_pram *pram, const np_slowest **out)
{
    const np_machine_ops *ops = pram->machine->ops;
    if (!ops->slowest)
        return NP_RAISE(NP_ERROR_APPLY, "nothing is known to say of why %s is slow: try butterfly:8", pram->spec);
    *out = ops->slowest(pram->machine);
    if (!(*out)->steps)
        return NP_RAISE(NP_ERROR_APPLY, "no access has been made on %s yet: there is nothing to explain", pram->spec);
    return check_size(pram, *out);
}

static np_status send_again(const np_slowest *slowest, const np_ranade_job *job, np_ranade_record *record)
{
    np_ranade *ranade;
    np_ranade_run run;
    np_status st = np_ranade_create(slowest->n, slowest->queue_size, &ranade);
    if (st)
        return st;
    if (!(st = np_ranade_record_reserve(record, slowest->n, slowest->steps)))
        st = np_ranade_send(ranade, job, record, &run);
    np_ranade_free(ranade);
    if (!st && run.steps != slowest->steps)
        return NP_RAISE(NP_ERROR_INTERNAL, "a batch that took %llu steps takes %llu when it is sent again",
                        (unsigned long long)slowest->steps, (unsigned long long)run.steps);
    return st;
}

/* Says for the message of each row what it asks for. */
static np_status fill_messages(const np_pram *pram, const np_slowest *slowest, np_pram_explanation *out)
{
    np_status st =
        np_memory_zeroed(&out->message, out->sequence.rows, sizeof *out->message, "messages of a polarized sequence");
    for (size_t i = 0; i < out->sequence.rows && !st; i++) {
        uint32_t tag = out->sequence.row[i].tag, rows = UINT32_C(1) << slowest->n;
        np_address mask = (UINT64_C(1) << NP_TAG_ADDRESS_BITS) - 1;
        const np_address address = slowest->key[tag] >> 2 & mask;
        const char *array;
        uint64_t offset;
        np_pram_cell(pram, address, &array, &offset);
        out->message[i] = (np_pram_message){.address = address,
                                            .array = array,
                                            .offset = offset,
                                            .kind = (np_access_kind)(slowest->key[tag] & 3),
                                            .module_column = slowest->module[tag] / rows,
                                            .module_row = slowest->module[tag] % rows,
                                            .requests = slowest->begin[tag + 1] - slowest->begin[tag]};
    }
    return st;
}

static np_status explain(const np_pram *pram, const np_slowest *slowest, np_pram_explanation *out)
{
    np_ranade_job job = {
        .tags = slowest->groups, .module = slowest->module, .begin = slowest->begin, .processor = slowest->processor};
    np_ranade_record record = {0};
    np_status st = send_again(slowest, &job, &record);
    if (!st)
        st = np_polarized_trace(slowest->n, slowest->queue_size, &job, &record, slowest->steps, &out->sequence);
    np_ranade_record_clear(&record);
    return st ? st : fill_messages(pram, slowest, out);
}

np_status np_pram_explain(const np_pram *pram, np_pram_explanation **out)
{
    const np_slowest *slowest = NULL;
    np_status st;
    *out = NULL;
    if ((st = find_slowest(pram, &slowest)) || (st = np_memory_zeroed(out, 1, sizeof **out, "an explanation")))
        return st;
    (*out)->step = pram->slowest_step;
    (*out)->label = pram->slowest_label ? pram->slowest_label : "";
    if ((st = explain(pram, slowest, *out))) {
        np_pram_explanation_free(*out);
        *out = NULL;
    }
    return st;
}

void np_pram_explanation_free(np_pram_explanation *explanation)
{
    if (!explanation)
        return;
    np_polarized_clear(&explanation->sequence);
    NP_MEMORY_FREE(explanation->message, explanation);
}
