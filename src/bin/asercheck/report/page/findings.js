"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const text = data.strings;
  const findings = data.findings.map((finding, number) => ({ ...finding, number }));
  const list = document.getElementById("list");
  const shown = document.getElementById("shown");
  const CHUNK = 60;
  const LOCKS = ["#0969da", "#bc4c00", "#8250df", "#1a7f37", "#bf3989", "#7d4e00", "#0e7490", "#9a3412"];

  const element = (name, attributes, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };
  const svg = (name, attributes, ...children) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };
  const counted = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

  // A row is [number, thread, words, depth, held locks, place, transition, kind, units, source], words and the like as numbers of strings.
  const NUMBER = 0, THREAD = 1, WORDS = 2, DEPTH = 3, HELD = 4, PLACE = 5, EVENT = 6, KIND = 7, UNITS = 8, SOURCE = 9;

  const haystack = finding => finding.haystack ??= [finding.title, finding.model, finding.group, finding.fingerprint, finding.statements,
    finding.says, finding.class, finding.likelihood, finding.confirmation, finding.threads.join(" ")].join("\n").toLowerCase();

  // Of a Java class, what goes wrong; the kind is told below.
  const title = finding => finding.says ?? finding.title;

  const orders = {
    rank: (a, b) => a.number - b.number,
    violations: (a, b) => b.violations - a.violations || a.number - b.number,
    steps: (a, b) => a.steps - b.steps || a.number - b.number,
    switches: (a, b) => a.switches - b.switches || a.number - b.number,
    title: (a, b) => title(a).localeCompare(title(b)) || a.number - b.number,
    model: (a, b) => a.model.localeCompare(b.model) || a.number - b.number,
  };

  // Findings of Java programs have these.
  const ABOUT = ["likelihood", "confirmation", "package", "class"];

  let chosen = [];
  let rendered = 0;

  const value = id => document.getElementById(id)?.value ?? "";

  const choose = () => {
    const words = value("search").toLowerCase().split(/\s+/).filter(word => word);
    const group = value("group"), model = value("model");
    // An option is "=" and the value, which may be empty.
    const is = (finding, id) => value(id) === "" || "=" + finding[id] === value(id);
    chosen = findings.filter(finding => (!group || finding.group === group) && (!model || finding.model === model) &&
      ABOUT.every(id => is(finding, id)) &&
      words.every(word => haystack(finding).includes(word)));
    chosen.sort(orders[value("order")] ?? orders.rank);
    shown.textContent = chosen.length === findings.length ? counted(chosen.length, "finding", "findings")
      : `${chosen.length.toLocaleString("en")} of ${counted(findings.length, "finding", "findings")}`;
    list.replaceChildren();
    rendered = 0;
    more();
  };

  const sentinel = element("div", { class: "more", "aria-hidden": "true" });
  list.after(sentinel);
  const more = () => {
    const next = chosen.slice(rendered, rendered + CHUNK);
    list.append(...next.map(entry));
    rendered += next.length;
    sentinel.textContent = rendered < chosen.length ? "…" : "";
  };
  new IntersectionObserver(entries => {
    if (entries.some(entry => entry.isIntersecting) && rendered < chosen.length) {
      more();
      // If it is still in view nothing intersects anew.
      observeAgain();
    }
  }, { rootMargin: "600px" }).observe(sentinel);
  const observeAgain = () => requestAnimationFrame(() => {
    if (rendered < chosen.length && sentinel.getBoundingClientRect().top < innerHeight + 600) { more(); observeAgain(); }
  });

  const entry = finding => {
    const about = finding.says ? `${[finding.class, finding.likelihood, finding.confirmation, finding.group].filter(word => word).join(" · ")} · ` : "";
    const sub = finding.says ? about.slice(0, -3) :
      `${data.models.length > 1 ? finding.model + " · " : ""}${finding.statements} · ${counted(finding.violations, "violation", "violations")}` +
      ` · ${counted(finding.steps, "step", "steps")}, ${counted(finding.switches, "switch", "switches")}`;
    const node = element("details", { class: "finding", id: "f" + finding.fingerprint },
      element("summary", {},
        element("span", { class: "title" }, title(finding)),
        element("span", { class: "rank", title: "rank" }, finding.rank.toFixed(2)),
        element("span", { class: "sub" }, sub)));
    node.addEventListener("toggle", () => {
      node.querySelector(".body")?.remove();
      if (node.open) open(node, finding);
    });
    return node;
  };

  const open = (node, finding) => {
    const body = element("div", { class: "body" });
    node.append(body);
    if (finding.sides) openCalls(body, finding); else openModel(body, finding);
  };

  const openModel = (body, finding) => {
    body.append(element("p", {}, finding.meaning), element("p", {}, finding.bindings));
    if (finding.violations > 1) body.append(element("p", {}, `shown for ${counted(finding.violations, "violation", "violations")}: ${finding.by}`));
    body.append(element("p", { class: "fingerprint" }, "fingerprint " + finding.fingerprint), keys(finding, finding.rows));
    lanes(finding, finding.rows, body);
  };

  // Both calls side by side, their accesses in order, and the rest on request.
  const openCalls = (body, finding) => {
    body.append(element("div", { class: "sides" }, ...finding.sides.map(side)));
    lanes(finding, finding.rows, body);
    body.append(...finding.others.map(one => element("p", { class: "others" }, text[one])));
    const rest = element("details", { class: "rest" }, element("summary", {}, `all ${counted(finding.steps, "step", "steps")}, and the evidence`));
    rest.addEventListener("toggle", () => {
      if (rest.childElementCount > 1) return;
      rest.append(element("p", {}, finding.meaning), element("p", {}, finding.bindings));
      if (finding.violations > 1) rest.append(element("p", {}, `shown for ${counted(finding.violations, "violation", "violations")}: ${finding.by}`));
      if (finding.evidence.length) rest.append(element("p", {}, "evidence: " + finding.evidence.map(one => text[one]).join(", ")));
      rest.append(keys(finding, finding.all));
      lanes(finding, finding.all, rest);
    });
    body.append(rest, element("p", { class: "fingerprint" }, "fingerprint " + finding.fingerprint));
  };

  const side = ([call, file, lines]) => element("div", { class: "side" },
    element("div", { class: "call" }, element("b", {}, call), element("span", {}, " " + file)),
    element("pre", { tabindex: "0" }, ...lines.map(([number, words, marked]) => element("div", { class: marked ? "marked" : "" },
      element("span", { class: "number" }, number || ""), number || marked ? text[words] || " " : "…"))));

  const colors = new Map();
  const color = lock => {
    if (!colors.has(lock)) colors.set(lock, LOCKS[colors.size % LOCKS.length]);
    return colors.get(lock);
  };

  // Which color which lock has, and, where columns are narrow, which number which thread.
  const keys = (finding, rows) => {
    const list = element("ul", { class: "legend" });
    finding.threads.forEach((name, thread) => list.append(element("li", { class: "name" }, element("b", {}, `${thread + 1} `), name)));
    for (const lock of new Set(rows.flatMap(row => held(row)))) {
      list.append(element("li", {}, element("span", { class: "key", style: `background:${color(lock)}` }), lock));
    }
    return list;
  };

  const held = row => text[row[HELD]] ? text[row[HELD]].split("\u001f") : [];

  const step = (finding, rows, place, narrow) => {
    const row = rows[place];
    const switches = place > 0 && rows[place - 1][THREAD] !== row[THREAD];
    const depth = Math.min(row[DEPTH], narrow ? 3 : 8);
    const words = element("span", { class: "words", style: `padding-left:${depth}em` }, text[row[WORDS]]);
    if (switches || place === 0) words.prepend(element("span", { class: "thread" }, finding.threads[row[THREAD]] + ": "));
    const item = element("li", { class: (row[EVENT] ? "event " : "") + (switches ? "switch" : "") },
      element("span", { class: "number" }, row[KIND] === "f" ? "" : String(row[NUMBER])),
      words, element("span", { class: "at" }, text[row[PLACE]]));
    if (text[row[SOURCE]]) item.append(element("span", { class: "source" }, text[row[SOURCE]]));
    return item;
  };

  const LANE = 84, WIDE = 150, BAR = 5;

  // The steps are as high as their words need; the picture beside them follows them, and follows again when the window changes.
  const lanes = (finding, rows, body) => {
    const narrow = matchMedia("(max-width:40rem)").matches;
    const lane = narrow ? Math.max(34, Math.min(60, 120 / finding.threads.length)) : finding.sides ? WIDE : LANE;
    const width = finding.threads.length * lane + 8;
    const threads = element("div", { class: "threads", style: `width:${width}px` });
    finding.threads.forEach((name, thread) =>
      threads.append(element("span", { style: `width:${lane}px`, title: name }, narrow ? String(thread + 1) : name)));
    const steps = element("ol", { class: "steps" }, ...rows.map((row, place) => step(finding, rows, place, narrow)));
    const picture = svg("svg", { width, role: "img", "aria-label": "Swim lanes: threads from left to right, time downwards" });
    body.append(element("div", { class: "lanes", tabindex: "0" },
      element("div", { class: "heads" }, threads, element("span", { class: "what" }, "step")),
      element("div", { class: "flow" }, picture, steps)));
    let drawn = 0;
    new ResizeObserver(() => {
      if (steps.isConnected && steps.offsetHeight !== drawn) {
        drawn = steps.offsetHeight;
        draw(finding, rows, picture, steps, width, lane);
      }
    }).observe(steps);
    drawn = steps.offsetHeight;
    draw(finding, rows, picture, steps, width, lane);
  };

  const draw = (finding, rows, picture, steps, width, lane) => {
    const begin = steps.getBoundingClientRect().top;
    const boxes = [...steps.children].map(item => item.getBoundingClientRect());
    const top = row => boxes[row].top - begin, bottom = row => boxes[row].bottom - begin;
    const x = thread => 4 + thread * lane + lane / 2, y = row => row < rows.length ? (top(row) + bottom(row)) / 2 : bottom(rows.length - 1);
    const height = bottom(rows.length - 1);
    picture.setAttribute("height", height);
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const units = svg("g"), lines = svg("g"), bars = svg("g"), arrows = svg("g"), marks = svg("g");
    finding.threads.forEach((name, thread) => {
      const own = rows.map((row, place) => [row, place]).filter(([row]) => row[THREAD] === thread);
      if (own.length === 0) return;
      const [first, last] = [own[0][1], own[own.length - 1][1]];
      lines.append(svg("line", { class: "lane", x1: x(thread), x2: x(thread), y1: y(first), y2: y(last) }));
      // What the thread holds and has open stays so until its next step.
      const open = new Map();
      let unit = null;
      const close = (lock, end) => {
        const { start, slot } = open.get(lock);
        const bar = svg("rect", { x: x(thread) - 16 - slot * (BAR + 2), y: y(start), width: BAR, height: Math.max(BAR, y(end) - y(start)), rx: 2, fill: color(lock) },
          svg("title", {}, document.createTextNode(`${name} holds ${lock}`)));
        bars.append(bar);
        open.delete(lock);
      };
      const endUnit = end => units.append(svg("rect", { class: "unit", x: x(thread) - lane / 2 + 2, y: top(unit), width: lane - 4,
        height: bottom(end) - top(unit), rx: 4 }, svg("title", {}, document.createTextNode("in a unit of work"))));
      own.forEach(([row, place]) => {
        const now = held(row);
        for (const lock of [...open.keys()]) if (!now.includes(lock)) close(lock, place);
        for (const lock of now) if (!open.has(lock)) {
          const slots = new Set([...open.values()].map(value => value.slot));
          let slot = 0;
          while (slots.has(slot)) slot++;
          open.set(lock, { start: place, slot: Math.min(slot, 3) });
        }
        if (row[UNITS] > 0 && unit === null) unit = place;
        if (row[UNITS] === 0 && unit !== null) { endUnit(place); unit = null; }
      });
      for (const lock of [...open.keys()]) close(lock, rows.length);
      if (unit !== null) endUnit(last);
    });
    rows.forEach((row, place) => {
      const [cx, cy] = [x(row[THREAD]), y(place)];
      if (place > 0 && rows[place - 1][THREAD] !== row[THREAD]) {
        const [px, py] = [x(rows[place - 1][THREAD]), y(place - 1)], side = Math.sign(cx - px), end = cx - side * 11;
        arrows.append(svg("path", { class: "switch-arrow", d: `M${px},${py} C${px},${(py + cy) / 2 + 4} ${(px + end) / 2},${cy} ${end},${cy}` }),
          svg("path", { class: "arrow-head", d: `M${end + side * 2},${cy} l${-side * 7},-4 v8 z` }));
      }
      const kind = row[KIND], event = row[EVENT];
      if (event) {
        const shape = kind === "w" ? "write" : "read";
        marks.append(svg("circle", { class: shape + " mark", cx, cy, r: 8 }),
          svg("text", { class: "mark-text" + (kind === "w" ? " write-text" : ""), x: cx, y: cy + 3.5 }, document.createTextNode(event)));
      } else if (kind === "r" || kind === "w") {
        marks.append(svg("circle", { class: kind === "w" ? "write" : "read", cx, cy, r: 4 }));
      } else if (kind === "f") {
        marks.append(svg("rect", { class: "dot", x: cx - 4, y: cy - 5, width: 8, height: 2 }), svg("rect", { class: "dot", x: cx - 4, y: cy - 1, width: 8, height: 2 }),
          svg("rect", { class: "dot", x: cx - 4, y: cy + 3, width: 8, height: 2 }));
      } else marks.append(svg("circle", { class: "dot", cx, cy, r: 2 }));
    });
    picture.replaceChildren(units, lines, bars, arrows, marks);
  };

  let waiting;
  for (const id of ["search", "group", "model", "order", ...ABOUT]) {
    const control = document.getElementById(id);
    control?.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(choose, id === "search" ? 120 : 0); });
  }
  choose();
  const named = findings.find(finding => "#f" + finding.fingerprint === location.hash);
  if (named) {
    while (!document.getElementById("f" + named.fingerprint) && rendered < chosen.length) more();
    const node = document.getElementById("f" + named.fingerprint);
    node.open = true;
    node.scrollIntoView();
  } else if (chosen.length > 0 && list.firstElementChild) list.firstElementChild.open = true;
})();
