/* What page.c has for page_pram.c: the text of JSON that grows, and the record of events. */
#ifndef NETPRAM_WEB_PAGE_H
#define NETPRAM_WEB_PAGE_H

#include "netpram/netpram.h"

/* The text: begun anew by each call of the page. page_fail is the answer to an error, by np_last_error(). */
void page_begin(void);
const char *page_text(void);
const char *page_fail(void);
void page_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void page_say_text(const char *s); /* in quotes; NULL: null */
void page_say_characters(const char *s, size_t length);
void page_say_object(const np_fields *fields, const void *object);

/* The events of a run. */
extern const np_observer page_observer;
void page_forget(void);
size_t page_phases(void); /* that have begun */
bool page_full(void);     /* there were too many events, and the run was ended */
void page_say_record(void);
/* Told at most twenty times a second. */
void page_tell_progress(size_t steps, double share); /* of a PRAM program; of a verdict; else 0 */

/* Divides a line "name=value" in place; *value = NULL: it has no '='. Returns the next line, or NULL. */
char *page_option(char *line, char **value);

/* Sets options by lines "name=value". The texts are kept in `lines`, which lasts as long as the options. */
np_status page_set_options(const np_fields *fields, void *options, char *lines);

/* Flows (page_flows.c): begins the answer. */
np_status page_flows(const np_network *network, const char *traffic, char *lines);

/* The verdict (page_throughput.c): begins the answer. */
np_status page_throughput(const np_network *network, const char *traffic, char *lines);

/* Takes lines "name=value" for the run of a text; the values are kept in `lines`. */
np_status page_pram_options(const np_script *script, char *lines, np_pram_options *pram, np_script_options *options);

/* The inputs of lines (page_input.c). They last until the next call, and so must the lines. */
np_status page_inputs(const np_script *script, char *lines, np_script_options *options);

#endif
