import { z } from "zod";
import { percentile } from "#shared/stats/sums/percentile.ts";
import type { Asked, EndpointClient } from "./endpoint-client.ts";
import type { RequestParameters } from "./model-checks.ts";

const ASKED = 5;
const question: Asked = { messages: [{ role: "user", content: "Say hello in one word." }] };
/** Header names of providers. */
const limitHeader = /^(x-ratelimit-|anthropic-ratelimit-|ratelimit|retry-after$)/;

/** Latency of short answers, and rate limits of the endpoint. */
export const latencySchema = z.object({
  n: z.int().meta({ description: "number of answers, of the sequential requests" }),
  asked: z.int(),
  medianMs: z.number().nullable(),
  minMs: z.number().nullable(),
  maxMs: z.number().nullable(),
  rateLimits: z
    .record(z.string(), z.string())
    .meta({ description: "by header, of the last answer" }),
});
export type Latency = z.infer<typeof latencySchema>;

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
      [...said.headers].filter(([name]) => limitHeader.test(name.toLowerCase())),
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
