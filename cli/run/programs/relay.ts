import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout } from "node:timers/promises";
import { isJsonObject, type JsonObject } from "#shared/contracts/json.ts";
import { BadInput } from "../../errors.ts";
import { type Answerer, askedLine } from "./asked-line.ts";
import { chatCompletionOf } from "./target-answer.ts";
import { TargetFailure } from "./target-failure.ts";

/** Maximum bytes of a request, for a sample with a recording. */
const MAX_BYTES = 64 << 20;
/** Keep-alive timeout, since a service keeps connections open between requests. */
const KEEP_ALIVE_MS = 120_000;
/** Longer than a lane of the service waits, so that the service postpones the request instead of repeating it. */
const POSTPONED_S = 15;
/** How much earlier than at the service a request times out, so that the service gets the reason. */
const EARLIER_MS = 500;
const EARLIER_RATIO = 0.1;
/** Time for connections to end. */
const CLOSING_MS = 200;

/** Port and token of a relay, which are needed again to continue its runs. */
export interface RelayAccess {
  /** 0: any free port. */
  port: number;
  token: string;
}

/** A local server that passes requests of a service to programs. */
export interface Relay {
  port: number;
  /** Answers all requests, including open ones, so that the service postpones them. */
  postpone(): void;
  close(): Promise<void>;
}

/**
 * Serves Chat Completions at `/<name of the target>/v1` of 127.0.0.1, only for callers with the token.
 * `timeoutMs`: the service's timeout. Throws BadInput if the port is taken.
 */
export async function startRelay(
  targets: ReadonlyMap<string, Answerer>,
  { port, token }: RelayAccess,
  timeoutMs: number,
): Promise<Relay> {
  const leaving = new AbortController();
  const expected = Buffer.from(`Bearer ${token}`);
  const server = createServer((request, response) => {
    const given = Buffer.from(request.headers.authorization ?? "");
    const isKnown = given.length === expected.length && timingSafeEqual(given, expected);
    if (!isKnown) return send(response, new TargetFailure(401, "wrong token"));
    const name = /^\/(\w+)\/v1\/chat\/completions$/.exec(request.url ?? "")?.[1] ?? "";
    const target = targets.get(name);
    if (request.method !== "POST" || target === undefined) {
      return send(response, new TargetFailure(404, "there is no such program"));
    }
    void answer(target, request, response, { timeoutMs, leaving: leaving.signal });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", ({ code }: NodeJS.ErrnoException) =>
      reject(
        new BadInput(
          `port ${port} of this machine, which the run needs to call its program, can't be used (${code}): stop the program that uses it`,
        ),
      ),
    );
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    postpone: () => leaving.abort(postponed()),
    async close() {
      leaving.abort(postponed());
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      await Promise.race([closed, setTimeout(CLOSING_MS)]);
      server.closeAllConnections();
    },
  };
}

const postponed = () => new TargetFailure(503, "assay run was stopped", `${POSTPONED_S}`);

async function answer(
  target: Answerer,
  request: IncomingMessage,
  response: ServerResponse,
  { timeoutMs, leaving }: { timeoutMs: number; leaving: AbortSignal },
): Promise<void> {
  const waitMs = timeoutMs - Math.min(EARLIER_MS, timeoutMs * EARLIER_RATIO);
  const ended = new AbortController();
  const timer = globalThis.setTimeout(() => {
    const message = `did not answer within ${Math.round(waitMs)} ms: is every answer a whole line, and the output flushed after each?`;
    ended.abort(new TargetFailure(408, message));
  }, waitMs);
  response.once("close", () => ended.abort(new TargetFailure(408, "the caller left")));
  try {
    const line = askedLine(await bodyOf(request));
    const signal = AbortSignal.any([ended.signal, leaving]);
    const { answer: given, workedMs } = await target.ask(line, signal);
    const completion = chatCompletionOf(given);
    // The wait for a free process is not the program's latency.
    const worked = workedMs === null ? {} : { "openai-processing-ms": `${Math.floor(workedMs)}` };
    response.writeHead(200, { "content-type": "application/json", ...worked });
    response.end(JSON.stringify(completion));
  } catch (error) {
    send(response, error);
  } finally {
    clearTimeout(timer);
  }
}

async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new TargetFailure(413, "the request is too large");
    chunks.push(chunk);
  }
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  if (!isJsonObject(value)) throw new TargetFailure(424, "the request is not a JSON object");
  return value;
}

function send(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return;
  const failure =
    error instanceof TargetFailure
      ? error
      : new TargetFailure(500, String((error as Error).message));
  const { status, message, retryAfter } = failure;
  response.writeHead(status, {
    "content-type": "application/json",
    ...(retryAfter !== null && { "retry-after": retryAfter }),
  });
  response.end(JSON.stringify({ error: { message, type: "target_failure" } }));
}
