"""What every check of a page needs: a browser that tells of each error and each request, an accessibility engine, eyes."""
import contextlib
import pathlib
import shutil

import axe_playwright_python
from playwright.sync_api import sync_playwright

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
WIDTHS = {"wide": (1280, 900), "narrow": (320, 640)}
# WCAG 2.2 A and AA, and what axe calls best practice.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


class Trouble(AssertionError):
    pass


def check(condition, words):
    if not condition:
        raise Trouble(words)


@contextlib.contextmanager
def chromium():
    with sync_playwright() as playwright:
        path = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


class Visit:
    """A page in a browser window of its own. Leaving it fails on an error, a dialog or a request but for the file."""

    def __init__(self, browser, path, scheme="light", width="wide", fragment="", script=True):
        self.url = pathlib.Path(path).resolve().as_uri()
        width, height = WIDTHS[width]
        self.context = browser.new_context(
            color_scheme=scheme, viewport={"width": width, "height": height}, java_script_enabled=script)
        self.page = self.context.new_page()
        self.troubles = []
        self.page.on("console", lambda m: self.troubles.append(f"console {m.type}: {m.text}") if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda e: self.troubles.append(f"error: {e}"))
        self.page.on("dialog", lambda d: (self.troubles.append(f"a dialog opened: {d.message}"), d.dismiss()))
        self.page.on("popup", lambda p: self.troubles.append(f"a window opened: {p.url}"))
        self.page.on("download", lambda d: self.troubles.append(f"a download began: {d.url}"))
        self.page.on("request", self.request)
        # Whatever left the page would end here and be told.
        self.page.goto(self.url + fragment)

    def request(self, request):
        if request.url.split("#")[0] != self.url:
            self.troubles.append(f"a request left the page: {request.url[:200]}")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            check(self.page.url.split("#")[0] == self.url, f"the page went away to {self.page.url}")
            check(not self.troubles, "; ".join(self.troubles[:5]))
        self.context.close()

    def inert(self):
        """No element that a stranger could have made."""
        found = self.page.evaluate(
            """() => [...document.querySelectorAll('*')].filter(e =>
                 e.outerHTML !== '<link rel="icon" href="data:,">').filter(e => ['IFRAME', 'OBJECT', 'EMBED', 'BASE', 'FORM', 'LINK', 'IMG', 'VIDEO', 'AUDIO', 'TEXTAREA'].includes(e.tagName)
                 || [...e.attributes].some(a => /^on/i.test(a.name) || a.name === 'style' && a.ownerElement.closest('svg') === null
                   || /^(href|src|action|formaction|xlink:href)$/i.test(a.name) && !/^#/.test(a.value)))
               .map(e => e.outerHTML.slice(0, 120))""")
        check(not found, f"elements that do not belong: {found[:3]}")
        scripts = self.page.evaluate(
            "() => [...document.scripts].filter(s => s.type !== 'application/json').length")
        check(scripts <= 1, f"{scripts} scripts that run, one is ours")

    def accessible(self, what):
        # Evaluated through the debugger, so that the page's own policy stays in force.
        self.page.evaluate(AXE)
        result = self.page.evaluate(
            """tags => axe.run(document, {runOnly: {type: 'tag', values: tags}, resultTypes: ['violations']})""", TAGS)
        found = [
            f"{v['id']} ({v['impact']}): {v['help']}: " + " | ".join(n["html"][:160] + " " + str((n["any"] or n["all"] or n["none"] or [{}])[0].get("message", ""))[:160] for n in v["nodes"][:3])
            for v in result["violations"]]
        check(not found, f"accessibility of {what}:\n  " + "\n  ".join(found))

    def fits(self, what):
        wide = self.page.evaluate(
            """() => ({scroll: document.documentElement.scrollWidth, width: document.documentElement.clientWidth,
                 who: [...document.body.querySelectorAll('*')].filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1
                   && !e.closest('[tabindex="0"]')).slice(0, 3).map(e => e.outerHTML.slice(0, 100))})""")
        check(wide["scroll"] <= wide["width"] + 1, f"{what} scrolls sideways: {wide}")

    def shot(self, folder, name):
        self.page.screenshot(path=str(pathlib.Path(folder) / f"{name}.png"), full_page=True)
