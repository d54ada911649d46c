// One case, opened: input, answers, checks, judges, attempts.

/** Fills the article with a case. `links` are `{previous, next, place, total}`, each null where there is none. */
function fillCase(article, row, details, info, links, close) {
  const command = `evalrun show ${info.run} ${quoted(row.id)}`;
  article.replaceChildren(caseHead(row, info, links, close));
  if (!details) {
    article.append(...withoutDetails(row, info, command));
    return;
  }
  details.shownRepeat = 1;
  if (details.cluster) article.append(el("p", { class: "case-facts" }, "Cluster: ", word(details.cluster)));
  if (details.expects) article.append(el("p", { class: "case-facts" }, `Expected: ${details.expects}`));
  article.append(inputPart(details, info, command));
  const body = el("div");
  const show = () => body.replaceChildren(answersPart(details, info, command),
    ...[checksPart(details, info), judgesPart(details, info, command), attemptsPart(details, info, command)].filter(Boolean));
  const repeats = [...new Set(details.trials.map((trial) => trial.repeat))].sort((a, b) => a - b);
  if (repeats.length > 1) article.append(repeatChoice(repeats, details, show));
  show();
  article.append(body);
  if (details.left > 0) {
    article.append(el("p", { class: "case-note" },
      `${count(details.left)} more ${details.left === 1 ? "trial is" : "trials are"} not in this page: `, el("code", {}, word(command))));
  }
}

/** For a shell: an id of a stranger stays one word of it. */
const quoted = (id) => (/^[\w.:/@%+-]+$/.test(id) && !id.startsWith("-") ? id : `'${id.replaceAll("'", "'\\''")}'`);

function caseHead(row, info, { previous, next, place, total }, close) {
  const link = (id, name, rel) => (id === null ? null
    : el("a", { href: caseAddress(id), rel, class: "case-step" }, name, " ", word(id)));
  const button = el("button", { type: "button", id: "case-close" }, "Close");
  button.addEventListener("click", close);
  const kinds = info.kinds.filter((_, bit) => row.kinds >> bit & 1).map(({ label }) => el("li", { class: "case-kind" }, label));
  const tags = row.tags.map((tag) => el("li", { class: "case-tag" }, word(tag)));
  return el("div", { class: "case-head" },
    el("div", { class: "case-bar" }, button,
      el("span", { class: "case-steps" }, link(previous, "← Previous", "prev"),
        place ? el("span", {}, `${count(place)} of ${count(total)}`) : null, link(next, "Next →", "next"))),
    el("h3", { id: "case-title", tabindex: "-1" }, spoken("Case "), word(row.id)),
    kinds.length + tags.length ? el("ul", { class: "case-labels", "aria-label": "Kinds and tags" }, kinds, tags) : null,
    el("p", { class: "case-note case-keys" }, "Within the case: ", el("kbd", {}, "Esc"), " closes, ",
      el("kbd", {}, "p"), " and ", el("kbd", {}, "n"), " go to the previous and the next."));
}

/** What the list knows of a case that is not in the page. */
function withoutDetails(row, info, command) {
  const rows = info.targets.map((target, index) => {
    const cell = row.cells[index];
    return el("tr", {}, el("th", { scope: "row" }, word(target.name)), el("td", {}, cell ? cellWords(cell, info) : missing),
      el("td", {}, cell ? milliseconds(cell.ms) : missing), el("td", {}, cell ? dollars(cell.cost) : missing));
  });
  if (!row.cells.some(Boolean)) {
    return [el("p", {}, "This page knows no case of this name. If the run has one: ", el("code", {}, word(command)))];
  }
  return [
    el("p", {}, "Its texts are not in this page. In the terminal: ", el("code", {}, word(command))),
    scrollTable("Results", ["target", "result", "time", "cost"], rows),
  ];
}

function repeatChoice(repeats, details, show) {
  const select = el("select", { id: "case-repeat" }, repeats.map((repeat) => el("option", { value: String(repeat) }, `repeat ${repeat}`)));
  select.addEventListener("change", () => {
    details.shownRepeat = Number(select.value);
    show();
  });
  return el("p", { class: "case-field" }, el("label", { for: "case-repeat" }, "Show"), select);
}

function inputPart(details, info, command) {
  const part = el("div", {}, el("h4", {}, "Input"));
  const { input } = details;
  if (!input) {
    part.append(el("p", { class: "case-note" }, info.private ? "Not stored: the run is private." : "It is not in the database."));
    return part;
  }
  const add = (parent, label, text) => parent.append(
    ...[el("p", { class: "case-label" }, label), plain(whole(text).text), cutNote(text, command)].filter(Boolean));
  if (input.history.length) {
    const before = el("details", {}, el("summary", {}, `${count(input.history.length)} messages before it`));
    for (const message of input.history) add(before, word(message.role), message.text);
    part.append(before);
  }
  input.turns.forEach((turn, index) => add(part, input.turns.length > 1 ? `Turn ${index + 1}` : "Prompt", turn));
  if (input.reference) add(part, "Reference", input.reference);
  for (const [key, label] of [["variables", "Variables"], ["signals", "Signals: what a policy may read"]]) {
    if (!input[key]) continue;
    const more = el("details", {}, el("summary", {}, label));
    add(more, label, input[key]);
    part.append(more);
  }
  return part;
}

const shownTrials = (details) => details.trials.filter((trial) => trial.repeat === details.shownRepeat);

function resultWords(item) {
  if (item.unscored) return [el("span", { class: "case-warn" }, "?"), " not scored"];
  if (!isKnown(item.passed)) return [missing];
  return [verdictMark(item.passed), item.passed ? " passed" : " not passed"];
}

function checksPart(details, info) {
  const rows = shownTrials(details).flatMap((trial) => (trial.checks || []).flatMap((check) => {
    const note = [check.kind, check.turn ? `turn ${check.turn}` : null].filter(Boolean).join(", ");
    const first = el("tr", {},
      el("th", { scope: "row" }, word(check.check), note ? el("small", {}, note) : null),
      el("td", {}, word(trialName(trial, info))), el("td", { class: "case-short" }, resultWords(check)),
      el("td", { class: "case-number" }, score(check.value)), el("td", { class: "case-long" }, word(check.reason)));
    const criteria = (check.criteria || []).map((criterion) => el("tr", { class: "case-criterion" },
      el("th", { scope: "row" }, word(criterion.name)), el("td", {}, word(trialName(trial, info))),
      el("td", { class: "case-short" }, resultWords(criterion)), el("td", { class: "case-number" }, score(criterion.value)),
      el("td", {}, `${count(criterion.verdicts)} ${criterion.verdicts === 1 ? "verdict" : "verdicts"}`
        + (criterion.spread ? `, ${score(criterion.spread)} apart` : ""))));
    return [first, ...criteria];
  }));
  if (!rows.length) return null;
  return el("div", {}, el("h4", {}, "Checks"),
    scrollTable("Checks", ["check", "target", "result", "score", "reason"], rows));
}

function judgesPart(details, info, command) {
  const raw = [];
  const rows = shownTrials(details).flatMap((trial) => (trial.judges || []).flatMap((call) => {
    if (call.raw) {
      raw.push(el("details", {}, el("summary", {}, "What ", word(call.judge), " said instead of a verdict on ", word(trial.target)),
        ...[plain(whole(call.raw).text), cutNote(call.raw, command)].filter(Boolean)));
    }
    const line = (what, verdict, reason, isFirst) => el("tr", {},
      el("th", { scope: "row" }, word(call.judge), el("small", {}, call.note)), el("td", {}, word(trialName(trial, info))),
      el("td", {}, what), el("td", {}, verdict), el("td", { class: "case-long" }, reason), el("td", { class: "case-number" }, isFirst ? dollars(call.cost, call.atLeast) : ""));
    if (call.unread) return [line("", [el("span", { class: "case-warn" }, "?"), " no verdict"], word(call.unread), true)];
    if (call.prefers) return [line(["against ", word(call.opponent || "")], ["prefers ", word(call.prefers)], word(call.reason || ""), true)];
    return call.marks.map((mark, index) => line(word(mark.criterion),
      isKnown(mark.label) ? [word(mark.label), el("small", {}, mark.level || "")] : [el("span", { class: "case-warn" }, "?"), " cannot judge"],
      word(mark.reason || ""), index === 0));
  }));
  if (!rows.length) return null;
  return el("div", {}, el("h4", {}, "Judges"),
    scrollTable("Judges", ["judge", "target", "criterion", "verdict", "rationale", "cost"], rows), ...raw);
}

function attemptsPart(details, info, command) {
  const part = el("div", {}, el("h4", {}, "Attempts"));
  for (const trial of shownTrials(details)) {
    if (!trial.attempts.length && !trial.story) continue;
    part.append(el("h5", {}, word(trialName(trial, info))));
    if (trial.story) part.append(el("ul", { class: "case-story" }, trial.story.map((sentence) => el("li", {}, word(whole(sentence).text)))));
    if (!trial.attempts.length) continue;
    const box = el("div", { class: "case-picture" });
    drawWhenWide(box, trial);
    part.append(box, timelineLegend(trial), attemptTable(trial), ...trial.attempts.flatMap((attempt) => onDemand(attempt, details, command)));
  }
  return part;
}

/** Draws for the width there is, and again when it changes. */
function drawWhenWide(box, trial) {
  let drawn = 0;
  new ResizeObserver(([entry]) => {
    const width = Math.floor(Math.min(entry.contentRect.width, 900));
    if (width < 50 || width === drawn) return;
    drawn = width;
    const picture = timelinePicture(trial, width);
    box.replaceChildren(...(picture ? [picture] : [el("p", { class: "case-note" }, "No times were taken.")]));
  }).observe(box);
}

/** The raw request and the policy's decision: made when somebody opens them. */
function onDemand(attempt, details, command) {
  const request = isKnown(attempt.request) ? details.requests[attempt.request] : null;
  return [["request", request], ["policy's decision", attempt.decision]].filter(([, text]) => text).map(([name, text]) => {
    const { text: shown, bytes } = whole(text);
    const part = el("details", {}, el("summary", {},
      `Attempt ${attempt.number}: ${name} (${size(bytes ?? new TextEncoder().encode(shown).length)})`));
    part.addEventListener("toggle", () => {
      if (part.childElementCount === 1) part.append(...[plain(shown), cutNote(text, command)].filter(Boolean));
    });
    return part;
  });
}
