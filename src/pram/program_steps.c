/* What PRAM programs share: loading, and pointer jumping. */
#include "pram/program.h"

np_status np_program_load(np_pram *pram, size_t count, const np_word *words, const char *name, np_address *base)
{
    np_status st = np_pram_allocate(pram, count, name, base);
    return st ? st : np_pram_put(pram, *base, count, words);
}

np_status np_program_load_numbers(np_problem *problem, np_pram *pram, size_t count, const uint32_t *numbers,
                                  const char *name, np_address *base)
{
    np_word *words;
    np_status st = np_workspace_take(&problem->work, &words, count, sizeof *words);
    if (st)
        return st;
#pragma omp parallel for num_threads(np_program_team(problem, count))
    for (size_t i = 0; i < count; i++)
        words[i] = numbers[i];
    return np_program_load(pram, count, words, name, base);
}

void np_program_own(const np_problem *problem, np_address base, size_t count, np_address *address)
{
#pragma omp parallel for num_threads(np_program_team(problem, count))
    for (size_t i = 0; i < count; i++)
        address[i] = base + i;
}

unsigned np_program_rounds(size_t n)
{
    unsigned rounds = 0;
    while (rounds < 63 && (size_t)1 << rounds < n)
        rounds++;
    return rounds;
}

/* One processor for each item; next and value are its registers. Copies of them are in memory for others to read. */
typedef struct jumper {
    const np_problem *problem;
    np_pram *pram;
    size_t count;
    np_address links, sums; /* in memory */
    np_address *own, *far;
    uint8_t *active;
    np_word *next, *value, *got;
} jumper;

static np_status publish(const jumper *j, np_address base, const uint8_t *active, const np_word *value,
                         const char *label)
{
    np_program_own(j->problem, base, j->count, j->own);
    return np_pram_write(j->pram, j->count, j->own, active, value, label);
}

/* Reads the successor's word in the array at `base`. */
static np_status ask(const jumper *j, np_address base, const char *label)
{
#pragma omp parallel for num_threads(np_program_team(j->problem, j->count))
    for (size_t i = 0; i < j->count; i++)
        j->far[i] = j->active[i] ? base + (np_address)j->next[i] : 0;
    return np_pram_read(j->pram, j->count, j->far, j->active, j->got, label);
}

static np_status jump_once(const jumper *j)
{
    np_status st;
#pragma omp parallel for num_threads(np_program_team(j->problem, j->count))
    for (size_t i = 0; i < j->count; i++)
        j->active[i] = j->next[i] >= 0;
    if ((st = ask(j, j->sums, "jump: sum of the successor")))
        return st;
#pragma omp parallel for num_threads(np_program_team(j->problem, j->count))
    for (size_t i = 0; i < j->count; i++)
        if (j->active[i])
            j->value[i] += j->got[i];
    if ((st = ask(j, j->links, "jump: successor of the successor")))
        return st;
#pragma omp parallel for num_threads(np_program_team(j->problem, j->count))
    for (size_t i = 0; i < j->count; i++)
        if (j->active[i])
            j->next[i] = j->got[i];
    if ((st = publish(j, j->sums, j->active, j->value, "jump: new sum")))
        return st;
    return publish(j, j->links, j->active, j->next, "jump: new successor");
}

static np_status take_jumper(np_workspace *work, jumper *j)
{
    np_status st;
    if ((st = np_workspace_take(work, &j->own, j->count, sizeof *j->own)) ||
        (st = np_workspace_take(work, &j->far, j->count, sizeof *j->far)) ||
        (st = np_workspace_take(work, &j->active, j->count, sizeof *j->active)))
        return st;
    return np_workspace_take(work, &j->got, j->count, sizeof *j->got);
}

void np_program_jump_needs(size_t count, np_program_needs *needs)
{
    needs->cells += 2 * count;
    needs->steps += 2 + 4 * np_program_rounds(count);
    np_program_take(needs, 3, count, sizeof(np_word));
    np_program_take(needs, 1, count, 1);
}

np_status np_program_jump(np_problem *problem, np_pram *pram, size_t count, np_word *next, np_word *value,
                          const char *name, np_address *sums)
{
    jumper j = {.problem = problem, .pram = pram, .count = count, .next = next, .value = value};
    np_status st;
    if ((st = take_jumper(&problem->work, &j)) || (st = np_pram_allocate(pram, count, name, &j.sums)) ||
        (st = np_pram_allocate(pram, count, "successors", &j.links)) ||
        (st = publish(&j, j.sums, NULL, value, "jump: first sum")) ||
        (st = publish(&j, j.links, NULL, next, "jump: first successor")))
        return st;
    *sums = j.sums;
    /* After r rounds each sum covers 2^r items; no list has more than count items. */
    for (unsigned round = np_program_rounds(count); round; round--)
        if ((st = jump_once(&j)))
            return st;
    return NP_OK;
}
