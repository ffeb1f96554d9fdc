import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { SentError } from "./api-error.ts";
import { type Draws, drawNormal } from "./draws.ts";
import type { NamedModel } from "./model-name.ts";

/** A reply with its timing. */
export interface Delivery {
  status: number;
  headers: Record<string, string | number>;
  parts: Iterable<string | Buffer>;
  /** From the request's arrival to the headers, ms. */
  firstMs: number;
  /** Between two parts, ms. */
  gapMs: number;
  /** Whether the reply ends normally, is cut off, or never starts. */
  ending: "end" | "cut" | "hang";
}

/** Added to every reply, so that nobody mistakes it for a real model's. */
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

/** The bytes of all parts. */
export function bytesOf(parts: Delivery["parts"]): Buffer {
  return Buffer.concat(Array.from(parts, (part) => Buffer.from(part as string)));
}

/** An error, sent at once. */
export function errorBody({ status, headers, body }: SentError): Delivery {
  const delivery = jsonBody(JSON.stringify(body));
  return { ...delivery, status, headers: { ...delivery.headers, ...headers } };
}

/**
 * Sends a reply to a request that arrived at `arrivedAt` (`performance.now()`); the time to compute the reply is part
 * of its latency. Stops silently if the client has disconnected.
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

/** Length of an answer that takes the median time. */
const medianTokens = 150;

/** Limit for the length factor of long answers. */
const maxLengthFactor = 10;

/**
 * Latency of an answer of `tokens`, ms: lognormal with the model's median and 95th percentile. The length share is
 * proportional to the tokens. Multiplied by `scale`, unless the model's name fixes the latency.
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
