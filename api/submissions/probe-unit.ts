import { emptyAnswer } from "#shared/contracts/answer.ts";
import type { ChatRequest } from "#shared/contracts/chat-request.ts";
import type { SuitePipeline, UnitTask } from "#shared/contracts/suite.ts";

/** No suite asks more of one unit. */
const MAX_REQUESTS = 1_000;

/** What some units ask for: how often, how many characters, and how long the replies may be. */
export interface Probe {
  units: number;
  requests: number;
  characters: number;
  /** Null where a request sets no limit. */
  maxTokens: number | null;
}

/** What one unit asks for when every reply is empty: later questions may be longer in earnest. */
export function probeUnit(suite: SuitePipeline, task: UnitTask<unknown, unknown>): Probe {
  const empty = { ...emptyAnswer, output: "" };
  const probe: Probe = { units: 1, requests: 0, characters: 0, maxTokens: 0 };
  while (probe.requests < MAX_REQUESTS) {
    const step = suite.next(task, Array(probe.requests).fill(empty));
    if (step.kind === "done") break;
    probe.requests += 1;
    probe.characters += charactersOf(step.request);
    probe.maxTokens = plus(probe.maxTokens, step.request.maxTokens ?? null);
  }
  return probe;
}

/** Messages, schema and tools: all of it is read by the model. */
function charactersOf({ messages, structured, tools }: ChatRequest): number {
  const contents = messages.reduce((sum, { content }) => sum + content.length, 0);
  const extras = [structured?.schema, tools].filter((extra) => extra !== undefined);
  return contents + extras.reduce((sum: number, extra) => sum + JSON.stringify(extra).length, 0);
}

/** The probes of several units as one. */
export const mergeProbes = (probes: readonly Probe[]): Probe =>
  probes.reduce(
    (sum, probe) => ({
      units: sum.units + probe.units,
      requests: sum.requests + probe.requests,
      characters: sum.characters + probe.characters,
      maxTokens: plus(sum.maxTokens, probe.maxTokens),
    }),
    { units: 0, requests: 0, characters: 0, maxTokens: 0 },
  );

/**
 * At most `count` positions below `length`, evenly spaced.
 * @example evenlySpaced(10, 3) // [1, 5, 8]
 */
export function evenlySpaced(length: number, count: number): number[] {
  const n = Math.min(length, count);
  return Array.from({ length: n }, (_, i) => Math.floor(((i + 0.5) * length) / n));
}

/** A sum, null where a part is not known. */
export const plus = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a + b;
