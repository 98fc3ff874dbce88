/* netpram: the command as one process. */
#include "job.h"

int main(int argc, char **argv) { return cli_main(argc, argv, NULL); }
