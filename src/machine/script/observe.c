/*
 * Steps of a program, as an observer sees them. What the cells of a step hold is copied before the step is served and
 * after it: 16 bytes a processor, 24 in a fetch, on the stack of registers, so that the limit of memory counts them.
 *
 * What can be named at a step is known to the compiler (np_site.visible). Where its value is, the frames know: a name
 * of this procedure is in the frame of its level, at the lane's ancestor there; any other is in the program's own
 * frame.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "machine/script/observe.h"

/* Where a step was made. */
typedef struct np_script_view {
    const np_execution *x;
    const np_frame *frame;
    const np_visible *visible;
    const np_procedure *procedure; /* NULL: in none */
    uint8_t level;
    const np_symbol *cell; /* the array that is accessed; NULL at the end */
} np_script_view;

struct np_observation {
    np_script_view view;
    np_script_step step;
    np_word *after;
    uint64_t network_steps, violations;
    size_t kept;
};

/* ---- Steps ---- */

/* What the cells of the lanes that are on hold. Machines whose modules have the words are asked for each of them. */
static np_status look(np_pram *pram, const np_pram_step *step, np_word *to)
{
    const np_word *word = np_store_words(pram->store);
    np_status st = NP_OK;
    for (size_t i = 0; i < step->count && !st; i++) {
        if (step->active && !step->active[i])
            continue;
        if (pram->machine->ops->get)
            st = np_pram_get(pram, step->address[i], 1, &to[i]);
        else
            to[i] = word[step->address[i]];
    }
    return st;
}

/* A fetch gives its operands up for what it fetches. */
static np_status keep_operands(np_execution *x, const np_pram_step *step, np_observation *seen)
{
    np_word *operand;
    if (step->all != NP_ACCESS_FETCH)
        return NP_OK;
    np_status st = np_stack_take(&x->stack, &operand, step->count, sizeof *operand);
    if (st)
        return st;
    memcpy(operand, step->value, step->count * sizeof *operand);
    seen->step.operand = operand;
    return NP_OK;
}

np_status np_observe_before(np_execution *x, const np_instruction *node, const np_frame *frame, const np_mask *mask,
                            const np_pram_step *step, np_observation **out)
{
    const np_script_observer *observer = x->options->observer;
    const np_site *site = &x->code->site[node->site];
    np_observation *seen;
    np_word *before;
    np_status st;
    *out = NULL;
    if (observer->wants && !observer->wants(observer->context, x->pram->steps, site->place.line))
        return NP_OK;
    if ((st = np_stack_take(&x->stack, &seen, 1, sizeof *seen)) ||
        (st = np_stack_take(&x->stack, &before, step->count, sizeof *before)))
        return st;
    *seen = (np_observation){
        .view = {x, frame, site->visible, site->procedure, site->level, node->symbol},
        .step = {.step = x->pram->steps,
                 .line = site->place.line,
                 .column = site->place.column,
                 .text = site->what,
                 .type = np_type_name(node->symbol->type),
                 .kind = step->all,
                 .op = step->op,
                 .count = step->count,
                 .active = mask->active,
                 .on = step->active,
                 .address = step->address,
                 .value = step->value,
                 .before = before,
                 .lines = x->lines,
                 .cost = x->line,
                 .pram = x->pram,
                 .view = &seen->view},
        .network_steps = x->pram->cost.network_steps,
        .violations = x->pram->check.violations,
        .kept = x->pram->check.kept,
    };
    if ((st = np_stack_take(&x->stack, &seen->after, step->count, sizeof *seen->after)) ||
        (st = keep_operands(x, step, seen)))
        return st;
    for (size_t i = 0; i < step->count; i++) /* an address that is no cell: the step will say so */
        if ((!step->active || step->active[i]) && step->address[i] >= np_store_cells(x->pram->store))
            return NP_OK;
    *out = seen;
    return look(x->pram, step, before);
}

np_status np_observe_after(np_observation *seen)
{
    const np_execution *x = seen->view.x;
    const np_script_observer *observer = x->options->observer;
    np_script_step *step = &seen->step;
    const np_pram_step made = {.count = step->count, .address = step->address, .active = step->on};
    np_status st = look(x->pram, &made, seen->after);
    step->after = seen->after;
    step->network_steps = x->pram->cost.network_steps - seen->network_steps;
    step->violations = x->pram->check.violations - seen->violations;
    step->kept = x->pram->check.kept - seen->kept;
    step->violation = x->pram->check.violation + seen->kept;
    if (!st && observer->step && observer->step(observer->context, step))
        st = NP_RAISE(NP_ERROR_CANCELLED, "the observer of the program has stopped it");
    return st;
}

np_status np_observe_end(np_execution *x, np_status status)
{
    const np_script_observer *observer = x->options->observer;
    const np_script_view view = {.x = x, .frame = x->program, .visible = x->code->visible};
    const np_script_step state = {.step = x->pram->steps,
                                  .text = "",
                                  .type = "int",
                                  .lines = x->lines,
                                  .cost = x->line,
                                  .pram = x->pram,
                                  .view = &view};
    char message[512];
    snprintf(message, sizeof message, "%s", np_last_error());
    if (status == NP_ERROR_CANCELLED || !observer->end)
        return status;
    if (!observer->end(observer->context, &state, status)) /* whose own errors do not matter */
        return status ? np_status_raise(status, "%s", message) : NP_OK;
    return NP_RAISE(NP_ERROR_CANCELLED, "the observer of the program has stopped it");
}

/* ---- Names ---- */

static const np_symbol *symbol_at(const np_script_step *step, size_t i)
{
    const np_visible *at = step->view->visible;
    while (i--)
        at = at->outer;
    return at->symbol;
}

/* The frame that has a symbol, and the lane there that a processor belongs to. */
static const np_frame *home_of(const np_script_view *view, const np_symbol *symbol, size_t *lane)
{
    const np_frame *frame = view->frame;
    if (symbol->of != view->procedure) {
        *lane = 0;
        return view->x->program;
    }
    for (unsigned up = view->level - symbol->level; up; up--, frame = frame->outer)
        *lane = frame->lanes.parent ? frame->lanes.parent[*lane] : 0;
    return frame;
}

size_t np_script_names(const np_script_step *step)
{
    size_t count = 0;
    for (const np_visible *at = step->view->visible; at; at = at->outer)
        count++;
    return count;
}

np_script_name np_script_name_get(const np_script_step *step, size_t i)
{
    const np_symbol *symbol = symbol_at(step, i);
    size_t lane = 0;
    return (np_script_name){.name = symbol->name,
                            .type = np_type_name(symbol->type),
                            .shared = symbol->kind == NP_SYMBOL_SHARED,
                            .rank = symbol->rank,
                            .index = symbol->is_index,
                            .one = home_of(step->view, symbol, &lane)->lanes.all == 1};
}

bool np_script_name_find(const np_script_step *step, const char *name, size_t *out)
{
    *out = 0;
    for (const np_visible *at = step->view->visible; at; at = at->outer, (*out)++)
        if (!strcmp(at->symbol->name, name))
            return true;
    return false;
}

static np_script_array array_of(const np_script_view *view, const np_symbol *symbol, size_t lane)
{
    np_word *const *part = home_of(view, symbol, &lane)->vector + symbol->at;
    np_script_array array = {.base = (np_address)part[0][lane], .cells = 1, .rank = symbol->rank};
    for (uint8_t d = 0; d < array.rank; d++) {
        array.low[d] = part[1 + 2 * d][lane];
        array.extent[d] = part[2 + 2 * d][lane];
        array.cells *= (uint64_t)array.extent[d];
    }
    return array;
}

np_script_array np_script_array_get(const np_script_step *step, size_t i, size_t processor)
{
    return array_of(step->view, symbol_at(step, i), processor);
}

np_word np_script_value_get(const np_script_step *step, size_t i, size_t processor)
{
    const np_symbol *symbol = symbol_at(step, i);
    const np_frame *frame = home_of(step->view, symbol, &processor);
    if (!symbol->is_index)
        return frame->vector[symbol->at][processor];
    return np_lanes_index(&frame->lanes, processor);
}

/* ---- Where a processor is ---- */

static bool is_letter(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Is the name a word of the text? */
static bool names(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += length)
        if ((at == text || !is_letter(at[-1])) && !is_letter(at[length]))
            return true;
    return false;
}

/* Indices of loops, and private variables that the text names; a program's own are known to who reads it. */
static bool is_told(const np_site *site, const np_symbol *symbol)
{
    if (symbol->kind != NP_SYMBOL_PRIVATE || symbol->input)
        return false;
    return symbol->is_index || (symbol->constant && !symbol->global) || names(site->what, symbol->name);
}

const char *np_observe_indices(const np_execution *x, const np_frame *frame, uint32_t site, size_t lane,
                               char to[NP_WHERE])
{
    const np_site *at = &x->code->site[site];
    const np_script_view view = {
        .x = x, .frame = frame, .visible = at->visible, .procedure = at->procedure, .level = at->level};
    const np_script_step step = {.view = &view};
    size_t length = 0, i = 0;
    *to = '\0';
    for (const np_visible *v = at->visible; v && length < NP_WHERE - 1; v = v->outer, i++) {
        char word[32];
        if (!is_told(at, v->symbol))
            continue;
        np_script_word(np_type_name(v->symbol->type), np_script_value_get(&step, i, lane), word);
        length +=
            (size_t)snprintf(to + length, NP_WHERE - length, "%s%s = %s", length ? ", " : "", v->symbol->name, word);
    }
    return to;
}

const char *np_observe_where(const np_execution *x, const np_frame *frame, uint32_t site, size_t lane,
                             char to[NP_WHERE])
{
    char indices[NP_WHERE];
    np_observe_indices(x, frame, site, lane, indices);
    const size_t processor = frame->lanes.before + lane;
    const bool last = processor && processor + 1 == frame->lanes.all;
    snprintf(to, NP_WHERE, "%s%.100s (processor %zu%s)", *indices ? ", at " : "", indices, processor,
             last ? ", the last one" : "");
    return to;
}

/* "a[2, -1]" */
static void write_cell(const char *name, const np_script_array *array, uint64_t offset, char *to)
{
    uint64_t index[NP_SCRIPT_RANK_MAX];
    int length = snprintf(to, NP_SCRIPT_CELL, "%s%s", name, array->rank ? "[" : "");
    for (int d = array->rank; d-- > 0;) {
        index[d] = offset % (uint64_t)array->extent[d];
        offset /= (uint64_t)array->extent[d];
    }
    for (uint8_t d = 0; d < array->rank; d++)
        length += snprintf(to + length, NP_SCRIPT_CELL - (size_t)length, "%" PRId64 "%s",
                           (np_word)((uint64_t)array->low[d] + index[d]), d + 1 < array->rank ? ", " : "]");
}

/* An array of the program that a procedure was given has its own name; one of a block has the name that it has here. */
void np_script_cell_name(const np_script_step *step, size_t processor, char name[NP_SCRIPT_CELL])
{
    const np_script_view *view = step->view;
    np_address address = step->address[processor];
    for (const np_visible *at = view->cell->global ? NULL : view->x->code->visible; at; at = at->outer) {
        if (at->symbol->kind != NP_SYMBOL_SHARED)
            continue;
        np_script_view program = {.x = view->x, .frame = view->x->program};
        np_script_array array = array_of(&program, at->symbol, 0);
        if (address >= array.base && address - array.base < array.cells) {
            write_cell(at->symbol->name, &array, address - array.base, name);
            return;
        }
    }
    np_script_array array = array_of(view, view->cell, processor);
    write_cell(view->cell->name, &array, address - array.base, name);
}

/* ---- Calls ---- */

size_t np_script_calls(const np_script_step *step)
{
    size_t count = 0;
    for (const np_pending_call *at = step->view->x->call; at; at = at->outer)
        count++;
    return count;
}

np_script_call np_script_call_get(const np_script_step *step, size_t i)
{
    const np_execution *x = step->view->x;
    const np_pending_call *at = x->call;
    while (i--)
        at = at->outer;
    return (np_script_call){x->syntax->procedure[at->procedure]->symbol->name, x->code->site[at->site].place.line};
}

void np_script_word(const char *type, np_word word, char text[32])
{
    if (*type == 'r')
        np_decimal_write(np_real_of_word(word), text);
    else if (*type == 'b')
        snprintf(text, 32, "%s", word ? "true" : "false");
    else
        snprintf(text, 32, "%" PRId64, word);
}
