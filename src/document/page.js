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

// A picture that depends on a number: the slider shows one of its frames.
for (const box of document.querySelectorAll(".slide")) {
  const input = box.querySelector("input"), said = box.querySelector("output"), frames = [...box.parentElement.querySelectorAll("[data-frame]")];
  input.addEventListener("input", () => {
    frames.forEach((e, i) => { e.hidden = i !== Number(input.value); });
    said.textContent = frames[Number(input.value)].dataset.frame;
  });
  box.hidden = false;
}

// On paper what was folded stands open, but hints.
addEventListener("beforeprint", () => { for (const d of document.querySelectorAll("details.said, details.folded")) d.open = true; });
