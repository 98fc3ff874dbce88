/* toml.cpp: a text in TOML as JSON, by toml++ (C++), if netpram was built with it. */
#ifndef CLI_TOML_H
#define CLI_TOML_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The text as JSON, freed with free. NULL: no TOML (`message` has the line and why), or no memory ("" in message). */
char *cli_toml_json(const char *text, size_t length, size_t *json_length, char *message, size_t room);

#ifdef __cplusplus
}
#endif

#endif
