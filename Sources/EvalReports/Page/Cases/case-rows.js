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

const range = (values) => (values.length ? [Math.min(...values), Math.max(...values)] : null);

/** Sorts by a number, the greatest first; what has none comes last, and equals stay in their order. */
const byGreatest = (value) => (left, right) => {
  const [a, b] = [value(left), value(right)];
  if (!isKnown(a) || !isKnown(b)) return (isKnown(a) ? 0 : 1) - (isKnown(b) ? 0 : 1);
  return b - a;
};

const caseSorts = [
  ["interest", "most interesting first", (cells) => {
    const rank = (row) => (row.kinds === 0 ? 99 : 31 - Math.clz32(row.kinds & -row.kinds));
    const apart = spreadOf(cells);
    return (left, right) => rank(left) - rank(right) || byGreatest(apart)(left, right);
  }],
  ["id", "id", () => (left, right) => (left.id < right.id ? -1 : left.id > right.id ? 1 : 0)],
  ["difference", "score difference, largest first", (cells) => byGreatest(spreadOf(cells))],
  ["score", "score, lowest first", (cells) => byGreatest((row) => {
    const found = range(cells(row).map((cell) => cell.score).filter(isKnown));
    return found && -found[0];
  })],
  ["cost", "cost, highest first", (cells) => byGreatest((row) => {
    const found = range(cells(row).map((cell) => cell.cost).filter(isKnown));
    return found && found[1];
  })],
  ["time", "time, slowest first", (cells) => byGreatest((row) => {
    const found = range(cells(row).map((cell) => cell.ms).filter(isKnown));
    return found && found[1];
  })],
];

const spreadOf = (cells) => (row) => {
  const found = range(cells(row).map((cell) => cell.score).filter(isKnown));
  return found && found[1] - found[0];
};
