"""check.py FOLDER SHOTS: opens every page in FOLDER in a real browser and uses it as a person would."""
import pathlib
import sys
import traceback

import cases
import shell
from browser import chromium

# Pages that go down to the case; the others are of comparisons and policies.
RUNS = {"quickstart", "meal-planner", "hostile"}


def main():
    folder, shots = map(pathlib.Path, sys.argv[1:])
    shots.mkdir(parents=True, exist_ok=True)
    failed = 0
    with chromium() as browser:
        print(f"Chromium {browser.version}")
        for path in sorted(folder.glob("*.html")):
            what = path.stem
            for name, part in [("page", lambda: shell.everywhere(browser, path, what, shots))] + (
                    [("cases", lambda: cases.everything(browser, path, what, shots))] if what in RUNS else []):
                try:
                    part()
                    print(f"ok: {what}, {name}")
                except Exception as error:  # every page is tried, whatever is wrong with another
                    failed += 1
                    print(f"FAILED: {what}, {name}: {error}")
                    traceback.print_exc(limit=-3)
    sys.exit(1 if failed else 0)


main()
