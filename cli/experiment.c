#include "command.h"
int cli_experiment(int argc, char **argv) { (void)argc, (void)argv; return 0; }
