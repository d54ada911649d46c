"""Makes bodies.json and cosines.json: answers of embeddings APIs with what they hold, and cosines by numpy.

    python3 make.py    # beside the files; needs numpy

The forms are those of openai-openapi (CreateEmbeddingResponse), ollama's api/types.go (EmbedResponse,
EmbeddingResponse) and llama.cpp's server; words and values are invented.
"""

import base64
import json
import pathlib

import numpy as np

here = pathlib.Path(__file__).parent
random = np.random.default_rng(7)


def vector(size):
    return random.normal(size=size).astype(np.float32)


def packed(numbers):
    return base64.b64encode(np.asarray(numbers, dtype="<f4").tobytes()).decode()


def floats(numbers):
    return [float(x) for x in numbers]


a, b, c = vector(5), vector(5), vector(5)
usage = {"prompt_tokens": 9, "total_tokens": 9}


def data(*items):
    return {
        "object": "list",
        "data": [{"object": "embedding", "index": i, "embedding": e} for i, e in items],
        "model": "served-model",
        "usage": usage,
    }


def case(name, api, body, vectors=None, error=None, input=9, status=200):
    return {
        "name": name, "api": api, "status": status, "body": json.dumps(body), "error": error, "input": input,
        "vectors": None if vectors is None else [floats(v) for v in vectors],
    }


openai, ollama = "openai-embeddings", "ollama-embeddings"
nan = [1.0, float("nan"), 2.0]
bodies = [
    case("floats", openai, data((0, floats(a))), [a]),
    case("base64", openai, data((0, packed(a))), [a]),
    case("swapped", openai, data((2, floats(c)), (0, floats(a)), (1, packed(b))), [a, b, c]),
    case("every index 0", openai, data((0, floats(a)), (0, floats(b))), [a, b]),
    case("no usage", openai, {"data": [{"index": 0, "embedding": floats(a)}]}, [a], input=None),
    case("no data", openai, {"object": "list", "model": "m"}, error="malformedResponse", input=None),
    case("empty data", openai, data(), [], input=9),
    case("no embedding in an item", openai, {"data": [{"index": 0}], "usage": usage}, [[]]),
    case("base64 of three bytes", openai, data((0, "AAAA")), [[]]),
    case("no base64", openai, data((0, "not*base64")), [[]]),
    case("an error in a 200", openai, {"error": {"message": "no such model", "code": 404}}, error="notFound",
         input=None),
    case("too long (OpenAI)", openai,
         {"error": {"message": "This model's maximum context length is 8192 tokens, however you requested 9001 tokens "
                    "(9001 in your prompt; 0 for the completion). Please reduce your prompt.",
                    "type": "invalid_request_error", "param": None, "code": None}},
         error="contextSizeExceeded", input=None, status=400),
    case("too long (llama.cpp)", openai,
         {"error": {"code": 500, "message": "input (9001 tokens) is too large to process. increase the "
                    "physical batch size (current batch size: 512)", "type": "server_error"}}, error="contextSizeExceeded", input=None, status=500),
    case("embed", ollama,
         {"model": "served-model", "embeddings": [floats(a), floats(b)], "total_duration": 14143917,
          "load_duration": 1019500, "prompt_eval_count": 9}, [a, b]),
    case("older", ollama, {"embedding": floats(a)}, [a], input=None),
    case("too long (Ollama)", ollama, {"error": "the input length exceeds the context length"},
         error="contextSizeExceeded", input=None, status=400),
]
# JSON has no NaN; base64 can hold one, and null is no number.
bodies.append(case("not a number", openai, data((0, packed(nan))), None))
bodies.append(case("null in a vector", openai, data((0, [1.0, None, 2.0])), None))

pairs = []
for size in (1, 2, 3, 8, 384, 1536):
    for _ in range(4 if size < 9 else 1):
        left, right = vector(size), vector(size)
        pairs.append((left, right))
pairs += [
    (a, a), (a, -a), (a, a * np.float32(1e-3)), (a * np.float32(1e30), b * np.float32(1e-30)),
    (np.array([1, 0], np.float32), np.array([0, 1], np.float32)),
    (np.array([3, 4], np.float32), np.array([4, 3], np.float32)),
]


def cosine(left, right):
    left, right = left.astype(np.float64), right.astype(np.float64)
    return float(np.dot(left, right) / (np.linalg.norm(left) * np.linalg.norm(right)))


(here / "bodies.json").write_text(json.dumps(bodies, indent=1) + "\n")
(here / "cosines.json").write_text(json.dumps(
    [{"left": packed(l), "right": packed(r), "cosine": cosine(l, r)} for l, r in pairs], indent=1) + "\n")
