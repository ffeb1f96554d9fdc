import { fieldErrors } from "../../../shared/contracts/field-errors.ts";
import type { Run } from "../../../shared/contracts/run.ts";
import { runSchema } from "../../../shared/contracts/run.ts";
import {
  connectionRequestSchema,
  connectionSchema,
  type TestedAddress,
} from "../../../shared/contracts/submissions/connection.ts";
import { submissionEstimateSchema } from "../../../shared/contracts/submissions/estimate.ts";
import {
  type SubmissionRequest,
  submissionRequestSchema,
  submissionSchema,
} from "../../../shared/contracts/submissions/submission.ts";
import type { Suite } from "../../../shared/contracts/suite.ts";
import { aFinishedRun, aModel, aRun, versions } from "../fixtures/fixture-runs.ts";
import { stockRows } from "../fixtures/scored-summary.ts";
import { problem, type StubAnswer, type StubRoutes, suitesAnswer } from "./stub-api.ts";

/** The key that the stub accepts. */
export const assayKey = "assay-key-1";

const total = 500;
const dataset = { name: "stock", version: versions.stock };

/** A stub service with one run, which advances by a step with every poll. */
export function submitApi(suite: Suite): { routes: StubRoutes; steps: Partial<Run>[] } {
  const model = aModel("acme/a-model", "A model");
  const progress = (done: number, failed: number) => ({ progress: { total, done, failed } });
  const cost = (spentUsd: number) => ({ cost: { spentUsd, maxUsd: 2 } });
  const running = { status: "running", estimatedFinishAt: "2026-11-22T10:05:00Z" } as const;
  const finished = aFinishedRun(suite, "run_new", model, { quality: 0.9, lostRate: 0, seed: 3 });
  const steps: Partial<Run>[] = [
    { ...progress(0, 0), ...cost(0) },
    { ...running, ...progress(120, 0), ...cost(0.24) },
    { ...running, ...progress(340, 3), ...cost(0.68) },
    finished,
  ];
  let step = 0;
  let paused: Partial<Run> | null = null;
  const run = (): Run =>
    runSchema.parse({
      ...aRun(suite, "run_new", model, { prices: { inputPerMillion: 1, outputPerMillion: 2 } }),
      ...steps[Math.min(step, steps.length - 1)],
      ...paused,
    });
  const submission = () =>
    submissionSchema.parse({
      id: "sub_new",
      status: "running",
      suite: suite.id,
      dataset,
      createdAt: "2026-11-22T10:00:00Z",
      runs: [
        {
          id: "run_new",
          model: model.slug,
          variant: null,
          status: run().status,
          links: { self: "/v1/runs/run_new", samples: "/v1/runs/run_new/samples", report: null },
        },
      ],
      links: { self: "/v1/submissions/sub_new", sweep: null },
    });
  const control =
    (more: Partial<Run> | null): StubRoutes[string] =>
    (asked) => {
      if (asked.headers["authorization"] !== `Bearer ${assayKey}`) return unauthorized;
      paused = more;
      return { body: run() };
    };
  const routes: StubRoutes = {
    "GET /v1/suites": suitesAnswer,
    "GET /v1/datasets": () => ({
      body: { datasets: [{ ...dataset, suite: suite.id, samples: stockRows.length }] },
    }),
    "POST /v1/connections": (asked) => {
      if (asked.headers["authorization"] !== `Bearer ${assayKey}`) return unauthorized;
      const parsed = connectionRequestSchema.safeParse(asked.body);
      if (!parsed.success) return refusal(parsed.error.issues, asked.body);
      return { body: connectionOf(parsed.data.endpoint) };
    },
    "POST /v1/submissions": (asked) => {
      if (asked.headers["authorization"] !== `Bearer ${assayKey}`) return unauthorized;
      const parsed = submissionRequestSchema.safeParse(asked.body);
      if (!parsed.success) return refusal(parsed.error.issues, asked.body);
      if (asked.query.get("dryRun") === "true") return { body: estimateOf(suite, parsed.data) };
      return { status: 202, body: submission() };
    },
    "GET /v1/submissions/*": (_, [id]) =>
      id === "sub_new" ? { body: submission() } : problem(404, `there is no submission "${id}"`),
    "GET /v1/runs/*": () => {
      const body = run();
      if (paused === null) step++;
      const again: Record<string, string> = body.finishedAt === null ? { "retry-after": "1" } : {};
      return { headers: again, body };
    },
    "POST /v1/runs/*/pause": control({ status: "paused", statusReason: "paused by its owner" }),
    "POST /v1/runs/*/resume": control(null),
    "POST /v1/runs/*/cancel": control({
      status: "cancelled",
      statusReason: null,
      finishedAt: "2026-11-22T10:04:00Z",
    }),
  };
  return { routes, steps };
}

/** The connection test of an endpoint with two models. Without a model, the chat is not tested. */
function connectionOf({ baseUrl, model }: TestedAddress) {
  const models = ["a-1", "a-2"];
  const http = {
    id: "http",
    label: "HTTP",
    outcome: "ok",
    detail: "GET /v1/models answers",
    ms: 41,
  };
  const isKnown = models.includes(model ?? "");
  const chat = isKnown
    ? { outcome: "ok", detail: 'answers "Hello"', hint: null, ms: 310 }
    : { outcome: "failed", detail: "404: no such model", hint: "did you mean a-1?", ms: null };
  const latency = { n: 5, asked: 5, medianMs: 300, minMs: 280, maxMs: 410, rateLimits: {} };
  return connectionSchema.parse({
    endpoint: baseUrl,
    model: model ?? "",
    protocol: "chat_completions",
    usable: isKnown,
    checks: [{ ...http, hint: null }, ...(model ? [{ id: "chat", label: "Chat", ...chat }] : [])],
    latency: isKnown ? latency : null,
    models,
  });
}

const unauthorized = problem(401, "this deployment requires an API key");

function refusal(issues: Parameters<typeof fieldErrors>[0], body: unknown): StubAnswer {
  const errors = fieldErrors(issues, body);
  return problem(422, `nothing was stored: ${errors.length} invalid fields`, { errors });
}

function estimateOf(suite: Suite, { models }: SubmissionRequest) {
  const prices = models[0]?.prices;
  const expense = {
    samples: stockRows.length,
    units: stockRows.length,
    requests: stockRows.length,
    inputTokens: 41_300,
    expectedWallSeconds: 7.2,
    outputTokens: { expected: 12_450, max: 147_456 },
    costUsd: prices ? { expected: 0.0662, max: 0.3362 } : null,
  };
  return submissionEstimateSchema.parse({
    suite: suite.id,
    dataset,
    total: expense,
    judgeRequests: 0,
    judging: null,
    warnings: [],
    models: [
      {
        ...expense,
        model: "acme/a-model",
        variant: null,
        basis: {
          requests:
            "estimated from 50 of 72 samples (each repeat, and each group of samples that is asked in order, counts as one) with empty replies; retries are not included",
          inputTokens: "characters of prompts, schemas and tools / 4, of the same samples",
          outputTokens:
            "expected: mean of run run_1 (acme/other) on this dataset; max: the requests' maxTokens",
          costUsd:
            "the tokens above at $1.00 per million input tokens and $2.00 per million output tokens; the cost of judges is not included",
          expectedWallSeconds:
            "72 requests × 2000 ms each, 20 at once; that latency is assumed, because this suite has no timed run yet",
        },
      },
    ],
    quota: {
      day: "2026-11-22",
      usedSamples: 100,
      allowedSamples: 10_000,
      remainingSamples: 9_900,
      resetsAt: "2026-11-23T00:00:00Z",
    },
  });
}
