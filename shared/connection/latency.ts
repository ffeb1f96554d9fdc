import type { Latency } from "../contracts/submissions/connection.ts";
import { percentile } from "../stats/sums/percentile.ts";
import type { Asked, EndpointClient } from "./check.ts";
import type { RequestParameters } from "./model-checks.ts";

const ASKED = 5;
const question: Asked = { messages: [{ role: "user", content: "Say hello in one word." }] };
/** Header names of providers. */
const limitHeader = /^(x-ratelimit-|anthropic-ratelimit-|ratelimit|retry-after$)/;

/** Requests one word several times, sequentially. */
export async function latencyOf(
  ask: EndpointClient,
  parameters: RequestParameters,
): Promise<Latency> {
  const times: number[] = [];
  let rateLimits: Record<string, string> = {};
  for (let i = 0; i < ASKED; i++) {
    const said = await ask.chat({ ...question, ...parameters });
    if (!said.ok) continue;
    times.push(said.ms);
    rateLimits = Object.fromEntries(
      Object.entries(said.headers).filter(([name]) => limitHeader.test(name.toLowerCase())),
    );
  }
  const sorted = times.sort((a, b) => a - b);
  return {
    n: sorted.length,
    asked: ASKED,
    rateLimits,
    medianMs: percentile(sorted, 0.5),
    minMs: sorted[0] ?? null,
    maxMs: sorted.at(-1) ?? null,
  };
}
