#!/bin/sh
# A lesson from a file, run by check, lesson and grade: it reads what lies beside it and nothing else, writes nothing, starts nothing; with
# --trust it may, which shows that each attempt is one.
# Sources: course/stranger.lua course/record.lua course/lint.lua document/frame.lua
. tests/house/house.sh
phasor=${PHASOR:-$build/phasor}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/lesson" "$work/home"
echo beside > "$work/lesson/data"
echo sesame > "$work/secret"
cat > "$work/lesson/theirs.lua" << LESSON
-- %% [markdown] ref="one" lang="en"
-- # Turns
-- %% [markdown] ref="one" lang="zh"
-- # 圈
-- %%
local function text(path) local f = io.open(path); return f and f:read "l" end
local function made(path) local ok, f = pcall(io.open, path, "w"); return ok and f ~= nil end
local said = {
  text "$work/lesson/data" == "beside" and "beside" or "not beside",
  text "$work/secret" and "SECRET" or "no secret",
  made "$work/written" and "WRITTEN" or "not written",
  made "$work/lesson/written" and "WRITTEN" or "not written here",
  pcall(savefig, "$work/written.svg", plot({sin}, {0, 1})) and "DRAWN" or "not drawn",
  pcall(function() return assert(os.execute "true") end) and "RUN" or "not run",
  pcall(function() return assert(io.popen("echo hi"):read "l") end) and "OPENED" or "not opened",
  pcall(function() return assert(os.remove "$work/secret-2") end) and "REMOVED" or "not removed",
  pcall(function() return debug.getregistry() end) and "DEBUG" or "no debug",
  pcall(require, "phasor.session") and "SESSION" or "no session",
  pcall(setmetatable, {}, {__gc = print}) and "GC" or "no gc",
  getmetatable("") == "string" and "locked" or "UNLOCKED",
  (function() local all = {}; for i = 1, 400 do local ok, f = pcall(io.open, "$work/lesson/data"); if not ok or not f then return #all < 256 end; all[i] = f end end)() and "few files" or "MANY FILES",
  os.getenv "SECRET_NAME" and "ENVIRONMENT" or "no environment",
}
error(table.concat(said, ", "), 0)
LESSON
cat >> "$work/lesson/theirs.lua" << 'LESSON'
-- %% role="exercise" ref="one" points=1
--- BEGIN SOLUTION
y = 2
--- END SOLUTION
-- %% role="check" ref="one"
feedback(same(y, 2))
LESSON
printf -- '-- %%%% role="exercise" ref="one"\ny = 2\n' > "$work/theirs-ada.lua"

contained="beside, no secret, not written, not written here, not drawn, not run, not opened, not removed, no debug, no session, no gc, locked, few files, no environment"
free="beside, SECRET, WRITTEN, WRITTEN, DRAWN, RUN, OPENED, REMOVED, DEBUG, SESSION, GC, UNLOCKED, MANY FILES, ENVIRONMENT"

run() {
    touch "$work/secret-2"
    SECRET_NAME=x HOME=$work/home PHASOR_PROGRESS=$work/home/progress.json timeout 60 "$phasor" "$@" < /dev/null 2>&1
}
says() { # says WANTED COMMAND...
    wanted=$1; shift
    run "$@" > "$work/said"
    tr '\n' ' ' < "$work/said" | grep -qF "$wanted" || { echo "$*: wanted $wanted"; cut -c1-400 "$work/said"; } # lines are folded
    rm -f "$work"/written* "$work"/lesson/written
}
lesson_is_confined() {
    says "$contained" lesson "$work/lesson/theirs.lua"
    says "may read the files in $work/lesson and reach nothing else" lesson "$work/lesson/theirs.lua"
}
grade_is_confined() { says "$contained" grade --lesson "$work/lesson/theirs.lua" "$work/theirs-ada.lua"; }
check_is_confined() { says "$contained" check "$work/lesson/quiet-claim.lua"; }
trust_opens_it() {
    says "$free" lesson --trust "$work/lesson/theirs.lua"
    says "$free" grade --trust --lesson "$work/lesson/theirs.lua" "$work/theirs-ada.lua"
    says "$free" check --trust "$work/lesson/quiet-claim.lua"
}
# What such a lesson hands over as a picture or as HTML runs in no reader's browser; the laboratory's own picture is one.
cat > "$work/lesson/forms.lua" << 'LESSON'
-- %% [markdown] ref="one" lang="en"
-- # Forms <script>alert(0)</script>
-- %% [markdown] ref="one" lang="zh"
-- # 形式
-- %%
local function handed(form, text) return setmetatable({}, {__mime = function() return {[form] = text} end}) end
local frame = {label = "", values = {}, text = "", svg = "<svg x='>' onload=alert(1)></svg>"}
display(handed("text/html", "<script>alert(2)</script>"), 1)
display(handed("image/svg+xml", "<svg onload=\"alert(3)\"></svg>"), 1)
display(handed("image/svg+xml", "<svg><script>alert(4)</script></svg>"), 1)
display(setmetatable({parameters = {}, frames = function() return {frame} end, first = function() return 1 end}, {__name = "Vary"}), 1)
return plot({sin}, {0, 1}, {title = "once = 5"})
LESSON
pages_run_nothing_of_it() {
    run page -o "$work/pages" "$work/lesson/forms.lua"
    grep -E '<script>alert|<[^>]*onload=' "$work/pages/en/forms.html" "$work/pages/zh/forms.html" | cut -c1-200
    [ "$(grep -c '<figure class="wide"><svg' "$work/pages/en/forms.html")" = 1 ] || echo "the laboratory's picture is not there"
    rm -rf "$work/pages"
}
no_escape_reaches_the_screen() {
    printf -- '-- %%%% [markdown] ref="one" lang="en"\n-- # T $\033[2J$\n-- %%%% [markdown] ref="one" lang="zh"\n-- # T\n' > "$work/lesson/escapes.lua"
    for c in "check" "lesson lint" "page -o $work/pages"; do
        run $c "$work/lesson/escapes.lua" > "$work/said"
        grep -q '\$?\[2J\$ of the English prose is missing' "$work/said" || echo "$c: $(cat -v "$work/said")"
        LC_ALL=C grep -n "$(printf '[\001-\010\013-\037\177]')" "$work/said" | cat -v
    done
}
# What came later: each line is a lesson's cell, and a part of what it must say. None writes, and none reaches the screen.
later_doors_are_shut() {
    echo 'error "sesame"' > "$work/secret.lua"
    echo '{"sesame": "sesame"}' | tee "$work/secret.json" > "$work/secret.safetensors.index.json"
    ln -s "$work/secret.lua" "$work/lesson/link"
    while IFS='|' read -r name words code; do
        { sed '/^-- %%$/q' "$work/lesson/theirs.lua"; printf '%s\n' "$code" | sed "s,WORK,$work,g"; } > "$work/lesson/$name.lua"
        for c in check lesson; do
            run $c "$work/lesson/$name.lua" > "$work/said"
            LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" "$work/said" && echo "$name, $c: an escape"
            grep -q sesame "$work/said" && echo "$name, $c: it is read"
        done
        tr '\n' ' ' < "$work/said" | grep -qF "$words" || { echo "$name: wanted $words"; cut -c1-300 "$work/said" | cat -v; }
        rm -f "$work/lesson/$name.lua"
    done << 'CELLS'
experiment|experiment: |return experiment "WORK/secret.lua"
results|experiment: |return experiment_results "../../../../WORK/secret"
moved|x\27[2J|return vary(function(a) return "x\27[2J\7" end, {["<b onload=alert(1)>"] = {0, 1}})
titled|sin|return plot({sin}, {0, 1}, {title = "\27[2J\27]0;x\7 sin", xlabel = "\u{9b}2J"})
said|a\27[2Jb|return setmetatable({}, {__tostring = function() return "a\27[2Jb" end})
named|a control character|return named("\27[2Jx", prove(sym "a", sym "a"))
halved|cannot be written|return write("WORK/written.safetensors", {w = zeros(3)}, {dtype = "bf16"})
trained|Permission denied|return train{model = {length = 8, d = 16}, data = task "offset", steps = 1, checkpoint = "WORK/written.safetensors"}
set|not set|return io.open("WORK/home/settings", "w") and "SET" or "not set"
exported|unexpected|return load("return 1 :export WORK/written") or error(select(2, load(":export WORK/written")), 0)
drawn|not drawn|return pcall(savefig, "WORK/written.svg", vary(function(a) return plot({sin}, {0, a}) end, {a = {1, 2}})) and "DRAWN" or "not drawn"
configured|cannot be opened|return rope_config "WORK/secret.json"
sharded|cannot be opened|return read "WORK/secret.safetensors.index.json"
linked|not read|local f = io.open "WORK/lesson/link"; return f and f:read "a" or "not read"
doored|is not for a lesson from a file|error(select(2, require "phasor.tools".contents "WORK/secret.lua"), 0)
learned|cannot be opened|return corpus{file = "WORK/secret.lua"}
logged|cannot be written|return train{model = {length = 8, d = 16}, data = task "offset", steps = 1, csv = "WORK/written.csv"}
in-place|out|return matmul(ones(2, 2), ones(2, 2), {out = setmetatable({}, {__index = function() error "\27[2J out" end})})
preferred|none kept|getmetatable(_G).__index.require "phasor.session".prefer "zh" return "none kept"
debugged|attempt to call a nil value (field 'getregistry')|return getmetatable(_G).__index.debug.getregistry()
far|Out|return progress and pcall(progress, "\27[2J\27]0;x\7", 0.5) and "Out" or "Out"
CELLS
    find "$work" -name 'written*'
    rm -f "$work/secret.lua" "$work"/secret.*json "$work/lesson/link"
}
nothing_is_left_at_home() { find "$work/home" -type f; }

# check runs what has nothing for the lint to find
sed '/role="exercise"/,$d' "$work/lesson/theirs.lua" > "$work/lesson/quiet-claim.lua"

run_cases lesson_is_confined grade_is_confined check_is_confined trust_opens_it pages_run_nothing_of_it no_escape_reaches_the_screen later_doors_are_shut \
    nothing_is_left_at_home
