import type { RequestCheck } from "./checks/requests.ts";
import type { Stage } from "./scenes.ts";

/** Paid duplicates, as a share of requests, while nobody is killed. */
const MAX_DUPLICATE_RATE = 0.01;
/** The runtime, its code, and some answers of the largest size in hand. */
const MAX_MEMORY_MB = 1_024;

/** What was measured beside the faults. */
export interface Figures {
  samples: number;
  kills: number;
  /** Requests that the simulator saw of the run without kills, and those paid for in vain. */
  requests: number;
  duplicates: number;
  requestsWithKills: number;
  duplicatesWithKills: number;
  /** Connections of invocations that carry messages, and those that the limit of six held. */
  connections: number;
  connectionsHeld: number;
  /** Most memory that the runtime held, MB. */
  peakMemoryMb: number;
}

export function figuresOf(
  { size, kills, service }: Stage,
  requests: ReadonlyMap<string, RequestCheck>,
): Figures {
  const injected = service.injected();
  const storm = requests.get("storm");
  const killed = [...requests].filter(([slug]) => slug.startsWith("killed"));
  const sum = (of: (check: RequestCheck) => number) =>
    killed.reduce((total, [, check]) => total + of(check), 0);
  return {
    samples: size.rows.length,
    kills,
    requests: storm?.requests ?? 0,
    duplicates: storm?.duplicates ?? 0,
    requestsWithKills: sum((check) => check.requests),
    duplicatesWithKills: sum((check) => check.duplicates),
    connections: injected.get("queue: connections") ?? 0,
    connectionsHeld: injected.get("queue: seventh connection held") ?? 0,
    peakMemoryMb: Math.round(service.memory.peakMb),
  };
}

/** Figures that are not as promised. */
export function checkFigures(figures: Figures): string[] {
  const { requests, duplicates, connectionsHeld, peakMemoryMb } = figures;
  const promises: [kept: boolean, problem: string][] = [
    [
      duplicates <= MAX_DUPLICATE_RATE * requests,
      `${duplicates} of ${requests} requests were paid for in vain without a kill`,
    ],
    [connectionsHeld === 0, `${connectionsHeld} connections waited for one of six`],
    [peakMemoryMb <= MAX_MEMORY_MB, `the runtime took ${peakMemoryMb} MB`],
  ];
  return promises.filter(([kept]) => !kept).map(([, problem]) => problem);
}

/** The figures as lines. */
export function figureLines(figures: Figures): string {
  const share = (part: number, whole: number) =>
    `${part} of ${whole} (${((100 * part) / Math.max(1, whole)).toFixed(2)} %)`;
  return [
    `samples a run: ${figures.samples}, kills: ${figures.kills}`,
    `paid duplicates without kills: ${share(figures.duplicates, figures.requests)}`,
    `paid duplicates with kills: ${share(figures.duplicatesWithKills, figures.requestsWithKills)}`,
    `connections held by the limit of six: ${figures.connectionsHeld} of ${figures.connections}`,
    `most memory of the runtime: ${figures.peakMemoryMb} MB`,
  ].join("\n");
}
