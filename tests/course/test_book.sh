#!/bin/sh
# Pages of lessons and the book, as an independent reader of HTML sees them (book.py): every page without its cells' output, one lesson with it.
# Sources: course/book.lua course/page_atlas.lua course/page_contents.lua course/page_glossary.lua course/page_ledger.lua course/page_lesson.lua
# Sources: course/page_report.lua course/record.lua course/site.lua course/spoken.lua course/verdict_html.lua document/frame.lua
# Sources: document/mathfont.lua
. tests/house/house.sh
phasor=${PHASOR:-$build/phasor}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
look() { python3 tests/course/book.py "$@" 2>&1 | sed '/^$/d'; }

every_page_is_sound() {
    LC_ALL=C.UTF-8 "$phasor" tests/course/book.lua "$dir/all" && look "$dir/all" --whole
}
a_lesson_with_what_it_shows() {
    "$phasor" page context -o "$dir/one" && look "$dir/one"
    grep -q '<figure class="wide"><svg' "$dir/one/en/context.html" || echo "no picture"
    grep -q 'class="verdict proved"' "$dir/one/zh/context.html" || echo "no verdict"
    grep -q '已证明' "$dir/one/zh/context.html" || echo "no verdict in Chinese"
    if grep -q '已证明' "$dir/one/en/context.html"; then echo "Chinese verdicts in English"; fi
}
# A picture that can be moved: a slider for its parameter, one frame that is seen at first.
what_varies_has_a_slider() {
    cat > "$dir/v.lua" << 'LESSON'
-- %% [markdown] ref="a" lang="en"
-- # A
-- %% [markdown] ref="a" lang="zh"
-- # A
-- %% ref="a"
return vary(function(p) return plot({p.a, 1}) end, {a = {1, 2, 3}})
-- %% ref="a"
return vary(function(p) return "text " .. p.b end, {b = {"x", "y"}})
LESSON
    "$phasor" page "$dir/v.lua" --trust -o "$dir/v" --lang en && look "$dir/v" --teacher
    [ "$(grep -c 'type="range" min="1" max="[23]"' "$dir/v/en/v.html")" = 2 ] || echo "no slider for each"
    [ "$(grep -c 'class="frame" data-at="[123]" data-label="[ab] = [^"]*" hidden>' "$dir/v/en/v.html")" = 3 ] || echo "not one frame of each is seen"
}
# What a cell prints, writes into a picture or returns in the language that is spoken; what was judged stands in both.
each_language_shows_its_own() {
    cat > "$dir/w.lua" << 'LESSON'
-- %% [markdown] ref="a" lang="en"
-- # A
-- %% [markdown] ref="a" lang="zh"
-- # A
-- %% ref="a"
print(says{en = "printed once", zh = "打印一次"})
display(plot({1, 2}, {title = says{en = "drawn", zh = "画出"}}))
return prove(sym "x", sym "x", {caption = {en = "said so", zh = "如此说"}})
-- %% [markdown] ref="b" lang="en"
-- ## B
-- %% [markdown] ref="b" lang="zh"
-- ## B
-- %% ref="b"
return says{en = "given back", zh = "返回"}
LESSON
    "$phasor" page "$dir/w.lua" --trust -o "$dir/w"
    seen() { awk '/<pre class="code/ { code = 1 } !code { print } /<\/code><\/pre>/ { code = 0 }' "$dir/w/$1/w.html"; }
    for text in 'printed once' '>drawn<' 'said so' 'given back'; do
        seen en | grep -q "$text" || echo "no $text in English"
        if seen zh | grep -q "$text"; then echo "$text in Chinese"; fi
    done
    for text in '打印一次' '>画出<' '如此说' '返回'; do seen zh | grep -q "$text" || echo "no $text"; done
}
# Of many verdicts those with a caption stand before the fold and the others in it, each once; what is said in words is no formula.
verdicts_are_told_once() {
    cat > "$dir/t.lua" << 'LESSON'
-- %% [markdown] ref="a" lang="en"
-- # A
-- %% [markdown] ref="a" lang="zh"
-- # A
-- %% ref="a"
local x = sym "x"
return {figure({en = "to", zh = "到"}, 3, "3"), named({en = "told", zh = "说过"}, prove(2 * x + 3 * x, 5 * x)), prove(7 * x + x, 8 * x), prove(x + x, 2 * x), prove(9 * x - x, 8 * x)}
LESSON
    "$phasor" page "$dir/t.lua" --trust -o "$dir/t"
    tell() { awk '/<pre class="code/ { code = 1 } !code { print } /<\/code><\/pre>/ { code = 0 }' "$dir/t/$1/t.html"; }
    for told in 'en told' 'en <mn>7</mn>' 'en <mn>9</mn>' 'en to = 3' 'en 3 further statements' 'zh 说过' 'zh 到 = 3' 'zh 另有 3 条命题'; do
        n=$(tell "${told%% *}" | grep -o -- "${told#* }" | wc -l)
        [ "$n" = 1 ] || echo "$told: $n times"
    done
    if tell zh | grep -q '<mi>to\|>to<'; then echo "words as a formula"; fi
}
teachers_see_the_solutions() {
    "$phasor" page context -o "$dir/teacher" --teacher --lang en && look "$dir/teacher" --teacher
    [ ! -e "$dir/teacher/zh" ] || echo "a language nobody asked for"
    "$phasor" page context -o "$dir/for-students" --teachers "$dir/for-teachers" --lang en && look "$dir/for-students"
    cmp "$dir/for-teachers/en/context.html" "$dir/teacher/en/context.html"
}
# Each rule is shown what it must refuse.
faults_are_found() {
    mkdir -p "$dir/bad/en" && cp "$dir/one/en/context.html" "$dir/bad/en/context.html"
    sed -i 's|</main>|<p id="unseen"><div></p><a href="gone.html">x</a><a href="#nowhere">y</a><img src="https://example.org/x.png"><math><mi>好</mi></math></main>|' "$dir/bad/en/context.html"
    look "$dir/bad" > "$dir/said"
    for part in "id unseen twice" 'closes another' 'leads nowhere' 'no place #nowhere' 'from outside: https://example.org' 'the font lacks'; do
        grep -q "$part" "$dir/said" || echo "not found: $part"
    done
    look "$dir/teacher" | grep -q 'gives away' || echo "a teacher's page passes for a student's"
}
# A lesson of one's own may be in one language; its page leads to no other, and names its file for the laboratory.
one_language_is_enough() {
    mkdir -p "$dir/own"
    printf -- '-- %%%% [markdown] ref="a" lang="en"\n-- # Alone $x$\n-- Words.\n' > "$dir/own/alone.lua"
    cat >> "$dir/own/alone.lua" << 'LESSON'
-- %% role="exercise" ref="a" points=1
--- BEGIN SOLUTION
three = 3
--- END SOLUTION
-- %% role="hint" ref="a" lang="en"
-- Count.
-- %% role="hint" ref="a" lang="en"
-- Two and one.
-- %% role="check" ref="a"
feedback(same(three, 3, {what = "three"}))
-- %% role="wrong" ref="a" expect="three"
three = 4
-- %% role="wrong" ref="a" expect="three"
three = -3
LESSON
    "$phasor" lesson lint "$dir/own/alone.lua" | grep -v '^lesson  \|^alone  \|^\* \|^1 lesson, 0 to mend$'
    "$phasor" check "$dir/own/alone.lua" | grep -qx '0 claims checked: 0 hold, 0 failed; 1 exercise tested' || "$phasor" check "$dir/own/alone.lua"
    "$phasor" page "$dir/own/alone.lua" context -o "$dir/some"
    [ "$(cd "$dir/some" && echo */*.html)" = 'en/alone.html en/context.html zh/context.html' ] || find "$dir/some"
    if grep -q 'zh/alone.html' "$dir/some/en/alone.html"; then echo 'it leads to a page that is not there'; fi
    grep -q 'zh/context.html' "$dir/some/en/context.html" || echo 'the page of another lesson has lost its other language'
    grep -q '<code>phasor lesson alone.lua</code>' "$dir/some/en/alone.html" || echo 'its command would find no lesson'
    finds "phasor: $dir/own/alone.lua is in English only" sh -c "'$phasor' page '$dir/own/alone.lua' -o '$dir/some' --lang zh 2>&1"
    finds "phasor: $dir/own/alone.lua is in English only" sh -c "'$phasor' notebook '$dir/own/alone.lua' --lang zh 2>&1"
    "$phasor" notebook "$dir/own/alone.lua" --student | grep -qF '"check(\"alone.lua/a\", \"--trust\")"' || echo 'its notebook cannot check'
    finds 'Right.' "$phasor" -e 'three = 3;' -e "check('$dir/own/alone.lua/a', '--trust')"
    "$phasor" -e 'three = 4;' -e "check('$dir/own/alone.lua/a', '--trust')" 2>&1 | grep -q 'three is 4' || echo 'a wrong answer passes'
    "$phasor" -e 'three = 3;' -e "check('$dir/own/alone.lua/a')" 2>&1 | grep -q 'runs here with all your rights' || echo 'a file runs untrusted'
    "$phasor" -e "check('$dir/own/alone.lua/b', '--trust')" 2>&1 | grep -q 'has no exercise "b"' || echo 'an exercise that is not there'
    LANG=zh_CN.UTF-8 LC_ALL= "$phasor" notebook "$dir/own/alone.lua" | grep -q '# Alone' || echo 'a notebook without prose'
}
mistakes_in_its_use() {
    finds 'phasor: page: wanted -o and a folder to write into' sh -c "'$phasor' page context 2>&1"
    finds 'phasor: page: wanted the names of lessons, or --all' sh -c "'$phasor' page -o '$dir/x' 2>&1"
    "$phasor" page nosuch -o "$dir/x" 2>&1 | grep -q 'no claim or lesson "nosuch"' || echo "an unknown lesson"
}

run_cases every_page_is_sound a_lesson_with_what_it_shows what_varies_has_a_slider each_language_shows_its_own \
    verdicts_are_told_once teachers_see_the_solutions faults_are_found one_language_is_enough mistakes_in_its_use
