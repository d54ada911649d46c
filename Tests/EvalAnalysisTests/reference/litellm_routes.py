"""Writes litellm.json: what LiteLLM's own router calls, and serves, when its deployments end as a script says.

Run with `python3 litellm_routes.py` (needs `pip install litellm`; made with 1.110.2); the tests read the file. The router has
two deployments, one retry and `fallbacks=[{"near": ["far"]}]`; nothing leaves the machine.
"""

import asyncio
import json
import os
import pathlib

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm
from litellm import CustomLLM, Router
from litellm.types.utils import Choices, Message, ModelResponse

litellm.suppress_debug_info = True
calls = []
script = {}

ERRORS = {
    "rateLimited": litellm.RateLimitError,
    "contextSizeExceeded": litellm.ContextWindowExceededError,
    "contentFiltered": litellm.ContentPolicyViolationError,
    "serverError": litellm.InternalServerError,
    "invalidRequest": litellm.BadRequestError,
    "authentication": litellm.AuthenticationError,
}


class Scripted(CustomLLM):
    async def acompletion(self, model, messages, *args, **kwargs):
        arm = model.split("/")[-1]
        end = script[arm][sum(1 for name, _ in calls if name == arm)]
        calls.append((arm, end))
        if end != "ok":
            raise ERRORS[end](end, llm_provider="scripted", model=model)
        return ModelResponse(choices=[Choices(message=Message(role="assistant", content=arm))])


litellm.custom_provider_map = [{"provider": "scripted", "custom_handler": Scripted()}]


async def route(near, far):
    calls.clear()
    script.update(near=near, far=far)
    router = Router(
        model_list=[{"model_name": n, "litellm_params": {"model": f"scripted/{n}"}} for n in ("near", "far")],
        fallbacks=[{"near": ["far"]}], num_retries=1, retry_after=0, disable_cooldowns=True,
    )
    try:
        reply = await router.acompletion(model="near", messages=[{"role": "user", "content": "hello"}])
        served = reply.choices[0].message.content
    except Exception:
        served = None
    return {"near": near, "far": far, "calls": [list(call) for call in calls], "served": served}


async def main():
    nears = [
        ["ok"], ["rateLimited", "ok"], ["rateLimited", "rateLimited", "ok"], ["serverError", "ok"],
        ["serverError"] * 3, ["contextSizeExceeded"], ["contentFiltered"], ["invalidRequest"], ["authentication"],
    ]
    fars = [["ok"], ["rateLimited", "ok"], ["serverError"] * 3]
    rows = [await route(near, far) for near in nears for far in fars]
    pathlib.Path(__file__).with_name("litellm.json").write_text(json.dumps({"rows": rows}, indent=1) + "\n")


asyncio.run(main())
