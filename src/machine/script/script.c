/* Scripts: a text, its tree and its code; what a text says about itself; runs and their results. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/account.h"
#include "base/npy.h"
#include "machine/script/input.h"
#include "machine/script/script.h"

/* ---- An output as a file of NumPy: truth values are bytes, all others words ---- */

_Static_assert(NP_SCRIPT_RANK_MAX <= (int)NP_NPY_RANK_MAX, "every output has a shape in a file of NumPy");

static void script_npy_write(const np_script_output *output, FILE *stream)
{
    uint64_t extent[NP_SCRIPT_RANK_MAX];
    const size_t rank = np_script_output_shape(output, extent);
    const bool truth = *output->type == 'b';
    np_npy_head(truth ? "|b1" : *output->type == 'r' ? "<f8" : "<i8", extent, rank, stream);
    for (size_t i = 0; i < output->count; i++)
        if (truth)
            fputc(output->word[i] != 0, stream);
        else
            np_npy_item((uint64_t)output->word[i], stream);
}

/* ---- Holds the answer of a run to the judge that its text names ---- */

/* Judges read words as ints; the weights of graphs only if they say so. */
static const char *kinds_of(const np_syntax *syntax, const np_judge *judge, char kinds[NP_SCRIPT_KINDS])
{
    size_t length = 0;
    *kinds = '\0';
    for (uint32_t i = 0; i < syntax->inputs && length < NP_SCRIPT_KINDS; i++) {
        const np_declared_input *input = &syntax->input[i];
        const bool real = input->type == NP_TYPE_REAL && (input->array || judge->weighs);
        length += (size_t)snprintf(kinds + length, NP_SCRIPT_KINDS - length, "%s%s%s", i ? " " : "",
                                   np_input_kind_word(input), real ? " of real" : "");
    }
    return *kinds ? kinds : "none";
}

/* Are the inputs of the program those of the problem that it solves? NP_ERROR_INPUT. */
static np_status script_judge_fits(const np_syntax *syntax)
{
    const np_judge *judge = syntax->solves;
    char kinds[NP_SCRIPT_KINDS];
    if (!judge || !strcmp(kinds_of(syntax, judge, kinds), judge->entry.takes))
        return NP_OK;
    return np_script_raise(syntax, syntax->solves_place, NP_ERROR_INPUT, "what solves %s has inputs: %s; and not: %s",
                           judge->entry.name, judge->entry.takes, kinds);
}

/* The judge of the options in the place of the text's own. */
static np_status take_judge(np_syntax *syntax, const char *solves)
{
    if (!solves)
        return NP_OK;
    np_status st = np_judge_find(solves, &syntax->solves);
    syntax->solves_place = (np_place){1, 1};
    return st ? st : script_judge_fits(syntax);
}

static bool find_option(const void *context, const char *name, np_word *value)
{
    const np_execution *x = context;
    for (uint32_t i = 0; i < x->syntax->options; i++)
        if (!strcmp(x->syntax->option[i].symbol->name, name)) {
            *value = x->program->vector[x->syntax->option[i].symbol->at][0];
            return true;
        }
    return false;
}

/* ---- A script ---- */

struct np_script {
    np_pool pool; /* has all the rest */
    np_syntax syntax;
    np_program_code code;
};

const char *np_script_kinds(const np_script *script, const np_judge *judge, char kinds[NP_SCRIPT_KINDS])
{
    return kinds_of(&script->syntax, judge, kinds);
}

/* ---- Made ---- */

/* The program's own file; what it imports lies beside it, if it is a file at all. */
static np_status add_program(np_syntax *syntax, np_pool *pool)
{
    struct stat about = {0};
    np_source own = {.path = syntax->path, .text = syntax->text, .name = "", .length = syntax->length};
    if (syntax->imports && !stat(syntax->path, &about)) {
        own.device = about.st_dev;
        own.inode = about.st_ino;
    }
    return np_script_add_file(syntax, pool, &own);
}

static np_status compile(np_script *script, const char *path, const char *text, size_t length,
                         np_script_problem *problem)
{
    np_syntax *syntax = &script->syntax;
    np_status st;
    if (length > NP_SCRIPT_TEXT_MAX)
        return NP_RAISE(NP_ERROR_LIMIT, "%.200s: a program of %zu bytes: at most %d", path, length, NP_SCRIPT_TEXT_MAX);
    if ((st = np_pool_text(&script->pool, path, strlen(path), &syntax->path)) ||
        (st = np_pool_text(&script->pool, text, length, &syntax->text)))
        return st;
    syntax->length = length;
    syntax->problem = problem;
    if ((st = add_program(syntax, &script->pool)) || (st = np_script_parse(syntax, &script->pool)) ||
        (st = np_script_check(syntax, &script->pool)) || (st = script_judge_fits(syntax)))
        return st;
    st = np_script_compile(syntax, &script->pool, &script->code);
    syntax->problem = NULL;
    syntax->from = NULL;
    return st;
}

static np_status create(const char *path, const char *text, size_t length, bool imports, const np_script_imports *from,
                        np_script_problem *problem, np_script **out)
{
    np_script *script;
    *out = NULL;
    if (problem)
        *problem = (np_script_problem){0};
    np_status st = np_memory_zeroed(&script, 1, sizeof *script, "a program");
    if (st)
        return st;
    script->syntax.imports = imports;
    script->syntax.from = from;
    if ((st = compile(script, path, text, length, problem))) {
        np_script_free(script);
        return st;
    }
    *out = script;
    return NP_OK;
}

np_status np_script_create(const char *path, const char *text, size_t length, np_script_problem *problem,
                           np_script **out)
{
    return create(path, text, length, false, NULL, problem, out);
}

np_status np_script_read(const char *path, np_script_problem *problem, np_script **out)
{
    return np_script_read_from(path, NULL, problem, out);
}

np_status np_script_read_from(const char *path, const np_script_imports *imports, np_script_problem *problem,
                              np_script **out)
{
    *out = NULL;
    if (problem)
        *problem = (np_script_problem){0};
    NP_TEXT_FILE(text, path);
    return text.status ? text.status : create(path, text.data, text.length, true, imports, problem, out);
}

void np_script_free(np_script *script)
{
    if (!script)
        return;
    np_pool_clear(&script->pool);
    np_memory_free(script);
}

const np_syntax *np_script_syntax(const np_script *script) { return &script->syntax; }

/* ---- About ---- */

np_script_about np_script_about_get(const np_script *script)
{
    const np_syntax *syntax = &script->syntax;
    return (np_script_about){.name = syntax->name,
                             .about = syntax->about,
                             .source = syntax->source,
                             .rule = syntax->rule,
                             .solves = syntax->solves ? syntax->solves->entry.name : "",
                             .input = syntax->inputs ? np_input_kind_word(&syntax->input[0]) : "",
                             .options = syntax->options};
}

size_t np_script_inputs(const np_script *script) { return script->syntax.inputs; }

np_script_input np_script_input_get(const np_script *script, size_t i)
{
    const np_declared_input *input = &script->syntax.input[i];
    return (np_script_input){.name = input->name, .kind = np_input_kind_word(input), .type = np_type_name(input->type)};
}

np_script_option np_script_option_get(const np_script *script, size_t i)
{
    const np_declared_option *option = &script->syntax.option[i];
    np_script_option out = {
        .name = option->symbol->name, .help = option->help, .type = np_type_name(option->symbol->type)};
    np_script_word(out.type, option->preset, out.preset);
    return out;
}

/* ---- Runs ---- */

/* What the result owns. */
typedef struct held {
    np_script_result result; /* is first */
    np_script_line_cost *line;
    np_script_output *output;
    const np_word
        *word; /* [words] all outputs, one after the other: one is as it is, several are copied into `joined` */
    np_word *joined;
    size_t words;
    np_pool pool;
} held;

/* The text of a line, behind "scan.pram:12: " if it is imported. */
static np_status keep_source(held *h, const np_syntax *syntax, uint32_t line, const char *text, size_t length,
                             const char **out)
{
    const np_source *file = np_script_file_of(syntax, line);
    if (!*file->name)
        return np_pool_text(&h->pool, text, length, out);
    const size_t room = strlen(file->name) + length + 16;
    char *joined;
    np_status st = np_pool_take(&h->pool, &joined, room);
    if (!st)
        snprintf(joined, room, "%s:%u: %.*s", file->name, line - file->before, (int)length, text);
    *out = joined;
    return st;
}

/* Keeps the lines that made a step, with their text. */
static np_status keep_lines(held *h, const np_syntax *syntax, const np_script_line_cost *line, uint32_t lines)
{
    np_status st = NP_OK;
    size_t kept = 0;
    for (uint32_t i = 0; i < lines; i++)
        kept += line[i].steps > 0;
    if ((st = np_pool_take(&h->pool, &h->line, (kept + 1) * sizeof *h->line)))
        return st;
    h->result.line = h->line;
    for (uint32_t i = 0; i < lines && !st; i++) {
        if (!line[i].steps)
            continue;
        size_t length;
        const char *text = np_script_line(syntax, i + 1, &length);
        np_script_line_cost *to = &h->line[h->result.lines++];
        *to = line[i];
        to->line = i + 1;
        st = keep_source(h, syntax, i + 1, text, length, &to->source);
    }
    return st;
}

/* The words of an output, behind their shape. */
typedef struct shaped {
    size_t rank;
    np_word low[NP_SCRIPT_RANK_MAX];
    uint64_t extent[NP_SCRIPT_RANK_MAX];
    np_word word[];
} shaped;

static const shaped *shape_of(const np_script_output *output)
{
    return (const shaped *)((const char *)output->word - offsetof(shaped, word));
}

size_t np_script_output_shape(const np_script_output *output, uint64_t extent[NP_SCRIPT_RANK_MAX])
{
    const shaped *shape = shape_of(output);
    for (size_t d = 0; d < shape->rank && extent; d++)
        extent[d] = shape->extent[d];
    return shape->rank;
}

void np_script_output_cell(const np_script_output *output, size_t at, char name[NP_SCRIPT_CELL])
{
    uint64_t extent[NP_SCRIPT_RANK_MAX], index[NP_SCRIPT_RANK_MAX];
    const size_t rank = np_script_output_shape(output, extent);
    int length = snprintf(name, NP_SCRIPT_CELL, "%s%s", output->name, rank ? "[" : "");
    for (size_t d = rank; d-- > 0; at /= extent[d])
        index[d] = at % extent[d];
    for (size_t d = 0; d < rank; d++)
        length += snprintf(name + length, NP_SCRIPT_CELL - (size_t)length, "%lld%s",
                           (long long)(shape_of(output)->low[d] + (np_word)index[d]), d + 1 < rank ? ", " : "]");
}

/* NaN has many bit patterns, and processors differ in which they make. */
static void normalise(np_type type, size_t count, np_word *word)
{
    for (size_t i = 0; i < count && type == NP_TYPE_REAL; i++)
        if (isnan(np_real_of_word(word[i])))
            word[i] = np_word_of_real(NAN);
}

/* Does this process have the answer? Over ranks rank 0 has. */
static bool has_answer(const np_pram *pram) { return !pram->division || !pram->division->job->rank; }

static np_status get_words(np_pram *pram, np_address base, uint64_t count, np_word *word)
{
    if (!pram->division)
        return np_pram_get(pram, base, count, word);
    return np_division_get(pram->division, pram->store, base, count, false, has_answer(pram) ? word : NULL);
}

static np_status keep_output(held *h, np_execution *x, const np_declared_output *from, np_script_output *to)
{
    const np_symbol *symbol = from->symbol;
    np_word *const *vector = x->program->vector + symbol->at;
    uint64_t count = 1;
    shaped *made;
    for (uint8_t d = 0; d < symbol->rank; d++)
        count *= (uint64_t)vector[2 + 2 * d][0];
    const size_t kept = has_answer(x->pram) ? (size_t)count : 0;
    np_status st = np_memory_array(&made, 1, sizeof *made + (kept + 1) * sizeof(np_word), "an output");
    if (st)
        return st;
    np_word *word = made->word;
    made->rank = symbol->rank;
    for (uint8_t d = 0; d < symbol->rank; d++) {
        made->low[d] = vector[1 + 2 * d][0];
        made->extent[d] = (uint64_t)vector[2 + 2 * d][0];
    }
    *to = (np_script_output){symbol->name, np_type_name(symbol->type), kept, word};
    if (symbol->kind == NP_SYMBOL_PRIVATE)
        word[0] = vector[0][0];
    else if ((st = get_words(x->pram, (np_address)vector[0][0], count, word)))
        return st;
    normalise(symbol->type, to->count, word);
    for (size_t i = 0; i < to->count; i++)
        h->result.checksum = np_random_mix(h->result.checksum ^ (uint64_t)word[i]) + i;
    return NP_OK;
}

static np_status join(held *h)
{
    const np_script_output *output = h->result.output;
    size_t at = 0;
    for (size_t i = 0; i < h->result.outputs; i++)
        h->words += output[i].count;
    h->word = h->result.outputs ? output->word : NULL;
    if (h->result.outputs < 2)
        return NP_OK;
    np_status st = np_memory_array(&h->joined, h->words + 1, sizeof *h->joined, "the answer");
    for (size_t i = 0; i < h->result.outputs && !st; at += output[i++].count)
        memcpy(h->joined + at, output[i].word, output[i].count * sizeof *h->joined);
    h->word = h->joined;
    return st;
}

const np_word *np_script_answer(const np_script_result *result, size_t *words)
{
    *words = ((const held *)result)->words;
    return ((const held *)result)->word;
}

static np_status keep_outputs(held *h, np_execution *x)
{
    const np_syntax *syntax = x->syntax;
    np_status st = np_pool_take(&h->pool, &h->output, (syntax->outputs + 1) * sizeof *h->output);
    h->result.output = h->output;
    h->result.outputs = st ? 0 : syntax->outputs;
    for (uint32_t i = 0; i < syntax->outputs && !st; i++)
        st = keep_output(h, x, &syntax->output[i], &h->output[i]);
    return st ? st : join(h);
}

/* The name of word i of all outputs. */
static void name_word(const void *result, size_t i, char name[NP_SCRIPT_CELL])
{
    const np_script_output *output = ((const np_script_result *)result)->output;
    while (i >= output->count)
        i -= output++->count;
    np_script_output_cell(output, i, name);
}

/* Judges read words as ints. */
static bool has_reals(const np_script_result *result, np_case *c)
{
    for (size_t i = 0; i < result->outputs; i++)
        if (*result->output[i].type == 'r')
            return !np_case_wrong(c, "%s is of type real, and not int", result->output[i].name);
    return false;
}

/* Judges the outputs of the result, and says so there. NP_ERROR_MEMORY. */
static np_status judge(const np_execution *x, held *h)
{
    np_script_result *result = &h->result;
    np_workspace work = {.team = &x->pram->team};
    np_case c = {.n = (size_t)result->n,
                 .given = x->given,
                 .answers = h->words,
                 .answer = h->word,
                 .option = find_option,
                 .context = x,
                 .name = name_word,
                 .named = result,
                 .work = &work,
                 .correct = true};
    if (!x->syntax->solves || !has_answer(x->pram))
        return NP_OK;
    np_status st = has_reals(result, &c) ? NP_OK : x->syntax->solves->judge(&c);
    result->judged = true;
    result->correct = c.correct;
    result->count = c.count;
    memcpy(result->wrong, c.wrong, sizeof c.wrong);
    memcpy(result->words, c.words, sizeof c.words);
    np_workspace_clear(&work);
    return st;
}

/* Over ranks: rank 0 has judged the answer, and the others hear of it. */
static np_status share_verdict(np_division *d, np_status status, np_script_result *result)
{
    if (!d || (status = np_division_end(d, status)))
        return status;
    const np_job *job = d->job;
    const np_script_result mine = *result;
    np_script_result told;
    uint64_t *counts = d->traffic.sends;
    memset(counts, 0, job->size * sizeof *counts);
    counts[0] = 1;
    np_status st = job->gather(job->context, sizeof mine, &mine, counts, &told);
    if (st)
        return st;
    result->judged = told.judged;
    result->correct = told.correct;
    result->count = told.count;
    result->checksum = told.checksum;
    memcpy(result->wrong, told.wrong, sizeof told.wrong);
    memcpy(result->words, told.words, sizeof told.words);
    return NP_OK;
}

/* The ranks say that they are here, and what they are about to run, which must be the same. */
static np_status begin_together(const np_execution *x, const np_pram_options *options)
{
    np_division *d = x->pram->division;
    const np_syntax *syntax = x->syntax;
    if (!d)
        return NP_OK;
    d->note = syntax->problem;
    d->note_bytes = sizeof *syntax->problem;
    np_status st =
        x->options->observer
            ? NP_RAISE(NP_ERROR_APPLY, "a program that is divided over processes is not observed: none sees all of it")
            : NP_OK;
    uint64_t hash = np_random_mix(options->seed ^ (uint64_t)options->rule << 32);
    for (uint32_t f = 0; f < syntax->files; f++)
        for (size_t i = 0; i < syntax->file[f].length; i++)
            hash = np_random_mix(hash ^ (unsigned char)syntax->file[f].text[i]);
    st = np_division_meet(d, st, NULL, hash);
    for (uint32_t r = 0; r < d->job->size && !st; r++)
        if (np_division_all(d, r) != hash)
            st = NP_RAISE(NP_ERROR_INPUT, "rank %u runs another program, or by another rule or seed", r);
    return np_division_end(d, st);
}

static np_status run_program(np_execution *x, held *h)
{
    const uint32_t lines = x->syntax->lines;
    np_status st = np_memory_zeroed(&x->line, lines, sizeof *x->line, "the costs of lines");
    x->lines = lines;
    if (!st && !(st = np_execution_begin(x)))
        st = np_script_load(x, &h->result.n);
    if (!(st = np_division_begin(x->pram->division, st)))
        st = np_execution_run(x);
    st = np_division_finish(x->pram->division, st);
    if (!st && !(st = keep_lines(h, x->syntax, x->line, lines)) && !(st = keep_outputs(h, x)))
        st = judge(x, h);
    st = share_verdict(x->pram->division, st, &h->result);
    h->result.turns = x->turns;
    np_memory_free(x->line);
    return st;
}

static np_status run(const np_script *script, const np_pram_options *given_pram, const np_script_options *given,
                     np_script_problem *problem, held *h)
{
    np_pram_options pram = {0};
    np_script_options options;
    np_script_problem unseen = {0};
    np_syntax syntax = script->syntax; /* a copy, which may note where this run fails */
    np_execution x = {.syntax = &syntax, .code = &script->code, .options = &options};
    np_status st;
    syntax.problem = problem ? problem : &unseen;
    if ((st = np_options_take(&np_pram_options_fields, given_pram, &pram)) ||
        (st = np_options_take(&np_script_options_fields, given, &options)))
        return np_division_agree(pram.job, st);
    NP_ACCOUNT(options.program.memory_limit, "a smaller size");
    if ((st = take_judge(&syntax, options.solves)) || (st = np_pram_create(&pram, &h->result.pram)))
        return st;
    x.pram = h->result.pram;
    x.draws = (np_draws){.seed = pram.seed, .purpose = NP_RANDOM_SCRIPT};
    x.pool = &h->pool;
    h->result.about = np_script_about_get(script);
    h->result.path = script->syntax.path;
    h->result.seed = pram.seed;
    if (!(st = begin_together(&x, &pram)))
        st = run_program(&x, h);
    h->result.note = x.note;
    h->result.notes = x.notes;
    np_execution_clear(&x);
    return st ? st : np_pram_report_get(h->result.pram, &h->result.report);
}

np_status np_script_run(const np_script *script, const np_pram_options *pram, const np_script_options *options,
                        np_script_problem *problem, np_script_result **out)
{
    held *h;
    *out = NULL;
    if (problem)
        *problem = (np_script_problem){0};
    np_status st = np_memory_zeroed(&h, 1, sizeof *h, "the result of a program");
    if (st)
        return np_division_refuse(pram, st);
    if ((st = run(script, pram, options, problem, h))) {
        np_script_result_free(&h->result);
        return st;
    }
    *out = &h->result;
    return NP_OK;
}

void np_script_result_free(np_script_result *result)
{
    held *h = (held *)result;
    if (!h)
        return;
    for (size_t i = 0; i < result->outputs; i++)
        if (result->output[i].word)
            np_memory_free((shaped *)shape_of(&result->output[i]));
    np_memory_free(h->joined);
    np_pram_free(h->result.pram);
    np_pool_clear(&h->pool);
    np_memory_free(h);
}

const char *np_script_line_get(const np_script *script, uint32_t line, size_t *length)
{
    if (!line || line > script->syntax.lines)
        return NULL;
    return np_script_whole_line(&script->syntax, line, length);
}

const char *np_script_file_get(const np_script *script, uint32_t line, uint32_t *local)
{
    const np_source *file = np_script_file_of(&script->syntax, line);
    *local = line - file->before;
    return file->name;
}

static void write_word(const np_script_output *output, np_word word, FILE *stream)
{
    char text[32];
    np_script_word(output->type, word, text);
    fputs(text, stream);
}

/* A word a line; of an array of two dimensions or more a row a line. */
static void write_text(const np_script_output *output, FILE *stream)
{
    uint64_t extent[NP_SCRIPT_RANK_MAX];
    const size_t rank = np_script_output_shape(output, extent), row = rank > 1 ? (size_t)extent[rank - 1] : 1;
    for (size_t i = 0; i < output->count; i++) {
        write_word(output, output->word[i], stream);
        fputc(i % row == row - 1 ? '\n' : ' ', stream);
    }
}

np_status np_script_output_write(const np_script_result *result, const char *path)
{
    np_output *output;
    if (np_npy_is(path) && result->outputs != 1)
        return NP_RAISE(NP_ERROR_INPUT, "%.200s: a file of NumPy has one array, and the program has %zu outputs", path,
                        result->outputs);
    np_status st = np_output_open(path, &output);
    if (st)
        return st;
    for (size_t i = 0; i < result->outputs; i++) /* a failure shows when it is committed */
        if (np_npy_is(path))
            script_npy_write(&result->output[i], np_output_stream(output));
        else
            write_text(&result->output[i], np_output_stream(output));
    return np_output_commit(output);
}
