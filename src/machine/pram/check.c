/*
 * Violations of the access rules. An access rule speaks of pairs of accesses
 * to one cell in one step:
 *
 *   EREW            forbids any two
 *   CREW            any two that are writes or fetches
 *   ERCW            any two that are reads or fetches
 *   WEAK            two writes that are not both of 1; a write and a fetch
 *   COMMON          two writes of different values; a write and a fetch
 *   the others      nothing
 *
 * Take the accesses to a cell whose kinds concern the rule. The "lead" is the access of the least processor.
 * If any two of these accesses make a violation, the lead makes a violation with a later one: if two
 * disagree, one of them disagrees with the lead as well. The report has this pair, one for each cell and step.
 *
 * The watch of a cell is that of the first processor there: touched[] leads to it (store.h).
 *
 * Values are compared as those of the cell's type (values.h). A violation says the type, so that they are shown as
 * such.
 *
 * The weakest rule. Rules are taken to be ordered, weakest first,
 *
 *   EREW CREW WEAK COMMON TOLERANT COLLISION ERCW ARBITRARY PRIORITY ADD .. XOR
 *
 * (The rules are only partially ordered; this is one line through them. ERCW is late because it has to
 * pick winners; the combining rules count as equally strong.) A rule would have run the program clean if it
 * forbids nothing that was done, and if it resolves concurrent writes to the same effect as the rule in force.
 * Without the second condition, a program that needs a winner would count as clean under a rule where all
 * writers lose. If the rule in force itself forbids concurrent writes, any winner will do.
 */
#include "base/hot.h"
#include "base/room.h"
#include "machine/pram/inside.h"

#define BIT(rule) (UINT32_C(1) << (rule))

enum {
    ALL = (1 << NP_RULES) - 1,
    PICK = BIT(NP_RULE_ERCW) | BIT(NP_RULE_ARBITRARY) | BIT(NP_RULE_PRIORITY), /* any winner will do */
    /* Rules under which v is written if all write v. */
    KEEP = PICK | BIT(NP_RULE_WEAK) | BIT(NP_RULE_COMMON) | BIT(NP_RULE_MIN) | BIT(NP_RULE_MAX) | BIT(NP_RULE_AND) |
           BIT(NP_RULE_OR)
};

/* The rules that resolve concurrent writes to the same effect as the rule in force. */
static uint32_t same_effect(np_access_rule rule, bool differ)
{
    bool forbids = rule < NP_RULE_TOLERANT && rule != NP_RULE_ERCW;
    if (!differ && (forbids || (KEEP & BIT(rule))))
        return KEEP;
    return forbids || rule == NP_RULE_ERCW || rule == NP_RULE_ARBITRARY ? PICK : BIT(rule);
}

/* The rules that allow all accesses that one cell saw. */
static uint32_t clean_of(np_access_rule rule, const np_pram_watch *watch)
{
    uint32_t clean = ALL;
    if (watch->read + watch->write + watch->fetch > 1)
        clean &= ~BIT(NP_RULE_EREW);
    if (watch->write + watch->fetch > 1)
        clean &= ~BIT(NP_RULE_CREW);
    if (watch->read + watch->fetch > 1)
        clean &= ~BIT(NP_RULE_ERCW);
    if (watch->write && watch->fetch)
        clean &= ~(BIT(NP_RULE_WEAK) | BIT(NP_RULE_COMMON));
    if (watch->write < 2)
        return clean;
    if (watch->not_one)
        clean &= ~BIT(NP_RULE_WEAK);
    if (watch->differ)
        clean &= ~BIT(NP_RULE_COMMON);
    return clean & same_effect(rule, watch->differ);
}

/* The least set of clean rules that a step with these kinds of access can leave. */
static uint32_t worst_of(np_access_rule rule, uint32_t kinds)
{
    bool read = kinds >> NP_ACCESS_READ & 1, write = kinds >> NP_ACCESS_WRITE & 1, fetch = kinds >> NP_ACCESS_FETCH & 1;
    np_pram_watch all = {.read = 2 * read, .write = 2 * write, .fetch = 2 * fetch, .differ = write, .not_one = write};
    uint32_t worst = clean_of(rule, &all);
    all.differ = false;
    return worst & clean_of(rule, &all);
}

bool np_check_is_due(const np_check *check, uint32_t kinds)
{
    uint32_t worst = worst_of(check->rule, kinds);
    return !(worst & BIT(check->rule)) || (check->clean & ~worst);
}

np_status np_check_init(np_check *check, np_access_rule rule, uint32_t violations_max)
{
    *check = (np_check){.rule = rule, .clean = ALL, .kept_max = violations_max};
    return np_memory_zeroed(&check->violation, violations_max, sizeof *check->violation, "violations");
}

void np_check_clear(np_check *check) { NP_MEMORY_FREE(check->violation, check->watch); }

np_access_rule np_check_weakest(const np_check *check)
{
    uint32_t before_ercw = check->clean & (BIT(NP_RULE_ARBITRARY) - 1) & ~BIT(NP_RULE_ERCW);
    /* Some rule is always left: the rule in force, or ARBITRARY if the rule in force is violated. */
    return (np_access_rule)__builtin_ctz(before_ercw ? before_ercw : check->clean);
}

/* Kinds of access that can be half of a violation. */
static bool concerns(np_access_rule rule, np_access_kind kind)
{
    switch (rule) {
    case NP_RULE_EREW:
        return true;
    case NP_RULE_ERCW:
        return kind != NP_ACCESS_WRITE;
    case NP_RULE_CREW:
    case NP_RULE_WEAK:
    case NP_RULE_COMMON:
        return kind != NP_ACCESS_READ;
    default:
        return false;
    }
}

/* Does the rule forbid the access together with the lead? The access is of a kind that concerns the rule. */
NP_INLINE bool clashes(np_access_rule rule, const np_pram_watch *watch, np_access_kind kind, np_word value,
                       np_cell_type type)
{
    if (rule != NP_RULE_WEAK && rule != NP_RULE_COMMON)
        return true;
    if (kind != watch->lead_kind)
        return true;
    if (kind == NP_ACCESS_FETCH)
        return false;
    return rule == NP_RULE_COMMON ? np_values_differ(type, value, watch->lead_value)
                                  : !np_values_is_one(type, value) || !np_values_is_one(type, watch->lead_value);
}

static void report(np_check *check, np_pram_watch *watch, const np_pram_step *step, np_processor processor,
                   np_access_kind kind, np_word value, np_cell_type type)
{
    const np_processor more = watch->more;
    check->violations++;
    watch->reported = 1;
    watch->more = (uint32_t)check->kept;
    if (check->kept == check->kept_max)
        return;
    check->violation[check->kept++] = (np_violation){
        .label = step->label ? step->label : "",
        .address = step->address[processor],
        .array = "",
        .first = watch->lead,
        .second = processor,
        .more = more,
        .first_kind = (np_access_kind)watch->lead_kind,
        .second_kind = kind,
        .first_value = watch->lead_value,
        .second_value = value,
        .type = type,
        .where = "",
    };
}

NP_INLINE void count(np_pram_watch *watch, np_access_kind kind, np_word value, np_cell_type type)
{
    uint8_t *counter = kind == NP_ACCESS_READ ? &watch->read : kind == NP_ACCESS_WRITE ? &watch->write : &watch->fetch;
    if (kind == NP_ACCESS_WRITE) {
        watch->differ |= watch->write && np_values_differ(type, value, watch->written);
        watch->not_one |= !np_values_is_one(type, value);
        watch->written = value;
    }
    *counter += *counter < 2;
}

/* types: NULL if all cells are ints, which is compiled by itself. */
NP_INLINE void see(np_check *check, np_pram_watch *watch, const np_pram_step *step, const np_step_types *types,
                   np_processor processor)
{
    np_cell_type type = types ? np_step_type(types, step->address[processor]) : NP_CELL_INT;
    np_access_kind kind = np_step_kind(step, processor);
    np_word value = kind == NP_ACCESS_READ ? 0 : step->value[processor];
    count(watch, kind, value, type);
    check->clean &= clean_of(check->rule, watch);
    if (!concerns(check->rule, kind))
        return;
    if (watch->reported) {
        if (watch->more < check->kept_max)
            check->violation[watch->more].more++;
    } else if (!watch->has_lead) {
        watch->has_lead = 1;
        watch->lead = processor;
        watch->lead_kind = (uint8_t)kind;
        watch->lead_value = value;
    } else if (clashes(check->rule, watch, kind, value, type)) {
        report(check, watch, step, processor, kind, value, type);
    } else {
        watch->more++;
    }
}

/* A pass of the step's threads over its accesses. */
typedef struct seeing {
    const np_check *check;
    np_store *store;
    const np_pram_step *step;
    const np_step_types *types;
    uint32_t base;          /* of the marks */
    _Atomic uint32_t clean; /* what all parts leave */
    _Atomic bool found;     /* two accesses, or a violation */
} seeing;

NP_INLINE void see_accesses(np_check *check, const seeing *s, const np_step_types *types, np_part part)
{
    const np_store *store = s->store;
    const np_pram_step *step = s->step;
    const uint32_t base = s->base;
    uint32_t processor[NP_PART_PICKS];
    for (size_t begin = 0; begin < step->count; begin += NP_PART_PICKS) {
        size_t picked = np_part_pick(part, step, begin, np_part_block(begin, step->count), processor);
        for (size_t k = 0; k < picked; k++) {
            uint32_t *mark = &store->touched[step->address[processor[k]]];
            if (*mark < base) {
                check->watch[processor[k]] = (np_pram_watch){0};
                *mark = base + processor[k];
            }
            see(check, &check->watch[*mark - base], step, types, processor[k]);
        }
    }
}

/* Checks the accesses to the thread's cells. */
static void see_part(np_check *check, const seeing *s, np_part part)
{
    if (s->types->mix || s->types->all != NP_CELL_INT)
        see_accesses(check, s, s->types, part);
    else
        see_accesses(check, s, NULL, part);
}

static void see_some(void *context, np_part part)
{
    seeing *s = context;
    const np_check *check = s->check;
    np_check own = {.rule = check->rule, .clean = check->clean, .watch = check->watch};
    see_part(&own, s, part);
    s->clean &= own.clean;
    if (own.violations)
        s->found = true;
}

/* Are two accesses to one of the thread's cells? */
static void look_for_two(void *context, np_part part)
{
    seeing *s = context;
    const np_pram_step *step = s->step;
    uint32_t processor[NP_PART_PICKS], *touched = s->store->touched, base = s->base;
    bool twice = false;
    for (size_t begin = 0; begin < step->count; begin += NP_PART_PICKS) {
        size_t picked = np_part_pick(part, step, begin, np_part_block(begin, step->count), processor);
        for (size_t k = 0; k < picked; k++) {
            uint32_t *mark = &touched[step->address[processor[k]]];
            twice |= *mark == base;
            *mark = base;
        }
    }
    if (twice)
        s->found = true;
}

/* Several threads check the step. False: there are violations, which one thread must find, in their order. */
static bool see_by_threads(np_check *check, seeing *s)
{
    s->found = false;
    s->clean = check->clean;
    s->base = np_store_numbers(s->store, s->step->count);
    np_team_each(s->store->team, s->step->count, see_some, s);
    if (!s->found)
        check->clean = s->clean;
    return !s->found;
}

static np_status see_all(np_check *check, seeing *s)
{
    np_store *store = s->store;
    const size_t count = s->step->count;
    np_status st =
        np_memory_need(&check->watch, 0, count, &check->room, sizeof *check->watch, "the checks of a PRAM step");
    if (st || (np_team_for(store->team, count) > 1 && see_by_threads(check, s)))
        return st;
    s->base = np_store_numbers(store, count);
    see_part(check, s, (np_part){0, 1});
    return NP_OK;
}

np_status np_check_accesses(np_check *check, np_store *store, const np_pram_step *step, np_step_survey *survey)
{
    if (survey->exclusive)
        return NP_OK;
    seeing s = {check, store, step, &survey->types, .base = np_store_numbers(store, 1)};
    np_team_each(store->team, step->count, look_for_two, &s);
    survey->exclusive = !s.found;
    return s.found ? see_all(check, &s) : NP_OK;
}

np_status np_check_step(np_pram *pram, const np_pram_step *step, np_step_survey *survey)
{
    np_check *check = &pram->check;
    size_t kept = check->kept;
    if (!np_check_is_due(check, survey->kinds))
        return NP_OK;
    np_status st = np_check_accesses(check, pram->store, step, survey);
    for (; kept < check->kept && !st; kept++) {
        np_violation *violation = &check->violation[kept];
        violation->step = pram->steps;
        np_pram_cell(pram, violation->address, &violation->array, &violation->offset);
        st = np_pram_get(pram, violation->address, 1, &violation->before);
    }
    return st;
}

np_status np_check_note(np_pram *pram, size_t first)
{
    np_status st = NP_OK;
    for (size_t i = first; i < pram->check.kept && !st; i++)
        st = np_pram_get(pram, pram->check.violation[i].address, 1, &pram->check.violation[i].after);
    return st;
}
