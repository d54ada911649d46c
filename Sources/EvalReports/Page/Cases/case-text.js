// Elements and words. A text of a model, a suite or a server only ever becomes a text node.

/** Makes an element. Attributes that are null are left out; children are elements or own words. */
function el(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

// What would turn the direction of the page or is not to be seen; the marks of right-to-left scripts may stay.
const hiddenMarks = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u202A-\u202E\u2066-\u2069\uFEFF]/u;

/** Appends a stranger's text, hidden marks made visible. */
function appendText(parent, text) {
  let rest = text.replace(/\r\n?/g, "\n");
  for (let at = rest.search(hiddenMarks); at >= 0; at = rest.search(hiddenMarks)) {
    if (at > 0) parent.append(rest.slice(0, at));
    const code = rest.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
    parent.append(el("span", { class: "case-mark" }, `U+${code}`));
    rest = rest.slice(at + 1);
  }
  if (rest) parent.append(rest);
  return parent;
}

/** The same where nothing but one line of text can stand. */
const shownMarks = (text) => text.replace(new RegExp(hiddenMarks, "gu"), "\uFFFD");

/** A stranger's words inside a line of ours. */
const word = (text) => appendText(el("bdi"), text);

/** A stranger's text as it is, line breaks kept. */
const plain = (text) => appendText(el("pre", { class: "case-text", dir: direction(text), tabindex: "0" }), text);

/** Each paragraph has a direction of its own, but for a text so long that a browser would take seconds to find out. */
const direction = (text) => (text.length > 100000 ? null : "auto");

/** A text that may be cut: its words, and how many bytes the whole has, or null. */
function whole(text) {
  return typeof text === "string" ? { text, bytes: null } : { text: text.text, bytes: text.bytes };
}

/** What is to be said below a text that was cut; null for a whole one. */
function cutNote(text, command) {
  const { text: shown, bytes } = whole(text);
  if (bytes === null) return null;
  const here = new TextEncoder().encode(shown).length;
  return el("p", { class: "case-note" }, `Cut: ${size(here)} of ${size(bytes)} are here. All of it: `, el("code", {}, word(command)));
}

const spoken = (text) => el("span", { class: "case-spoken" }, text);
const missing = "—";
const isKnown = (value) => value !== null && value !== undefined;

function significant(value, digits = 3) {
  if (value === 0) return "0";
  const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString("en", { maximumFractionDigits: Math.min(decimals, 9) });
}

const count = (value) => value.toLocaleString("en");

function milliseconds(value) {
  if (!isKnown(value)) return missing;
  if (Math.abs(value) < 999.5) return `${significant(value)} ms`;
  return Math.abs(value) < 599500 ? `${significant(value / 1000)} s` : `${significant(value / 60000)} min`;
}

function dollars(value, isAtLeast) {
  if (!isKnown(value)) return "unknown";
  const digits = value === 0 ? "0" : Math.abs(value) >= 1 ? value.toFixed(2) : significant(value);
  return `${isAtLeast ? "≥ " : ""}$${digits}`;
}

const score = (value) => (isKnown(value) ? value.toFixed(3) : missing);

function size(bytes) {
  return bytes < 1024 ? `${bytes} bytes` : bytes < 1048576 ? `${significant(bytes / 1024)} KB` : `${significant(bytes / 1048576)} MB`;
}

/** A table in a box of its own, which scrolls where the page is too narrow. */
function scrollTable(caption, heads, rows) {
  const table = el("table", {},
    el("caption", {}, caption),
    el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, rows));
  return el("div", { class: "case-scroll", tabindex: "0", role: "group", "aria-label": caption }, table);
}
