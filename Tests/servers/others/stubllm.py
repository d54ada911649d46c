"""stubllm.py EVALRUN DATABASE: asks stubllm on 127.0.0.1:18083, which leaves out what an API promises, and checks that
evalrun reads what is there, and tells what is not there as absent."""
import json
import sys

from evalrun import Checks, EvalRun

PARIS = "The capital of France is Paris."
UNICODE = "naïve café 日本語 👩\u200d👩\u200d👧\u200d👦 end\u2028line\0nul"
WEATHER = [("get_weather", {"city": "Paris"})]
STREAMS = ("chat", "anthropic", "gemini")
TARGETS = STREAMS + tuple(f"{name}-whole" for name in STREAMS)


def usage(row):
    return row["input_tokens"], row["output_tokens"]


def calls(row):
    return [(call["name"], call["arguments"]) for call in json.loads(row["tool_calls"] or "[]")]


def expected(case, target):
    """What one answer is: error class or None, text, finish, tool calls, (input, output) tokens."""
    stream = target in STREAMS
    # Only bodies in one piece have usage; a stream of anthropic has a made-up output count and no input.
    counts = (10, 20)
    if case == "text":
        counts = (11, 7)
    if stream:
        counts = (None, 20) if target == "anthropic" else (None, None)
    if case in ("text", "unicode"):
        text = PARIS if case == "text" else UNICODE
        if target == "anthropic":
            # The end takes the place of the last piece, which is never sent.
            text = text[: -2 if case == "text" else -4]
        return None, text, "stop", [], counts
    if case == "empty":
        return None, "", "stop", [], counts
    if not stream:
        return None, "", "tool_calls", WEATHER, counts
    # A stream with a call has no reason to end; one of gemini no end at all.
    if target == "gemini":
        return "truncated", "", None, WEATHER, (None, None)
    arguments = {} if target == "anthropic" else WEATHER[0][1]
    return None, "", "unknown", [("get_weather", arguments)], (None, None)


def answers(checks, rows):
    for case in ("text", "unicode", "empty", "tool"):
        for target in TARGETS:
            attempts = rows[case, target]
            want = expected(case, target)
            checks.equal(f"{case}, {target}: attempts", len(attempts), 3 if want[0] else 1)
            for row in attempts:
                found = row["error_class"], row["answer"] or "", row["finish"], calls(row), usage(row)
                checks.equal(f"{case}, {target}", found, want)
                if case == "empty":
                    checks.equal(f"{case}, {target}: outcome", row["outcome"], "empty")
                for column in ("cached_input_tokens", "cache_write_tokens", "reasoning_tokens"):
                    checks.equal(f"{case}, {target}: {column}", row[column], None)
                if target not in STREAMS:
                    checks.equal(f"{case}, {target}: first text of a body", row["t_first_content"], None)


def errors(checks, rows):
    for target in TARGETS:
        refused = [(row["error_class"], row["http_status"]) for row in rows["wrong-key", target]]
        checks.equal(f"wrong-key, {target}", refused, [("authentication", 401)])
        # The wait stands in the message only.
        limited = [(row["error_class"], row["retry_after_ms"]) for row in rows["rate-limited", target]]
        checks.equal(f"rate-limited, {target}", limited, [("rateLimited", 1000)] * 3)


def main(binary, database):
    checks = Checks("stubllm")
    evalrun = EvalRun(binary, database, checks)
    cases = ("text", "unicode", "empty", "tool", "wrong-key", "rate-limited")
    rows = evalrun.run("stubllm.json", *[option for case in cases for option in ("--case", case)])
    answers(checks, rows)
    errors(checks, rows)
    # stubllm counts the calls of a fixture over all targets, so this one goes to one of them.
    flaky = evalrun.run("stubllm.json", "--case", "flaky", "--target", "chat")["flaky", "chat"]
    checks.equal("flaky", [row["error_class"] for row in flaky], ["rateLimited", "overloaded", None])
    checks.equal("flaky: answer", [row["answer"] or "" for row in flaky][-1:], ["Success after retry."])
    checks.end()


main(*sys.argv[1:])
