"""book.py DIR [--teacher] [--whole]: what is wrong with the pages in DIR, a line each: elements that are not closed, ids given twice, links that
lead nowhere, anything from outside, pages too large, places that one language lacks, characters that the font of formulas lacks, and, unless
--teacher, solutions and hidden tests. --whole: every lesson must be there."""
import html.parser
import os
import re
import sys
import urllib.parse

VOID = {"meta", "br", "hr", "img", "input", "link", "wbr", "col"}
PAGE = 400 * 1024  # before pictures


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.path, self.open, self.ids, self.links, self.wrong, self.math, self.text, self.lang = path, [], set(), [], [], set(), [], None
        source = open(path, encoding="utf-8").read()
        self.size = len(re.sub(r"<figure.*?</figure>", "", source, flags=re.S).encode())
        for found in re.findall(r"(?:https?:)?//[a-z][\w.-]*\.\w+|<link|<iframe|<object|@import|\bsrc=|url\((?!\"data:|#)", source):
            self.wrong.append(f"from outside: {found}")
        self.feed(source)
        self.close()
        if self.open:
            self.wrong.append(f"not closed: {self.open}")

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                if value in self.ids:
                    self.wrong.append(f"id {value} twice")
                self.ids.add(value)
            if name == "href":
                self.links.append(value)
            if name == "lang" and tag == "html":
                self.lang = value
        if tag in ("p", "h1", "h2", "h3") and self.open and self.open[-1] == "p":
            self.wrong.append(f"<{tag}> in a <p>")
        if tag in ("div", "figure", "pre", "ul", "ol", "table", "details") and ("p" in self.open or "span" in self.open):
            self.wrong.append(f"<{tag}> in a <p> or a <span>")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        if "math" not in self.open and "svg" not in self.open:
            self.wrong.append(f"<{tag}/> closes nothing in HTML")

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> closes another element at {self.getpos()}")

    def handle_data(self, data):
        if "math" in self.open:
            if "mtext" not in self.open:
                self.math |= set(data)
        elif "style" not in self.open and "script" not in self.open:
            self.text.append(data)


def font():
    """The characters that the committed font has."""
    source = open("src/document/mathfont.lua", encoding="utf-8").read().split("woff2 =")[0]
    pairs = re.findall(r"\{\s*0x(\w+),\s*0x(\w+)\s*\}", source)
    return {chr(c) for a, b in pairs for c in range(int(a, 16), int(b, 16) + 1)}


SHORT = 10  # bytes: such a line may stand anywhere


def first_variant(line):
    """The line as the first of its variants: ({-1, 2})[variant] is -1."""
    def first(found):
        depth, quoted = 0, False
        for i, c in enumerate(found[1]):
            quoted ^= c == '"'
            depth += 0 if quoted else (c in "{(") - (c in "})")
            if c == "," and depth == 0 and not quoted:
                return found[1][:i].strip()
        return found[1].strip()
    return re.sub(r"\(\{(.*?)\}\)\[variant\]", first, line)


def stands(line, text):
    """Is the line in the text, as it is written or in its first variant? One that becomes short is no sign of a solution."""
    variant = first_variant(line)
    return line in text or variant != line and len(variant) > SHORT and variant in text


def secrets(lesson):
    """Lines of its solutions and hidden tests that stand nowhere else in it."""
    inside, hidden, shown = False, set(), set()
    for line in open(f"lessons/{lesson}.lua", encoding="utf-8"):
        line = line.strip()
        if re.match(r"--- BEGIN", line):
            inside = True
        elif re.match(r"--- END", line):
            inside = False
        elif inside and len(line) > 18:
            hidden.add(line)
        elif not inside:
            shown.add(line.removeprefix("-- "))
    return hidden - shown


def faults(directory, teacher, whole):
    names = [n.removesuffix(".lua") for n in sorted(os.listdir("lessons")) if n.endswith(".lua") and n != "ledger.lua"]
    pages = {}
    for folder, _, files in os.walk(directory):
        for f in files:
            if f.endswith(".html"):
                pages[os.path.relpath(os.path.join(folder, f), directory)] = Page(os.path.join(folder, f))
    has = font()
    secret_lines = 0
    for lang, code in (("en", "en"), ("zh", "zh-Hans")):
        for name in names:
            path = f"{lang}/{name}.html"
            if path not in pages:
                if whole:
                    yield f"{path} is missing"
                continue
            page = pages[path]
            if page.lang != code:
                yield f"{path}: lang is {page.lang}"
            hidden = secrets(name)
            secret_lines += len(hidden)
            text = "".join(page.text)
            seen = [line for line in hidden if stands(line, text)]
            if not teacher and seen:
                yield f"{path}: gives away: {seen[0]}"
            lacking = [line for line in hidden - set(seen) if len(first_variant(line)) > SHORT]
            if teacher and lacking:
                yield f"{path}: lacks what a teacher wants: {lacking[0]}"
    if not secret_lines and not teacher:
        yield "no solution was looked for"
    for path, page in pages.items():
        for wrong in page.wrong:
            yield f"{path}: {wrong}"
        if page.size > PAGE:
            yield f"{path}: {page.size} bytes before pictures"
        lacking = page.math - has - {"\n"}
        if lacking:
            yield f"{path}: the font lacks {sorted(lacking)}; scripts/mathfont makes it anew"
        other = {"en": "zh", "zh": "en"}.get(path.split("/")[0])
        twin = other and pages.get(path.replace(path.split("/")[0], other, 1))
        if twin and twin.ids != page.ids:
            yield f"{path}: places that {twin.path} lacks: {sorted(page.ids - twin.ids)[:3]}"
        for link in page.links:
            target, _, place = link.partition("#")
            to = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
            if to not in pages:
                yield f"{path}: {link} leads nowhere"
            elif place and urllib.parse.unquote(place) not in pages[to].ids:
                yield f"{path}: no place {link}"


if __name__ == "__main__":
    wrong = list(faults(sys.argv[1], "--teacher" in sys.argv, "--whole" in sys.argv))
    print("\n".join(wrong[:20]))
    sys.exit(bool(wrong))
