"""Has a model evaluated and prints its score. Needs Python 3.9 or later, nothing else.

Set ENDPOINT_URL and MODEL; ENDPOINT_KEY, ASSAY_URL and ASSAY_API_KEY as needed.
"""

import json
import os
import time
from urllib.request import Request, urlopen

assay = os.environ.get("ASSAY_URL", "http://localhost:8787")
model = os.environ["MODEL"]
headers = {"content-type": "application/json"}
if "ASSAY_API_KEY" in os.environ:
    headers["authorization"] = "Bearer " + os.environ["ASSAY_API_KEY"]


def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(assay + path, data, headers)) as response:
        return json.load(response), response.headers


endpoint = {
    "baseUrl": os.environ["ENDPOINT_URL"],
    "model": model,
    "apiKey": os.environ.get("ENDPOINT_KEY", "none"),
}
submission, _ = call("/v1/submissions", {
    "suite": "extraction",
    "dataset": "stock",
    "models": [{"name": model, "endpoint": endpoint}],
    "options": {"sample": {"n": 10, "seed": 42}},
})

while True:
    run, answered = call("/v1/runs/" + submission["runs"][0]["id"])
    if run["status"] not in ("queued", "running"):
        break
    time.sleep(int(answered.get("retry-after", 2)))

if run["status"] != "finished":
    raise SystemExit(f"{run['id']} {run['status']}: {run['statusReason']}")
score = run["metrics"][run["headline"]]
print(run["id"], run["status"], run["headline"], score["value"], score["interval"])
