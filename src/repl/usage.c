/* usage.c: see usage.h. */
#include "repl/usage.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "repl/settings.h"

#define LANG_OPTION "--lang en|zh\tin English or in Chinese; without it, as the locale says\n"

const usage_command repl_commands[] = {
    {"lesson", "[NAME] [--lang en|zh] [--seed STUDENT] [--restart]",
     "work through a lesson; without NAME, list them. lesson plan: by days. lesson export NAME writes your answers to hand in; for authors: lesson lint "
     "[NAME], lesson new NAME",
     true,
     LANG_OPTION "--seed STUDENT\tthe variants of the exercises that belong to this name\n"
                 "--restart\tfrom the first step, with no points\n"
                 "--trust\ta lesson from a file is your own: it may do what you may, and keeps progress\n"
                 "--student NAME\texport: whose answers these are\n"
                 "--out FILE\texport: where to; LESSON-STUDENT.json without it\n",
     false},
    {"grade", "FILES... [--out FILE.csv]", "try students' answers again, as CSV", false,
     LANG_OPTION "--out FILE.csv\tthe table, instead of printing it\n"
                 "--lesson NAME\tthe lesson that Lua files with answers belong to; FILE.lua of your own\n"
                 "--seed STUDENT\twhose variants the Lua files answer\n"
                 "--seconds N\tthe time for each answer (10)\n"
                 "--memory MB\tthe memory for each answer (1024)\n"
                 "--trust\tthe lesson in FILE is your own: it may do what you may\n"
                 "--students FILE.csv\talso a table with a row for each student\n"
                 "--questions FILE.csv\talso a table with a row for each exercise\n"
                 "--overview\tshow the class: which exercise fails, and with which feedback\n"
                 "--feedback FOLDER\talso a text for each hand-in\n"
                 "--accept-broken\tpoints also where the seal is broken\n"
                 "--weak\teven where the system cannot keep answers from your files\n",
     false},
    {"glossary", "[TERM]", "the terms, in English and Chinese", false, LANG_OPTION, false},
    {"check",
     "[ID|LESSON...] [--json] [--report FILE.html] [--strict] [--time] [--jobs N] [--model FILE --word KEY --position KEY]",
     "check claims and lessons, all without a name", false,
     LANG_OPTION "--json\tthe results as JSON\n"
                 "--report FILE.html\ta page of all results\n"
                 "--strict\talso fail where something is unknown or weaker than the ledger says\n"
                 "--time\tsay how long each took\n"
                 "--jobs N\tso many processes; one for each processor without it\n"
                 "--coq FOLDER\twrite the proofs as files for Coq\n"
                 "--trust\ta lesson from a file is your own: it may do what you may\n"
                 "--model FILE\ta trained model, for what is measured on one\n"
                 "--word KEY\tthe name of its table of words, or a file .npy\n"
                 "--position KEY\tthe name of its table of positions, or a file .npy\n"
                 "--train\tdo the runs of experiments anew, which takes minutes\n",
     false},
    {"train", "FILE.lua|RECIPE [--steps N] [--seed N] [--out FOLDER] [--resume]",
     "train a transformer; FILE.lua returns the options of train", false,
     LANG_OPTION
     "--steps N\tso many, whatever the recipe says\n"
     "--seed N\tof the model and its batches\n"
     "--out FOLDER\twhere run.safetensors, best.safetensors and losses.csv go; named as the recipe without it\n"
     "--resume\tgo on with the run in the folder\n",
     false},
    {"experiment",
     "list | run NAME [--jobs N] [--only I/N] [--out FOLDER] | report NAME [--out FOLDER] [--page FILE.html]",
     "train models and judge a rule that was written before; what the claims about trained models rest on",
     false,
     LANG_OPTION
     "--jobs N\trun: so many runs at a time; one without it. Under mpirun or srun ranks share a folder: each takes the next free run, also that of a rank that died\n"
     "--only I/N\trun: the I-th of N shares, each on a machine of its own\n"
     "--out FOLDER\twhere the results are; run: a folder of the experiment's name without it; report: those shipped\n"
     "--parts N\treport: the results of N shares too\n"
     "--page FILE.html\treport: a page with its pictures\n",
     false},
    {"claims", "[--json]", "list the claims and how they stand", false, LANG_OPTION "--json\tas JSON\n",
     false},
    {"notebook", "LESSON [--lang en|zh] [--student] [--out FILE]",
     "write a lesson as a Jupyter notebook, not executed", false,
     LANG_OPTION "--student\twith stubs where the solutions are\n"
                 "--out FILE\twhere to, instead of printing it\n",
     false},
    {"page", "LESSON...|--all -o DIR [--lang en|zh] [--teacher]",
     "write lessons as pages for a browser, with what their cells show; all of them with contents, glossary, atlas, ledger and report",
     false,
     "--lang en|zh\tonly in that language; without it, in both\n"
     "--all\tevery lesson, and the rest of the book\n"
     "-o, --out DIR\tthe folder to write into\n"
     "--teacher\twith solutions and what checks them\n"
     "--teachers DIR\tthe same pages with solutions into that folder besides\n"
     "--jobs N\tso many processes; one for each processor without it\n"
     "--trust\ta lesson from a file is your own: it may do what you may\n",
     false},
    {"course", "[pack --student -o DIR [--checks]]",
     "the course by days, with minutes and what each lesson needs; pack: write a program for students, whose lessons have no solutions, "
     "wrong answers and hidden tests",
     false,
     LANG_OPTION
     "--student\tas students may have it\n"
     "-o, --out DIR\tthe folder to write into: the program, and its lessons to read\n"
     "--checks\tkeep what is not hidden of the checks: feedback at once, but a check shows what it wants\n"
     "--jobs N\tso many processes; one for each processor without it\n",
     false},
    {"kernel", "install [--user|--prefix DIR] | run CONNECTION [--lang en|zh]",
     "tell Jupyter of this program; what Jupyter then runs", false,
     LANG_OPTION "--user\tinstall: for this user, which is the default\n"
                 "--prefix DIR\tinstall: below DIR/share/jupyter\n",
     true},
    {0},
};

const usage_command *repl_find_command(const char *name) {
    for (const usage_command *c = repl_commands; c->name; c++)
        if (strcmp(name, c->name) == 0) return c;
    return NULL;
}

const char *const *repl_command_names(void) {
    static const char *names[sizeof repl_commands / sizeof *repl_commands];
    for (size_t i = 0; repl_commands[i].name; i++) names[i] = repl_commands[i].name;
    return names;
}

/* Words behind `column` columns of a line, further lines below them. */
static void print_folded(const char *text, int column) {
    size_t n = strlen(text);
    while (n > 0) {
        size_t fits = ph_utf8_fit(text, n, 80 - (size_t)column);
        printf("%.*s\n", (int)fits, text);
        for (text += fits, n -= fits; n > 0 && *text == ' '; n--) text++;
        if (n > 0) printf("%*s", column, "");
    }
}

static const usage_words *chinese(const usage_command *c) {
    return repl_is_chinese() ? repl_chinese_words(c->name) : NULL;
}

void repl_print_commands(void) {
    for (const usage_command *c = repl_commands; c->name; c++) {
        printf("       phasor %-10s ", c->name);
        print_folded(c->arguments, 25);
        printf("%21s", "");
        print_folded(chinese(c) ? chinese(c)->help : c->help, 21);
    }
}

void repl_print_usage(const usage_command *c) {
    const usage_words *zh = chinese(c);
    const char *begin = REPL_SAYS("usage: phasor", "用法：phasor"), *says = zh ? zh->options : NULL;
    printf("%s %s ", begin, c->name);
    print_folded(c->arguments, (int)(ph_utf8_width(begin, strlen(begin)) + strlen(c->name)) + 2);
    printf("\n  ");
    print_folded(zh ? zh->help : c->help, 2);
    if (*c->options) puts(REPL_SAYS("\noptions:", "\n选项："));
    for (const char *s = c->options; *s;) {
        size_t name = strcspn(s, "\t"), n = strcspn(s, "\n");
        const char *from = says && *says ? says : s + name + 1;
        char help[240];
        snprintf(help, sizeof help, "%.*s", (int)strcspn(from, "\n"), from);
        printf("  %-20.*s ", (int)name, s);
        print_folded(help, 23);
        s += n + 1;
        if (says && *says) says += strcspn(says, "\n") + 1;
    }
}
