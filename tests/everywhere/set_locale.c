/* Loaded before the command (LD_PRELOAD): takes the locale of the environment, as programs do that call the library. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void take_locale(void)
{
    unsetenv("LD_PRELOAD");                                   /* not for programs that the command starts */
    if (setlocale(LC_ALL, "") && setlocale(LC_MESSAGES, "C")) /* the system says why a file does not open */
        return;
    fputs("set_locale: there is no such locale\n", stderr);
    exit(99);
}
