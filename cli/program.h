/* Programs that draw for us. program.c */
#ifndef CLI_PROGRAM_H
#define CLI_PROGRAM_H

#include <stdbool.h>
#include <sys/types.h>

enum { CLI_PROGRAM_PATH = 4096 };

/* Finds the first program of that name in the PATH. */
bool cli_program_find(const char *name, char program[CLI_PROGRAM_PATH]);

/*
 * Runs the program, with the signals that we had, except that SIGXFSZ is ignored, and waits for it. It ends with us.
 * in, out: descriptors of its standard input and output; -1: none. Returns an error number if it cannot be started or
 * waited for, else 0 and how it ended, as waitpid has it.
 */
int cli_program_run(const char *program, char *const arguments[], int in, int out, int *state);

#endif
