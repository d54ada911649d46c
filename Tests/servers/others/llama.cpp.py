"""llama.cpp.py EVALRUN DATABASE: asks a real model behind llama.cpp on 127.0.0.1:18080 through three APIs, streamed and
in one piece, and checks that all of them answer and that they tell the same story."""
import sys

from evalrun import Checks, EvalRun

STREAMS = ("chat", "responses", "messages")
TARGETS = STREAMS + tuple(f"{name}-whole" for name in STREAMS)
CASES = ("capital", "accents", "history")
LIMIT = 24


def answer(checks, where, row, stream):
    checks.equal(f"{where}: outcome", row["outcome"], "ok")
    checks.true(f"{where}: no text", bool((row["answer"] or "").strip()))
    checks.true(f"{where}: finish {row['finish']}", row["finish"] in ("stop", "length"))
    output = row["output_tokens"]
    checks.true(f"{where}: {output} output tokens", output is not None and 0 < output <= LIMIT)
    checks.equal(f"{where}: first text is stamped", row["t_first_content"] is not None, stream)
    if stream and output is not None:
        checks.true(f"{where}: {row['token_events']} pieces, {output} tokens", row["token_events"] <= output + 1)
        stamps = [row[f"t_{name}"] for name in ("start", "first_content", "last_token", "terminal", "done")]
        checks.true(f"{where}: stamps {stamps}", None not in stamps and stamps == sorted(stamps))


def main(binary, database):
    checks = Checks("llama.cpp")
    rows = EvalRun(binary, database, checks).run("llama.cpp.json")
    for case in CASES:
        inputs = []
        for target in TARGETS:
            attempts = rows[case, target]
            checks.equal(f"{case}, {target}: attempts", len(attempts), 1)
            for row in attempts:
                answer(checks, f"{case}, {target}", row, target in STREAMS)
                # The event with the input count is never sent when the first token is but a part of a character.
                if target == "messages" and not row["answer"][:1].isascii():
                    checks.equal(f"{case}, {target}: input tokens of no event", row["input_tokens"], None)
                else:
                    inputs.append(row["input_tokens"])
        # One model, one template, one prompt: the prompt is as long through every API, whatever its cache held.
        checks.true(f"{case}: input tokens {inputs}", None not in inputs and len(set(inputs)) == 1)
    checks.end()


main(*sys.argv[1:])
