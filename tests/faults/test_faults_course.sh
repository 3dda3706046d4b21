#!/bin/sh
# Progress, hand-ins, notebooks and reports, with failing calls on files: see faults.sh.
# Sources: course/progress.lua
. tests/faults/faults.sh

progress_is_saved_whole() { every_call progress.json; }
hand_ins_are_saved_whole() {
    "$phasor" -e "$record" > /dev/null
    every_call handin.json
}
notebooks_are_saved_whole() { every_call a.ipynb ENOSPC; }
reports_are_saved_whole() { every_call a.html ENOSPC; }
pages_of_experiments_are_saved_whole() { every_call page.html ENOSPC; }

run_cases progress_is_saved_whole hand_ins_are_saved_whole notebooks_are_saved_whole reports_are_saved_whole pages_of_experiments_are_saved_whole
