#!/bin/sh
# The verdicts in the committed notebooks are those that the lessons give: every second lesson.
. tests/house/house.sh

verdicts_are_those_of_the_lessons() { LC_ALL=C.UTF-8 "$PHASOR" tests/lessons/notebooks.lua notebooks odd 2>&1; }

run_cases verdicts_are_those_of_the_lessons
