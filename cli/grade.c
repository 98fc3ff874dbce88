/* netpram grade TASK PROGRAM... */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "base/memory.h"
#include "base/plural.h"
#include "command.h"
#include "lab/grade/grade.h"
#include "process.h"
#include "progress.h"
#include "toml.h"

typedef struct arguments {
    cli_common common;
    const char *pages;
    bool reveal;
} arguments;

#define AT(member) offsetof(arguments, member)

static const np_field rows[] = {
    {"pages", NP_FIELD_TEXT, AT(pages), .help = "Write a page for each student into this folder: NAME.html",
     .placeholder = "FOLDER"},
    {"reveal", NP_FIELD_BOOL, AT(reveal), .help = "Tell of hidden inputs in the report; pages never do"},
    CLI_FORMAT(arguments),
    CLI_INSET(arguments, common, cli_progress_fields),
};

static const np_fields fields = CLI_FIELDS(rows);

/* ---- The task ---- */

static bool ends_in(const char *path, const char *ending)
{
    const size_t length = strlen(path), letters = strlen(ending);
    return length > letters && !strcmp(path + length - letters, ending);
}

/* *out = the text as JSON, freed with free. */
static int to_json(const char *path, const char *text, size_t *length, char **out)
{
#ifdef NETPRAM_TOML
    char message[300];
    if (!(*out = cli_toml_json(text, *length, length, message, sizeof message)))
        return cli_fail("%s: %s", path, *message ? message : "no memory");
    return 0;
#else
    (void)text, (void)length;
    *out = NULL;
    return cli_fail("%s: netpram was built without toml++: write the task as JSON, task.json", path);
#endif
}

static int read_task(const char *path, np_grade_task **out)
{
    char *text, *json = NULL;
    size_t length;
    int status = 0;
    if (np_text_read(path, &text, &length))
        return cli_fail_last();
    if (!ends_in(path, ".json"))
        status = to_json(path, text, &length, &json);
    if (!status && np_grade_task_create(path, json ? json : text, length, out))
        status = cli_fail_last();
    free(json);
    np_memory_free(text);
    return status;
}

/* ---- A command as oracle ---- */

static int refuse_command(const np_grade_task *task, const np_grade_case *item, cli_end end)
{
    const char *command = task->command[0];
    if (end == CLI_END_ALONE)
        return cli_fail("%s: the command '%s' is run in user and network namespaces of its own, which this system does "
                        "not give",
                        task->path, command);
    if (end == CLI_END_START)
        return cli_fail("%s: the command '%s' cannot be started: %s", task->path, command, strerror(errno));
    if (end == CLI_END_TIME)
        return cli_fail("%s: the command '%s' took more than %u second%s on '%s'", task->path, command,
                        (unsigned)task->oracle_seconds, np_plural(task->oracle_seconds), item->name);
    return cli_fail("%s: the command '%s' has failed on '%s'", task->path, command, item->name);
}

static int ask_command(np_grade_task *task, np_grade_case *item, FILE *input, FILE *output)
{
    const cli_process process = {.seconds = (unsigned)task->oracle_seconds,
                                 .memory = task->oracle_memory,
                                 .alone = true,
                                 .folder = task->folder,
                                 .input = input,
                                 .output = output,
                                 .command = task->command};
    size_t length;
    int status = 0;
    np_grade_case_write(task, item, input);
    if (ferror(input) || fflush(input) || fseek(input, 0, SEEK_SET))
        return cli_fail("no room for the inputs of a command");
    cli_end end;
    const pid_t started = cli_process_start(&process, &end);
    if (started < 0)
        return refuse_command(task, item, end);
    end = cli_process_end(cli_process_wait(started));
    if (end != CLI_END_WELL)
        return refuse_command(task, item, end);
    char *answer = cli_process_read(output, &length);
    if (!answer)
        status = cli_fail("no memory for the answer of '%s'", task->command[0]);
    else if (np_grade_case_answer(task, item, answer, length))
        status = cli_fail_last();
    free(answer);
    return status;
}

static int ask_commands(np_grade_task *task)
{
    int status = 0;
    for (size_t i = 0; i < task->cases && task->oracle == NP_GRADE_COMMAND && !status; i++) {
        FILE *input = tmpfile(), *output = tmpfile();
        status = input && output ? ask_command(task, &task->item[i], input, output)
                                 : cli_fail("no temporary file: %s", strerror(errno));
        if (input)
            fclose(input);
        if (output)
            fclose(output);
    }
    return status;
}

/* ---- Programs, a process each ---- */

typedef struct graded {
    const np_grade_task *task;
    const char *path;
    pid_t process; /* 0: none */
    FILE *output;
} graded;

static void grade_one(void *context, FILE *output)
{
    const graded *g = context;
    np_grade_program(g->task, g->path, output);
}

static int start(graded *g)
{
    cli_end why;
    /* The library's account stops a program before the addresses end. */
    const cli_process process = {.seconds = (unsigned)g->task->seconds,
                                 .memory = 2 * g->task->memory + (UINT64_C(1) << 30),
                                 .work = grade_one,
                                 .context = g,
                                 .output = g->output = tmpfile()};
    if (!g->output || (g->process = cli_process_start(&process, &why)) < 0)
        return cli_fail("no process for %s: %s", g->path, strerror(errno));
    return 0;
}

static int finish(graded *g, int state, np_grade_class *class, size_t i)
{
    const cli_end end = cli_process_end(state);
    char message[80];
    size_t length;
    int status = 0;
    snprintf(message, sizeof message, end == CLI_END_TIME ? "more than %u second%s" : "it has ended the process",
             (unsigned)g->task->seconds, np_plural(g->task->seconds));
    char *text = cli_process_read(g->output, &length);
    const np_grade_said said = {
        .path = g->path, .text = text, .length = length, .why = end == CLI_END_WELL ? NULL : message};
    if (!text)
        status = cli_fail("no memory for what is said of %s", g->path);
    else if (np_grade_class_set(class, i, &said))
        status = cli_fail_last();
    free(text);
    fclose(g->output);
    g->output = NULL;
    g->process = 0;
    return status;
}

/* Waits for one of those that run. */
static int wait_one(graded *all, size_t count, np_grade_class *class)
{
    int state;
    pid_t ended;
    while ((ended = waitpid(-1, &state, 0)) < 0 && errno == EINTR)
        ;
    for (size_t i = 0; i < count; i++)
        if (all[i].process == ended && ended > 0)
            return finish(&all[i], state, class, i);
    return ended < 0 ? cli_fail("a process is lost: %s", strerror(errno)) : 0;
}

static void tell(np_watch watch, size_t ended, size_t count)
{
    const np_progress progress = {
        .unit = "programs", .done = ended, .of = count, .share = (double)ended / (double)count};
    if (watch.tell(watch.context, &progress))
        cli_interrupt_die();
}

/* As many at a time as there are processors. */
static int grade_all(graded *all, size_t count, np_grade_class *class, np_watch watch)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t most = online > 0 ? (size_t)online : 1;
    size_t started = 0, ended = 0;
    int status = 0;
    while (ended < count && !status) {
        if (started < count && started - ended < most)
            status = start(&all[started++]);
        else {
            status = wait_one(all, count, class);
            tell(watch, ++ended, count);
        }
    }
    return status;
}

/* ---- Reports ---- */

/* "submissions/ada.pram" is ada. */
static int name_page(const arguments *a, const char *program, char path[PATH_MAX])
{
    const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
    const size_t length = strlen(name) - (ends_in(name, ".pram") ? 5 : 0);
    return snprintf(path, PATH_MAX, "%s/%.*s.html", a->pages, (int)length, name) < PATH_MAX
               ? 0
               : cli_fail("--pages: the path of the page of %.60s... is too long", name);
}

/* All that may be in the way of pages, before programs are run. */
static int check_pages(const arguments *a, const graded *all, size_t count)
{
    char path[PATH_MAX], other[PATH_MAX];
    int status = 0;
    if (!a->pages)
        return 0;
    if (!*a->pages)
        return cli_fail("--pages: no folder; write --pages . for this one");
    for (size_t i = 0; i < count; i++) {
        if ((status = name_page(a, all[i].path, path)))
            return status;
        for (size_t k = 0; k < i; k++) {
            if ((status = name_page(a, all[k].path, other)))
                return status;
            if (!strcmp(path, other))
                return cli_fail("--pages: %s and %s have the same page, %s", all[k].path, all[i].path, path);
        }
    }
    if (np_output_directory(a->pages))
        return cli_fail_last();
    return access(a->pages, W_OK | X_OK) ? cli_fail("--pages: %s: %s", a->pages, strerror(errno)) : 0;
}

static int write_pages(const arguments *a, const np_grade_class *class, const graded *all, size_t count)
{
    char path[PATH_MAX];
    for (size_t i = 0; i < count && a->pages; i++) {
        np_output *output;
        const int status = name_page(a, all[i].path, path);
        if (status || np_output_open(path, &output))
            return status ? status : cli_fail_last();
        np_grade_class_page(class, i, np_output_stream(output));
        if (np_output_commit(output))
            return cli_fail_last();
    }
    return 0;
}

static int grade(arguments *a, const np_grade_task *task, graded *all, size_t count)
{
    np_grade_class *class;
    cli_progress progress;
    for (size_t i = 0; i < count; i++)
        all[i] = (graded){.task = task, .path = a->common.word[i + 1].text};
    int status = check_pages(a, all, count);
    if (status)
        return status;
    if (np_grade_class_create(task, count, a->reveal, &class))
        return cli_fail_last();
    const np_watch watch = cli_progress_start(&progress, &a->common);
    status = grade_all(all, count, class, watch);
    cli_progress_clear(&progress);
    if (!status)
        status = write_pages(a, class, all, count);
    if (!status && np_grade_class_report(class, &a->common.report, stdout))
        status = cli_fail_last();
    if (!status && !np_grade_class_right(class))
        status = CLI_CHECK_FAILED;
    np_grade_class_free(class);
    return status;
}

static int run(void *self)
{
    arguments *a = self;
    np_grade_task *task = NULL;
    if (a->common.words < 2)
        return cli_fail("grade needs a task and programs, as in 'netpram grade task.toml submissions/*.pram'");
    const char *task_path = a->common.word[0].text, *ending = strrchr(task_path, '.');
    if (ending && !strcmp(ending, ".pram"))
        return cli_fail(
            "'%.200s' is a program: the task comes first, as in 'netpram grade task.toml submissions/*.pram'",
            task_path);
    const size_t count = a->common.words - 1;
    graded *all = calloc(count, sizeof *all);
    int status = all ? read_task(task_path, &task) : cli_fail("no memory for %zu programs", count);
    if (!status)
        status = ask_commands(task);
    if (!status)
        status = grade(a, task, all, count);
    np_grade_task_free(task);
    free(all);
    return status;
}

/* Words are files: no option takes a text of its own. */
static const np_field *no_more(size_t i)
{
    (void)i;
    return NULL;
}

static bool draws(const void *self) { return (void)self, false; }

const cli_verb cli_grade = {
    .name = "grade",
    .help = "the PRAM programs of a class: right? by the rule? within the bounds?",
    .subject = "TASK PROGRAM...",
    .does =
        "Grades PRAM programs by a task, a file in TOML or JSON: it names inputs, who says what is right, the access "
        "rule, bounds on T, W and processors, and limits. Each program runs in a process of its own. Exit status 1 if "
        "a program is not right.",
    .fields = &fields,
    .more = no_more,
    .draws = draws,
    .run = run,
};
