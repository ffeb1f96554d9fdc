import type { JudgmentCheck } from "./checks/judgments.ts";
import type { RequestCheck } from "./checks/requests.ts";
import type { Stage } from "./stage.ts";

/** Maximum share of requests that are paid duplicates while no server is killed. */
const MAX_DUPLICATE_RATE = 0.01;
/**
 * Production's memory limit of an isolate, which the Worker's heap must not exceed. The local runtime around it has no
 * limit that makes it collect garbage, so its size is only reported.
 */
const ISOLATE_MB = 128;

/** Measurements in addition to the faults. */
export interface Figures {
  samples: number;
  /** Kills while the same run was active. */
  kills: number;
  /** Requests of the run without kills that the simulator received, and the paid duplicates among them. */
  requests: number;
  duplicates: number;
  requestsWithKills: number;
  duplicatesWithKills: number;
  /** For a run that is judged while servers are killed: kills, requests to judges, and judgments not used. */
  killsWhileJudging: number;
  judgeRequests: number;
  judgeDuplicates: number;
  /** Connections of queue invocations, and those that waited because of the limit of six. */
  connections: number;
  connectionsHeld: number;
  /**
   * Peak memory (RSS) of the local runtime's processes, MB. It includes every isolate, D1, R2, Queues and wrangler's
   * proxy, so it is more than production counts against an isolate.
   */
  peakMemoryMb: number;
  /** Peak heap of the Worker's isolate including garbage, MB. */
  peakHeapMb: number;
  /** Peak heap in use right after a garbage collection, MB. */
  peakLiveHeapMb: number;
}

export function figuresOf(
  { size, killsOfOneRun, service }: Stage,
  requests: ReadonlyMap<string, RequestCheck>,
  judged: JudgmentCheck,
): Figures {
  const injected = service.injected();
  const storm = requests.get("storm");
  const killed = [...requests].filter(([slug]) => slug.startsWith("killed"));
  const sum = (of: (check: RequestCheck) => number) =>
    killed.reduce((total, [, check]) => total + of(check), 0);
  return {
    samples: size.rows.length,
    kills: killsOfOneRun,
    requests: storm?.requests ?? 0,
    duplicates: storm?.duplicates ?? 0,
    requestsWithKills: sum((check) => check.requests),
    duplicatesWithKills: sum((check) => check.duplicates),
    killsWhileJudging: judged.kills,
    judgeRequests: judged.requests,
    judgeDuplicates: judged.duplicates,
    connections: injected.get("queue: connections") ?? 0,
    connectionsHeld: injected.get("queue: seventh connection held") ?? 0,
    peakMemoryMb: Math.round(service.memory.peakMb),
    peakHeapMb: Math.round(service.heap.peakMb),
    peakLiveHeapMb: Math.round(service.heap.livePeakMb),
  };
}

/** Figures that exceed their limits. */
export function checkFigures(figures: Figures): string[] {
  const { requests, duplicates, connectionsHeld, peakLiveHeapMb } = figures;
  const limits: [isKept: boolean, problem: string][] = [
    [
      duplicates <= MAX_DUPLICATE_RATE * requests,
      `${duplicates} of ${requests} requests were paid duplicates without a kill`,
    ],
    [connectionsHeld === 0, `${connectionsHeld} connections waited for one of six`],
    [peakLiveHeapMb > 0, "the heap of the Worker's isolate could not be measured"],
    [peakLiveHeapMb <= ISOLATE_MB, `${peakLiveHeapMb} MB of the isolate's heap were in use`],
  ];
  return limits.filter(([isKept]) => !isKept).map(([, problem]) => problem);
}

/** The figures as lines. */
export function figureLines(figures: Figures): string {
  const share = (part: number, whole: number) =>
    `${part} of ${whole} (${((100 * part) / Math.max(1, whole)).toFixed(2)} %)`;
  return [
    `samples per run: ${figures.samples}, kills within one run: ${figures.kills}`,
    `paid duplicates without kills: ${share(figures.duplicates, figures.requests)}`,
    `paid duplicates with kills: ${share(figures.duplicatesWithKills, figures.requestsWithKills)}`,
    `paid judgments not used, with ${figures.killsWhileJudging} kills while judging: ${share(figures.judgeDuplicates, figures.judgeRequests)}`,
    `connections held by the limit of six: ${figures.connectionsHeld} of ${figures.connections}`,
    `peak memory of the local runtime with D1, R2, Queues and all isolates: ${figures.peakMemoryMb} MB`,
    `peak heap of the Worker's isolate with garbage: ${figures.peakHeapMb} MB; in use after a collection: ${figures.peakLiveHeapMb} MB (production's limit: ${ISOLATE_MB})`,
  ].join("\n");
}
