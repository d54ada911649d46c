"""Runs evalrun on a suite of this folder and reads from its database what it measured."""
import collections
import os
import sqlite3
import subprocess
import sys
import time

FOLDER = os.path.dirname(os.path.abspath(__file__))
# All runs of one server together; what hangs must not hang CI.
SECONDS = 75

QUERY = """
SELECT c.case_id AS "case", t.name AS target, r.status, a.*, x.answer, x.tool_calls
FROM attempts a JOIN trials r USING (trial_no) JOIN targets t USING (target_no)
JOIN cases c ON c.run_no = r.run_no AND c.case_no = r.case_no
JOIN runs ON runs.run_no = r.run_no
LEFT JOIN texts x USING (attempt_no)
WHERE runs.name = ? ORDER BY a.attempt_no
"""


class Checks:
    """What was expected and did not come; every failure is told, not the first one only."""

    def __init__(self, server):
        self.server, self.made, self.failures = server, 0, []

    def equal(self, what, found, expected):
        self.true(f"{what}: {found!r}, expected {expected!r}", found == expected)

    def true(self, what, holds):
        self.made += 1
        if not holds:
            self.failures.append(what)

    def end(self):
        """Tells the result and ends the process."""
        for failure in self.failures:
            print(f"{self.server}: {failure}")
        if not self.made:
            sys.exit(f"{self.server}: nothing was checked")
        print(f"{self.server}: {self.made - len(self.failures)} of {self.made} checks hold")
        sys.exit(1 if self.failures else 0)


class EvalRun:
    def __init__(self, binary, database, checks):
        self.binary, self.database, self.checks = binary, database, checks
        self.count, self.deadline = 0, time.monotonic() + SECONDS
        for suffix in ("", "-wal", "-shm"):
            if os.path.exists(database + suffix):
                os.remove(database + suffix)

    def run(self, suite, *options, exit=0):
        """Runs a suite; the attempts of each (case, target), in the order they were made."""
        self.count += 1
        name = f"run-{self.count}"
        command = [self.binary, "run", os.path.join(FOLDER, suite), "--db", self.database, "--name", name]
        command += ["--no-reports", "--strict", "--color", "never", *options]
        what = " ".join((suite,) + options)
        code, output = self.execute(command)
        self.checks.equal(f"{what}: exit code", code, exit)
        if code != exit:
            print(output.decode(errors="replace"))
        rows = collections.defaultdict(list)
        try:
            with sqlite3.connect(self.database) as connection:
                connection.row_factory = sqlite3.Row
                for row in connection.execute(QUERY, (name,)):
                    rows[row["case"], row["target"]].append(row)
        except sqlite3.Error as error:
            self.checks.true(f"{what}: {error}", False)
        return rows

    def execute(self, command):
        """The exit code, None after the deadline, and what was printed."""
        left = max(1, self.deadline - time.monotonic())
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=left
            )
            return done.returncode, done.stdout
        except subprocess.TimeoutExpired as expired:
            return None, expired.stdout or b""
