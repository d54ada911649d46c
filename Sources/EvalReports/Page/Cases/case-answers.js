// The answers of a case side by side: rendered, as they are, or as the words in which two of them differ.

/** What a person would have read, turn by turn: of each turn what was served, or what came last. */
function answerText(trial) {
  const served = trial.attempts.filter((attempt) => attempt.served);
  const shown = served.length ? served : trial.attempts.slice(-1);
  return shown.map((attempt) => whole(attempt.answer || attempt.refusal || "").text).join("\n\n");
}

function trialName(trial, info) {
  return info.repeats > 1 ? `${trial.target}, repeat ${trial.repeat}` : trial.target;
}

/** The part of a case that shows its answers. The way of showing them outlives the case. */
const answerState = { view: "rendered" };

function answersPart(details, info, command) {
  const part = el("div", { class: "case-answers" }, el("h4", {}, "Answers"));
  const output = el("div");
  const views = [["rendered", "rendered"], ["raw", "as written"], ["diff", "word diff"]];
  if (details.trials.length < 2) views.pop();
  if (!views.some(([key]) => key === answerState.view)) answerState.view = "rendered";
  const controls = el("fieldset", { class: "case-views" }, el("legend", {}, "Show the answers"));
  for (const [key, name] of views) {
    const input = el("input", { type: "radio", name: "case-view", value: key, id: `case-view-${key}` });
    input.checked = key === answerState.view;
    input.addEventListener("change", () => {
      answerState.view = key;
      show();
    });
    controls.append(el("span", {}, input, el("label", { for: `case-view-${key}` }, name)));
  }
  const show = () => output.replaceChildren(
    answerState.view === "diff" ? diffPart(details, info) : answerColumns(details, info, command));
  show();
  part.append(controls, output);
  return part;
}

function diffPart(details, info) {
  const box = el("div");
  const output = el("div");
  const choose = (id, label, chosen) => {
    const select = el("select", { id }, details.trials.map((trial, index) =>
      el("option", { value: String(index) }, trialName(trial, info))));
    select.selectedIndex = chosen;
    select.addEventListener("change", show);
    box.append(el("span", { class: "case-field" }, el("label", { for: id }, label), select));
    return select;
  };
  const first = choose("case-diff-first", "From", 0);
  const other = details.trials.findIndex((trial) => trial.target !== details.trials[0].target);
  const second = choose("case-diff-second", "to", other < 0 ? 1 : other);
  function show() {
    const [before, after] = [first, second].map((select) => answerText(details.trials[select.selectedIndex]));
    output.replaceChildren(diffView(before, after));
  }
  show();
  box.append(output);
  return box;
}

function answerColumns(details, info, command) {
  const shown = details.trials.filter((trial) => trial.repeat === (details.shownRepeat ?? 1));
  return el("div", { class: "case-columns" }, shown.map((trial) => answerColumn(trial, info, command)));
}

function verdictMark(passed) {
  if (!isKnown(passed)) return el("span", { class: "case-none", "aria-hidden": "true" }, "·");
  return el("span", { class: passed ? "case-good" : "case-bad", "aria-hidden": "true" }, passed ? "✓" : "✗");
}

function answerColumn(trial, info, command) {
  const title = el("h5", {}, word(trialName(trial, info)));
  const facts = el("p", { class: "case-facts" }, verdictMark(trial.passed), ` ${trial.verdict} · `,
    `${milliseconds(trial.ms)} · ${dollars(trial.cost, trial.atLeast)}`);
  const column = el("div", { class: "case-column" }, title, facts);
  for (const sentence of trial.leaks || []) {
    column.append(el("p", { class: "case-leak" }, word(whole(sentence).text)));
  }
  const turns = new Set(trial.attempts.map((attempt) => attempt.turn || 1)).size;
  const earlier = [];
  for (const [index, attempt] of trial.attempts.entries()) {
    const next = trial.attempts[index + 1];
    const isLast = !next || next.turn !== attempt.turn || next.step !== attempt.step;
    const place = turns > 1 ? `, turn ${attempt.turn || 1}` : "";
    const words = attemptWords(attempt, place, command);
    if (attempt.served || isLast) column.append(...words);
    else if (words.length) earlier.push(el("p", { class: "case-label" }, `Attempt ${attempt.number} (${attempt.outcome})`), ...words);
  }
  if (earlier.length) {
    column.append(el("details", {}, el("summary", {}, "What came in attempts that were not served"), earlier));
  }
  if (info.private) column.append(el("p", { class: "case-note" }, "Not stored: the run is private."));
  else if (!trial.attempts.length) column.append(el("p", { class: "case-note" }, "No call was made."));
  return column;
}

/** The texts of one attempt, each with its label. */
function attemptWords(attempt, place, command) {
  const parts = [];
  const add = (label, text, isAnswer) => {
    if (!text) return;
    const { text: shown } = whole(text);
    const rendered = isAnswer && answerState.view === "rendered" ? renderMarkdown(shown) : null;
    const body = [rendered || plain(shown), cutNote(text, command)].filter(Boolean);
    if (isAnswer) parts.push(el("p", { class: "case-label" }, label + place), ...body);
    else parts.push(el("details", {}, el("summary", {}, label + place), body));
  };
  add("Reasoning", attempt.reasoning, false);
  add(attempt.outcome === "ok" ? "Answer" : "Answer before it broke", attempt.answer, true);
  add("Refusal", attempt.refusal, true);
  for (const call of attempt.tools || []) {
    parts.push(el("p", { class: "case-label" }, "Tool call ", word(call.name), place), plain(whole(call.arguments).text));
    const note = cutNote(call.arguments, command);
    if (note) parts.push(note);
  }
  if (attempt.message) {
    parts.push(el("p", { class: "case-label" }, "Error" + place), plain(whole(attempt.message).text));
  }
  return parts;
}
