#!/bin/sh
# The table of docs/teaching.md is the plan that the program shows, and every lesson is on one of its days (but the appendix).
# Sources: course/plan.lua
. tests/house/house.sh
phasor=${PHASOR:-$build/phasor}

plan_rows() { "$phasor" -e 'print(table.concat(require("phasor.course.plan").markdown(), "\n"))'; }
the_docs_have_the_rows_of_the_plan_and_no_others() {
    plan_rows > "$build/plan" && [ -s "$build/plan" ] || echo "no rows"
    grep '^| [12], day' docs/teaching.md | diff "$build/plan" -
    rm "$build/plan"
}
every_lesson_has_its_minutes() {
    "$phasor" -e '
      for _, name in ipairs(require("phasor.course.catalogue").names()) do
        if name ~= "proof" and not require("phasor.course.plan").minutes(name) then print(name .. ": on no day") end
      end'
}
the_plan_is_no_wider_than_a_terminal() {
    for lang in en zh; do "$phasor" course --lang $lang; done | "$phasor" -e '
      local n = 0
      for line in io.lines() do
        n = n + 1
        if require("phasor.document.prose").width(line) > 80 then print(line) end
      end
      if n < 20 then print("no plan") end'
}

run_cases the_docs_have_the_rows_of_the_plan_and_no_others every_lesson_has_its_minutes the_plan_is_no_wider_than_a_terminal
