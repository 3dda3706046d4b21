/* The later lessons of the course, walked through in LANGUAGE: walk.h. */
#include "e2e/walk.h"

LESSON(hessian)
LESSON(relative)
LESSON(rope)
LESSON(context)
LESSON(modern)
LESSON(precision)
LESSON(errata)
LESSON(training)
LESSON(proof)

int main(void) {
    const struct CMUnitTest tests[] = {CASE(hessian), CASE(relative), CASE(rope),
                                       CASE(context), CASE(modern),   CASE(precision),
                                       CASE(errata),  CASE(training), CASE(proof)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
