# bench.awk: the table (or, with -v json=1, the JSON) out of tests/bench/rows and the samples that scripts/bench logged.
# A sample: "label id side value"; value in seconds or bytes.
function median(key,   n, a, i, j, x) {
    n = split(samples[key], a, " ")
    for (i = 2; i <= n; i++) { x = a[i] + 0; for (j = i - 1; j >= 1 && a[j] + 0 > x; j--) a[j + 1] = a[j]; a[j + 1] = x }
    return n % 2 ? a[(n + 1) / 2] + 0 : (a[n / 2] + a[n / 2 + 1]) / 2
}
function least(key,   n, a, i, x) {
    n = split(samples[key], a, " ")
    x = a[1] + 0
    for (i = 2; i <= n; i++) if (a[i] + 0 < x) x = a[i] + 0
    return x
}
function trim(s) { gsub(/^ +| +$/, "", s); return s }
function quote(s) { gsub(/\\/, "\\\\", s); gsub(/"/, "\\\"", s); gsub(/\t/, " ", s); return "\"" s "\"" }
function shown(key, u) { return (key in samples) ? sprintf("%.4g", median(key) / scale[u]) : "-" }
function shown_least(key, u) { return (key in samples) ? sprintf("%.4g", least(key) / scale[u]) : "-" }

function row(line,   cell, id) { # "id | what | unit | limit | against"
    if (split(line, cell, "|") == 2) what[trim(cell[1])] = trim(cell[2])
    if (split(line, cell, "|") < 3) return
    id = trim(cell[1])
    if (!(id in what)) ids[++nids] = id
    what[id] = trim(cell[2]); unit[id] = trim(cell[3]); limit[id] = trim(cell[4]); against[id] = trim(cell[5])
}

# What the row demands and whether it is met; "" when it demands nothing.
function judged(label, id,   own, peer) {
    if (limit[id] == "") return ""
    own = label SUBSEP id SUBSEP beside_of(against[id])
    if (!(own in samples)) return "not measured"
    if (against[id] == "") return least(own) / scale[unit[id]] <= limit[id] + 0 ? "met" : "OVER"
    peer = label SUBSEP id SUBSEP against[id]
    if (!(peer in samples)) return "no " against[id]
    return least(own) / least(peer) <= limit[id] + 0 ? "met" : "OVER"
}
# A side whose name ends in 1 ran on one thread, and so did what it is set beside.
function beside_of(side) { return side ~ /1$/ ? "phasor1" : "phasor" }
function wanted(id) {
    if (limit[id] == "") return ""
    return "<= " limit[id] (against[id] == "" ? " " unit[id] : "x " against[id])
}

BEGIN { scale["s"] = 1; scale["ms"] = 1e-3; scale["us"] = 1e-6; scale["MB"] = 1e6 }
NR == FNR { if ($0 !~ /^#/) row($0); next }
$2 == "row" { line = $0; sub(/^[^ ]+ row /, "", line); row(line); next } # a program's own row
$2 == "missing" || $2 == "note" { line = $0; sub(/^[^ ]+ /, "", line); if (!told[line]++) notes[++nnotes] = line; next }
$3 ~ /^before1?$/ { samples[$1, $2, $3] = samples[$1, $2, $3] " " $4; next }
NF == 4 && $2 ~ /@/ { samples[$1, $2, $3] = samples[$1, $2, $3] " " $4; note_series($2, $3); next }
NF == 4 && $3 != "" {
    samples[$1, $2, $3] = samples[$1, $2, $3] " " $4; count[$1, $2, $3]++
    if ($3 !~ /^phasor1?$/ && !known[$3]++) peers[++npeers] = $3
    if (!($2 in what) && !known["row " $2]++) notes[++nnotes] = "missing row: " $2 " is not in tests/bench/rows"
    next
}
{ notes[++nnotes] = "not understood: " $0 }

# A row: what we take, then a line for each of the others, with the ratio of the least of both.
function table(label,   i, j, id) {
    printf "\n%-48s %4s %-8s %9s %9s %7s  %s\n", label == "plain" ? "without OPENBLAS_* and OMP_*" : "with the environment's settings",
        "", "side", "median", "least", "ratio", "wanted"
    for (i = 1; i <= nids; i++) {
        id = ids[i]
        if (only && !measured(label, id)) continue
        printf "%-48s %4s %-8s %9s %9s %7s  %s  %s\n", what[id], unit[id], "phasor", shown(label SUBSEP id SUBSEP "phasor", unit[id]),
            shown_least(label SUBSEP id SUBSEP "phasor", unit[id]), "", wanted(id), judged(label, id)
        side_line(label, id, "phasor1")
        for (j = 1; j <= npeers; j++) side_line(label, id, peers[j])
    }
}
function measured(label, id,   j) {
    for (j = 1; j <= npeers; j++) if ((label, id, peers[j]) in samples) return 1
    return (label, id, "phasor") in samples || (label, id, "phasor1") in samples
}
function side_line(label, id, side,   a, b) {
    a = label SUBSEP id SUBSEP beside_of(side); b = label SUBSEP id SUBSEP side
    if (b in samples) printf "%-48s %4s %-8s %9s %9s %7s\n", "", "", side, shown(b, unit[id]), shown_least(b, unit[id]),
        side != "phasor1" && (a in samples) ? sprintf("%.2f", least(a) / least(b)) : ""
}

# Series: "NAME@SIZE side value". What a doubling of the size costs, from the size before; of sizes that are no numbers the time alone.
function growth(label,   i, j, k, name, size, key, t, before, last, times) {
    for (i = 1; i <= nseries; i++) {
        name = series[i]
        printf "\n%-24s %10s %9s %12s", name in what ? what[name] : name, "", "ms", "per doubling"
        for (k = 1; k <= nsides[name]; k++) if (sides[name, k] != "phasor1") printf " %9s %7s", sides[name, k], "ratio"
        print ""
        before = 0
        for (j = 1; j <= nsizes[name]; j++) {
            size = sizes[name, j]; key = label SUBSEP name "@" size SUBSEP "phasor1"
            if (!(key in samples)) continue
            t = least(key)
            times = (before && size + 0 > last) ? sprintf("%.2f", exp(log(t / before) * log(2) / log(size / last))) : ""
            printf "%-24s %10s %9.4g %12s", "", size, t * 1e3, times
            for (k = 1; k <= nsides[name]; k++) {
                key = label SUBSEP name "@" size SUBSEP sides[name, k]
                if (sides[name, k] != "phasor1" && key in samples) printf " %9.4g %7.2f", least(key) * 1e3, t / least(key)
            }
            print ""
            before = size + 0 > 0 ? t : 0; last = size + 0
        }
    }
}
function note_series(id, side,   name, size) {
    name = id; sub(/@.*/, "", name); size = id; sub(/^[^@]*@/, "", size)
    if (!seen_series[name]++) series[++nseries] = name
    if (!seen_size[id]++) sizes[name, ++nsizes[name]] = size
    if (!seen_side[name, side]++) sides[name, ++nsides[name]] = side
}

# Beside a run that was kept: the least of then and of now. What other programs take of a machine only ever adds to a time, so the
# least of many samples moves less between runs than their median.
function beside(label,   i, j, n) {
    for (i = 1; i <= nids; i++) {
        n = beside_line(label, ids[i], what[ids[i]], unit[ids[i]], "", n)
        n = beside_line(label, ids[i], what[ids[i]], unit[ids[i]], "1", n)
    }
    for (i = 1; i <= nseries; i++) for (j = 1; j <= nsizes[series[i]]; j++)
        n = beside_line(label, series[i] "@" sizes[series[i], j], what[series[i]] " at " sizes[series[i], j], "ms", "1", n)
    if (!n) print "\nThe run that was kept has no row of this one."
}
# One row of that on all threads (one: "") or on one ("1"), if both runs have it; n: how many were told, with this one.
function beside_line(label, id, text, u, one, n,   was, now) {
    now = label SUBSEP id SUBSEP "phasor" one; was = label SUBSEP id SUBSEP "before" one
    if (!(now in samples) || !(was in samples)) return n
    if (!n) print sprintf("\n%-48s %4s %-8s %9s %9s %7s", "beside the run that was kept, least of each", "", "side", "then", "now", "ratio")
    print sprintf("%-48s %4s %-8s %9s %9s %7.2f", text, u, "phasor" one, shown_least(was, u), shown_least(now, u), least(now) / least(was))
    return n + 1
}
function as_json(   i, j, k, key, label, comma) {
    printf "{\"environment\": ["
    while ((getline line < headfile) > 0) { printf "%s%s", comma, quote(line); comma = ", " }
    printf "],\n \"notes\": ["
    for (i = 1; i <= nnotes; i++) printf "%s%s", (i > 1 ? ", " : ""), quote(notes[i])
    printf "],\n \"growth\": ["
    comma = ""
    n = split(labels, label_list, " ")
    for (k = 1; k <= n; k++) for (i = 1; i <= nseries; i++) for (j = 1; j <= nsizes[series[i]]; j++) {
        key = label_list[k] SUBSEP series[i] "@" sizes[series[i], j] SUBSEP "phasor1"
        if (!(key in samples)) continue
        printf "%s\n  {\"environment\": %s, \"series\": %s, \"size\": %s, \"least\": %.9g}", comma, quote(label_list[k]), quote(series[i]),
            quote(sizes[series[i], j]), least(key) * 1e3
        comma = ","
    }
    printf "],\n \"rows\": ["
    peers[npeers + 1] = "phasor"; peers[npeers + 2] = "phasor1"
    comma = ""
    n = split(labels, label_list, " ")
    for (k = 1; k <= n; k++) for (i = 1; i <= nids; i++) for (j = 1; j <= npeers + 2; j++) {
        key = label_list[k] SUBSEP ids[i] SUBSEP peers[j]
        if (!(key in samples)) continue
        printf "%s\n  {\"environment\": %s, \"id\": %s, \"what\": %s, \"side\": %s, \"median\": %.9g, \"least\": %.9g, \"unit\": %s, \"samples\": %d, \"wanted\": %s, \"judged\": %s}",
            comma, quote(label_list[k]), quote(ids[i]), quote(what[ids[i]]), quote(peers[j]), median(key) / scale[unit[ids[i]]], least(key) / scale[unit[ids[i]]],
            quote(unit[ids[i]]), count[key], quote(wanted(ids[i])), peers[j] == "phasor" ? quote(judged(label_list[k], ids[i])) : "null"
        comma = ","
    }
    print "\n ]}"
}
END {
    if (json) { as_json(); exit }
    while ((getline line < headfile) > 0) print line
    for (i = 1; i <= nnotes; i++) print notes[i]
    n = split(labels, label_list, " ")
    for (k = 1; k <= n; k++) { table(label_list[k]); growth(label_list[k]) }
    if (against_kept) for (k = 1; k <= n; k++) beside(label_list[k])
    print "\nInterleaved runs. ratio: phasor / the other, the least of each, on one thread (phasor1) where the other's name ends in 1."
}
