import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export interface Asked {
  /** Method and path. */
  call: string;
  headers: IncomingHttpHeaders;
  /** JSONL and CSV as text. */
  body: unknown;
  atMs: number;
}

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body?: object | string;
}

/** A local HTTP server until `dispose`; if `answer` throws, it replies with an empty 500. */
export async function fakeService(answer: (asked: Asked) => Reply) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const sent = Buffer.concat(chunks).toString();
    const { method, url, headers } = request;
    const isRows = /jsonl|csv/.test(headers["content-type"] ?? "");
    const body = sent === "" ? null : isRows ? sent : JSON.parse(sent);
    const one = { call: `${method} ${url}`, headers, body, atMs: performance.now() };
    asked.push(one);
    const reply = answer(one);
    response.writeHead(reply.status ?? 200, reply.headers);
    response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const dispose = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, [Symbol.asyncDispose]: dispose, dispose };
}

/** An error reply in the API's format. */
export const problemReply = (status: number, detail: string, errors: object[] = []): Reply => ({
  status,
  headers: { "content-type": "application/problem+json" },
  body: { type: "x", title: "x", status, detail, retryable: false, errors },
});
