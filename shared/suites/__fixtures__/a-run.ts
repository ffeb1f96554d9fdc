import type { Run } from "../../contracts/run.ts";
import type { Suite } from "../../contracts/suite.ts";

/** A finished run of a suite over twelve samples of an endpoint. */
export const aRun = (suite: Suite, more: Partial<Run> = {}): Run => ({
  ...{ id: "r1", submission: "s1", parent: null, variant: null, hybrid: null },
  ...{ suite: suite.id, suiteVersion: suite.version, headline: suite.headline },
  ...{ scoringVersion: "s", promptHash: null, codeRevision: null },
  dataset: { name: "stock", version: "v", samples: 12 },
  model: {
    ...{ slug: "a/b", name: "B", url: null, license: null },
    ...{ parameters: null, quantization: null, simulated: false },
  },
  provenance: { kind: "called", endpointHost: "api.example" },
  ...{ status: "finished", statusReason: null, visibility: "public", hiddenReason: null },
  ...{ phase: "answering", judging: null, notes: [], prices: null, cost: null },
  progress: { total: 12, done: 12, failed: 0 },
  options: {},
  concurrency: { wanted: 1, now: 1 },
  ...{ metrics: null, breakdown: null, points: null, timeline: null, answersRemovedAt: null },
  ...{ createdAt: "2026-01-01T00:00:00Z", startedAt: null, finishedAt: "2026-01-01T00:01:00Z" },
  ...{ estimatedFinishAt: null, waitingUntil: null },
  links: {
    ...{ self: "/v1/runs/r1", samples: "/v1/runs/r1/samples", report: "/runs/r1/", badge: "" },
    statement: "/v1/runs/r1/statement",
  },
  ...more,
});
