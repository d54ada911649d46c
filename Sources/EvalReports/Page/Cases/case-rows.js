// The rows of the list: what they hold, what is searched in them, how they are sorted.

const statusMarks = { failed: "call failed", refused: "refused", empty: "empty", blocked: "blocked", cancelled: "cancelled" };

/** What a target made of a case, for a cell of the list. */
function cellWords(cell, info) {
  const parts = [];
  const passed = cell.verdicts === 0 ? null : cell.passes === cell.verdicts ? true : cell.passes === 0 ? false : null;
  if (cell.verdicts > 0 && passed === null) parts.push(el("span", { class: "case-warn", "aria-hidden": "true" }, "◐"), spoken("mixed"));
  else parts.push(verdictMark(passed), spoken(isKnown(passed) ? (passed ? "passed" : "not passed") : "no verdict"));
  if (isKnown(cell.score)) parts.push(` ${score(cell.score)}`);
  if (info.repeats > 1 && cell.verdicts > 0) parts.push(el("small", {}, `${cell.passes} of ${cell.verdicts} passed`));
  if (cell.status !== "ok") parts.push(el("small", {}, statusMarks[cell.status] || cell.status));
  return parts;
}

function readRows(data) {
  return data.rows.map(([id, tags, kinds, cells], index) => ({
    id, tags, kinds, index,
    cells: cells.map((cell) => (cell && {
      status: cell[0], score: cell[1], passes: cell[2], verdicts: cell[3], cost: cell[4], ms: cell[5], kinds: cell[6], trials: cell[7],
    })),
  }));
}

const detailsElement = (row) => document.getElementById(`case-data-${row.index}`);

function readDetails(row) {
  const element = detailsElement(row);
  return element ? JSON.parse(element.textContent) : null;
}

/** The beginning of what a case asks; empty where it is not in the page. */
function snippet(row) {
  if (row.asked === undefined) {
    const turns = readDetails(row)?.input?.turns || [];
    const text = turns.length ? whole(turns[turns.length - 1]).text.slice(0, 400).trim().replace(/\s+/g, " ") : "";
    row.asked = text.length > 90 ? `${text.slice(0, 88).trimEnd()}…` : text;
  }
  return row.asked;
}

/** What is searched in a case that opens: its input and its answers. */
function searchText(row) {
  if (row.words === undefined) {
    const details = readDetails(row);
    const texts = details ? [
      ...(details.input ? details.input.turns.map((turn) => whole(turn).text) : []),
      ...details.trials.flatMap((trial) => trial.attempts.map((attempt) => whole(attempt.answer || attempt.refusal || "").text)),
    ] : [];
    row.words = [row.id, ...texts].join("\n").toLowerCase();
  }
  return row.words;
}

/** The numbers of a row's cells under a key, those that are known. */
const known = (cells, key) => cells.map((cell) => cell[key]).filter(isKnown);

const least = (values) => (values.length ? Math.min(...values) : Infinity);
/** For the greatest first; what has no number comes last. */
const greatest = (values) => (values.length ? -Math.max(...values) : Infinity);

function spread(cells) {
  const scores = known(cells, "score");
  return scores.length ? Math.min(...scores) - Math.max(...scores) : Infinity;
}

/** The place of a row's gravest kind; behind all where it has none. */
const gravity = (row) => (row.kinds === 0 ? 99 : 31 - Math.clz32(row.kinds & -row.kinds));

/** Each way to sort: its name, and what a row is sorted by, the least first. */
const caseSorts = [
  ["interest", "most interesting first", (row, cells) => [gravity(row), spread(cells)]],
  ["id", "id", (row) => [row.id]],
  ["difference", "score difference, largest first", (row, cells) => [spread(cells)]],
  ["score", "score, lowest first", (row, cells) => [least(known(cells, "score"))]],
  ["cost", "cost, highest first", (row, cells) => [greatest(known(cells, "cost"))]],
  ["time", "time, slowest first", (row, cells) => [greatest(known(cells, "ms"))]],
];

/** The rows in the order of their keys; equals stay in theirs. */
function sortedRows(rows, key) {
  const keyed = rows.map((row) => [key(row), row]);
  keyed.sort(([a], [b]) => {
    const at = a.findIndex((value, index) => value !== b[index]);
    return at < 0 ? 0 : a[at] < b[at] ? -1 : 1;
  });
  return keyed.map(([, row]) => row);
}
