#!/bin/sh
# Hostile answers and hostile hand-in files, each graded: no points, a word to the student, its neighbours graded as ever; nothing read,
# nothing written, no process left.
# Sources: course/desk.lua course/equivalent.lua course/harmless.lua course/parcel.lua course/room.lua
. tests/house/house.sh

phasor=${PHASOR:-$build/phasor}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/home" "$work/in" "$work/odd"
secret=$work/secret
echo 'open-sesame-4711' > "$secret"
SECONDS_EACH=0.3 # of processor time
sanitized && SECONDS_EACH=3 # a table that grows until memory ends takes more than 0.3 s there

cat > "$work/turns.lua" << 'LESSON'
-- %% [markdown] ref="one" lang="en"
-- # Turns
-- %% [markdown] ref="one" lang="zh"
-- # 圈
-- %%
function base() return 4711 end
-- %% role="exercise" ref="one" points=4
function f(x)
  --- BEGIN SOLUTION
  return 2 * x
  --- END SOLUTION
end
-- %% role="check" ref="one"
feedback(not pcall(f, nil), {en = "no number, no answer", zh = "不是数"})
feedback(same(f, function(x) return 2 * x end, {what = "f", at = {{1}, {2}, {-3}}}))
LESSON

good() { printf -- '-- %%%% role="exercise" ref="one"\nfunction f(x) return x + x end\n' > "$1"; }

grade() { # grade LIMITS FILES...: the table on standard output
    limits=$1; shift
    HOME=$work/home XDG_DATA_HOME=$work/home setsid timeout 570 "$phasor" grade $limits "$@" 2>&1 &
    grader=$!
    wait $grader
}

# Rows as "NAME RESULT POINTS FEEDBACK?" by the columns; what a field quotes has no line breaks.
rows() {
    awk -v dir="$1/" 'NR > 1 {
        line = $0; n = 0; field = ""; quoted = 0
        for (i = 1; i <= length(line); i++) {
            c = substr(line, i, 1)
            if (c == "\"") quoted = !quoted
            else if (c == "," && !quoted) { f[++n] = field; field = "" } else field = field c
        }
        f[++n] = field
        sub(dir, "", f[1])
        print f[1], f[6], f[7] == "" ? 0 : f[7], field == "" ? "silent" : "told"
    }'
}

awk -v dir="$work/in/" -v secret="$secret" -v written="$work/written" -v home="$work/home" -v seconds="$SECONDS_EACH" '
    /^#($| )/ { next }
    /^## / { file = dir $2 ".lua"; print "-- %% role=\"exercise\" ref=\"one\"" > file; print $2, $3 > (dir "wanted"); next }
    file { gsub(/SECRET/, secret); gsub(/WRITTEN/, written); gsub(/HOME/, home); gsub(/SECONDS/, seconds); print > file }
' tests/course/hostile-answers
good "$work/in/zz-good.lua"
echo 'zz-good right' >> "$work/in/wanted"
before=$(cd "$work" && find . | sort)
grade "--lesson $work/turns.lua --seconds $SECONDS_EACH --memory 64" "$work"/in/*.lua > "$work/table"
after=$(cd "$work" && find . ! -path ./table | sort)
left=$(ps -eo sid=,pid=,stat= | awk -v s="$grader" '$1 == s && $3 !~ /^Z/')

answers_get_no_points_and_a_word() {
    [ "$(grep -c . "$work/in/wanted")" -ge 190 ] || echo "only $(grep -c . "$work/in/wanted") answers"
    rows "$work/in" < "$work/table" > "$work/rows"
    awk 'NR == FNR { wanted[$1] = $2; next }
         { name = $1; sub(/\.lua$/, "", name); seen[name] = 1
           if (("/" wanted[name] "/") !~ "/" $2 "/") print name ": " $2 ", wanted " wanted[name]
           if (wanted[name] != "right" && ($3 != 0 || $4 != "told")) print name ": " $3 " points, " $4
           if (wanted[name] == "right" && $3 != 4) print name ": " $3 " points" }
         END { for (n in wanted) if (!seen[n]) print n ": no row" }' "$work/in/wanted" "$work/rows"
}
nothing_is_read() { grep -n "sesame\|root:\|BEGIN SOLUTION" "$work/table"; } # the last: of a lesson that is shipped
nothing_is_written() {
    [ "$before" = "$after" ] || printf '%s\n%s\n' "$before" "$after" | sort | uniq -u
    [ "$(cat "$secret")" = open-sesame-4711 ] || echo "the secret is another one"
}
no_process_is_left() { [ -z "$left" ] || echo "left: $left"; }
nothing_reaches_the_screen() {
    LC_ALL=C grep -n "$(printf '[\001-\010\013-\037\177]')" "$work/table"
    iconv -f utf-8 -t utf-8 "$work/table" > /dev/null 2>&1 || echo "the table is no UTF-8"
    [ "$(wc -c < "$work/table")" -lt 200000 ] || echo "the table is too long"
}

# ---- values of every kind --------------------------------------------------------------------------------------------------------

mkdir "$work/values"
cat > "$work/kinds.lua" << 'LESSON'
-- %% [markdown] ref="one" lang="en"
-- # Kinds
-- %% [markdown] ref="one" lang="zh"
-- # 种类
-- %% role="exercise" ref="one" points=4
A = zeros(2, 2)
--- BEGIN SOLUTION
A = array{{4711.25, 4712.5}, {4713.75, 4714}}
T = {a = 4711.25, b = {1, 2, 3}, c = "four"}
F = sin(sym "x")^2 + 4711
S = "four seven"
M = matrix{{sym "x", 1}, {2, sym "x"}}
Z = complex(3, 4)
function f(x) return 2 * x end
function apply(g, x) return g(g(x)) + 1 end
function maker(n) return function(x) return x + n end end
function double(v) return v * 2 end
--- END SOLUTION
-- %% role="check" ref="one"
local right, said = {}, {}
local function try(what, g, ...)
  local ok, how, why = pcall(g, ...)
  if ok and how == true then right[#right + 1] = what elseif not ok or type(why) ~= "table" then said[#said + 1] = what .. ": " .. tostring(how) end
end
for name, v in pairs {A = array{{4711.25, 4712.5}, {4713.75, 4714}}, T = {a = 4711.25, b = {1, 2, 3}, c = "four"}, F = sin(sym "x")^2 + 4711,
                      S = "four seven", M = matrix{{sym "x", 1}, {2, sym "x"}}, Z = complex(3, 4)} do
  try(name, same, _ENV[name], v, {what = name})
end
try("f", same, f, function(x) return 2 * x end, {what = "f", at = {{1}, {2}, {-3}}})
try("apply", function() return same(apply(function(x) return x * 4711.25 end, 1), 4711.25^2 + 1) end)
try("maker", function() return same(maker(3)(4), 7) end)
try("grad", function() return same(grad(f)(1.5), 2) end)
try("double", function() return same(double(array{1, 2}), array{2, 4}) end)
local words = #right .. " right: " .. table.concat(right, ", ") .. "; " .. table.concat(said, "; ")
feedback(false, {en = words, zh = words})
LESSON
awk -v dir="$work/values/" '
    /^#($| )/ { next }
    { file = sprintf("%s%02d.lua", dir, ++n)
      printf "-- %%%% role=\"exercise\" ref=\"one\"\nlocal v = %s\nA, T, F, S, M, Z = v, v, v, v, v, v\n", $0 > file
      print "function f() return v end\napply, double = f, f\nfunction maker() return f end" > file; close(file) }' tests/course/hostile-values
sed -n "/BEGIN SOL/,/END SOL/p" "$work/kinds.lua" | sed '1s/.*/-- %% role="exercise" ref="one"/; $d' > "$work/values/zz-good.lua"
grade "--lesson $work/kinds.lua --seconds 1 --memory 64" "$work"/values/*.lua > "$work/table-of-values"

# The good one beside them shows that the checks would have found them right. What a comparison stumbles over is told in its own words, none of Lua's.
values_of_no_kind_are_right() {
    [ "$(grep -c . "$work/table-of-values")" -ge 70 ] || echo "only $(grep -c . "$work/table-of-values") rows"
    grep -q '/zz-good.lua,.*11 right: ' "$work/table-of-values" || grep '/zz-good' "$work/table-of-values"
    awk -F, 'NR > 1 && $1 !~ /zz-good/ && ($6 !~ /^(wrong|died|memory|time)$/ || $7 != 0 || $NF == "")' "$work/table-of-values"
    grep -v '/zz-good' "$work/table-of-values" | grep '[1-9][0-9]* right: \|only data arrives\|ungraded' | cut -c1-300
}

# ---- files -----------------------------------------------------------------------------------------------------------------------

hand_in() { # hand_in NAME SED: a hand-in like any other, changed
    printf '{"phasor": "hand-in", "version": 1, "lesson": "turns", "hash": "0", "student": "eve", "seed": "", "versions": {},
"finished": true, "seal": "0", "exercises": [{"ref": "one", "state": "open", "attempts": 1, "hints": 0, "points": 4, "variant": 1,
"answer": "function f(x) return 3 * x end"}]}\n' | sed "$2" > "$work/odd/$1.json"
}
hand_in infinite-attempts 's/"attempts": 1/"attempts": 1e999/'
hand_in negative-hints 's/"hints": 0/"hints": -1/'
hand_in half-an-attempt 's/"attempts": 1/"attempts": 0.5/'
hand_in own-points 's/"points": 4/"points": 1e6/'
hand_in own-lesson "s|\"turns\"|\"$work/odd/own.lua\"|"
hand_in lesson-above 's|"turns"|"../../../etc/passwd.lua"|'
hand_in lesson-of-escapes 's/"turns"/"\\u001b[2J"/'
hand_in student-of-escapes 's/"eve"/"\\u001b]0;x\\u0007=cmd()"/'
hand_in student-of-lines 's/"eve"/"a\\r\\nb,right,1000000"/'
hand_in answer-is-a-list 's/"function f(x) return 3 \* x end"/["f"]/'
hand_in exercises-are-text 's/"exercises": \[.*/"exercises": "one"}/; /^"answer"/d'
hand_in ref-is-a-number 's/"ref": "one"/"ref": 1/'
hand_in no-seal 's/"seal": "0",//'
hand_in key-twice 's/"version": 1/"version": 1, "version": 1/'
hand_in version-2 's/"version": 1/"version": 2/'
hand_in null 's/true/null/'
hand_in trailing 's/\]}$/]} x/'
hand_in state-right 's/"open"/"right"/'
hand_in variant-huge 's/"variant": 1/"variant": 1e6/'
hand_in other-exercise 's/"one"/"__index"/'
hand_in lesson-of-nothing 's/"turns"/null/'
hand_in student-of-parts 's/"eve"/{"name": "eve"}/'
hand_in seed-of-many 's/"seed": ""/"seed": ["ann", "bob"]/'
hand_in hash-of-digits 's/"hash": "0"/"hash": 0/'
hand_in version-in-words 's/"version": 1/"version": "1\\u001b[2J"/'
hand_in no-answer 's/,$/,/; s/^"answer": .*/"answer": {}}]}/'
hand_in state-of-truth 's/"open"/true/'
hand_in variant-in-words 's/"variant": 1/"variant": "all of them, and one more than there are"/'
hand_in exercises-of-numbers 's/"exercises": .*/"exercises": [1]}/; /^"answer"/d'
hand_in attempts-of-rope 's/"attempts": 1/"attempts": "\\u001b[2J"/'
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "[" }' > "$work/odd/deep.json"
awk 'BEGIN { printf "{\"phasor\": \"hand-in\", \"version\": 1, \"lesson\": \""; for (i = 0; i < 2000000; i++) printf "x"; print "\"}" }' > "$work/odd/long-name.json"
printf '{"phasor": "\377\376"}' > "$work/odd/not-utf8.json"
printf '\033Lua\123\0\031\223' > "$work/odd/binary.lua"
: > "$work/odd/empty.json"
head -c 100000 /dev/zero > "$work/odd/zeros.json"
truncate -s 1T "$work/odd/huge.json" 2> /dev/null || truncate -s 1G "$work/odd/huge.json"
mkfifo "$work/odd/fifo.json"
mkdir "$work/odd/folder.json"
ln -s "$work/odd/round.json" "$work/odd/round.json"
ln -s /dev/zero "$work/odd/endless.json"
ln -s "$secret" "$work/odd/secret.json"
ln -s /proc/self/mem "$work/odd/memory.json"
echo 'error(io.open("x", "w"))' > "$work/odd/own.lua"
good "$work/odd/zz-good.lua"
grade "--lesson $work/turns.lua --seconds 1 --memory 64" "$work"/odd/*.json "$work"/odd/*.lua > "$work/table-of-files"

files_get_a_row_each_and_no_points() {
    rows "$work/odd" < "$work/table-of-files" > "$work/rows"
    [ "$(grep -c . "$work/rows")" = "$(ls "$work/odd" | wc -l)" ] || echo "$(grep -c . "$work/rows") rows for $(ls "$work/odd" | wc -l) files"
    awk '$1 == "zz-good.lua" { if ($2 != "right" || $3 != 4) print; next }
         $3 != 0 || ($2 != "unreadable" && $2 != "wrong" && $2 != "missing" && $2 != "ungraded") { print }
         $2 != "missing" && $4 != "told" { print $1 " is told nothing" }' "$work/rows"
}
# What is of a wrong kind is named: the field, what it holds, what was wanted.
fields_are_told() {
    while read -r name words; do
        grep "/$name.json," "$work/table-of-files" | grep -qF "$words" || { echo "$name: wanted $words"; grep "/$name.json," "$work/table-of-files" | cut -c1-300; }
    done << 'WORDS'
negative-hints exercise 1: hints is -1; wanted a count from 0 to 1000000
half-an-attempt exercise 1: attempts is 0.5; wanted a count
variant-huge exercise 1: variant is 1000000.0; wanted a count
answer-is-a-list exercise 1: answer is a list; wanted a text
exercises-are-text exercises is the text ""one""; wanted a list
ref-is-a-number exercise 1: ref is 1; wanted a text
no-seal seal is missing; wanted a text
lesson-of-nothing byte 47: wanted a value
student-of-parts student is an object; wanted a text
seed-of-many seed is a list; wanted a text
hash-of-digits hash is 0; wanted a text
version-in-words version 1?[2J; this phasor reads 1
no-answer exercise 1: answer is an object; wanted a text
state-of-truth exercise 1: state is true; wanted a text
variant-in-words exercise 1: variant is the text ""all of them, and one more than…""; wanted a count
exercises-of-numbers exercise 1: it is 1; wanted an object
attempts-of-rope exercise 1: attempts is the text
infinite-attempts a number beyond all doubles
WORDS
}
no_file_shows_another() {
    grep -n "sesame" "$work/table-of-files"
    LC_ALL=C grep -n "$(printf '[\001-\010\013-\037\177]')" "$work/table-of-files"
}

run_cases answers_get_no_points_and_a_word nothing_is_read nothing_is_written no_process_is_left nothing_reaches_the_screen \
    values_of_no_kind_are_right files_get_a_row_each_and_no_points fields_are_told no_file_shows_another
