import type { CanaryReport, CanaryResult } from "../../../shared/contracts/judging/canary.ts";
import type { RunStatus } from "../../../shared/contracts/run.ts";
import { type Asked, fakeService, type Reply } from "./fake-service.ts";

const headline = {
  value: 0.4204,
  interval: [0.39, 0.4496] as [number, number],
  n: 60,
  coverage: 1,
};
const common = { description: "x", headline, finishedAt: "2026-11-20T09:30:00.000Z" };

/** A report in which every bound holds. */
export const canaries = {
  constant: {
    ...common,
    id: "constant",
    label: "Constant answer",
    run: "run_c",
    bound: { most: 0.45 },
    verdict: "within",
  },
  longest: {
    ...common,
    id: "longest",
    label: "Longest answer",
    run: "run_l",
    bound: null,
    verdict: "unbounded",
    headline: { ...headline, n: 45, coverage: 0.75 },
  },
  injection: {
    ...common,
    id: "injection",
    label: "Order to the judge",
    run: "run_i",
    bound: { over: "constant", margin: 0.05 },
    verdict: "within",
  },
} satisfies Record<string, CanaryResult>;

export const aReport = (more: Partial<CanaryReport> = {}): CanaryReport => ({
  suite: "memory",
  scoringVersion: "0123456789abcdef",
  simulated: false,
  canaries: Object.values(canaries),
  ...more,
});

/** The fields of a run that a client reads while it follows the run. */
const runOf = (id: string, status: RunStatus, statusReason: string | null) => ({
  id,
  status,
  statusReason,
  model: {
    slug: `assay/${id}`,
    name: `Canary: ${id}`,
    url: null,
    license: null,
    parameters: null,
    quantization: null,
    simulated: true,
  },
  progress: { total: 60, done: status === "finished" ? 60 : 12, failed: 0 },
});

const runIds = ["run_c", "run_l", "run_i"];
const submission = {
  id: "sub_1",
  runs: runIds.map((id) => ({
    id,
    model: `assay/${id}`,
    variant: null,
    status: "queued",
    links: { self: `/v1/runs/${id}`, samples: `/v1/runs/${id}/samples`, report: null },
  })),
};

interface Play {
  report?: CanaryReport;
  /** The runs' final status; default: finished. */
  ended?: Record<string, [RunStatus, string | null]>;
  /** Overrides the first replies to reads of a run, by run id. */
  first?: Record<string, Reply[]>;
  /** Overrides replies, by method and path. */
  instead?: Record<string, Reply | ((asked: Asked) => Reply)>;
}

/** An active run, as a reply. */
export const running = (id: string, seconds: number): Reply => ({
  headers: { "retry-after": `${seconds}` },
  body: runOf(id, "running", null),
});

/** Stand-in for the API routes that canaries use. */
export function canaryService({ report = aReport(), ended = {}, first = {}, instead = {} }: Play) {
  const left = structuredClone(first);
  return fakeService((asked): Reply => {
    const other = instead[asked.call];
    if (other !== undefined) return typeof other === "function" ? other(asked) : other;
    if (asked.call === "POST /v1/suites/memory/canaries") return { status: 202, body: submission };
    if (asked.call === "GET /v1/suites/memory/canaries") return { body: report };
    const id = /^GET \/v1\/runs\/(\w+)$/.exec(asked.call)?.[1];
    if (id === undefined) throw new Error(`nobody plays ${asked.call}`);
    return left[id]?.shift() ?? { body: runOf(id, ...(ended[id] ?? ["finished", null])) };
  });
}
