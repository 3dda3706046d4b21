/* usage.h: the shell's commands (`phasor check`, …) and what `--help` says of each. */
#ifndef PH_REPL_USAGE_H
#define PH_REPL_USAGE_H

#include "base/base.h"

typedef struct {
    const char *name, *arguments, *help;
    bool asks;           /* it talks with the user, so it runs in a worker */
    const char *options; /* a line each: the option, a tab, what it does */
    bool kernel;         /* it is for Jupyter, and no part of the course */
} usage_command;

/* The same in Chinese: options has a line for each line of the command's, without the option and the tab. */
typedef struct {
    const char *name, *help, *options;
} usage_words;
const usage_words *repl_chinese_words(const char *name); /* NULL: there are none */

extern const usage_command repl_commands[]; /* ends with name == NULL */

const usage_command *repl_find_command(const char *name); /* NULL: none of them */
void repl_print_commands(void);                           /* a few lines for each */
void repl_print_usage(const usage_command *c);            /* all about one */
/* A list of their names that ends with NULL, for the nearest one. */
const char *const *repl_command_names(void);

#endif
