"""picture.py PAGE OUT: the top of a page as a picture, for the README."""
import sys

from browser import Visit, chromium

with chromium() as browser, Visit(browser, sys.argv[1]) as visit:
    visit.page.set_viewport_size({"width": 1100, "height": 1250})
    visit.page.screenshot(path=sys.argv[2])
