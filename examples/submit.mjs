// Has a model evaluated and prints its score. Needs Node 20 or later, nothing else.
// Set ENDPOINT_URL and MODEL; ENDPOINT_KEY, ASSAY_URL and ASSAY_API_KEY as needed.
import { setTimeout as sleep } from "node:timers/promises";

const { ASSAY_URL = "http://localhost:8787", ASSAY_API_KEY, MODEL } = process.env;
const { ENDPOINT_URL, ENDPOINT_KEY = "none" } = process.env;
const headers = {
  "content-type": "application/json",
  ...(ASSAY_API_KEY && { authorization: `Bearer ${ASSAY_API_KEY}` }),
};

async function call(path, body) {
  const init = body ? { method: "POST", body: JSON.stringify(body) } : {};
  const response = await fetch(`${ASSAY_URL}${path}`, { headers, ...init });
  if (!response.ok) throw new Error(await response.text());
  return [await response.json(), response.headers];
}

const endpoint = { baseUrl: ENDPOINT_URL, model: MODEL, apiKey: ENDPOINT_KEY };
const [submission] = await call("/v1/submissions", {
  suite: "extraction",
  dataset: "stock",
  models: [{ name: MODEL, endpoint }],
  options: { sample: { n: 10, seed: 42 } },
});

let run;
for (;;) {
  const [found, answered] = await call(`/v1/runs/${submission.runs[0].id}`);
  run = found;
  if (!["queued", "running"].includes(run.status)) break;
  await sleep(1000 * Number(answered.get("retry-after") ?? 2));
}

if (run.status !== "finished") throw new Error(`${run.id} ${run.status}: ${run.statusReason}`);
const { value, interval } = run.metrics[run.headline];
console.log(run.id, run.status, run.headline, value, interval);
