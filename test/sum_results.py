"""Adds up what the test runners wrote: sum_results.py CTEST-JUNIT.xml LIT.json

A runner that wrote nothing (it crashed, or was never started) counts as one failed test, so that silence is never
taken for success. Prints the failed tests, and `N passed, M failed` as the last line; exit code 0 if none failed
and at least one passed.
"""

import json
import sys
import xml.etree.ElementTree


def of_ctest(path):
    """Yields (name, verdict) of each test; one whose program is missing is "notrun" too, and a failure."""
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        status = case.get("status")
        reason = case.find("skipped")
        skipped = status == "disabled" or (reason is not None and reason.get("message", "").startswith("SKIP_"))
        yield "ctest: " + case.get("name"), "passed" if status == "run" else "skipped" if skipped else "failed"


def of_lit(path):
    """Yields (name, verdict) of each program; an expected failure is a pass, an unexpected pass a failure."""
    verdicts = {"PASS": "passed", "FLAKYPASS": "passed", "XFAIL": "passed"}
    verdicts.update(UNSUPPORTED="skipped", SKIPPED="skipped", EXCLUDED="skipped")
    with open(path) as file:
        for test in json.load(file)["tests"]:
            yield "lit: " + test["name"], verdicts.get(test["code"], "failed")


def main(ctest, lit):
    names = {"passed": [], "failed": [], "skipped": []}
    for read, path in ((of_ctest, ctest), (of_lit, lit)):
        try:
            for name, verdict in read(path):
                names[verdict].append(name)
        except (OSError, ValueError, KeyError, xml.etree.ElementTree.ParseError) as error:
            names["failed"].append(f"{path}: no results ({error})")
    print()
    for verdict in ("skipped", "failed"):
        for name in names[verdict]:
            print(f"{verdict}: {name}")
    print(f"{len(names['passed'])} passed, {len(names['failed'])} failed")
    return 0 if names["passed"] and not names["failed"] else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
