import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";
import { modelClient } from "../../../api/providers/ask-model.ts";
import { endpointMemory } from "../../../api/providers/endpoint-memory.ts";
import type { Answer } from "../../../shared/contracts/answer.ts";
import type { Endpoint } from "../../../shared/contracts/submissions/submission.ts";

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Starts a local server until the end of the test, and returns its base URL. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** Asks an endpoint once, without retries. */
export async function askServer(
  baseUrl: string,
  more: Partial<Endpoint> = {},
  timeoutMs = 5_000,
): Promise<Answer> {
  const client = modelClient({ now: Date.now, sleep: async () => {}, random: () => 0 });
  const reply = await client(
    { baseUrl, model: "m", maxTokensParam: "max_tokens", ...more },
    { messages: [{ role: "user", content: "hi" }] },
    { timeoutMs, maxRetries: 0, blockedMs: null },
    endpointMemory(),
  );
  if (reply.kind !== "answer") throw new Error("the request was postponed");
  return reply.answer;
}

/** The body of a chat completion whose message is `message`. */
export const completion = (message: object, more: object = {}): string =>
  JSON.stringify({ choices: [{ finish_reason: "stop", message }], ...more });
