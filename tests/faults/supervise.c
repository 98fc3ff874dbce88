/*
 * supervise LOG MODE [N [ERROR]] COMMAND...: runs the command, and lets one of its system calls fail.
 *
 *     list           writes to LOG a line "N ERROR CALL FILE" for each failure that can be asked for
 *     fail N ERROR   the N-th call that can fail gets this error; ERROR 0: it writes half of what it was given
 *     calls          writes to LOG a line "N CALL FILE" for every call
 *     kill N         kills the command when it begins its N-th call
 *
 * The kernel asks us about each call: a seccomp filter with a listener. So the command needs no hook and no other
 * libraries, and no call escapes, neither the C library's own nor those of a sanitizer. Any processor will do. Calls
 * are counted from the first fcntl(0, F_GETFD) on, with which the command's main() begins: what the loader does does
 * not matter. Threads and the child of posix_spawn up to its execve belong to the command; the program that it starts
 * does not.
 *
 * The status is the command's, 128 + the signal that ended it, 98 if it takes a minute, 99 if we fail, and 77 where
 * there is no such listener.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { HANG = 98, BROKEN = 99, NO_LISTENER = 77, SECONDS = 60, ERRORS = 6, SHORT = 0 };

#ifdef __s390x__
enum { CLONE_FLAGS = 1 }; /* the argument of clone that has its flags */
#else
enum { CLONE_FLAGS = 0 };
#endif

/* A call, where it names its file, and the errors that it may have; 0 ends them, and SHORT comes first. */
typedef struct call {
    long number;
    const char *name;
    int path, file; /* the argument that is its path, or its descriptor; -1: none */
    bool halves;    /* may write a part only */
    int errors[ERRORS];
} call;

static const call calls[] = {
#ifdef SYS_open
    {SYS_open, "open", 0, -1, false, {EMFILE, EACCES, EINTR, ENOSPC}},
#endif
    {SYS_openat, "openat", 1, -1, false, {EMFILE, EACCES, EINTR, ENOSPC, EROFS}},
    {SYS_read, "read", -1, 0, false, {EIO, EINTR}},
    {SYS_pread64, "pread64", -1, 0, false, {EIO, EINTR}},
    {SYS_write, "write", -1, 0, true, {ENOSPC, EIO, EINTR, EDQUOT}},
    {SYS_pwrite64, "pwrite64", -1, 0, true, {ENOSPC, EIO, EINTR}},
    {SYS_writev, "writev", -1, 0, false, {ENOSPC, EIO, EINTR}},
    {SYS_fsync, "fsync", -1, 0, false, {EIO, ENOSPC, EINTR}},
    {SYS_fdatasync, "fdatasync", -1, 0, false, {EIO, ENOSPC, EINTR}},
    {SYS_ftruncate, "ftruncate", -1, 0, false, {EIO, EINTR}},
    {SYS_close, "close", -1, 0, false, {EIO, EINTR}},
#ifdef SYS_rename
    {SYS_rename, "rename", 0, -1, false, {EACCES, EIO, ENOSPC, EXDEV}},
#endif
    {SYS_renameat2, "renameat2", 1, -1, false, {EACCES, EIO, ENOSPC, EXDEV}},
#ifdef SYS_renameat
    {SYS_renameat, "renameat", 1, -1, false, {EACCES, EIO, ENOSPC, EXDEV}},
#endif
#ifdef SYS_unlink
    {SYS_unlink, "unlink", 0, -1, false, {EIO, EACCES}},
#endif
    {SYS_unlinkat, "unlinkat", 1, -1, false, {EIO, EACCES}},
#ifdef SYS_mkdir
    {SYS_mkdir, "mkdir", 0, -1, false, {ENOSPC, EACCES, EROFS}},
#endif
    {SYS_mkdirat, "mkdirat", 1, -1, false, {ENOSPC, EACCES, EROFS}},
#ifdef SYS_stat
    {SYS_stat, "stat", 0, -1, false, {EIO, EACCES}},
#endif
#ifdef SYS_newfstatat
    {SYS_newfstatat, "newfstatat", 1, 0, false, {EIO, EACCES}},
#endif
    {SYS_fstat, "fstat", -1, 0, false, {EIO}},
    {SYS_fcntl, "fcntl", -1, 0, false, {EMFILE, ENOLCK}},
    {SYS_flock, "flock", -1, 0, false, {ENOLCK, EINTR, EWOULDBLOCK}},
    {SYS_fchmod, "fchmod", -1, 0, false, {EPERM}},
    {SYS_fchown, "fchown", -1, 0, false, {EPERM}},
    {SYS_getdents64, "getdents64", -1, 0, false, {EIO}},
#ifdef SYS_access
    {SYS_access, "access", 0, -1, false, {EACCES}},
#endif
    {SYS_faccessat, "faccessat", 1, -1, false, {EACCES}},
#ifdef SYS_readlink
    {SYS_readlink, "readlink", 0, -1, false, {EIO}},
#endif
    {SYS_readlinkat, "readlinkat", 1, -1, false, {EIO}},
    {SYS_getcwd, "getcwd", -1, -1, false, {ENOENT, EACCES}},
#ifdef SYS_mmap
    {SYS_mmap, "mmap", -1, -1, false, {ENOMEM}},
#endif
    {SYS_mprotect, "mprotect", -1, -1, false, {ENOMEM}},
    {SYS_clone, "clone", -1, -1, false, {EAGAIN, ENOMEM}},
    {SYS_execve, "execve", 0, -1, false, {ENOENT, EACCES, ENOMEM}},
    {SYS_wait4, "wait4", -1, -1, false, {EINTR}},
};
enum { CALLS = sizeof calls / sizeof *calls };

/* The state of a supervised command. */
typedef struct watch {
    FILE *log;
    const char *mode;
    long chosen;
    int error;
    pid_t child;
    int listener;
    bool begun;
    long count;
    pid_t known[64]; /* threads, and the processes that they are of */
    pid_t process[64];
    size_t threads;
    pid_t other; /* a process that runs another program */
} watch;

static bool is(const watch *w, const char *mode) { return !strcmp(w->mode, mode); }

/* ---- The command's side ---- */

static int give(int channel, int file)
{
    union {
        char space[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {{0}};
    char byte = 0;
    struct iovec data = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    *head = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(head), &file, sizeof file);
    return sendmsg(channel, &message, 0) == 1 ? 0 : -1;
}

/* Has the kernel ask about every call but a few; clone3 does not exist, so that clone tells its flags. */
static void begin(int channel, char **command)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sendmsg, 3, 0), /* by which we hand the listener over */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_futex, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_yield, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    int listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    if (listener < 0 || give(channel, listener))
        _exit(NO_LISTENER);
    close(listener);
    close(channel);
    execvp(command[0], command);
    _exit(BROKEN);
}

/* ---- Our side ---- */

static int take(int channel)
{
    union {
        char space[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    char byte;
    int file = -1;
    struct iovec data = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    if (recvmsg(channel, &message, MSG_CMSG_CLOEXEC) == 1 && CMSG_FIRSTHDR(&message))
        memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof file);
    return file;
}

/* The process of a thread; 0: it has ended. */
static pid_t process_of(watch *w, pid_t thread)
{
    char path[64], line[128];
    int process = 0;
    for (size_t i = 0; i < w->threads; i++)
        if (w->known[i] == thread)
            return w->process[i];
    snprintf(path, sizeof path, "/proc/%d/status", thread);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "Tgid: %d", &process) == 1)
            break;
    if (file)
        fclose(file);
    if (process && w->threads < sizeof w->known / sizeof *w->known) {
        w->known[w->threads] = thread;
        w->process[w->threads++] = process;
    }
    return process;
}

/* What a call is about: its path, or the path of its descriptor if it has none or an empty one. "-" if there is
 * neither. */
static const char *name_of(const struct seccomp_notif *asked, const call *made, char text[256])
{
    char link[64];
    *text = '\0';
    if (made && made->path >= 0) {
        struct iovec mine = {text, 200}, theirs = {(void *)(uintptr_t)asked->data.args[made->path], 200};
        ssize_t got = process_vm_readv((pid_t)asked->pid, &mine, 1, &theirs, 1, 0);
        if (got <= 0) { /* the string ends near the end of a page */
            theirs.iov_len = 4096 - (asked->data.args[made->path] & 4095);
            got = process_vm_readv((pid_t)asked->pid, &mine, 1, &theirs, 1, 0);
        }
        text[got > 0 ? got : 0] = '\0';
    }
    if (!*text && made && made->file >= 0) {
        snprintf(link, sizeof link, "/proc/%d/fd/%d", asked->pid, (int)asked->data.args[made->file]);
        ssize_t got = readlink(link, text, 200);
        text[got > 0 ? got : 0] = '\0';
    }
    text[strcspn(text, " \n")] = '\0';
    return *text ? text : strcpy(text, "-");
}

static const call *find(long number)
{
    for (size_t i = 0; i < CALLS; i++)
        if (calls[i].number == number)
            return &calls[i];
    return NULL;
}

/* Can this call fail in the ways that the table says? */
static bool can_fail(const call *made, const struct seccomp_notif *asked)
{
    if (!made)
        return false;
    if (made->number == SYS_clone)
        return (asked->data.args[CLONE_FLAGS] & (CLONE_THREAD | CLONE_VFORK)) != 0;
    if (made->number == SYS_fcntl)
        return (int)asked->data.args[1] == F_DUPFD_CLOEXEC || (int)asked->data.args[1] == F_SETLK;
    if (made->number == SYS_close)
        return (int)asked->data.args[0] > 2;
    return true;
}

/* Only what makes a file lacks room, and only what locks one lacks locks. */
static bool may_have(const call *made, const struct seccomp_notif *asked, int error)
{
    if (made->number == SYS_openat && !(asked->data.args[2] & O_CREAT))
        return error != ENOSPC && error != EROFS;
    if (made->number == SYS_fcntl)
        return (error == ENOLCK) == ((int)asked->data.args[1] == F_SETLK);
    return true;
}

static void list(watch *w, const call *made, const struct seccomp_notif *asked)
{
    char text[256];
    const char *name = name_of(asked, made, text);
    size_t length = asked->data.args[2];
    if (made->halves && length > 1)
        fprintf(w->log, "%ld %d %s %s\n", w->count, SHORT, made->name, name);
    for (int i = 0; i < ERRORS && made->errors[i]; i++)
        if (may_have(made, asked, made->errors[i]))
            fprintf(w->log, "%ld %d %s %s\n", w->count, made->errors[i], made->name, name);
}

/* Writes half of what the command wanted to write. Returns the bytes, or -1 and errno. */
static ssize_t write_half(const struct seccomp_notif *asked, pid_t process)
{
    static char data[1 << 20];
    size_t half = asked->data.args[2] / 2;
    half = half > sizeof data ? sizeof data : half;
    struct iovec mine = {data, half}, theirs = {(void *)(uintptr_t)asked->data.args[1], half};
    int handle = (int)syscall(SYS_pidfd_open, process, 0);
    int file = handle < 0 ? -1 : (int)syscall(SYS_pidfd_getfd, handle, (int)asked->data.args[0], 0);
    ssize_t done = -1;
    if (file >= 0 && process_vm_readv((pid_t)asked->pid, &mine, 1, &theirs, 1, 0) == (ssize_t)half)
        done = asked->data.nr == SYS_write ? write(file, data, half)
                                           : pwrite(file, data, half, (off_t)asked->data.args[3]);
    if (handle >= 0)
        close(handle);
    if (file >= 0)
        close(file);
    return done;
}

/* Decides what becomes of a call. */
static void decide(watch *w, const struct seccomp_notif *asked, struct seccomp_notif_resp *answer)
{
    const call *made = find(asked->data.nr);
    pid_t process = process_of(w, (pid_t)asked->pid);
    char text[256];
    answer->id = asked->id;
    answer->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    if (asked->data.nr == SYS_fcntl && asked->data.args[0] == 0 && asked->data.args[1] == F_GETFD)
        w->begun = true;
    if (!w->begun || process == w->other)
        return;
    if (process != w->child && asked->data.nr == SYS_execve)
        w->other = process;
    bool every = is(w, "calls") || is(w, "kill");
    if (!every && !can_fail(made, asked))
        return;
    w->count++;
    if (is(w, "list"))
        list(w, made, asked);
    else if (is(w, "calls"))
        fprintf(w->log, "%ld %s(%d) %s\n", w->count, made ? made->name : "call", asked->data.nr,
                name_of(asked, made, text));
    else if (w->count == w->chosen && every)
        kill(w->child, SIGKILL);
    else if (w->count == w->chosen) {
        *answer = (struct seccomp_notif_resp){.id = asked->id, .error = -w->error};
        if (w->error == SHORT && (answer->val = write_half(asked, process)) < 0)
            answer->error = -EIO;
        fprintf(w->log, "%ld %d %s %s\n", w->count, w->error, made->name, name_of(asked, made, text));
    }
}

/* Answers one question. Returns false if nobody can ask any more. */
static bool answer_one(watch *w, const struct seccomp_notif_sizes *sizes)
{
    struct seccomp_notif *asked = calloc(1, sizes->seccomp_notif);
    struct seccomp_notif_resp *answer = calloc(1, sizes->seccomp_notif_resp);
    struct pollfd ready = {w->listener, POLLIN, 0};
    bool more = poll(&ready, 1, -1) > 0 && (ready.revents & POLLIN);
    if (more && !ioctl(w->listener, SECCOMP_IOCTL_NOTIF_RECV, asked)) {
        decide(w, asked, answer);
        ioctl(w->listener, SECCOMP_IOCTL_NOTIF_SEND, answer); /* fails if the thread was killed */
    }
    free(asked);
    free(answer);
    return more;
}

static pid_t hanging;

static void stop_hanging(int number)
{
    (void)number;
    kill(hanging, SIGKILL);
    _exit(HANG);
}

static int supervise(watch *w)
{
    struct seccomp_notif_sizes sizes;
    int state;
    if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes))
        return NO_LISTENER;
    hanging = w->child;
    signal(SIGALRM, stop_hanging);
    alarm(SECONDS);
    while (answer_one(w, &sizes))
        continue;
    if (waitpid(w->child, &state, 0) < 0 || (!w->begun && !is(w, "list")))
        return BROKEN;
    return WIFSIGNALED(state) ? 128 + WTERMSIG(state) : WEXITSTATUS(state);
}

int main(int argc, char **argv)
{
    int channel[2], next = 3;
    if (argc < 4 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel))
        return BROKEN;
    watch w = {.log = fopen(argv[1], "we"), .mode = argv[2]};
    if (is(&w, "fail") || is(&w, "kill"))
        w.chosen = atol(argv[next++]);
    if (is(&w, "fail"))
        w.error = atoi(argv[next++]);
    if (!w.log || (w.child = fork()) < 0)
        return BROKEN;
    if (!w.child)
        begin(channel[1], argv + next);
    close(channel[1]);
    w.listener = take(channel[0]);
    int status = w.listener < 0 ? NO_LISTENER : supervise(&w);
    return fclose(w.log) ? BROKEN : status;
}
