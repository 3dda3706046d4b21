#!/bin/sh
# README says how many claims there are, of which stance and said by whom, as the ledger has them; lessons/stated has something to say of each
# that no runs decide. (What the lesson on errata says is judged in the lesson.)
# Sources: course/stated.lua
. tests/house/house.sh
phasor=${PHASOR:-$build/phasor}

# WORDS: README.md has to say them.
readme_says() { [ -n "$1" ] && grep -qF "$1" README.md || echo "README.md does not say: $1"; }
the_readme_counts_the_claims() {
    readme_says "$("$phasor" -e '
  local l, n = require "phasor.ledger", {holds = 0, erratum = 0, empirical = 0}
  for _, c in ipairs(l.claims) do n[c.stance] = n[c.stance] + 1 end
  print(("Of %d claims of the sources %d hold as written, %d are errata that are refuted and mended, and %d need a trained model; %d other sentences"):format(
    #l.claims, n.holds, n.erratum, n.empirical, #l.further))')"
}
the_readme_counts_who_says_what_is_wrong() {
    readme_says "$("$phasor" -e '
  local l, n = require "phasor.ledger", {statement = 0, hedge = 0, reply = 0, comment = 0, question = 0}
  for _, c in ipairs(l.claims) do if c.said then n[c.said] = n[c.said] + 1 end end
  print(("Of the errata %d are statements of the texts, %d are hedged there, %d are replies of the author, %d comments and %d a question of readers"):format(
    n.statement, n.hedge, n.reply, n.comment, n.question))')"
}
every_claim_states_something() {
    "$phasor" -e '
  local stated = require "phasor.course.stated"
  for _, c in ipairs(require "phasor.ledger".claims) do
    local lines = stated.listed(c.id)
    if c.stance ~= "empirical" and #lines == 0 then print(c.id .. ": nothing") end
    for _, line in ipairs(lines) do
      local kind, text = line:match "^%S+ :: (%a+) :: (.-) ::"
      if not kind or not text:find "%w" then print(line) end
    end
  end'
}

run_cases the_readme_counts_the_claims the_readme_counts_who_says_what_is_wrong every_claim_states_something
