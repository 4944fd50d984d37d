// What the pages can do where scripts are on. Every page works without; nothing here asks the network for anything.
"use strict";
(() => {
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
// The export makes its index by the same rule: letters without accents, each in its own lower case; runs of letters, digits and marks;
// of scripts without spaces, each pair of neighbours.
const bare = (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").normalize("NFC");
const ASCII = /^[\x00-\x7f]*$/;
// A capital sigma goes first, or it would become another letter at a word's end.
const folded = (text) => (ASCII.test(text) ? text : bare(text).replace(/Σ/g, "σ")).toLowerCase();
const RUNS = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]+/gu;
const needles = (query) => folded(query).match(RUNS) || [];
function tokens(word) {
  const found = word.split(UNSPACED).filter(Boolean).map((part) => [...part].slice(0, 32).join(""));
  for (const [part] of word.matchAll(UNSPACED)) {
    const letters = [...part];
    if (letters.length === 1) found.push(part);
    for (let i = 1; i < letters.length; i += 1) found.push(letters[i - 1] + letters[i]);
  }
  return found;
}
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
function ask(page, question) {
  return new Promise((resolve, reject) => {
    const frame = make("iframe", { class: "away", title: say("search.go"), tabindex: -1, src: `${view.root}view/${page}.html` });
    const end = (settle, value) => { clearTimeout(timer); removeEventListener("message", listen); frame.remove(); settle(value); };
    const listen = ({ source, data }) => { if (source === frame.contentWindow && data && data.key === view.key) end(resolve, data); };
    const timer = setTimeout(() => end(reject, new Error("no answer")), 15000);
    addEventListener("message", listen);
    frame.addEventListener("load", () => frame.contentWindow.postMessage({ key: view.key, ...question }, "*"));
    document.body.append(frame);
  });
}

// By code points, as the shards are: UTF-16 puts some of the rarest letters elsewhere.
function isBefore(a, b) {
  const x = [...a], y = [...b];
  const i = x.findIndex((letter, place) => letter !== y[place]);
  return i < 0 ? x.length < y.length : y[i] !== undefined && x[i].codePointAt(0) < y[i].codePointAt(0);
}
const shards = new Map();
const LAST = "\u{10ffff}";
async function pagesWith(token) {
  const pages = new Set();
  for (let i = 0; i < view.shards.length; i += 1) {
    if (isBefore(token + LAST, view.shards[i])) break;
    if (i + 1 < view.shards.length && isBefore(view.shards[i + 1], token)) continue;
    if (!shards.has(i)) shards.set(i, (await ask(`search/${i + 1}`, { ask: "tokens" })).tokens);
    for (const [word, places] of shards.get(i)) {
      if (!word.startsWith(token)) continue;
      let page = 0;
      for (const step of places.split(",")) pages.add(page += Number(step));
    }
  }
  return pages;
}
async function candidates(words) {
  let pages = null;
  for (const token of words.flatMap(tokens)) {
    const some = await pagesWith(token);
    pages = pages ? new Set([...pages].filter((page) => some.has(page))) : some;
  }
  return [...pages].sort((a, b) => a - b);
}

function searchForm(go, value = "") {
  const field = make("input", { type: "search", id: "query", autocomplete: "off", placeholder: say("search.placeholder"), value });
  return make("form", { class: "find", role: "search", novalidate: true, submit: onSubmit(() => go(field.value.trim())) },
    make("label", { for: "query" }, say("search.label")), field, make("button", { class: "main" }, say("search.go")));
}
// The text with the words marked that were looked for, whatever their accents.
function marked(text, words) {
  const parts = text.split(new RegExp(`(${[...words].sort((a, b) => b.length - a.length).map(likeness).join("|")})`));
  return parts.map((part, i) => i % 2 ? make("mark", {}, part) : part);
}
const AT_ONCE = 25;
function searching(place) {
  const asked = () => { try { return decodeURIComponent((/^#q=(.*)$/s.exec(location.hash) || [])[1] || ""); } catch { return ""; } };
  const status = make("p", { role: "status" }), hits = make("ol", { class: "hits" }), more = button(say("search.more"), () => proceed(), { hidden: true });
  place.append(searchForm((query) => { if (asked() === query) start(); else location.hash = "q=" + encodeURIComponent(query); }, asked()), status, hits, more);
  let run = 0, proceed = () => {};
  async function start() {
    const query = asked(), mine = run += 1;
    find("#query").value = query;
    hits.replaceChildren();
    more.hidden = true;
    const words = needles(query);
    if (!words.length || (query.length < 2 && /^[\x00-\u024f]*$/.test(query))) { status.textContent = query ? say("search.short") : ""; return; }
    status.textContent = say("search.busy", { done: 0, total: view.pages.length });
    try {
      const pages = await candidates(words);
      let next = 0, found = 0, limit = AT_ONCE;
      proceed = async () => {
        limit = found + AT_ONCE;
        more.hidden = true;
        while (next < pages.length && found < limit && mine === run) {
          status.textContent = say("search.busy", { done: next, total: pages.length });
          const page = view.pages[pages[next] - 1];
          const { rows } = await ask(page, { ask: "rows", words });
          if (mine !== run) return;
          next += 1;
          for (const [id, text] of rows) {
            found += 1;
            const title = `${view.titles[page.split("/")[0]]}, ${say("search.row", { n: id.slice(1) })}`;
            hits.append(make("li", {}, make("a", { href: `${view.root}view/${page}.html#${id}` }, title), make("p", {}, ...marked(text, words))));
          }
        }
        if (mine !== run) return;
        status.textContent = found ? count("search.found", found, { query }) : say("search.none", { query });
        if (next < pages.length) { status.textContent += " …"; more.hidden = false; }
      };
      await proceed();
    } catch { if (mine === run) status.textContent = say("search.failed"); }
  }
  addEventListener("hashchange", start);
  start();
}

// ---- the data file: rows that the pages don't show are read from it, a piece at a time, so that it never lies in memory whole
const PIECE = 1 << 20, LONGEST = 1 << 26, PER_PAGE = 50, MOST = 2000;
async function* pieces(file, offset, state) {
  let size = PIECE >> 2;
  while (offset < file.size && !state.stopped) {
    const bytes = new Uint8Array(await file.slice(offset, offset + size).arrayBuffer());
    const end = offset + size >= file.size ? bytes.length : bytes.lastIndexOf(10) + 1;
    if (end) {
      yield { bytes: bytes.subarray(0, end), offset };
      offset += end;
      size = PIECE;
    } else if ((size *= 2) > LONGEST) throw new Error("too long a row");  // it was longer than the piece
  }
}
// Numbers that a script would round or shorten are kept as they are written. A key of the data's own that begins with $ is doubled, so {"$n"} is free.
const NUMBERS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const parse = (line) => JSON.parse(line.replace(/,?\s*$/, "").replace(NUMBERS, (part) => part[0] === '"' || String(Number(part)) === part ? part : `{"$n":"${part}"}`));
// After a word: it is no part of a key's name, which ends with a quotation mark before a colon.
const NO_KEY = '(?![^"\\\\]*":)';
const textOf = (value) => value === null || value === undefined ? "" : typeof value !== "object" ? String(value) : Object.values(value).map(textOf).join(" ");
const plain = (value) => JSON.stringify(value, (key, inner) => inner && typeof inner === "object" && has(inner, "$n") ? inner.$n : inner, 1);
function cellOf(value) {
  if (value === undefined || value === null) return make("td", { class: "nil" }, say("nil"));
  if (typeof value === "number") return make("td", { class: "num" }, String(value));
  if (typeof value === "boolean") return make("td", {}, say(String(value)));
  if (typeof value === "string") {
    if (value.length <= 300) return make("td", { class: value.length > 60 ? "text" : null }, value);
    return make("td", { class: "text" }, make("details", { class: "fold" }, make("summary", {}, value.slice(0, 200) + "…"), value.slice(0, 10000)));
  }
  if (has(value, "$n")) return make("td", { class: "num" }, value.$n);
  if (has(value, "$redacted")) return make("td", {}, make("span", { class: "badge mask" }, say("masked", { reason: value.$redacted })));
  if (has(value, "$missing")) return make("td", {}, make("span", { class: "badge warn" }, say("missing", { name: value.$missing })));
  if (has(value, "$date")) return make("td", {}, textOf(value.$date));
  if (has(value, "$number")) return make("td", { class: "num" }, value.$number);
  if (has(value, "$file")) return make("td", {}, say("bytes", { n: number(value.bytes) }), make("br"), make("code", {}, `data/${value.$file}`));
  if (has(value, "$base64") && !has(value, "$archive")) return make("td", {}, say("bytes", { n: number(Math.floor(value.$base64.replace(/=+$/, "").length * 3 / 4)) }));
  return make("td", {}, make("details", {}, make("summary", {}, say("nested")), make("pre", {}, plain(value).slice(0, 10000))));
}

function picking(place) {
  const name = view.file.split("/").pop();
  const hint = make("p", { id: "pick-hint" }, say("pick.hint", { file: view.file }));
  const field = make("input", { type: "file", id: "pick-file", accept: ".json,application/json", "aria-describedby": "pick-hint" });
  const status = make("p", { role: "status" }), bar = make("progress", { max: 1, value: 0, hidden: true, "aria-label": say("pick.open") });
  const query = make("input", { type: "search", id: "pick-query", autocomplete: "off" });
  const row = make("input", { type: "number", id: "pick-row", min: 1, max: view.rows });
  const stop = button(say("pick.cancel"), () => { state.stopped = true; }, { hidden: true });
  const back = button(say("previous"), () => turn(-1)), on = button(say("next"), () => turn(1));
  const table = make("tbody"), pager = make("div", { class: "tools" }, back, on);
  const controls = make("div", { hidden: true },
    make("form", { class: "find", role: "search", novalidate: true, submit: onSubmit(() => search(query.value)) },
      make("label", { for: "pick-query" }, say("pick.search")), query, make("button", { class: "main" }, say("search.go")), button(say("pick.all"), () => list(1))),
    make("form", { class: "tools", novalidate: true, submit: onSubmit(() => list(Math.max(1, Number(row.value) || 1))) },
      make("label", { for: "pick-row" }, say("jump")), row, make("button", {}, say("jump.go"))),
    make("div", { class: "tools" }, status, bar, stop),
    make("div", { class: "scroll rows", role: "region", tabindex: 0, "aria-label": say("pick.table") }, make("table", {}, make("thead", {}, make("tr", {},
      make("th", { scope: "col", class: "num" }, say("number")), ...view.columns.map(([key, label]) => make("th", { scope: "col", title: key }, label)))), table)),
    pager);
  place.append(hint, make("p", { class: "tools" }, make("label", { for: "pick-file" }, say("pick.open")), field), controls);

  let file = null, state = { stopped: true }, hits = [], first = 0, listing = null;
  const decoder = new TextDecoder();
  const valuesOf = (object) => view.columns.map(([key]) => has(object, key) ? object[key] : undefined);
  const show = (rows) => table.replaceChildren(...rows.map(([n, object]) =>
    make("tr", {}, make("th", { scope: "row", class: "num" }, String(n)), ...valuesOf(object).map(cellOf))));
  const showHits = () => { show(hits.slice(first, first + PER_PAGE)); back.disabled = first === 0; on.disabled = first + PER_PAGE >= hits.length; };
  function turn(way) {
    if (listing) list(Math.max(1, listing + way * PER_PAGE));
    else { first += way * PER_PAGE; showHits(); }
  }
  // One reading at a time: a new one stops the one before.
  async function read(work) {
    state.stopped = true;
    const mine = state = { stopped: false };
    bar.hidden = stop.hidden = false;
    bar.value = 0;
    let failed = false;
    try { await work(mine); } catch { failed = true; }
    if (mine !== state) return;
    if (failed) status.textContent = say("pick.failed");
    else if (mine.stopped && !mine.done) status.textContent += " " + say("pick.stopped");
    bar.hidden = stop.hidden = true;
  }
  let told = 0;
  const progress = (offset) => { if (performance.now() - told > 100) { told = performance.now(); bar.value = offset / file.size; } };

  // Where some of the rows begin, so that going on needs no reading from the start. Row 1 stands in line 1, after the bracket.
  let marks = [[0, 0]];
  function list(from) {
    return read(async (mine) => {
      const rows = [];
      let [line, offset] = marks.filter(([known]) => known <= from).pop();
      for await (const piece of pieces(file, offset, mine)) {
        if (line > marks[marks.length - 1][0]) marks.push([line, piece.offset]);
        progress(piece.offset);
        let at = 0;
        const { bytes } = piece;
        while (at < bytes.length && rows.length < PER_PAGE) {
          const next = bytes.indexOf(10, at), end = next < 0 ? bytes.length : next;
          if (line >= from && bytes[at] === 123) rows.push([line, parse(decoder.decode(bytes.subarray(at, end)))]);
          line += 1;
          at = end + 1;
        }
        if (rows.length === PER_PAGE) { mine.done = mine.stopped = true; }
      }
      listing = from;
      show(rows);
      back.disabled = from === 1;
      on.disabled = rows.length < PER_PAGE;
      status.textContent = rows.length ? `${number(from)}–${number(from + rows.length - 1)} / ${count("pick.rows", view.rows)}` : say("jump.none", { n: from });
    });
  }
  function search(text) {
    const words = needles(text);
    if (!words.length) return list(1);
    const [rarest, ...others] = [...words].sort((a, b) => b.length - a.length).map((word, i) => new RegExp(likeness(word) + NO_KEY, i ? "" : "g"));
    return read(async (mine) => {
      let line = 0;
      hits = [];
      first = 0;
      listing = null;
      showHits();
      for await (const { bytes, offset } of pieces(file, 0, mine)) {
        progress(offset);
        const raw = decoder.decode(bytes), before = hits.length;
        let counted = 0;
        const countTo = (end) => { for (let at = raw.indexOf("\n", counted); at >= 0 && at < end; at = raw.indexOf("\n", counted)) { line += 1; counted = at + 1; } };
        rarest.lastIndex = 0;
        for (let match = rarest.exec(raw); match && hits.length < MOST; match = rarest.exec(raw)) {
          countTo(match.index);
          const next = raw.indexOf("\n", match.index), end = next < 0 ? raw.length : next;
          const row = raw.slice(counted, end);
          rarest.lastIndex = end;
          if (row[0] !== "{" || !others.every((pattern) => pattern.test(row))) continue;
          const object = parse(row);
          if (holds(folded(textOf(valuesOf(object))), words)) hits.push([line, object]);
        }
        if (counted) countTo(raw.length);
        else for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) line += 1;
        if (before < first + PER_PAGE && hits.length > before) showHits();
        if (hits.length >= MOST) mine.done = mine.stopped = true;
        if (hits.length > before) status.textContent = count("pick.found", hits.length);
      }
      showHits();
      status.textContent = hits.length >= MOST ? say("pick.many", { n: number(MOST) }) : count("pick.found", hits.length);
    });
  }
  field.addEventListener("change", async () => {
    if (!field.files.length) return;
    file = field.files[0];
    marks = [[0, 0]];
    const start = await file.slice(0, 3).text();
    controls.hidden = !/^\[\r?\n\{/.test(start);
    hint.textContent = controls.hidden ? say("pick.bad") : file.name === name ? say("pick.hint", { file: view.file }) : say("pick.other", { file: name });
    if (!controls.hidden) { await list(view.shown + 1); query.focus(); }
  });
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

addEventListener("DOMContentLoaded", () => {
  view = JSON.parse(find("#view-data").textContent);
  // In a frame a page does nothing but answer, so that no other page can look at what it is doing.
  if (parent !== window) { answering(); return; }
  if (view.kind === "shard") return;
  all("[data-js]").forEach((part) => { part.hidden = false; });
  all("[data-nojs]").forEach((part) => { part.hidden = true; });
  themeToggle(find("#theme"));
  if (find("#find")) find("#find").append(searchForm((query) => { location.href = "view/search.html#q=" + encodeURIComponent(query); }));
  if (find("#search")) searching(find("#search"));
  if (find("#rows")) sortable(find("#rows"));
  if (view.starts && view.starts.length > 1) jumping(find(".tools"));
  if (find("#pick")) picking(find("#pick"));
  if (find(".gallery")) lightbox(all(".gallery a"));
});
})();
