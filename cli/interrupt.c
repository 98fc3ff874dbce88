/* A first signal only sets a flag, which the callbacks of long work look at: temporary files are then removed. */
#include <stdlib.h>
#include <string.h>

#include "command.h"

static volatile sig_atomic_t caught;

static void note(int number) { caught = number; }

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
    abort(); /* not reached: the default of both signals is to end */
}
