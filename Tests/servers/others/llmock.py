"""llmock.py EVALRUN DATABASE: scripts llmock's faults on 127.0.0.1:18082 and checks that each attempt was told as what
it was, that the retries waited, and that llmock's own verdict on the client is clean."""
import json
import sys
import urllib.request

from evalrun import Checks, EvalRun

SERVER = "http://127.0.0.1:18082/_llmock"
REPLY = "One two three four five six seven eight nine ten eleven twelve."
TARGETS = ("chat", "responses", "anthropic", "gemini", "gemini-array")
# llmock sends Gemini's array in one piece and breaks no stream that is not SSE.
STREAMS = TARGETS[:-1]


def call(path, body=None, method=None):
    data = None if body is None else json.dumps(body).encode()
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(urllib.request.Request(f"{SERVER}/{path}", data, method=method), timeout=10) as answer:
        return json.load(answer)


def fail(status, times=1, **more):
    return {"type": "fail", "status": status, "times": times, **more}


def broken(kind, **more):
    return {"type": "stream_fault", "kind": kind, "after_chunks": 6, **more}


# case: the fault of one target, the targets it is scripted for, the error classes of the attempts (None: an answer).
FAULTS = {
    "healthy": (None, TARGETS, [None]),
    "rate-limited": (fail(429, times=2, retry_after=1.2), TARGETS, ["rateLimited", "rateLimited", None]),
    "server-error": (fail(500), TARGETS, ["serverError", None]),
    "overloaded": (fail(503, retry_after=0.4), TARGETS, ["overloaded", None]),
    "down": (fail(500, times=3, retry_after=0.1), TARGETS, ["serverError"] * 3),
    "wrong-key": (fail(401), TARGETS, ["authentication"]),
    "disconnected": (broken("disconnect"), STREAMS, ["truncated", None]),
    "truncated": (broken("truncate"), STREAMS, ["truncated", None]),
    "stalled": (broken("stall", stall_seconds=25), STREAMS, ["stallTimeout", None]),
}
# What is not JSON is not asked for again: see malformed() below.
MALFORMED = (broken("malformed"), STREAMS, ["malformedResponse"])


def script(fault, targets, reply):
    call("scenario", {"behaviors": [{"type": "reply", "times": None, **reply}]})
    for target in targets if fault else ():
        call("scenario", {"behaviors": [{**fault, "match": {"model": f"m-{target}"}}]})


def play(checks, evalrun, case, fault, targets, classes):
    """Runs one case; the number of attempts that evalrun tells of."""
    call("scenario", method="DELETE")
    script(fault, targets, {"text": REPLY})
    options = [option for target in targets for option in ("--target", target)]
    rows = evalrun.run("llmock.json", "--case", case, *options, exit=0 if None in classes else 4)
    waiting = [behavior for behavior in call("scenario")["pending"] if behavior["type"] != "reply"]
    checks.equal(f"{case}: faults that never came to pass", waiting, [])
    for target in targets:
        attempts = rows[case, target]
        where = f"{case}, {target}"
        checks.equal(f"{where}: error classes", [row["error_class"] for row in attempts], classes)
        for row in attempts:
            attempt(checks, f"{where}, attempt {row['number']}", row, fault)
        for before, after in zip(attempts, attempts[1:]):
            if before["retry_after_ms"] is not None:
                gap = (after["t_start"] - before["t_done"]) / 1e6
                asked = before["retry_after_ms"]
                checks.true(f"{where}: sent again after {gap} ms, not {asked} ms", gap >= asked)
    return sum(len(rows[case, target]) for target in targets)


def attempt(checks, where, row, fault):
    text = row["answer"] or ""
    if row["error_class"] is None:
        checks.equal(f"{where}: answer", text, REPLY)
        checks.equal(f"{where}: finish", row["finish"], "stop")
        for column in ("input_tokens", "output_tokens"):
            checks.true(f"{where}: {column} {row[column]}", (row[column] or 0) > 0)
        checks.true(f"{where}: no first text", row["t_first_content"] is not None)
    elif fault is None:
        checks.true(f"{where}: {row['error_message']}", False)
    elif fault["type"] == "fail":
        checks.equal(f"{where}: status", row["http_status"], fault["status"])
        checks.equal(f"{where}: text", text, "")
        wait = fault.get("retry_after")
        checks.equal(f"{where}: Retry-After", row["retry_after_ms"], None if wait is None else wait * 1000)
    else:
        # What came before the fault is kept, and nothing is made of what did not come.
        # A broken event leaves a hole and the stream goes on behind it.
        checks.true(f"{where}: kept {text!r}", text.startswith("One ") and len(text) < len(REPLY))
        if fault["kind"] != "malformed":
            checks.true(f"{where}: kept {text!r}", REPLY.startswith(text))
            checks.equal(f"{where}: finish", row["finish"], None)


def tool_call(checks, evalrun):
    call("reset", {})
    script(None, (), {"tool_calls": [{"name": "get_weather", "arguments": {"city": "Zürich", "days": 3}}]})
    rows = evalrun.run("llmock.json", "--case", "tool-call")
    for target in TARGETS:
        for row in rows["tool-call", target]:
            calls = [(c["name"], c["arguments"]) for c in json.loads(row["tool_calls"] or "[]")]
            checks.equal(f"tool-call, {target}", calls, [("get_weather", {"city": "Zürich", "days": 3})])
            checks.equal(f"tool-call, {target}: finish", row["finish"], "tool_calls")
        checks.equal(f"tool-call, {target}: attempts", len(rows["tool-call", target]), 1)


def malformed(checks, evalrun):
    """llmock warns of every client that does not hang up and ask again after a broken event; it cannot see that evalrun
    told the answer as malformed. So these warnings, one for each stream, are the only ones that may come."""
    call("reset", {})
    play(checks, evalrun, "malformed", *MALFORMED)
    verdict = call("verdict")
    codes = [finding["code"] for finding in verdict["findings"]]
    checks.equal("malformed: verdict passed", verdict["passed"], True)
    checks.equal("malformed: verdict", codes, ["malformed_chunk_ignored"] * len(STREAMS))


def main(binary, database):
    checks = Checks("llmock")
    evalrun = EvalRun(binary, database, checks)
    tool_call(checks, evalrun)
    malformed(checks, evalrun)
    call("reset", {})
    told = sum(play(checks, evalrun, case, *plan) for case, plan in FAULTS.items())
    verdict = call("verdict")
    checks.equal("verdict: findings", verdict["findings"], [])
    checks.equal("verdict: passed", verdict["passed"], True)
    # evalrun's attempts and llmock's requests are the same ones, none more and none fewer.
    checks.equal("verdict: attempts", verdict["attempts"], told)
    checks.equal("verdict: calls", verdict["calls"], sum(len(plan[1]) for plan in FAULTS.values()))
    print(f"llmock's verdict: {json.dumps({k: v for k, v in verdict.items() if k != 'findings'})}")
    checks.end()


main(*sys.argv[1:])
