"""check-ci.py SCHEMA FOLDER: see check-ci. FOLDER holds *.junit.xml with the *.junit.html that junit2html made of them."""

import copy
import html
import json
import pathlib
import sys

from junitparser import Error, Failure, JUnitXml, Skipped
from lxml import etree

schema = etree.XMLSchema(etree.parse(sys.argv[1]))
folder = pathlib.Path(sys.argv[2])
problems = []


def check(condition, *words):
    if not condition:
        problems.append(" ".join(map(str, words)))


def ant(root):
    """What the Apache Ant schema (windyroad/JUnit-Schema) asks for beyond Jenkins': names the first thing that is wrong."""
    if root.tag != "testsuites" or root.attrib:
        return "testsuites with attributes"
    for number, suite in enumerate(root):
        needed = {"name", "package", "id", "timestamp", "hostname", "tests", "failures", "errors", "time"}
        if not needed <= set(suite.keys()) <= needed | {"skipped"}:
            return f"attributes of testsuite: {suite.keys()}"
        if suite.get("id") != str(number) or "T" not in suite.get("timestamp") or len(suite.get("timestamp")) != 19:
            return "id or timestamp of testsuite"
        tags = [child.tag for child in suite]
        if tags != ["properties"] + ["testcase"] * (len(tags) - 3) + ["system-out", "system-err"]:
            return "order in testsuite"
        for case in suite.iter("testcase"):
            if set(case.keys()) != {"name", "classname", "time"} or len(case) > 1:
                return f"testcase {case.get('name')}"
            for reason in case:
                if reason.tag in ("failure", "error") and not {"type", "message"} <= set(reason.keys()):
                    return f"{reason.tag} of {case.get('name')}"
    return None


files = sorted(folder.glob("*.junit.xml"))
check(len(files) >= 3, "files:", files)
for file in files:
    tree = etree.parse(file)
    check(schema.validate(tree), file.name, schema.error_log.last_error)
    check(ant(tree.getroot()) is None, file.name, ant(tree.getroot()))
    page = html.unescape(file.with_suffix(".html").read_text())
    for suite in JUnitXml.fromfile(str(file)):
        cases = list(suite)
        kinds = {kind: sum(1 for case in cases if any(isinstance(r, kind) for r in case.result)) for kind in (Failure, Error, Skipped)}
        check(suite.tests == len(cases), file.name, suite.name, "tests", suite.tests, len(cases))
        check(suite.failures == kinds[Failure], file.name, suite.name, "failures", suite.failures, kinds)
        check(suite.errors == kinds[Error], file.name, suite.name, "errors", suite.errors, kinds)
        check(suite.skipped == kinds[Skipped], file.name, suite.name, "skipped", suite.skipped, kinds)
        for case in cases:
            check(case.name in page, file.name, "junit2html does not show", case.name)
            for result in case.result:
                check(result.message in page, file.name, "junit2html does not show", result.message)

# The same run in another format has the same numbers.
report = json.loads((folder / "quickstart.json").read_text())
for suite, target in zip(JUnitXml.fromfile(str(folder / "quickstart.junit.xml")), report["targets"]):
    check(suite.tests == target["trials"]["planned"], "tests", suite.tests, target["trials"])
    check(suite.tests - suite.failures - suite.errors - suite.skipped == target["score"]["passes"], "passes", suite.name)

# The checks above can fail.
good = etree.parse(files[0])
for change in (
    lambda root: root[0].attrib.pop("tests"),
    lambda root: next(root.iter("testcase")).attrib.pop("name"),
    lambda root: etree.SubElement(root[0], "nonsense"),
):
    bad = copy.deepcopy(good)
    change(bad.getroot())
    check(not schema.validate(bad), "the schema takes a wrong file")
    check(ant(bad.getroot()) is not None, "Ant's demands take a wrong file")

print("\n".join(problems) or f"{len(files)} JUnit files are right")
sys.exit(bool(problems))
