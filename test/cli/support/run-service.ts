import type { Run } from "../../../shared/contracts/run.ts";
import { runReport } from "../../../shared/measures/report/run/run-report.ts";
import { suiteById } from "../../../shared/suites/registry.ts";
import { aFinishedRun, aModel } from "../../browser/fixtures/fixture-runs.ts";
import { fakeService, problemReply, type Reply } from "./fake-service.ts";

const suite = suiteById("extraction")!;
const model = aModel("acme/a-model", "A model");
export const finished = aFinishedRun(suite, "run_1", model, { quality: 0.9, lostRate: 0, seed: 3 });
export const eqs = finished.metrics!["eqs"]!.value!;
const expense = {
  samples: 72,
  units: 72,
  requests: 72,
  inputTokens: 9000,
  costUsd: null,
  batchCostUsd: { expected: 0.5, max: null },
  outputTokens: { expected: null, max: null },
  expectedWallSeconds: 12,
};

/** The estimate of a run as one of 72 samples. */
export const estimateFor = ({ suite: id, dataset: { name, version }, model: { slug } }: Run) => ({
  suite: id,
  dataset: { name, version },
  total: expense,
  models: [
    {
      ...expense,
      model: slug,
      variant: null,
      basis: Object.fromEntries(
        ["requests", "inputTokens", "outputTokens", "costUsd", "expectedWallSeconds"].map((one) => [
          one,
          "x",
        ]),
      ),
    },
  ],
  judgeRequests: 0,
  judging: null,
  warnings: [],
  quota: {
    day: "2026-11-20",
    resetsAt: "2026-11-21T00:00:00Z",
    usedSamples: null,
    allowedSamples: null,
    remainingSamples: null,
  },
});
export const anEstimate = estimateFor(finished);

/** Stand-in for a service whose run ends as `run`; `first` overrides replies to the first submissions. */
export const aService = (run: Run = finished, first: Reply[] = []) =>
  fakeService(({ call }) => {
    if (call === "POST /v1/submissions?dryRun=true") return { body: anEstimate };
    if (call === "POST /v1/submissions") {
      const links = { self: "/v1/runs/run_1", samples: "/v1/runs/run_1/samples", report: null };
      const runs = [{ id: "run_1", model: model.slug, variant: null, status: "queued", links }];
      return first.shift() ?? { status: 202, body: { id: "sub_1", runs } };
    }
    if (call === "GET /v1/runs/run_1/report") return { body: runReport(suite, run, []) };
    const bodies: Record<string, object | string> = {
      "GET /v1/usage": { owner: "acme" },
      "GET /v1/runs/run_1": run,
      "GET /v1/runs/run_1/report.md": "# A report\n",
      "GET /v1/runs/run_1/answers.jsonl": '{"id":"b"}\n',
      "GET /v1/runs/run_1/samples.jsonl": '{"id":"a"}\n',
    };
    const body = bodies[call];
    return body === undefined ? problemReply(404, `there is no ${call}`) : { body };
  });

/** The required flags of a run. */
export const flags = "--model a-model --base-url https://api.example.com/v1 --dataset stock".split(
  " ",
);
