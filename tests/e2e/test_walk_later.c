/* The later lessons of the course in English. */
#define LANGUAGE english
#include "e2e/walk_later.h"
