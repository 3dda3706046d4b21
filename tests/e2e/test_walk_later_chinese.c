/* The later lessons of the course in Chinese. */
#define LANGUAGE chinese
#include "e2e/walk_later.h"
