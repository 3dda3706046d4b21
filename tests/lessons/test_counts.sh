#!/bin/sh
# README says how many claims there are, and of which stance, as the ledger has them. (What the lesson on errata says is judged in the lesson.)
name=the_readme_counts_the_claims
echo "[ RUN      ] $name"
wanted=$("${PHASOR:-build/phasor}" -e '
  local l, n = require "phasor.ledger", {holds = 0, erratum = 0, empirical = 0}
  for _, c in ipairs(l.claims) do n[c.stance] = n[c.stance] + 1 end
  print(("Of %d claims of the sources %d hold as written, %d are errata that are refuted and mended, and %d need a trained model; %d other sentences"):format(
    #l.claims, n.holds, n.erratum, n.empirical, #l.further))')
if [ -n "$wanted" ] && grep -qF "$wanted" "${TEST_SOURCES:-tests}/../README.md"; then
    echo "[       OK ] $name"
    exit 0
fi
echo "README.md does not say: $wanted"
echo "[  FAILED  ] $name"
exit 1
