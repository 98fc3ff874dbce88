/*
 * A first signal only sets a flag. The callbacks of long work look at the flag
 * and end the work, so that temporary files are removed. If no callback comes for
 * a while (one long run among few), an alarm ends the program anyway.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

static volatile sig_atomic_t caught;

enum { PATIENCE_SECONDS = 2 }; /* ours */

static void note(int number)
{
    caught = number;
    alarm(PATIENCE_SECONDS);
}

void cli_interrupt_catch(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = note;
    action.sa_flags = (int)SA_RESETHAND | SA_RESTART;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int cli_interrupted(void) { return caught; }

void cli_interrupt_die(void)
{
    signal(caught, SIG_DFL);
    raise(caught);
    abort(); /* not reached: by default both signals end the program */
}
