/* main.c: arguments → front end. */
#include <stdio.h>

int main(void) {
    puts("phasor " PH_VERSION);
    return 0;
}
