#!/usr/bin/env python3
"""page.py EVALRUN [TRIALS...]: a run's page by the number of trials: bytes, CPU time, memory, and how long it takes to open.

A run of two profiles, half of the trials each, is made once; three in ten answers are wrong. Opening is from the navigation
to the visible list of cases in headless Chromium, where Playwright is installed (as by `make check-pages`).
"""
import json
import shutil
import sys
from pathlib import Path
from statistics import median

import bench

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sync_playwright = None


def suite(name, count, port):
    folder = bench.suite(name, "t64", count, port, 32)
    document = json.loads((folder / "suite.json").read_text())
    one = document["profiles"].pop("truth")
    document["profiles"]["near"] = {**one, "model": "t64-acc70"}
    document["profiles"]["far"] = {
        **one, "model": "t120-acc80", "boundary": "thirdParty", "price": {"input": 0.25, "output": 2}}
    document["run"]["maxConcurrency"] = 64
    (folder / "suite.json").write_text(json.dumps(document))
    return folder


def opened(path):
    """Milliseconds until the list is there, of five visits, and until its first case is; None without a browser."""
    if sync_playwright is None:
        return None
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        lists, cases = [], []
        for _ in range(5):
            page = chromium.new_page()
            page.goto(path.as_uri(), wait_until="commit")
            page.wait_for_selector("#case-list a[data-case]")
            lists.append(page.evaluate(
                "() => new Promise(done => requestAnimationFrame(() => setTimeout(() => done(performance.now()))))"))
            cases.append(page.evaluate(
                """() => new Promise(done => { const start = performance.now();
                     document.querySelector('#case-list a[data-case]').click();
                     requestAnimationFrame(() => setTimeout(() => done(performance.now() - start))) })"""))
            page.close()
        chromium.close()
    return lists, cases


def main(binary, *sizes):
    binary = Path(binary).resolve()
    bench.build()
    bench.heading("The page")
    rows = []
    for trials in sizes or (1000, 10_000, 100_000):
        with bench.Server("page") as server:
            folder = suite("page", trials // 2, server.port)
            bench.evalrun(binary, folder)
        page = folder / "page.html"
        figures = [
            bench.run([binary, "report", "latest", "--format", "html", "--output", page], folder, "output.txt") for _ in range(3)]
        if any(figure.code for figure in figures):
            sys.exit((folder / "output.txt").read_text()[-2000:])
        visit = opened(page)
        rows.append((
            trials, f"{bench.database(folder).stat().st_size / 1e6:.0f}", f"{page.stat().st_size / 1e6:.2f}",
            f"{median(f.cpu for f in figures):.2f}", f"{median(f.wall for f in figures):.2f}",
            f"{max(f.memory for f in figures):.1f}",
            *([bench.spread(times, 0) for times in visit] if visit else ("-", "-"))))
    bench.table(("trials", "database MB", "page MB", "CPU s", "wall s", "peak MB", "list ms", "a case ms"), rows)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
