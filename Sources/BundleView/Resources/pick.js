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
// Values are written as the pages write them, in the pages' own words: see ValueHTML, MomentWords and Words.size.
const MOMENT = /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:T([01]\d|2[0-3]):([0-5]\d):[0-5]\d(?:\.\d+)?Z?)?$/;
function timeOf(text) {
  const parts = text.length <= 40 && MOMENT.exec(text);
  if (!parts) return null;
  const [, year, month, day, hour, minute] = parts;
  const date = say("format.date", { year, month: say(`month.${Number(month)}`), day: Number(day) });
  return make("time", { datetime: text.length > 23 ? text.slice(0, 23) + (text.endsWith("Z") && text[22] !== "Z" ? "Z" : "") : text, title: text },
    hour ? say("format.dateTime", { date, time: say("format.time", { hour, minute }) }) : date);
}
const knows = (key) => has(view.strings, key);
function masked(reason) {
  const [label, why] = [`value.masked.${reason}`, `redaction.${reason}`];
  return make("span", { class: "badge mask", title: knows(why) ? say(why) : say("redaction.other", { reason }) }, knows(label) ? say(label) : say("value.masked.other", { reason }));
}
function sizeOf(bytes) {
  if (bytes < 1000) return count("bytes", bytes);
  const [unit, factor] = bytes < 1e6 ? ["bytes.KB", 1e3] : bytes < 1e9 ? ["bytes.MB", 1e6] : ["bytes.GB", 1e9];
  const tenths = Math.floor((Math.floor(bytes / (factor / 100)) + 5) / 10);
  return say(unit, { n: tenths < 100 && tenths % 10 ? Math.floor(tenths / 10) + say("format.decimal") + tenths % 10 : number(Math.floor((tenths + (tenths < 100 ? 0 : 5)) / 10)) });
}
const NAMED = { NaN: "value.nan", Infinity: "value.infinity", "-Infinity": "value.minusInfinity" };
// What the bundle writes as an object with one key that begins with $.
const FORMS = {
  $n: (value) => make("td", { class: "num" }, value.$n),
  $redacted: (value) => make("td", {}, masked(String(value.$redacted))),
  $missing: (value) => make("td", {}, make("span", { class: "badge warn" }, say("value.missing", { name: value.$missing }))),
  $date: ({ $date }) => make("td", {}, typeof $date === "string" ? timeOf($date) || $date : say("value.dateSeconds", { n: textOf($date) })),
  $number: (value) => make("td", {}, knows(NAMED[value.$number]) ? say(NAMED[value.$number]) : textOf(value.$number)),
  $file: (value) => make("td", {}, sizeOf(Number(value.bytes) || 0), make("br"), make("code", {}, `data/${value.$file}`)),
  $base64: (value) => make("td", {}, say("value.bytes", { size: sizeOf(Math.floor(String(value.$base64).replace(/=+$/, "").length * 3 / 4)) })),
};
function cellOf(value) {
  if (value === undefined || value === null) return make("td", { class: "nil" }, say("value.nil"));
  if (typeof value === "number") return make("td", { class: "num" }, String(value));
  if (typeof value === "boolean") return make("td", {}, say(`value.${value}`));
  if (typeof value === "string") {
    const time = value.length > 10 && timeOf(value);
    if (time) return make("td", {}, time);
    if (value.length <= 300) return make("td", { class: value.length > 60 ? "text" : null }, value);
    return make("td", { class: "text" }, make("details", { class: "fold" }, make("summary", {}, value.slice(0, 200) + "…"), value.slice(0, 10000)));
  }
  const form = !has(value, "$archive") && Object.keys(FORMS).find((key) => has(value, key));
  if (form) return FORMS[form](value);
  return make("td", {}, make("details", {}, make("summary", {}, say("nested")), make("pre", {}, plain(value).slice(0, 10000))));
}

function picking(place) {
  Object.assign(view.strings, view.words);
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

starts.push(() => picking(find("#pick")));
