"""What the drivers share: the ground-truth server, suites, and figures of whole processes.

A figure is the operating system's own accounting of one finished process (wait4): wall-clock time, user plus
system CPU time, peak resident memory. Drivers run evalrun and the floor in turn, so that a machine that slows
down slows both, and print medians with the range.
"""
import csv
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
WORK = HERE / ".work"


def build():
    """Compiles the three C programs where their source is newer."""
    WORK.mkdir(exist_ok=True)
    for name in ("gtserver", "cfloor", "measure"):
        source, binary = HERE / f"{name}.c", WORK / name
        if not binary.exists() or binary.stat().st_mtime < source.stat().st_mtime:
            subprocess.run(["cc", "-O2", "-std=gnu11", "-Wall", "-o", binary, source], check=True)


def cases(count):
    """The path of `count` cases as JSON lines, written once."""
    path = WORK / f"cases-{count}.jsonl"
    if not path.exists():
        text = subprocess.run([sys.executable, HERE / "mkcases.py", str(count)], check=True, capture_output=True).stdout
        path.write_bytes(text)
    return path


class Server:
    """gtserver with a log of its own, on a free port, for the length of a `with` block."""

    def __init__(self, name):
        self.log = WORK / f"{name}.truth.csv"

    def __enter__(self):
        self.process = subprocess.Popen([WORK / "gtserver", "-l", self.log], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Ends the server, which writes what is left of its log."""
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait()

    def rows(self):
        self.stop()
        return truth(self.log)


def truth(path):
    """The server's log: times in nanoseconds as int, the rest as written."""
    with open(path, newline="") as file:
        return [
            {key: int(value) if key.startswith("t_") or key in ("attempt", "tokens") else value for key, value in row.items()}
            for row in csv.DictReader(file)
        ]


def window(rows):
    """Seconds from the first request received to the last answer handed over, and the mean number in flight."""
    seconds = (max(r["t_done"] for r in rows) - min(r["t_received"] for r in rows)) / 1e9
    busy = sum(r["t_done"] - r["t_received"] for r in rows) / 1e9
    return seconds, busy / seconds


@dataclass
class Figure:
    wall: float
    cpu: float
    memory: float  # MB, peak resident
    code: int


def run(command, directory, keep=None):
    """Runs a command to its end. Its output goes to the file `keep` in the directory."""
    account = WORK / "measure.out"
    with open(Path(directory) / keep, "wb") if keep else open(os.devnull, "wb") as out:
        subprocess.run([WORK / "measure", account, *map(str, command)], cwd=directory, stdin=subprocess.DEVNULL,
                       stdout=out, stderr=out, check=True)
    wall, user, system, kilobytes, code = account.read_text().split()
    return Figure(float(wall), float(user) + float(system), int(kilobytes) / 1024, int(code))


def suite(name, model, count, port, concurrency, **settings):
    """Writes a suite into a folder of its own, empty but for it, and returns the folder."""
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    document = {
        "version": 1,
        "name": name,
        "profiles": {
            "truth": {
                "endpoint": f"http://127.0.0.1:{port}/v1",
                "model": model,
                "boundary": "device",
                "price": "free",
                "concurrency": concurrency,
            }
        },
        "cases": [{"file": str(cases(count)), "fields": {"id": "id", "input": "input", "reference": "target"}}],
        "checks": [{"contains": "{{reference}}"}],
        "run": {"concurrency": concurrency, "maxConcurrency": concurrency, **settings},
    }
    (folder / "suite.json").write_text(json.dumps(document, indent=2))
    return folder


def evalrun(binary, folder):
    """Runs the suite of a folder there; its database and reports land in it."""
    figure = run([Path(binary).resolve(), "suite.json"], folder, "output.txt")
    if figure.code != 0:
        sys.exit(f"evalrun ended with {figure.code}: {(folder / 'output.txt').read_text()[-2000:]}")
    return figure


def database(folder):
    return folder / ".evalrun" / "evalrun.sqlite"


def floor(count, model, port, concurrency):
    figure = run([WORK / "cfloor", port, cases(count), concurrency, model, WORK / "floor.jsonl"], WORK)
    if figure.code != 0:
        sys.exit(f"cfloor ended with {figure.code}")
    return figure


def quantile(values, q):
    """Nearest rank: the smallest value that at least the share `q` of the values does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, -(-int(q * 1000) * len(ordered) // 1000) - 1)]


def spread(values, digits=2):
    """`median (min-max)`."""
    low, mid, high = min(values), statistics.median(values), max(values)
    return f"{mid:.{digits}f} ({low:.{digits}f}-{high:.{digits}f})"


def table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print(flush=True)


def heading(text):
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    load = os.getloadavg()[0]
    print(f"### {text}\n\n{time.strftime('%Y-%m-%d')}, {os.cpu_count()} cores, {model}, {platform.release()}, load {load:.1f}\n")
