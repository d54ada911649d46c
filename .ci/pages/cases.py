"""The drill-down to the case, used as a person would: filters, sorting, search, deep links, keys, word diff, hostile texts."""
import json
import re
from urllib.parse import quote

from browser import Visit, check


def data(page, block):
    """A data block of the page; None where there is none."""
    text = page.evaluate("id => document.getElementById(id) && document.getElementById(id).textContent", block)
    return json.loads(text) if text is not None else None


def listed(page):
    return page.eval_on_selector_all("#case-list a[data-case]", "links => links.map(a => a.dataset.case)")


def told(page):
    """How many cases the list says that it shows."""
    return int(page.inner_text("#case-count").split(" of ")[0].replace(",", ""))


def focused(page):
    return page.evaluate("() => document.activeElement && (document.activeElement.dataset.case || document.activeElement.id)")


def link(page, case):
    return page.locator("#case-list a[data-case]").filter(has=page.locator(f"bdi >> text={json.dumps(case)}")).first


def opened(page):
    """The id of the case that is open; None in the list."""
    return page.inner_text("#case-title bdi") if page.locator("#case").is_visible() else None


class Facts:
    """What the index says, computed here once more."""

    def __init__(self, page):
        index = data(page, "case-index")
        self.index = index
        self.rows = index["rows"]
        self.kinds = [kind["label"] for kind in index["kinds"]]
        self.targets = [target["name"] for target in index["targets"]]

    def of_kind(self, label):
        bit = 1 << self.kinds.index(label)
        return {row[0] for row in self.rows if row[2] & bit}


def show_all(page):
    while page.locator("#case-more").is_visible():
        page.click("#case-more")


def filters(page, what):
    facts = Facts(page)
    everything = {row[0] for row in facts.rows}
    show_all(page)
    check(set(listed(page)) == everything, f"{what}: the list does not hold what the data hold")
    check(told(page) == len(everything), f"{what}: the count is {page.inner_text('#case-count')}")
    options = page.eval_on_selector_all("#case-filter option", "all => all.map(o => [o.value, o.textContent])")
    for value, label in options:
        page.select_option("#case-filter", value)
        show_all(page)
        name = re.sub(r"(: .*)? \([\d,]+\)$", "", label)
        if name in facts.kinds:
            check(set(listed(page)) == facts.of_kind(name), f"{what}: the filter '{label}' shows {listed(page)[:3]}")
        number = re.search(r"\(([\d,]+)\)$", label)
        check(number and int(number[1].replace(",", "")) == told(page), f"{what}: '{label}' shows {told(page)}")
    page.select_option("#case-filter", "")
    if page.locator("#case-tag").count():
        tag = next(tag for row in facts.rows for tag in row[1])
        page.select_option("#case-tag", tag)
        show_all(page)
        check(set(listed(page)) == {row[0] for row in facts.rows if tag in row[1]}, f"{what}: the tag shows {listed(page)[:3]}")
        page.select_option("#case-tag", "")
    # A kind of one target: only what that target did counts.
    failed = f"{facts.kinds.index('failed')}"
    if page.locator("#case-target").count() and page.locator(f"#case-filter option[value='{failed}']").count():
        page.select_option("#case-filter", failed)
        for place, _ in enumerate(facts.targets):
            page.select_option("#case-target", str(place))
            show_all(page)
            bit = 1 << facts.kinds.index("failed")
            expected = {row[0] for row in facts.rows if row[3][place] and row[3][place][6] & bit}
            check(set(listed(page)) == expected, f"{what}: failed of one target shows {listed(page)[:3]}")
        page.select_option("#case-target", "")
        page.select_option("#case-filter", "")


def sorting(page, what):
    facts = Facts(page)
    rows = {row[0]: row for row in facts.rows}

    def numbers(case, place):
        return [cell[place] for cell in rows[case][3] if cell and cell[place] is not None]

    keys = {
        "cost": lambda case: -max(numbers(case, 4), default=float("-inf")),
        "time": lambda case: -max(numbers(case, 5), default=float("-inf")),
        "score": lambda case: min(numbers(case, 1), default=float("inf")),
        "difference": lambda case: -(max(numbers(case, 1)) - min(numbers(case, 1))) if numbers(case, 1) else float("inf"),
        "id": lambda case: case.encode("utf-16-be"),
    }
    for name, key in keys.items():
        page.select_option("#case-sort", name)
        show_all(page)
        order = [key(case) for case in listed(page)]
        check(order == sorted(order), f"{what}: sorted by {name} it begins with {listed(page)[:3]}")
    page.select_option("#case-sort", "interest")


def search(page, what):
    facts = Facts(page)
    box = page.locator("#case-search")

    def find(text):
        box.fill("")
        box.press_sequentially(text)
        page.wait_for_timeout(250)
        show_all(page)
        return listed(page)

    case = facts.rows[0][0]
    check(case in find(case.upper()), f"{what}: an id is not found")
    # A word of an answer finds the cases whose input, answers or ids have it.
    details = [data(page, f"case-data-{place}") for place in range(len(facts.rows))]

    def words(place):
        found = [facts.rows[place][0]]
        if details[place]:
            found += details[place].get("input", {}).get("turns", [])
            found += [a.get("answer") or a.get("refusal") or "" for t in details[place]["trials"] for a in t["attempts"]]
        return "\n".join(text if isinstance(text, str) else text["text"] for text in found).lower()

    texts = [words(place) for place in range(len(facts.rows))]
    answers = re.findall(r"[a-z]{6,12}", " ".join(
        str(a.get("answer", "")) for d in details if d for t in d["trials"] for a in t["attempts"]).lower())
    if answers:
        word = answers[len(answers) // 2]
        expected = {facts.rows[place][0] for place, text in enumerate(texts) if word in text}
        check(set(find(word)) == expected, f"{what}: '{word}' finds {len(listed(page))} and not {len(expected)}")
    check(find("no such words anywhere") == [] and told(page) == 0, f"{what}: nonsense finds something")
    box.fill("")
    page.wait_for_timeout(250)
    check(told(page) == len(facts.rows), f"{what}: an empty search does not show all")


def opening(page, what):
    """By clicks and by keys alone; the focus is where the reader goes on."""
    order = listed(page)
    page.locator("#case-list a[data-case]").nth(0).click()
    check(opened(page) == order[0], f"{what}: a click opens {opened(page)}")
    check(focused(page) == "case-title", f"{what}: the focus is on {focused(page)}")
    check(not page.locator("#case-list").is_visible(), f"{what}: the list is still there")
    page.keyboard.press("Escape")
    check(opened(page) is None and focused(page) == order[0], f"{what}: Escape leaves the focus on {focused(page)}")
    check(page.locator("#case-list").is_visible(), f"{what}: Escape does not show the list")
    if len(order) > 2:
        page.keyboard.press("ArrowDown")
        check(focused(page) == order[1], f"{what}: the arrow goes to {focused(page)}")
        page.keyboard.press("Enter")
        check(opened(page) == order[1], f"{what}: Enter opens {opened(page)}")
        page.keyboard.press("n")
        check(opened(page) == order[2] and focused(page) == "case-title", f"{what}: n goes to {opened(page)}")
        page.keyboard.press("p")
        page.keyboard.press("p")
        check(opened(page) == order[0], f"{what}: p goes to {opened(page)}")
        page.go_back()
        check(opened(page) == order[1], f"{what}: back goes to {opened(page)}")
        page.go_forward()
        check(opened(page) == order[0], f"{what}: forward goes to {opened(page)}")
        # A letter in a text field is a letter.
        page.click("#case-close")
        page.locator("#case-search").press("n")
        check(opened(page) is None and page.input_value("#case-search") == "n", f"{what}: a letter in the search opens a case")
        page.fill("#case-search", "")
        page.wait_for_timeout(250)
        page.locator("#case-list a[data-case]").nth(0).click()
    page.click("#case-close")
    check(opened(page) is None and focused(page) == order[0], f"{what}: Close leaves the focus on {focused(page)}")


def deep_links(browser, path, what, ids):
    for case in ids:
        with Visit(browser, path, fragment="#case=" + quote(case, safe="")) as visit:
            check(opened(visit.page) == visible(case), f"{what}: the link opens {opened(visit.page)!r} and not {case!r}")
            check(focused(visit.page) == "case-title", f"{what}: after a link the focus is on {focused(visit.page)}")
            visit.page.reload()
            check(opened(visit.page) == visible(case), f"{what}: a reload shows {opened(visit.page)!r}")
            visit.page.keyboard.press("Escape")
            check(focused(visit.page) == case, f"{what}: Escape after a link leaves the focus on {focused(visit.page)!r}")
    for fragment in ("#case=no%20such%20case", "#case=%E0%A4%A", "#case="):
        with Visit(browser, path, fragment=fragment) as visit:
            check(visit.page.locator("#case").is_visible(), f"{what}: {fragment} shows nothing")
            check("evalrun show" in visit.page.inner_text("#case"), f"{what}: {fragment} does not say where to look")
            visit.page.keyboard.press("Escape")
            check(visit.page.locator("#case-list").is_visible(), f"{what}: {fragment} cannot be left")


def visible(text):
    """How the page shows a text with marks that nobody sees."""
    return re.sub("[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u202a-\u202e\u2066-\u2069\ufeff]", lambda m: f"U+{ord(m[0]):04X}", text)


def answers(page, what):
    """Both ways to show an answer, and the words in which two differ, which together are the two answers."""
    facts = Facts(page)
    place = next((p for p in range(len(facts.rows)) if several(data(page, f"case-data-{p}"))), None)
    if place is None:
        return
    details = data(page, f"case-data-{place}")
    page.evaluate("id => location.hash = '#case=' + encodeURIComponent(id)", details["id"])
    page.locator("#case-title").wait_for()
    page.check("#case-view-raw")
    check(page.locator(".case-markdown").count() == 0, f"{what}: raw answers are rendered")
    page.check("#case-view-diff")
    first, second = page.locator("#case-diff-first"), page.locator("#case-diff-second")
    for one in range(min(3, len(details["trials"]))):
        for other in range(min(3, len(details["trials"]))):
            first.select_option(str(one))
            second.select_option(str(other))
            for side, gone in ((one, "ins"), (other, "del")):
                text = page.evaluate(
                    """gone => { const view = document.querySelector('.case-diff').cloneNode(true);
                         view.querySelectorAll(gone + ', .case-spoken').forEach(e => e.remove()); return view.textContent }""", gone)
                expected = answer(details["trials"][side])
                check(text == expected, f"{what}: without {gone} the diff is not the answer: {text[:80]!r} for {expected[:80]!r}")
    first.select_option("0")
    second.select_option("0")
    check("are the same" in page.inner_text(".case-answers"), f"{what}: an answer differs from itself")
    page.check("#case-view-rendered")


def several(details):
    return details and len({answer(trial) for trial in details["trials"]} - {""}) > 1


def answer(trial):
    served = [a for a in trial["attempts"] if a.get("served")] or trial["attempts"][-1:]
    texts = [a.get("answer") or a.get("refusal") or "" for a in served]
    return visible("\n\n".join(t if isinstance(t, str) else t["text"] for t in texts).replace("\r\n", "\n").replace("\r", "\n"))


def facts_of_attempts(page, what):
    """Each attempt has a picture with a name and its facts in a table; raw requests come when they are asked for."""
    facts = Facts(page)
    details = next(filter(None, (data(page, f"case-data-{p}") for p in range(len(facts.rows)))), None)
    if not details:
        return
    page.evaluate("id => location.hash = '#case=' + encodeURIComponent(id)", details["id"])
    page.locator("#case-title").wait_for()
    page.wait_for_timeout(150)
    trials = [t for t in details["trials"] if t["repeat"] == 1 and t["attempts"]]
    timed = [t for t in trials if any("end" in a.get("at", {}) for a in t["attempts"])]
    check(page.locator("svg.case-timeline[role=img]").count() == len(timed), f"{what}: pictures are missing")
    for picture in page.locator("svg.case-timeline").all():
        check(re.search(r"\d", picture.get_attribute("aria-label")), f"{what}: a picture's words have no number")
    rows = page.locator("table:has(caption:text-is('Attempts')) tbody tr").count()
    check(rows == sum(len(t["attempts"]) for t in trials), f"{what}: {rows} attempts in the tables")
    raw = page.locator("summary:has-text(': request')")
    if raw.count():
        before = page.locator("#case pre").count()
        raw.first.click()
        page.wait_for_timeout(50)
        check(page.locator("#case pre").count() == before + 1, f"{what}: the raw request does not open")


def large(browser, path, what):
    """Answers of a megabyte, far beyond what a page holds: opening them and their word diff stay bounded."""
    with Visit(browser, path) as visit:
        page = visit.page
        case = Facts(page).rows[0][0]
        words = {
            "alike": ("word other third " * 65000, "word other third " * 32000 + "changed " + "word other third " * 33000),
            "unlike": (" ".join(str(n * 7919 % 100003) for n in range(170000)), " ".join(str(n * 104729 % 100019) for n in range(170000))),
            "one word": ("x" * 1050000, "y" * 1050000),
            # As many as a page holds: each is a word of its own, and a browser breaks lines between any two.
            "32 KB of ideographs": ("\u5854\u306e\u9ad8\u3055" * 2700, "\u9ad8\u3055\u306e\u5854" * 2700),
        }
        for name, pair in words.items():
            took = page.evaluate(
                """async ([id, pair]) => {
                     const data = document.getElementById('case-data-0');
                     const details = JSON.parse(data.textContent);
                     details.trials.slice(0, 2).forEach((t, i) => { t.attempts[0].answer = pair[i]; t.attempts[0].served = true });
                     data.textContent = JSON.stringify(details);
                     const start = performance.now();
                     location.hash = '#case=' + encodeURIComponent(id);
                     await new Promise(done => setTimeout(done, 50));
                     const opened = performance.now();
                     document.getElementById('case-view-diff').click();
                     document.querySelector('.case-diff').getBoundingClientRect();
                     const diffed = performance.now();
                     document.getElementById('case-view-rendered').click();
                     document.getElementById('case-close').click();
                     return [opened - start, diffed - opened] }""", [case, list(pair)])
            print(f"  {what}: answers of 1 MB ({name}): opened in {took[0]:.0f} ms, compared in {took[1]:.0f} ms")
            check(sum(took) < 15000, f"{what}: 1 MB, {name}, takes {took}")


def hostile(browser, path, what, shots):
    """Every case of a run whose texts try to break out, shown in every way."""
    with Visit(browser, path) as visit:
        ids = [row[0] for row in Facts(visit.page).rows]
    for case in ids:
        with Visit(browser, path, fragment="#case=" + quote(case, safe="")) as visit:
            page = visit.page
            for view in ("rendered", "raw", "diff"):
                if page.locator(f"#case-view-{view}").count():
                    page.check(f"#case-view-{view}")
                page.evaluate("() => document.querySelectorAll('#case details').forEach(d => d.open = true)")
                page.wait_for_timeout(50)
                visit.inert()
                visit.fits(f"{what}, {case}, {view}")
                made = page.locator("#cases :is(script:not([type='application/json']), img, iframe, style, object, svg a)").count()
                check(made == 0, f"{what}, {case}: elements of a stranger")
            if case in ("markdown", "right-to-left"):
                page.check("#case-view-rendered")
                visit.shot(shots, f"{what}-case-{case}")


def looks(browser, path, what, shots):
    """The list and a case in both themes and widths: accessible, within the page, and kept as pictures."""
    for scheme in ("light", "dark"):
        for width in ("wide", "narrow"):
            name = f"{what}-cases-{scheme}-{width}"
            with Visit(browser, path, scheme, width, fragment="#cases") as visit:
                case = listed(visit.page)[0]
                visit.page.locator("#cases").screenshot(path=str(shots / f"{name}.png"))
            with Visit(browser, path, scheme, width, fragment="#case=" + quote(case, safe="")) as visit:
                visit.page.wait_for_timeout(150)
                for view in ("rendered", "diff"):
                    if visit.page.locator(f"#case-view-{view}").count():
                        visit.page.check(f"#case-view-{view}")
                    visit.accessible(f"{name}, {view}")
                    visit.fits(f"{name}, {view}")
                    visit.page.locator("#case").screenshot(path=str(shots / f"{name}-{view}.png"))


def everything(browser, path, what, shots):
    with Visit(browser, path) as visit:
        for part in (filters, sorting, search, opening):
            part(visit.page, what)
        ids = [row[0] for row in Facts(visit.page).rows]
    with Visit(browser, path) as visit:
        answers(visit.page, what)
        facts_of_attempts(visit.page, what)
    odd = [case for case in ids if not re.fullmatch(r"[\w.-]+", case)]
    deep_links(browser, path, what, list(dict.fromkeys(ids[:2] + odd[:4])))
    looks(browser, path, what, shots)
    if what == "hostile":
        hostile(browser, path, what, shots)
    if what == "quickstart":
        large(browser, path, what)
