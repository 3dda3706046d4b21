/* The first lessons of the course in Chinese. */
#define LANGUAGE chinese
#include "e2e/walk_first.h"
