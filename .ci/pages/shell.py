"""What holds for every page, whatever it reports: policy, landmarks, headings, tables, themes, widths, print, keys."""
import re

from browser import Visit, check

POLICY = re.compile(
    r"default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; script-src 'sha256-[A-Za-z0-9+/]{43}='; img-src data:; "
    r"base-uri 'none'; form-action 'none'")


def structure(page, what):
    policy = page.get_attribute('meta[http-equiv="Content-Security-Policy"]', "content")
    check(policy and POLICY.fullmatch(policy), f"{what}: the policy is {policy}")
    first = page.evaluate("() => [...document.head.children].slice(0, 2).map(e => e.outerHTML.slice(0, 60))")
    check("charset" in first[0] and "Content-Security-Policy" in first[1], f"{what}: the head begins with {first}")
    check(page.locator("h1").count() == 1, f"{what}: {page.locator('h1').count()} headings of the first level")
    levels = page.evaluate(
        "() => [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].filter(e => e.offsetParent).map(e => +e.tagName[1])")
    check(all(b <= a + 1 for a, b in zip(levels, levels[1:])), f"{what}: heading levels jump: {levels}")
    check(page.locator("main").count() == 1, f"{what}: no main landmark")
    check(len(page.inner_text("#verdict")) > 10, f"{what}: no answer at the top")
    ids = page.evaluate("() => [...document.querySelectorAll('[id]')].map(e => e.id)")
    check(len(ids) == len(set(ids)), f"{what}: an id twice: {[i for i in ids if ids.count(i) > 1][:3]}")
    links = page.evaluate(
        "() => [...document.querySelectorAll('a[href^=\"#\"]')].map(a => a.getAttribute('href').slice(1))"
        ".filter(id => id && !id.startsWith('case=') && !document.getElementById(decodeURIComponent(id)))")
    check(not links, f"{what}: links to nothing: {links[:3]}")
    for table in page.locator("table").all():
        check(table.locator("th").count() > 0, f"{what}: a table without a head")


def pictures(page, what):
    check(page.locator("figure svg").count() > 0, f"{what}: no picture")
    for svg in page.locator("figure svg").all():
        name = svg.evaluate("s => s.closest('figure').id")
        check(svg.get_attribute("role") == "img", f"{what}: {name} has no role")
        title = svg.evaluate("s => (s.querySelector('title') || {}).textContent")
        told = svg.evaluate("s => (s.querySelector('desc') || {}).textContent")
        check(title and told and re.search(r"\d", told), f"{what}: the text alternative of {name} says no number: {told}")
        text = svg.evaluate("s => s.textContent")
        check(not re.search(r"\b(NaN|nan|inf|Infinity|undefined|null)\b", text), f"{what}: {name} draws {text[:80]}")
        # No label may run out of its picture.
        out = svg.evaluate(
            """s => { const f = s.getBoundingClientRect();
                return [...s.querySelectorAll('text')].filter(t => { const r = t.getBoundingClientRect();
                  return r.width && (r.left < f.left - 2 || r.right > f.right + 2 || r.top < f.top - 2 || r.bottom > f.bottom + 2) })
                  .map(t => t.textContent) }""")
        check(not out, f"{what}: labels of {name} outside of it: {out[:3]}")


def readable(page, what):
    """No cell is so narrow that its words stand letter under letter."""
    found = page.evaluate(
        """() => [...document.querySelectorAll('th, td')].filter(e => {
             const r = e.getBoundingClientRect();
             return r.width > 0 && e.textContent.trim().length > 4 && r.height > 4 * r.width })
           .map(e => e.textContent.trim().slice(0, 40))""")
    check(not found, f"{what}: cells too narrow to read: {found[:3]}")


def keys(page, what):
    """The first key press offers to skip, and every stop of the tab key can be seen."""
    page.keyboard.press("Tab")
    target = page.evaluate("() => document.activeElement.getAttribute('href')")
    check(target and target.startswith("#"), f"{what}: the first stop is no link to the content")
    page.keyboard.press("Enter")
    check(page.evaluate("id => !!document.getElementById(id)", target[1:]), f"{what}: the skip link leads nowhere")
    seen = 0
    for _ in range(25):
        page.keyboard.press("Tab")
        state = page.evaluate(
            """() => { const e = document.activeElement; if (e === document.body) return null;
                 const r = e.getBoundingClientRect(), s = getComputedStyle(e);
                 return {tag: e.outerHTML.slice(0, 80), shown: r.width > 0 && r.height > 0,
                   ring: s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== 'none'} }""")
        if state is None:
            break
        seen += 1
        check(state["shown"], f"{what}: a stop that cannot be seen: {state['tag']}")
        check(state["ring"], f"{what}: a stop without a mark: {state['tag']}")
    return seen


def everywhere(browser, path, what, shots):
    """The checks of every page in both themes and widths, with pictures to look at."""
    for scheme in ("light", "dark"):
        for width in ("wide", "narrow"):
            name = f"{what}-{scheme}-{width}"
            with Visit(browser, path, scheme, width) as visit:
                # Before the first picture: Playwright sets a style of its own to take it.
                visit.inert()
                visit.shot(shots, name)
                visit.fits(name)
                structure(visit.page, name)
                pictures(visit.page, name)
                visit.accessible(name)
                # Once more with everything unfolded.
                visit.page.evaluate("() => document.querySelectorAll('details').forEach(d => d.open = true)")
                visit.fits(name + ", unfolded")
                visit.accessible(name + ", unfolded")
                readable(visit.page, name)
                pictures(visit.page, name + ", unfolded")
                visit.shot(shots, name + "-unfolded")
                if width == "narrow":
                    keys(visit.page, name)
    with Visit(browser, path) as visit:
        light = visit.page.evaluate("() => getComputedStyle(document.body).backgroundColor")
        keys(visit.page, what)
    with Visit(browser, path, "dark") as visit:
        dark = visit.page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    check(light != dark, f"{what}: the dark theme is {dark}, as the light one")
    with Visit(browser, path, script=False) as visit:
        check(len(visit.page.inner_text("main")) > 200, f"{what}: nothing to read without a script")
    with Visit(browser, path) as visit:
        visit.page.emulate_media(media="print")
        visit.fits(what + ", printed")
        visit.page.pdf(path=str(shots / f"{what}.pdf"), format="A4")
