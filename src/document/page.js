"use strict";
// What scrolls sideways says so, and can be scrolled by keys.
const wide = [...document.querySelectorAll(".wide")];
function mark() {
  for (const e of wide) {
    const more = e.scrollWidth > e.clientWidth + 1, next = e.nextElementSibling, sign = next && next.className === "sign" ? next : null;
    if (more) e.tabIndex = 0; else e.removeAttribute("tabindex");
    if (more && !sign) e.insertAdjacentHTML("afterend", '<div class="sign" aria-hidden="true">⟷</div>');
    if (!more && sign) sign.remove();
  }
}
addEventListener("resize", mark);
mark();
document.fonts.ready.then(mark);
for (const d of document.querySelectorAll("details")) d.addEventListener("toggle", mark);
const list = document.querySelector(".places details");
if (list && matchMedia("(max-width: 68rem)").matches) list.open = false;

// The other language opens at the same place.
const places = [...document.querySelectorAll("main [id]")];
function here() {
  let found = "";
  for (const e of places) if (e.getBoundingClientRect().top < 120) found = e.id;
  return scrollY > 0 && found ? "#" + found : "";
}
for (const a of document.querySelectorAll("a.other")) {
  const page = a.getAttribute("href");
  a.addEventListener("click", () => { a.href = page + here(); });
}

// Where the reader is, in the list beside the text.
const links = new Map([...document.querySelectorAll(".places a")].map(a => [a.hash.slice(1), a]));
let last = null;
addEventListener("scroll", () => {
  let now = null;
  for (const [id, a] of links) {
    const e = document.getElementById(decodeURIComponent(id));
    if (e && e.getBoundingClientRect().top < 140) now = a;
  }
  if (now !== last) {
    if (last) last.classList.remove("here");
    if (now) now.classList.add("here");
    last = now;
  }
}, {passive: true});

// Entries by kind and by words: of each group of buttons one that is pressed must fit, and every word.
for (const bar of document.querySelectorAll(".filters")) {
  const buttons = [...bar.querySelectorAll("button")], box = bar.querySelector("input"), entries = [...document.querySelectorAll("article")];
  const texts = entries.map(e => e.textContent.toLowerCase()), kinds = entries.map(e => (e.dataset.kinds || "").split(" "));
  function filter() {
    const groups = {}, words = box.value.toLowerCase().split(/\s+/).filter(w => w);
    for (const b of buttons) if (b.getAttribute("aria-pressed") === "true") (groups[b.name] = groups[b.name] || []).push(b.value);
    entries.forEach((e, i) => {
      e.hidden = !Object.values(groups).every(g => g.some(k => kinds[i].includes(k))) || !words.every(w => texts[i].includes(w));
    });
    for (const g of document.querySelectorAll("section.group")) g.hidden = !g.querySelector("article:not([hidden])");
    mark();
  }
  for (const b of buttons) b.addEventListener("click", () => {
    b.setAttribute("aria-pressed", b.getAttribute("aria-pressed") !== "true");
    filter();
  });
  box.addEventListener("input", filter);
  bar.hidden = false;
}

// A picture that depends on numbers: sliders choose the frame. Where no frame has all of them, the others go back to where they began.
for (const box of document.querySelectorAll(".vary")) {
  const inputs = [...box.querySelectorAll("input")], frames = [...box.querySelectorAll("[data-at]")], said = box.querySelector("output");
  const play = box.querySelector("button"), chosen = () => frames.find(f => f.dataset.at === inputs.map(i => i.value).join(" "));
  let timer = 0;
  function show(moved) {
    if (!chosen()) for (const i of inputs) if (i !== moved) i.value = i.defaultValue;
    const now = chosen() || frames[0];
    for (const f of frames) f.hidden = f !== now;
    said.textContent = now.dataset.label;
    mark();
  }
  for (const i of inputs) i.addEventListener("input", () => show(i));
  play.addEventListener("click", () => {
    clearInterval(timer);
    timer = timer ? 0 : setInterval(() => {
      const i = inputs[0];
      i.value = Number(i.value) === Number(i.max) ? i.min : Number(i.value) + 1;
      show(i);
    }, 250);
    play.textContent = timer ? "\u25A0" : "\u25B6\uFE0E";
  });
  show(inputs[0]);
  box.querySelector(".slide").hidden = false;
}

// On paper what was folded stands open, but hints. Nothing scrolls there: a formula breaks, and what is wider still shrinks to the width (page.css), for
// which it needs to know how many times the size of its letters it is wide; and some more, since smaller letters are set wider.
addEventListener("beforeprint", () => {
  for (const d of document.querySelectorAll("details.said, details.folded")) d.open = true;
  const all = [...document.querySelectorAll(".wide > math, .wide > table")];
  const ems = all.map(e => (e.localName === "math" ? e.firstElementChild : e).getBoundingClientRect().width / parseFloat(getComputedStyle(e).fontSize));
  all.forEach((e, i) => { if (ems[i] > 30) e.style.setProperty("--ems", ems[i] * (1.2 + ems[i] / 1000)); });
});
