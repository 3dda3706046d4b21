#!/bin/sh
# Long lines of a lesson from a stranger: what reads them takes time as their length, not its square.
# Sources: document/trim.lua
. tests/house/house.sh
phasor=${PHASOR:-$build/phasor}

nothing_takes_the_square_of_its_length() { "$phasor" tests/course/long.lua; }

run_cases nothing_takes_the_square_of_its_length
