/*
 * Functions of glibc that Debian's archives of jansson and SQLite call and musl does not have. With them the
 * command is linked with musl without building these libraries anew: what is compared is netpram on another C library.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void *__memcpy_chk(void *to, const void *from, size_t bytes, size_t room)
{
    return (void)room, memcpy(to, from, bytes);
}

void *__memset_chk(void *to, int value, size_t bytes, size_t room) { return (void)room, memset(to, value, bytes); }

char *__strncpy_chk(char *to, const char *from, size_t bytes, size_t room)
{
    return (void)room, strncpy(to, from, bytes);
}

int __vsnprintf_chk(char *to, size_t bytes, int flag, size_t room, const char *format, va_list values)
{
    return (void)flag, (void)room, vsnprintf(to, bytes, format, values);
}

int __snprintf_chk(char *to, size_t bytes, int flag, size_t room, const char *format, ...)
{
    va_list values;
    (void)flag;
    (void)room;
    va_start(values, format);
    int length = vsnprintf(to, bytes, format, values);
    va_end(values);
    return length;
}

int fcntl64(int file, int command, ...)
{
    va_list values;
    va_start(values, command);
    void *value = va_arg(values, void *);
    va_end(values);
    return fcntl(file, command, value);
}

long __sysconf(int name) { return sysconf(name); }

/* Of argp_help's file, for functions that nobody calls. */
int argp_err_exit_status = 64;
const char *argp_program_bug_address;
void *_argp_input(const void *argp, const void *state) { return (void)argp, (void)state, NULL; }
