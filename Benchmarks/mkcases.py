#!/usr/bin/env python3
"""mkcases.py N > cases.jsonl: N cases, the same in every run: id c00000..., the code to answer with as target."""
import hashlib
import json
import sys

for i in range(int(sys.argv[1])):
    code = f"K{i:05d}Q{hashlib.sha1(str(i).encode()).hexdigest()[:6].upper()}"
    case = {"id": f"c{i:05d}", "input": f"[[id:c{i:05d}]] Answer with the code: ANSWER={code}", "target": code}
    print(json.dumps(case))
