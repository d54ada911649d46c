// The list of cases: filter, sort, search; and which case is open, which the address says.

const caseAddress = (id) => `#case=${encodeURIComponent(id)}`;

/** The id in the address; null when it names no case. */
function addressedCase() {
  const match = /^#case=(.*)$/s.exec(location.hash);
  if (!match) return null;
  try {
    return decodeURIComponent(match[1]);
  } catch {
    return match[1];
  }
}

/** Builds the list and keeps it and the opened case as the address and the controls say. */
class CaseBrowser {
  constructor(data, browser, article) {
    this.info = data;
    this.rows = readRows(data);
    this.byID = new Map(this.rows.map((row) => [row.id, row]));
    this.browser = browser;
    this.article = article;
    this.title = document.title;
    this.openID = null;
    this.build();
    this.filter();
    for (const event of ["hashchange", "popstate"]) addEventListener(event, () => this.follow());
    article.addEventListener("keydown", (event) => this.key(event));
    this.follow();
  }

  build() {
    const controls = el("div", { class: "case-controls" });
    const field = (id, label, element) => {
      controls.append(el("span", { class: "case-field" }, el("label", { for: id }, label), element));
      return element;
    };
    const select = (id, label, options) => {
      const element = field(id, label, el("select", { id }, options.map(([value, name]) => el("option", { value }, shownMarks(name)))));
      element.addEventListener("change", () => this.filter());
      return element;
    };
    this.search = field("case-search", "Search", el("input", { type: "search", id: "case-search", autocomplete: "off", spellcheck: "false" }));
    let timer = 0;
    this.search.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.filter(), 150);
    });
    this.kind = select("case-filter", "Show", this.kindOptions());
    const tags = [...new Set(this.rows.flatMap((row) => row.tags))].sort();
    this.tag = tags.length ? select("case-tag", "Tag", [["", "any"], ...tags.slice(0, 500).map((tag) => [tag, tag])]) : null;
    const targets = this.info.targets.map(({ name }, index) => [String(index), name]);
    this.target = targets.length > 1 ? select("case-target", "Target", [["", "any"], ...targets]) : null;
    this.sort = select("case-sort", "Sort by", caseSorts.map(([key, name]) => [key, name]));
    this.count = el("p", { id: "case-count", class: "case-note", role: "status", "aria-live": "polite" });
    this.body = el("tbody");
    const heads = ["case", ...this.info.targets.map(({ name }) => name)];
    const table = el("table", { id: "case-list" }, el("caption", { class: "case-spoken" }, "Cases and what each target made of them"),
      el("thead", {}, el("tr", {}, heads.map((head, index) => el("th", { scope: "col" }, index ? word(head) : head)))), this.body);
    table.addEventListener("keydown", (event) => this.walk(event));
    this.more = el("button", { type: "button", id: "case-more" });
    this.more.addEventListener("click", () => {
      const first = this.shown;
      this.showMore();
      this.body.rows[first].querySelector("a").focus();
    });
    this.browser.append(controls, this.count,
      el("div", { class: "case-scroll", role: "group", "aria-label": "List of cases", tabindex: "0" }, table), this.more);
  }

  kindOptions() {
    const options = [["", `all (${count(this.rows.length)})`]];
    const add = (value, label) => {
      const here = this.rows.filter((row) => this.isOfKind(row, value, [...row.cells.keys()])).length;
      if (here) options.push([value, `${label} (${count(here)})`]);
    };
    this.info.kinds.forEach(({ label }, bit) => add(String(bit), label));
    add("slow", "slow: the slowest 5 % of a target");
    return options;
  }

  isOfKind(row, kind, targets) {
    if (kind === "") return true;
    if (kind === "slow") return targets.some((index) => row.cells[index] && this.isSlow(row.cells[index], index));
    const bit = 1 << Number(kind);
    // That targets disagree is no kind of one target.
    if (targets.length === row.cells.length) return (row.kinds & bit) !== 0;
    if (this.info.kinds[Number(kind)].label === "targets disagree") return (row.kinds & bit) !== 0;
    return targets.some((index) => row.cells[index] && (row.cells[index].kinds & bit) !== 0);
  }

  isSlow(cell, index) {
    const { slow } = this.info.targets[index];
    return isKnown(slow) && isKnown(cell.ms) && cell.ms > slow;
  }

  filter() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const target = this.target ? this.target.value : "";
    const targets = target === "" ? [...this.info.targets.keys()] : [Number(target)];
    const cells = (row) => targets.map((index) => row.cells[index]).filter(Boolean);
    const tag = this.tag ? this.tag.value : "";
    this.found = this.rows.filter((row) => (tag === "" || row.tags.includes(tag))
      && (target === "" || row.cells[Number(target)]) && this.isOfKind(row, this.kind.value, targets)
      && (!words.length || words.every((part) => searchText(row).includes(part))));
    const [, , order] = caseSorts.find(([key]) => key === this.sort.value);
    this.found = sortedRows(this.found, (row) => order(row, cells(row)));
    this.shown = 0;
    this.chunk = 100;
    this.body.replaceChildren();
    this.showMore();
    const listed = this.rows.length < this.info.cases ? ` listed (of ${count(this.info.cases)} in the run)` : "";
    this.count.textContent = `${count(this.found.length)} of ${count(this.rows.length)} cases${listed}`;
  }

  showMore() {
    const until = Math.min(this.found.length, this.shown + this.chunk);
    const part = document.createDocumentFragment();
    for (; this.shown < until; this.shown++) part.append(this.line(this.found[this.shown]));
    this.body.append(part);
    this.chunk = Math.min(2 * this.chunk, 1000);
    const left = this.found.length - this.shown;
    this.more.hidden = left === 0;
    this.more.textContent = `Show ${count(Math.min(left, this.chunk))} more`;
  }

  line(row) {
    const link = el("a", { href: caseAddress(row.id), "data-case": row.id }, word(row.id));
    const asked = el("small", {}, word(snippet(row)));
    const tags = row.tags.length ? el("small", {}, row.tags.flatMap((tag, index) => [index ? ", " : "", word(tag)])) : null;
    const cells = row.cells.map((cell, index) => el("td", {}, cell
      ? [...cellWords(cell, this.info), el("small", { class: this.isSlow(cell, index) ? "case-warn" : null },
        milliseconds(cell.ms), this.isSlow(cell, index) ? " slow" : "")]
      : missing));
    return el("tr", {}, el("th", { scope: "row" }, link, asked, tags), cells);
  }

  /** Arrow keys go from case to case. */
  walk(event) {
    const row = event.target.closest("tr");
    const links = { ArrowDown: row?.nextElementSibling, ArrowUp: row?.previousElementSibling, Home: this.body.firstElementChild, End: this.body.lastElementChild };
    const link = event.target.matches("a[data-case]") && links[event.key]?.querySelector("a");
    if (!link) return;
    event.preventDefault();
    link.focus();
  }

  /** Keys within the opened case, so that they disturb nobody's reading aloud elsewhere. */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.key === "Escape") {
      event.preventDefault();
      this.close();
    } else if (!event.target.closest("input, select, textarea")) {
      const link = { n: "next", p: "prev" }[event.key];
      this.article.querySelector(link ? `a[rel="${link}"]` : "nothing")?.click();
    }
  }

  close() {
    history.pushState(null, "", "#cases");
    this.follow();
  }

  /** Shows what the address says. */
  follow() {
    const id = addressedCase();
    if (id === this.openID) return;
    const last = this.openID;
    this.openID = id;
    this.browser.hidden = id !== null;
    this.article.hidden = id === null;
    document.title = id === null ? this.title : `${shownMarks(id)} – ${this.title}`;
    if (id !== null) return this.open(id);
    this.article.replaceChildren();
    if (location.hash === "" || location.hash === "#cases") this.returnTo(last);
  }

  open(id) {
    const row = this.byID.get(id);
    const place = row ? this.found.indexOf(row) : -1;
    const at = (index) => (place >= 0 && this.found[index] ? this.found[index].id : null);
    const links = { previous: at(place - 1), next: at(place + 1), place: place + 1, total: this.found.length };
    if (row) {
      fillCase(this.article, row, readDetails(row), this.info, links, () => this.close());
    } else {
      const nobody = { id, tags: [], kinds: 0, cells: [] };
      fillCase(this.article, nobody, null, { ...this.info, targets: [] }, links, () => this.close());
    }
    this.article.setAttribute("aria-labelledby", "case-title");
    const title = document.getElementById("case-title");
    title.focus({ preventScroll: true });
    this.article.scrollIntoView({ block: "start", behavior: "instant" });
  }

  /** Back in the list, the case that was open is where the reader goes on. */
  returnTo(id) {
    const place = this.found.findIndex((row) => row.id === id);
    while (place >= this.shown) this.showMore();
    const link = place >= 0 ? this.body.rows[place].querySelector("a") : this.search;
    link.focus({ preventScroll: true });
    link.scrollIntoView({ block: "center", behavior: "instant" });
  }
}

function startCases() {
  const data = document.getElementById("case-index");
  const browser = document.getElementById("case-browser");
  const article = document.getElementById("case");
  if (!data || !browser || !article) return;
  browser.hidden = false;
  new CaseBrowser(JSON.parse(data.textContent), browser, article);
}

startCases();
