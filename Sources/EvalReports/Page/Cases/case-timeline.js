// The attempts of a trial as a picture: one lane each, from its wait to its end, on one axis of time.

function svg(name, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** What an attempt's time went into: `[kind, from, to]` in milliseconds, in order. */
function phases({ at, cold, recorded }) {
  const result = [];
  const add = (kind, from, to) => {
    if (isKnown(from) && isKnown(to) && to > from) result.push([kind, from, to]);
  };
  const due = at.scheduled ?? at.start;
  if (at.waited) add("wait", due - at.waited, due);
  add("queue", at.scheduled, at.start);
  let last = at.start;
  if (cold && !recorded && isKnown(at.connected)) {
    add("connect", last, at.connected);
    last = at.connected;
  }
  if (isKnown(at.firstToken)) {
    add("first", last, at.firstToken);
    add("tokens", at.firstToken, at.lastToken);
    last = at.lastToken ?? at.firstToken;
  }
  add(isKnown(at.firstToken) ? "rest" : "first", last, at.end);
  return result;
}

const phaseNames = {
  wait: "waited before it", queue: "queued", connect: "connecting", first: "waiting for the first token",
  tokens: "tokens", rest: "to the end",
};

/** Round numbers for an axis up to an end. */
function timeTicks(end, parts) {
  const rough = end / parts;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough);
  const ticks = [];
  for (let tick = 0; tick <= end * 1.0001; tick += step) ticks.push(tick);
  return ticks;
}

/** The picture, or null where no attempt has two stamps. */
function timelinePicture(trial, width) {
  const lanes = trial.attempts.map((attempt) => ({ attempt, parts: phases(attempt) }));
  const all = lanes.flatMap((lane) => lane.parts);
  if (!all.length) return null;
  const origin = Math.min(0, ...all.map(([, from]) => from));
  const end = Math.max(...all.map(([, , to]) => to)) - origin;
  const [lane, top, side] = [44, 6, 6];
  const height = top + lane * lanes.length + 26;
  const x = (time) => side + (time - origin) / end * (width - 2 * side);
  const picture = svg("svg", {
    viewBox: `0 0 ${width} ${height}`, width, height, role: "img", class: "case-timeline",
    "aria-label": `${timelineWords(trial)} The table below has every time.`,
  });
  for (const tick of timeTicks(end, Math.max(2, Math.floor(width / 110)))) {
    const place = x(tick + origin);
    picture.append(svg("line", { x1: place, x2: place, y1: top, y2: height - 20, class: "case-grid" }));
    const anchor = tick === 0 ? "start" : place > width - 40 ? "end" : "middle";
    picture.append(svg("text", { x: place, y: height - 6, "text-anchor": anchor, class: "case-tick" }, milliseconds(tick)));
  }
  lanes.forEach(({ attempt, parts }, index) => drawLane(picture, attempt, parts, top + index * lane, x, width));
  return picture;
}

function drawLane(picture, attempt, parts, y, x, width) {
  picture.append(svg("text", { x: 6, y: y + 14, class: "case-lane" }, laneWords(attempt, width)));
  for (const [kind, from, to] of parts) {
    picture.append(svg("rect", {
      x: x(from), width: Math.max(1, x(to) - x(from)), y: y + 20, height: 16, class: `case-phase case-${kind}`,
    }, svg("title", {}, `${phaseNames[kind]}: ${milliseconds(to - from)}`)));
  }
  for (const arrival of attempt.at.arrivals || []) {
    picture.append(svg("line", { x1: x(arrival), x2: x(arrival), y1: y + 20, y2: y + 36, class: "case-arrival" }));
  }
  const leaves = attempt.boundary !== "device" && (attempt.bytes ?? 1) > 0;
  if (leaves && isKnown(attempt.at.start)) {
    const place = x(attempt.at.start);
    picture.append(svg("path", { d: `M${place} ${y + 18}v20m-4 -5l4 5l4 -5`, class: "case-crossing" }));
  }
  if (attempt.outcome !== "ok" && parts.length) {
    const place = Math.min(x(parts[parts.length - 1][2]), width - 10);
    picture.append(svg("path", { d: `M${place - 5} ${y + 23}l10 10m0 -10l-10 10`, class: "case-broke" }));
  }
}

function laneWords(attempt, width) {
  const long = `${attempt.number} ${attempt.profile}: ${attempt.outcome === "ok" ? "answered" : attempt.outcome}`
    + `${attempt.cause ? `, ${causeWords(attempt.cause)}` : ""}, ${boundaryWords(attempt)}`;
  const room = Math.floor(width / 6.6);
  return shownMarks(long.length > room ? `${long.slice(0, room - 1)}…` : long);
}

const causeWords = (cause) => cause.split(":").join(" after ");

function boundaryWords({ boundary, bytes }) {
  const place = boundary || "an unknown boundary";
  if (bytes === 0) return "nothing was sent";
  return boundary === "device" ? "stayed on the device" : `${isKnown(bytes) ? `${size(bytes)} ` : ""}went to ${place}`;
}

function timelineWords(trial) {
  const calls = trial.attempts.length;
  const failures = trial.attempts.filter((attempt) => attempt.outcome !== "ok").length;
  return `${calls} ${calls === 1 ? "attempt" : "attempts"} of ${trial.target} in ${milliseconds(trial.ms)}`
    + `${failures ? `, ${failures} without an answer` : ""}.`;
}

/** The kinds of bars that are in the picture, each with its name. */
function timelineLegend(trial) {
  const kinds = new Set(trial.attempts.flatMap((attempt) => phases(attempt).map(([kind]) => kind)));
  const item = (mark, name) => el("li", {}, mark, ` ${name}`);
  const box = (kind) => svg("svg", { viewBox: "0 0 16 12", width: 16, height: 12, "aria-hidden": "true" },
    svg("rect", { width: 16, height: 12, class: `case-phase case-${kind}` }));
  const items = Object.keys(phaseNames).filter((kind) => kinds.has(kind)).map((kind) => item(box(kind), phaseNames[kind]));
  if (trial.attempts.some(({ boundary, bytes }) => boundary !== "device" && (bytes ?? 1) > 0)) {
    const arrow = svg("svg", { viewBox: "0 0 12 14", width: 12, height: 14, "aria-hidden": "true" },
      svg("path", { d: "M6 1v11m-4 -4l4 4l4 -4", class: "case-crossing" }));
    items.push(item(arrow, "left the device"));
  }
  return el("ul", { class: "case-legend" }, items);
}

/** The same facts for those who do not see the picture, and for those who want digits. */
function attemptTable(trial) {
  const heads = ["attempt", "outcome", "began", "queue", "connect", "first token", "last token", "total", "tokens in → out", "cost"];
  const rows = trial.attempts.map((attempt) => {
    const { at, usage } = attempt;
    const since = (time) => milliseconds(isKnown(time) && isKnown(at.start) ? time - at.start : null);
    const about = [attempt.turn ? `turn ${attempt.turn}` : null, attempt.step ? `step ${attempt.step}` : null,
      attempt.cause ? causeWords(attempt.cause) : null, at.waited ? `waited ${milliseconds(at.waited)}` : null,
      attempt.recorded ? "recorded" : isKnown(attempt.cold) ? (attempt.cold ? "cold" : "warm") : null,
      attempt.served ? "served" : null].filter(Boolean);
    const outcome = [attempt.outcome, attempt.http ? `HTTP ${attempt.http}` : null,
      attempt.finish && attempt.finish !== "stop" ? `finish: ${attempt.finish}` : null].filter(Boolean).join(", ");
    const tokens = usage ? `${isKnown(usage.input) ? count(usage.input) : missing} → ${isKnown(usage.output) ? count(usage.output) : missing}` : missing;
    const extra = [usage?.cached ? `${count(usage.cached)} cached` : null,
      usage?.reasoning ? `${count(usage.reasoning)} reasoning` : null,
      at.reads ? `in ${count(at.reads)} ${at.reads === 1 ? "read" : "reads"}` : null].filter(Boolean).join(", ");
    const small = (text) => (text ? el("small", {}, text) : null);
    const short = (...children) => el("td", { class: "case-short" }, ...children);
    return el("tr", {},
      el("th", { scope: "row" }, `${attempt.number} `, word(attempt.profile), small(about.join(" · "))),
      el("td", { class: "case-middle" }, outcome, small(boundaryWords(attempt))),
      short(milliseconds(at.start)),
      short(milliseconds(isKnown(at.scheduled) && isKnown(at.start) ? at.start - at.scheduled : null)),
      short(attempt.cold ? since(at.connected) : missing),
      short(since(at.firstToken)), short(since(at.lastToken)), short(since(at.end)),
      short(tokens, small(extra)), short(dollars(attempt.cost, attempt.atLeast)));
  });
  return scrollTable("Attempts", heads, rows);
}
