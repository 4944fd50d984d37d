// What all pages can do where scripts are on. Every page works without; nothing here asks the network for anything.
// The search page's script goes on with search.js, that of a collection with more rows than its pages show with pick.js.
"use strict";
const root = document.documentElement;
const theme = { get: () => { try { return sessionStorage.getItem("theme"); } catch { return null; } },
  set: (name) => { try { sessionStorage.setItem("theme", name); } catch { /* then it holds for this page only */ } } };
if (theme.get()) root.dataset.theme = theme.get();

let view = {};
const find = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const has = (object, key) => Object.prototype.hasOwnProperty.call(object, key);

// Words come from the page's data; an element is made of a tag, attributes and children, and text only ever becomes text.
const say = (key, values = {}) => String(view.strings[key] ?? key).replace(/\{(\w+)\}/g, (mark, name) => has(values, name) ? values[name] : mark);
const number = (n) => Number(n).toLocaleString(view.lang === "ar" ? "ar-u-nu-latn" : view.lang);
const count = (key, n, values = {}) => {
  const form = `${key}.${new Intl.PluralRules(view.lang).select(n)}`;
  return say(has(view.strings, form) ? form : `${key}.other`, { n: number(n), ...values });
};
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}
const button = (words, click, more = {}) => make("button", { type: "button", click, ...more }, words);
const onSubmit = (act) => (event) => { event.preventDefault(); act(); };

// ---- light and dark
function themeToggle(toggle) {
  const dark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const show = () => { toggle.textContent = say(dark() ? "theme.light" : "theme.dark"); toggle.title = say("theme.label"); };
  toggle.addEventListener("click", () => { theme.set(root.dataset.theme = dark() ? "light" : "dark"); show(); });
  show();
}

// ---- a collection's page: sorting it, and going to a row of another page
function sortable(table) {
  const body = table.tBodies[0], original = [...body.rows], heads = [...table.tHead.rows[0].cells];
  const status = make("p", { class: "vh", role: "status" });
  table.parentNode.before(status);
  const order = new Intl.Collator(view.lang, { numeric: true });
  const key = (row, column) => {
    const cell = row.cells[column], time = find("time", cell);
    if (cell.classList.contains("nil")) return null;
    return cell.classList.contains("num") ? Number(cell.textContent) : time ? time.dateTime : cell.textContent.trim().slice(0, 200);
  };
  const compare = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : order.compare(a, b);
  heads.forEach((head, column) => {
    const name = head.textContent;
    head.replaceChildren(button(name, () => {
      const next = { none: "ascending", ascending: "descending", descending: "none" }[head.getAttribute("aria-sort") || "none"];
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      if (next === "none") body.append(...original);
      else {
        head.setAttribute("aria-sort", next);
        const way = next === "ascending" ? 1 : -1;
        const keyed = original.map((row) => [key(row, column), row]);
        // Where there is no value, the row comes last either way.
        keyed.sort(([a], [b]) => a === null || b === null ? (a === null) - (b === null) : way * compare(a, b));
        body.append(...keyed.map(([, row]) => row));
      }
      status.textContent = next === "none" ? say("sort.off") : say(`sorted.${next}`, { name });
    }, { title: say("sort", { name }) }));
  });
}

function jumping(tools) {
  const status = make("span", { role: "status" });
  const field = make("input", { type: "number", min: 1, max: view.shown, required: true, id: "jump" });
  const go = () => {
    const row = Math.floor(Number(field.value));
    if (!(row >= 1 && row <= view.shown)) { status.textContent = say("jump.none", { n: field.value }); return; }
    let page = view.starts.length;
    while (view.starts[page - 1] > row) page -= 1;
    location.href = `${page}.html#r${row}`;
  };
  tools.append(make("form", { class: "tools", novalidate: true, submit: onSubmit(go) },
    make("label", { for: "jump" }, say("jump")), field, make("button", {}, say("jump.go")), status));
}

// ---- search
// The export makes its index by the same rule: letters without accents, each in its own lower case; runs of letters, digits and marks.
const bare = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").normalize("NFC");
const ASCII = /^[\x00-\x7f]*$/;
// A capital sigma goes first, or it would become another letter at a word's end.
const folded = (text) => (ASCII.test(text) ? text : bare(text).replace(/Σ/g, "σ")).toLowerCase();
const RUNS = /[\p{L}\p{N}\p{M}]+/gu;
const needles = (query) => folded(query).match(RUNS) || [];
const holds = (text, words) => words.every((word) => text.includes(word));

// A pattern of the word with any accents and case. Folding all of a large file instead would take ten times as long.
const likes = new Map();
function likeness(word) {
  if (!likes.size) {
    for (let code = 0x41; code < 0x2000; code += 1) {
      const letter = String.fromCharCode(code), plainly = folded(letter);
      if (plainly !== letter && plainly.length === 1) likes.set(plainly, (likes.get(plainly) || plainly) + letter);
    }
  }
  return Array.from(word, (letter) => `${likes.has(letter) ? `[${likes.get(letter)}]` : letter}[\\u0300-\\u036f]*`).join("");
}

// A page that lies in a hidden frame answers its search page, which alone knows the key of the bundle's pages: a hostile file beside them doesn't.
function answering() {
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || !data || data.key !== view.key) return;
    const answer = { key: view.key };
    if (data.ask === "tokens") answer.tokens = view.tokens;
    else if (data.ask === "rows") answer.rows = matchingRows(data.words);
    parent.postMessage(answer, "*");
  });
}
function matchingRows(words) {
  const found = [], first = new RegExp(words.map(likeness).join("|"));
  for (const row of all("[id^=r]")) {
    if (!/^r\d+$/.test(row.id)) continue;
    const parts = row.cells ? all("td:not(.nil):not(.back)", row) : [row];
    const text = parts.map((part) => part.textContent.trim()).filter(Boolean).join(" · ").replace(/\s+/g, " ");
    if (!holds(folded(text), words)) continue;
    const at = Math.max(0, text.search(first) - 60);
    found.push([row.id, (at ? "…" : "") + text.slice(at, at + 220) + (at + 220 < text.length ? "…" : "")]);
  }
  return found;
}
function searchForm(go, value = "") {
  const field = make("input", { type: "search", id: "query", autocomplete: "off", placeholder: say("search.placeholder"), value });
  return make("form", { class: "find", role: "search", novalidate: true, submit: onSubmit(() => go(field.value.trim())) },
    make("label", { for: "query" }, say("search.label")), field, make("button", { class: "main" }, say("search.go")));
}
// ---- pictures, large
function lightbox(links) {
  const picture = make("img", { alt: "" }), words = make("p", { id: "box-name" });
  let now = 0;
  const show = (index) => {
    now = (index + links.length) % links.length;
    const name = find("img", links[now]).alt;
    picture.src = links[now].href;
    picture.alt = name;
    words.textContent = say("picture", { n: now + 1, total: links.length, name });
  };
  const box = make("dialog", { class: "box", "aria-labelledby": "box-name" }, picture, make("div", {}, words,
    button(say("previous"), () => show(now - 1)), button(say("next"), () => show(now + 1)), button(say("close"), () => box.close())));
  if (!box.showModal) return;
  box.addEventListener("keydown", ({ key }) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[key];
    if (way) show(now + (root.dir === "rtl" ? -way : way));
  });
  box.addEventListener("click", ({ target }) => { if (target === box) box.close(); });
  box.addEventListener("close", () => links[now].focus());
  document.body.append(box);
  links.forEach((link, index) => link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(index);
    box.showModal();
  }));
}

// What search.js and pick.js add.
const starts = [];
addEventListener("DOMContentLoaded", () => {
  view = JSON.parse(find("#view-data").textContent);
  // In a frame a page does nothing but answer, so that no other page can look at what it is doing.
  if (parent !== window) { answering(); return; }
  if (view.kind === "shard") return;
  all("[data-js]").forEach((part) => { part.hidden = false; });
  all("[data-nojs]").forEach((part) => { part.hidden = true; });
  themeToggle(find("#theme"));
  if (find("#find")) find("#find").append(searchForm((query) => { location.href = "view/search.html#q=" + encodeURIComponent(query); }));
  if (find("#rows")) sortable(find("#rows"));
  if (view.starts && view.starts.length > 1) jumping(find(".tools"));
  if (find(".gallery")) lightbox(all(".gallery a"));
  starts.forEach((start) => start());
});
