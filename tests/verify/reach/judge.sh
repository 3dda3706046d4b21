# judge.sh: read by the tests of the statements in this folder. judge NAME PART...: judges the files PART.lua (or PART, which is data); the cases below read its table, and
# what each verdict says. WANTED: rows "how many, group".
# GOLDEN=write writes anew what the verdicts say, NAME.told: read what git diff shows of it as one reads a change of claims, and give certificates that are
# new to coqc (COQ, run.lua).
. tests/house/house.sh
reach=tests/verify/reach

judge() {
    table=$build/$1.table
    said=$build/$1.said
    told=$reach/$1.told
    rm -f "$said"
    statements=
    shift
    for part; do [ -e $reach/$part ] || part=$part.lua; statements="$statements $reach/$part"; done
    STATEMENTS=$statements SHOW=$said "$PHASOR" $reach/run.lua > "$table" 2>&1
    [ "${GOLDEN:-}" != write ] || cp "$said" "$told"
}

none_is_wrong() { grep -a -A1 "^WRONG" "$table"; grep -aq "^all .* 0 wrong$" "$table" || { echo "no table:"; tail -n 3 "$table"; }; }

# Its strength, where it holds, what it refutes with, its certificate: what no ground truth says, and a change of the prover may alter without being meant to.
each_verdict_says_what_it_said() { diff -U 1 "$told" "$said" | sed 30q; }

each_group_is_decided_as_far_as_it_was() {
    printf '%s\n' "$WANTED" | while read -r wanted group; do
        awk -v wanted="$wanted" -v group="$group" \
            'index($0, group " ") == 1 { n = substr($0, 31) + 0; found = 1; if (n < wanted) print group ": " n " decided; wanted " wanted }
             END { if (!found) print group ": not in the table" }' "$table"
    done
    groups=$(grep -ac '^[a-zA-Z].* of *[0-9]*$' "$table")
    [ "$groups" -eq "$(printf '%s\n' "$WANTED" | wc -l)" ] || echo "$groups groups in the table, not as many rows"
}
