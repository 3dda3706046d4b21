/* The first lessons of the course, walked through in LANGUAGE: walk.h. */
#include "e2e/walk.h"

LESSON(order)
LESSON(attention)
LESSON(recurrence)
LESSON(absolute)
LESSON(sinusoids)
LESSON(origin)
LESSON(decay)

int main(void) {
    const struct CMUnitTest tests[] = {CASE(order),     CASE(attention), CASE(recurrence), CASE(absolute),
                                       CASE(sinusoids), CASE(origin),    CASE(decay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
