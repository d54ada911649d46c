"""check-schema.py SCHEMA SUITES_FOLDER PAGE...: see check-schema. A page's whole suites are its ```jsonc blocks."""

import copy
import json
import pathlib
import re
import sys

import jsonschema

# Strings first, so that neither comments nor commas inside them are touched.
RELAXED = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|,(?=(?:\s|//[^\n]*|/\*.*?\*/)*[\]}])', re.S)


def read(text):
    return json.loads(RELAXED.sub(lambda found: found[0] if found[0].startswith('"') else "", text))


schema = json.loads(pathlib.Path(sys.argv[1]).read_text())
assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema", schema["$schema"]
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)

suites = {
    str(path): read(path.read_text(encoding="utf-8-sig"))
    for path in sorted(pathlib.Path(sys.argv[2]).rglob("*.json"))
    if not path.name.endswith(".schema.json") and path.parent.name != "policies"  # policies are no suites
}
for page in sys.argv[3:]:
    for number, block in enumerate(re.findall(r"^```jsonc\n(.*?)^```", pathlib.Path(page).read_text(), re.S | re.M)):
        suites[f"{page}, example {number + 1}"] = read(block)
assert len(suites) >= 6, sorted(suites)

failures = 0
for name, suite in suites.items():
    for error in validator.iter_errors(suite):
        failures += 1
        print(f"{name}: {error.json_path}: {error.message}"[:300])


def wrong(change):
    suite = copy.deepcopy(suites[next(iter(suites))])
    change(suite, next(iter(suite["profiles"].values())))
    return suite


WRONG = {
    "an unknown key": lambda suite, _: suite.update(nmae="x"),
    "another version": lambda suite, _: suite.update(version=2),
    "no case": lambda suite, _: suite.update(cases=[]),
    "no profile": lambda suite, _: suite.update(profiles={}),
    "an unknown key of a profile": lambda _, profile: profile.update(temprature=1),
    "a key in the suite": lambda _, profile: profile.update(key="sk-1"),
    "a price that is a word": lambda _, profile: profile.update(price="cheap"),
    "width 0": lambda suite, _: suite.update(run={"concurrency": 0}),
    "an unknown check": lambda suite, _: suite.update(checks=[{"contians": "x"}]),
    "two checks in one": lambda suite, _: suite.update(checks=[{"contains": "x", "exact": "y"}]),
    "a case that is a text": lambda suite, _: suite.update(cases=["x"]),
}
for name, change in WRONG.items():
    if validator.is_valid(wrong(change)):
        failures += 1
        print(f"the schema takes a suite with {name}")

print(f"{len(suites)} suites are right and {len(WRONG)} wrong ones are not" if not failures else f"{failures} failures")
sys.exit(failures > 0)
