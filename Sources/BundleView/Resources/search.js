// The search page: finds pages by the index, and rows by asking the pages, which lie in hidden frames.
// Of scripts without spaces, the index has each pair of neighbouring letters.
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]+/gu;
function tokens(word) {
  const found = word.split(UNSPACED).filter(Boolean).map((part) => [...part].slice(0, 32).join(""));
  for (const [part] of word.matchAll(UNSPACED)) {
    const letters = [...part];
    if (letters.length === 1) found.push(part);
    for (let i = 1; i < letters.length; i += 1) found.push(letters[i - 1] + letters[i]);
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

starts.push(() => searching(find("#search")));
