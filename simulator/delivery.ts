import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiError } from "./api-error.ts";
import { type Draws, drawNormal } from "./draws.ts";
import type { NamedModel } from "./model-name.ts";

/** An answer as it goes over the wire: what, and when. */
export interface Delivery {
  status: number;
  headers: Record<string, string | number>;
  parts: Iterable<string | Buffer>;
  /** From the request's arrival to the headers. */
  firstMs: number;
  /** Between one part and the next. */
  gapMs: number;
  /** Whether it ends, is cut off, or is never even begun. */
  ending: "end" | "cut" | "hang";
}

/** On every answer, so that nobody takes it for a model's. */
const simulated = { "x-simulated": "true" };

/** A body sent in one part. */
export function wholeBody(body: string | Buffer, contentType: string, firstMs = 0): Delivery {
  return {
    status: 200,
    headers: { "content-type": contentType, "content-length": Buffer.byteLength(body) },
    parts: [body],
    firstMs,
    gapMs: 0,
    ending: "end",
  };
}

/** A JSON body sent in one part. */
export function jsonBody(body: string, firstMs = 0): Delivery {
  return wholeBody(body, "application/json", firstMs);
}

/** The bytes of a body in parts. */
export function bytesOf(parts: Delivery["parts"]): Buffer {
  return Buffer.concat(Array.from(parts, (part) => Buffer.from(part as string)));
}

/** An error, sent at once. */
export function errorBody({ status, body }: ApiError, headers: Delivery["headers"] = {}): Delivery {
  const delivery = jsonBody(JSON.stringify(body));
  return { ...delivery, status, headers: { ...delivery.headers, ...headers } };
}

/**
 * Sends an answer to what arrived at `arrivedAt`, in ms as `performance.now()` has it: the time that it took to make it
 * is part of its latency. Stops without a trace when the client has gone.
 */
export function deliver(response: ServerResponse, delivery: Delivery, arrivedAt: number): void {
  const { parts, firstMs, gapMs, ending } = delivery;
  if (ending === "hang") return;
  if (firstMs === 0 && gapMs === 0 && ending === "end" && Array.isArray(parts)) {
    writeHead(response, delivery);
    response.end(parts.length === 1 ? parts[0] : bytesOf(parts));
    return;
  }
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const left = Math.ceil(firstMs - (performance.now() - arrivedAt));
  deliverSlowly(response, { ...delivery, firstMs: left }, gone.signal).catch((error: unknown) => {
    if (!gone.signal.aborted) response.destroy(error as Error);
  });
}

async function deliverSlowly(response: ServerResponse, delivery: Delivery, signal: AbortSignal) {
  await pause(delivery.firstMs, signal);
  writeHead(response, delivery);
  let isFirst = true;
  for (const part of delivery.parts) {
    if (!isFirst) await pause(delivery.gapMs, signal);
    isFirst = false;
    if (!response.write(part)) await once(response, "drain", { signal });
  }
  if (delivery.ending === "end") response.end();
  else response.socket?.destroySoon();
}

function writeHead(response: ServerResponse, { status, headers }: Delivery): void {
  response.writeHead(status, { ...simulated, ...headers });
}

function pause(ms: number, signal: AbortSignal): Promise<void> | undefined {
  return ms > 0 ? sleep(ms, undefined, { signal }) : undefined;
}

/** The 95th percentile of the standard normal distribution. */
const z95 = 1.6448536269514722;

/** Tokens of an answer that takes the median time. */
const medianTokens = 150;

/** Longest answers take this many times the median length's share. */
const maxLengthFactor = 10;

/**
 * How long an answer of `tokens` takes, in ms: lognormal by the model's median and 95th percentile,
 * its length share proportional to the tokens, times `scale` unless the model's name fixes it.
 */
export function drawLatencyMs(
  { latency, scaled }: Pick<NamedModel, "latency" | "scaled">,
  tokens: number,
  scale: number,
  draws: Draws,
): number {
  const { medianMs, p95Ms, lengthShare } = latency;
  if (medianMs === 0) return 0;
  const sigma = Math.log(p95Ms / medianMs) / z95;
  const luck = sigma === 0 ? 1 : Math.exp(sigma * drawNormal(draws));
  const length = Math.min(maxLengthFactor, tokens / medianTokens);
  return medianMs * luck * (1 - lengthShare + lengthShare * length) * (scaled ? scale : 1);
}
