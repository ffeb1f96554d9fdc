import type { JudgmentCheck } from "./checks/judgments.ts";
import type { RequestCheck } from "./checks/requests.ts";
import type { Stage } from "./stage.ts";

/** Paid duplicates, as a share of requests, while nobody is killed. */
const MAX_DUPLICATE_RATE = 0.01;
/**
 * What production gives one isolate. The Worker's own heap has to do with it; the local runtime around it,
 * with wrangler's proxy, has no limit at which it collects garbage, so its size is reported, without a limit.
 */
const ISOLATE_MB = 128;

/** What was measured in addition to the faults. */
export interface Figures {
  samples: number;
  /** Kills that one and the same run met while it was being served. */
  kills: number;
  /** Requests that the simulator saw of the run without kills, and those paid for in vain. */
  requests: number;
  duplicates: number;
  requestsWithKills: number;
  duplicatesWithKills: number;
  /** Of a run that is judged among kills: kills during that, requests to judges, and those paid for in vain. */
  killsWhileJudging: number;
  judgeRequests: number;
  judgeDuplicates: number;
  /** Connections of invocations that carry messages, and those that the limit of six held. */
  connections: number;
  connectionsHeld: number;
  /**
   * Most memory that the processes of the local runtime held (RSS), MB: every isolate, D1, R2, Queues and
   * wrangler's proxy with it, so more than what production counts against an isolate.
   */
  peakMemoryMb: number;
  /** Most that was seen of the heap of the Worker's own isolate, uncollected garbage included, MB. */
  peakHeapMb: number;
  /** Most of it that was in use right after a collection, MB; looked at every four seconds. */
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

/** Figures that are not as promised. */
export function checkFigures(figures: Figures): string[] {
  const { requests, duplicates, connectionsHeld, peakLiveHeapMb } = figures;
  const promises: [kept: boolean, problem: string][] = [
    [
      duplicates <= MAX_DUPLICATE_RATE * requests,
      `${duplicates} of ${requests} requests were paid for in vain without a kill`,
    ],
    [connectionsHeld === 0, `${connectionsHeld} connections waited for one of six`],
    [peakLiveHeapMb > 0, "the heap of the Worker's isolate could not be measured"],
    [peakLiveHeapMb <= ISOLATE_MB, `${peakLiveHeapMb} MB of the isolate's heap were in use`],
  ];
  return promises.filter(([kept]) => !kept).map(([, problem]) => problem);
}

/** The figures as lines. */
export function figureLines(figures: Figures): string {
  const share = (part: number, whole: number) =>
    `${part} of ${whole} (${((100 * part) / Math.max(1, whole)).toFixed(2)} %)`;
  return [
    `samples a run: ${figures.samples}, kills within one run: ${figures.kills}`,
    `paid duplicates without kills: ${share(figures.duplicates, figures.requests)}`,
    `paid duplicates with kills: ${share(figures.duplicatesWithKills, figures.requestsWithKills)}`,
    `paid judgments not used, with ${figures.killsWhileJudging} kills while judging: ${share(figures.judgeDuplicates, figures.judgeRequests)}`,
    `connections held by the limit of six: ${figures.connectionsHeld} of ${figures.connections}`,
    `most memory of the local runtime, with its D1, R2, Queues and all isolates: ${figures.peakMemoryMb} MB`,
    `most heap of the Worker's isolate, garbage included: ${figures.peakHeapMb} MB; in use after a collection: ${figures.peakLiveHeapMb} MB (production's limit: ${ISOLATE_MB})`,
  ].join("\n");
}
