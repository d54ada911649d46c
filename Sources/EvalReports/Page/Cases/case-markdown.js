// A small part of Markdown as elements: headings, lists, emphasis, code, fences, tables, quotes. Nothing of it loads,
// runs or leads anywhere: a link is its text and its address, a picture its name. HTML stays the text it is.

const markdownLimits = {
  /** Characters, beyond which the text stays as it is. */
  characters: 100000,
  depth: 8,
  /** Elements, beyond which the rest stays as it is. */
  elements: 20000,
};

/** The text as a tree, or null when it is too long for one. */
function renderMarkdown(text) {
  if (text.length > markdownLimits.characters) return null;
  const view = el("div", { class: "case-markdown", dir: "auto", tabindex: "0" });
  markdownBlocks(view, text.replace(/\r\n?/g, "\n").split("\n"), { left: markdownLimits.elements }, 0);
  return view;
}

const fencePattern = /^ {0,3}(`{3,}|~{3,})([^`]*)$/;
const headingPattern = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const itemPattern = /^( *)([-*+]|\d{1,9}[.)])(?: +|$)/;
const isRule = (line) => /^ {0,3}(?:-[- ]*|\*[* ]*|_[_ ]*)$/.test(line) && line.replace(/ /g, "").length >= 3;
const endsFence = (line, fence) =>
  line.trim().startsWith(fence) && line.trim().replaceAll(fence[0], "") === "";
const isBlank = (line) => line.trim() === "";
const isTable = (line, next) =>
  line.includes("|") && next !== undefined && next.includes("-") && next.includes("|") && /^[\s|:-]+$/.test(next);
const startsBlock = (line, next) => isBlank(line) || fencePattern.test(line) || headingPattern.test(line)
  || /^ {0,3}>/.test(line) || itemPattern.test(line) || isRule(line) || isTable(line, next);

function markdownBlocks(parent, lines, budget, depth) {
  let at = 0;
  const add = (name, attributes, ...children) => {
    budget.left--;
    const element = el(name, attributes, ...children);
    parent.append(element);
    return element;
  };
  while (at < lines.length) {
    const line = lines[at];
    if (budget.left <= 0 || depth > markdownLimits.depth) {
      appendText(add("pre", { tabindex: "0" }), lines.slice(at).join("\n"));
      return;
    }
    const fence = fencePattern.exec(line);
    if (isBlank(line)) {
      at++;
    } else if (fence) {
      let last = at + 1;
      while (last < lines.length && !endsFence(lines[last], fence[1])) last++;
      appendText(add("pre", { tabindex: "0" }), lines.slice(at + 1, last).join("\n"));
      at = last + 1;
    } else if (headingPattern.test(line)) {
      const level = headingPattern.exec(line)[1].length;
      const words = line.trim().slice(level).trim().replace(/(?:^| )#+$/, "");
      markdownInline(add("p", { class: `case-h${level}` }), words, budget, 0);
      at++;
    } else if (isRule(line)) {
      add("hr", {});
      at++;
    } else if (/^ {0,3}>/.test(line)) {
      const start = at;
      while (at < lines.length && /^ {0,3}>/.test(lines[at])) at++;
      const inner = lines.slice(start, at).map((quoted) => quoted.replace(/^ {0,3}> ?/, ""));
      markdownBlocks(add("blockquote", {}), inner, budget, depth + 1);
    } else if (isTable(line, lines[at + 1])) {
      at = markdownTable(add("div", { class: "case-scroll", tabindex: "0", role: "group", "aria-label": "Table in the answer" }), lines, at, budget);
    } else if (itemPattern.test(line)) {
      at = markdownList(add, lines, at, budget, depth);
    } else {
      const start = at++;
      while (at < lines.length && !startsBlock(lines[at], lines[at + 1])) at++;
      markdownInline(add("p", {}), lines.slice(start, at).map((part) => part.trim()).join("\n"), budget, 0);
    }
  }
}

function markdownList(add, lines, start, budget, depth) {
  const [, indent, mark] = itemPattern.exec(lines[start]);
  const isOrdered = /\d/.test(mark);
  const list = add(isOrdered ? "ol" : "ul", isOrdered ? { start: String(parseInt(mark, 10)) } : {});
  let at = start;
  while (at < lines.length) {
    const match = itemPattern.exec(lines[at]);
    if (!match || match[1].length > indent.length + 1 || /\d/.test(match[2]) !== isOrdered || isRule(lines[at])) break;
    const width = match[0].length;
    const item = [lines[at].slice(width)];
    at++;
    while (at < lines.length) {
      const next = lines[at];
      const inside = next.search(/\S/);
      if (inside < 0) {
        // A blank line belongs to the item when what follows is indented.
        const after = lines[at + 1];
        if (after === undefined || isBlank(after) || after.search(/\S/) < Math.min(width, indent.length + 2)) break;
      } else if (inside < Math.min(width, indent.length + 2) && startsBlock(next, lines[at + 1])) {
        break;
      }
      item.push(next.slice(Math.min(inside < 0 ? 0 : inside, width)));
      at++;
    }
    budget.left--;
    const element = el("li");
    list.append(element);
    markdownBlocks(element, item, budget, depth + 1);
    while (at < lines.length && isBlank(lines[at]) && itemPattern.test(lines[at + 1] || "")) at++;
  }
  return at;
}

function markdownTable(box, lines, start, budget) {
  const cells = (line) => line.trim().replace(/^\|/, "").replace(/\|$/, "").split("|");
  const row = (line, name) => {
    const element = el("tr");
    for (const cell of cells(line)) {
      budget.left--;
      element.append(markdownInline(el(name, name === "th" ? { scope: "col" } : {}), cell.trim(), budget, 0));
    }
    return element;
  };
  const body = el("tbody");
  let at = start + 2;
  while (at < lines.length && lines[at].includes("|") && budget.left > 0) body.append(row(lines[at++], "td"));
  box.append(el("table", {}, el("thead", {}, row(lines[start], "th")), body));
  return at;
}

const emphases = [["**", "strong"], ["__", "strong"], ["~~", "s"], ["*", "em"], ["_", "em"]];

function markdownInline(parent, text, budget, depth) {
  let [done, at] = [0, 0];
  // Where each mark was found last, so that no stretch is looked through again and again.
  const found = new Map();
  const flush = (end) => {
    if (end <= done) return;
    text.slice(done, end).split("\n").forEach((line, index) => {
      if (index > 0) parent.append(el("br"));
      appendText(parent, line);
    });
  };
  const find = (mark, from) => {
    const last = found.get(mark);
    if (last && from >= last.from && (last.end < 0 || from <= last.end)) return last.end;
    const end = text.indexOf(mark, from);
    found.set(mark, { from, end });
    return end;
  };
  const take = (element, end) => {
    flush(at);
    budget.left--;
    parent.append(element);
    done = at = end;
  };
  const special = /[\\`*_~[!]/g;
  while (budget.left > 0 && depth < markdownLimits.depth) {
    special.lastIndex = at;
    const next = special.exec(text);
    if (!next) break;
    at = next.index;
    const rest = text[at];
    if (rest === "\\" && /[!-/:-@[-`{-~]/.test(text[at + 1] || "")) {
      flush(at);
      done = at + 1;
      at += 2;
    } else if (rest === "`") {
      let ticks = "`";
      while (text[at + ticks.length] === "`") ticks += "`";
      const end = find(ticks, at + ticks.length);
      if (end < 0) at += ticks.length;
      else take(appendText(el("code"), text.slice(at + ticks.length, end)), end + ticks.length);
    } else if (rest === "[" || (rest === "!" && text[at + 1] === "[")) {
      const link = markdownLink(text, at, find);
      if (link) take(linkView(link, budget, depth), link.end);
      else at++;
    } else {
      const emphasis = emphases.find(([mark]) => text.startsWith(mark, at));
      const end = emphasis ? emphasisEnd(text, at, emphasis[0], find) : -1;
      if (end < 0) {
        at += emphasis ? emphasis[0].length : 1;
      } else {
        const inner = text.slice(at + emphasis[0].length, end);
        take(markdownInline(el(emphasis[1]), inner, budget, depth + 1), end + emphasis[0].length);
      }
    }
  }
  flush(text.length);
  return parent;
}

/** Where the emphasis that begins here ends; -1 when none begins. */
function emphasisEnd(text, at, mark, find) {
  const first = at + mark.length;
  const isWord = (character) => character !== undefined && /[\p{L}\p{N}_]/u.test(character);
  if (/\s/.test(text[first] || " ") || (mark[0] === "_" && isWord(text[at - 1]))) return -1;
  // Of a few candidates the first that closes; more are not looked at, so that the cost stays linear.
  let end = first;
  for (let tries = 0; tries < 20; tries++) {
    end = find(mark, end + 1);
    if (end < 0) return -1;
    const isLonger = mark.length === 1 && (text[end + 1] === mark || text[end - 1] === mark);
    if (!/\s/.test(text[end - 1]) && !isLonger && !(mark[0] === "_" && isWord(text[end + mark.length]))) return end;
  }
  return -1;
}

/** `[words](address)` or `![words](address)` at a place; null when there is none. */
function markdownLink(text, at, find) {
  const isImage = text[at] === "!";
  const open = at + (isImage ? 2 : 1);
  const middle = find("](", open);
  if (middle < 0 || middle - open > 1000 || text.slice(open, middle).includes("\n\n")) return null;
  let close = find(")", middle + 2);
  // An address may hold pairs of its own.
  for (let pairs = text.slice(middle + 2, close).split("(").length - 1; pairs > 0 && pairs < 10 && close >= 0; pairs--) {
    close = find(")", close + 1);
  }
  if (close < 0 || close - middle > 4000) return null;
  const address = text.slice(middle + 2, close).trim();
  return /\s/.test(address.replace(/\s+["'(].*$/s, "")) ? null
    : { isImage, words: text.slice(open, middle), address, end: close + 1 };
}

/** What a link says and where it would lead, as text. */
function linkView({ isImage, words, address }, budget, depth) {
  const view = el("span", { class: "case-link" });
  if (isImage) appendText(view, `[picture, not loaded: ${words || "without a name"}]`);
  else markdownInline(view, words, budget, depth + 1);
  view.append(" ", el("span", { class: "case-address" }, "(", word(address), ")"));
  return view;
}
