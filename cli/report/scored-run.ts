import type { Run } from "#shared/contracts/run.ts";
import { nameOf, type ResultFile } from "./result-file.ts";

/** An offline scoring as a run: its answers were made elsewhere, and no service knows of it. */
export function scoredRun({
  summary,
  path,
  modifiedAt,
}: Extract<ResultFile, { kind: "summary" }>): Run {
  const { answers, dataset, options, seed, ...its } = summary;
  const given = Object.entries(options).filter(([, value]) => value !== null);
  return {
    id: seed,
    submission: seed,
    parent: null,
    variant: null,
    hybrid: null,
    suite: its.suite,
    suiteVersion: its.suiteVersion,
    headline: its.headline,
    scoringVersion: its.suiteVersion,
    promptHash: null,
    codeRevision: null,
    dataset: { name: "local", version: "", samples: dataset.samples },
    model: {
      slug: "local",
      name: nameOf(path),
      url: null,
      license: null,
      parameters: null,
      quantization: null,
      simulated: false,
    },
    provenance: { kind: "self-reported", endpointHost: null },
    status: "finished",
    statusReason: null,
    visibility: "unlisted",
    hiddenReason: null,
    phase: "answering",
    judging: null,
    notes: [],
    prices: its.prices,
    cost: null,
    progress: { total: answers.wanted, done: answers.wanted, failed: answers.missing },
    options: Object.fromEntries(given),
    concurrency: { wanted: 1, now: 1 },
    metrics: its.metrics,
    breakdown: its.breakdown,
    points: null,
    timeline: null,
    answersRemovedAt: null,
    createdAt: modifiedAt,
    startedAt: null,
    finishedAt: modifiedAt,
    estimatedFinishAt: null,
    waitingUntil: null,
    links: { self: "/", samples: "/", report: null, badge: "/", statement: null },
  };
}
