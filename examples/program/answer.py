"""A program that Assay evaluates: a JSON line in, a JSON line out. Needs Python 3, nothing else.

    assay run extraction --exec "python3 examples/program/answer.py" --dataset stock --sample 20

Replace answer() by your own pipeline. This one asks a model (MODEL_URL, MODEL_NAME, MODEL_API_KEY; by default the
simulated one of npm start) and asks again if it gets no JSON where a schema asks for it.
"""

import json
import os
import sys
import urllib.request

URL = os.environ.get("MODEL_URL", "http://localhost:8790/v1")
NAME = os.environ.get("MODEL_NAME", "sim-medium")
KEY = os.environ.get("MODEL_API_KEY", "any")


def ask(messages):
    """The model's reply: its message, and the tokens it took."""
    request = urllib.request.Request(
        f"{URL}/chat/completions",
        json.dumps({"model": NAME, "messages": messages, "temperature": 0}).encode(),
        {"content-type": "application/json", "authorization": f"Bearer {KEY}"},
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        reply = json.load(response)
    return reply["choices"][0]["message"]["content"], reply.get("usage") or {}


def is_json(text):
    try:
        json.loads(text)
        return True
    except ValueError:
        return False


def answer(request):
    """The answer to one request. It has "messages", "input" (the sample without prompt), "schema" and "tools"."""
    messages = request["messages"]
    text, usage = ask(messages)
    tokens = [usage]
    if "schema" in request and not is_json(text):
        again = {"role": "user", "content": "Answer with the JSON only."}
        text, usage = ask([*messages, {"role": "assistant", "content": text}, again])
        tokens.append(usage)
    return {
        "text": text,
        "usage": {
            "input_tokens": sum(one.get("prompt_tokens", 0) for one in tokens),
            "output_tokens": sum(one.get("completion_tokens", 0) for one in tokens),
        },
    }


for line in sys.stdin:
    request = json.loads(line)
    try:
        reply = answer(request)
    except Exception as error:
        reply = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps({"id": request["id"], **reply}), flush=True)
