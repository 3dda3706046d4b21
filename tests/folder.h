/* folder.h: a test in an empty folder of its own, which goes with it: cmocka_unit_test_setup_teardown(f, enter_folder, leave_folder). */
#ifndef PH_TESTS_FOLDER_H
#define PH_TESTS_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder_before[400], folder[64];

static inline int enter_folder(void **state) {
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/phasor-test-XXXXXX");
    return getcwd(folder_before, sizeof folder_before) && mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static inline int leave_folder(void **state) {
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir(folder_before) != 0 || system(command) != 0;
}

#endif
