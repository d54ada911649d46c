// The words that changed between two texts, at a bounded cost whatever the texts.

const diffLimits = {
  /** Characters of both texts together, beyond which lines are compared and not words. */
  words: 400000,
  /** Changes, beyond which the middle is shown as replaced: nobody reads such a diff. */
  changes: 1000,
};

// Thai, Lao, Khmer and the ideographs with their kana are written without blanks.
const wordPattern = /\s+|[\u0E00-\u0EFF\u1780-\u17FF\u2E80-\u9FFF\uF900-\uFAFF]|[\u{20000}-\u{31FFF}]|[^\s\u0E00-\u0EFF\u1780-\u17FF\u2E80-\u9FFF\uF900-\uFAFF\u{20000}-\u{31FFF}]+/gu;

/** Pieces `[kind, text]` with kind "same", "removed" or "added", and whether the texts were too unlike to align. */
function wordDiff(before, after) {
  const pattern = before.length + after.length > diffLimits.words ? /[^\n]*\n|[^\n]+/g : wordPattern;
  const left = before.match(pattern) || [];
  const right = after.match(pattern) || [];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  while (end < left.length - start && end < right.length - start
    && left[left.length - 1 - end] === right[right.length - 1 - end]) end++;
  const old = left.slice(start, left.length - end);
  const young = right.slice(start, right.length - end);
  const steps = diffSteps(old, young);
  const pieces = joinPieces([
    ["same", left.slice(0, start).join("")],
    ...(steps || [["removed", old.join("")], ["added", young.join("")]]),
    ["same", left.slice(left.length - end).join("")],
  ]);
  return { pieces, isCoarse: steps === null };
}

/** The shortest way from one list to the other; null beyond the limit of changes. Myers, Algorithmica 1 (1986). */
function diffSteps(left, right) {
  if (!left.length || !right.length) {
    return [["removed", left.join("")], ["added", right.join("")]];
  }
  const numbers = new Map();
  const number = (text) => {
    if (!numbers.has(text)) numbers.set(text, numbers.size);
    return numbers.get(text);
  };
  const a = Int32Array.from(left, number);
  const b = Int32Array.from(right, number);
  const rounds = [];
  for (let distance = 0; distance <= Math.min(diffLimits.changes, a.length + b.length); distance++) {
    // Diagonals −distance…distance in steps of 2, stored from 0.
    const reached = new Int32Array(2 * distance + 1);
    const before = rounds[distance - 1];
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      let x = distance === 0 ? 0 : Math.max(...diffBegins(before, diagonal, distance - 1));
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      reached[diagonal + distance] = x;
      if (x >= a.length && x - diagonal >= b.length) return diffPath(rounds, left, right);
    }
    rounds.push(reached);
  }
  return null;
}

/** How far the old list is read before the diagonal is followed: after an addition, and after a removal. */
function diffBegins(reached, diagonal, before) {
  const down = diagonal + 1 <= before ? reached[diagonal + 1 + before] : -1;
  const along = diagonal - 1 >= -before ? reached[diagonal - 1 + before] + 1 : -1;
  return [down, along];
}

function diffPath(rounds, left, right) {
  const pieces = [];
  let x = left.length;
  let y = right.length;
  for (let distance = rounds.length; distance > 0; distance--) {
    const [down, along] = diffBegins(rounds[distance - 1], x - y, distance - 1);
    const start = Math.max(down, along);
    while (x > start) {
      x--;
      y--;
      pieces.push(["same", left[x]]);
    }
    if (along > down) pieces.push(["removed", left[--x]]);
    else pieces.push(["added", right[--y]]);
  }
  while (x > 0) pieces.push(["same", left[--x]]);
  return pieces.reverse();
}

/** Words of one kind in one piece; changes with nothing but blanks between them become one change. */
function joinPieces(pieces) {
  const result = [];
  const push = (kind, text) => {
    if (!text) return;
    const last = result[result.length - 1];
    if (last && last[0] === kind) last[1].push(text);
    else result.push([kind, [text]]);
  };
  let group = [];
  const flush = () => {
    const tail = [];
    while (group.length && group[group.length - 1][0] === "same") tail.unshift(group.pop());
    const old = group.filter(([kind]) => kind !== "added").map(([, text]) => text).join("");
    const young = group.filter(([kind]) => kind !== "removed").map(([, text]) => text).join("");
    if (old.trim() && young.trim()) {
      push("removed", old);
      push("added", young);
    } else {
      for (const [kind, text] of group) push(kind, text);
    }
    for (const [kind, text] of tail) push(kind, text);
    group = [];
  };
  for (const [kind, text] of pieces) {
    if (kind === "same" && (!group.length || text.trim())) {
      flush();
      push(kind, text);
    } else {
      group.push([kind, text]);
    }
  }
  flush();
  return result.map(([kind, texts]) => [kind, texts.join("")]);
}

/** The diff as a text to look at; what was removed and added is also said, not only coloured. */
function diffView(before, after) {
  const { pieces, isCoarse } = wordDiff(before, after);
  const view = el("pre", { class: "case-text case-diff", dir: direction(before + after), tabindex: "0", role: "group", "aria-label": "Word diff" });
  let [removed, added] = [0, 0];
  for (const [kind, text] of pieces) {
    const words = text.split(/\s+/).filter(Boolean).length;
    if (kind === "same") {
      appendText(view, text);
    } else {
      const isRemoved = kind === "removed";
      if (isRemoved) removed += words;
      else added += words;
      view.append(el(isRemoved ? "del" : "ins", {}, spoken(isRemoved ? "[only in the first: " : "[only in the second: "),
        appendText(el("span"), text), spoken("]")));
    }
  }
  const summary = removed + added === 0
    ? (before === after ? "The answers are the same." : "The answers differ in blanks only.")
    : `${count(removed)} words only in the first, ${count(added)} only in the second.`
      + (isCoarse ? " They are too unlike to be aligned word by word." : "");
  return el("div", {}, el("p", { class: "case-note", role: "status" }, summary), view);
}
