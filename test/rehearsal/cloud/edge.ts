import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { generate } from "selfsigned";

/** Answers a request from outside; null: unknown host. */
export type Serve = (url: string, init: RequestInit) => Promise<Response | null>;

/** A proxy for the requests of programs, which serves only the hosts of a deployment. */
export interface Edge {
  /** Environment variables that direct a program's requests to the proxy. */
  env: Readonly<Record<string, string>>;
  /** Requested hosts that are unknown; no request may leave the machine. */
  strangers: string[];
  close(): Promise<void>;
}

/** Opens the edge in front of `serve` with certificates of its own authority. */
export async function openEdge(hosts: readonly string[], serve: Serve): Promise<Edge> {
  const made = await generate([{ name: "commonName", value: "Rehearsal" }], {
    keySize: 2048,
    extensions: [
      { name: "basicConstraints", cA: true },
      { name: "subjectAltName", altNames: hosts.map((value) => ({ type: 2, value })) },
    ],
  });
  const folder = mkdtempSync(join(tmpdir(), "assay-edge-"));
  const authority = join(folder, "authority.pem");
  writeFileSync(authority, made.cert);
  const tls = createTlsServer({ key: made.private, cert: made.cert }, (request, response) => {
    answer(request, response, serve).catch((error: unknown) => {
      response.writeHead(502).end(String(error));
    });
  });
  const strangers: string[] = [];
  const proxy = createServer((_, response) => response.writeHead(403).end());
  proxy.on("connect", (request, socket, head) => {
    const host = (request.url ?? "").split(":")[0] ?? "";
    if (!hosts.includes(host)) {
      strangers.push(host);
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return;
    }
    const inside = connect(portOf(tls), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      inside.write(head);
      inside.pipe(socket).pipe(inside);
    });
    for (const one of [inside, socket]) one.on("error", () => socket.destroy());
  });
  await Promise.all([tls, proxy].map((one) => once(one.listen(0, "127.0.0.1"), "listening")));
  return {
    env: {
      HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
      NO_PROXY: "127.0.0.1,localhost",
      NODE_USE_ENV_PROXY: "1",
      NODE_EXTRA_CA_CERTS: authority,
    },
    strangers,
    close: async () => {
      for (const one of [tls, proxy]) {
        one.closeAllConnections();
        one.close();
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;

async function answer(request: IncomingMessage, response: ServerResponse, serve: Serve) {
  const { method = "GET", headers, url = "/" } = request;
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string" && !["connection", "transfer-encoding"].includes(name)
      ? [[name, value] as [string, string]]
      : [],
  );
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = chunks.length === 0 ? undefined : Buffer.concat(chunks);
  const init: RequestInit = { method, headers: entries, redirect: "manual" };
  if (body !== undefined) init.body = body;
  const reply = await serve(`https://${headers.host}${url}`, init);
  if (reply === null) {
    response.writeHead(404).end("There is nothing here yet");
    return;
  }
  const { "content-encoding": _, ...told } = Object.fromEntries(reply.headers);
  response.writeHead(reply.status, { ...told, "set-cookie": reply.headers.getSetCookie() });
  if (reply.body === null) response.end();
  else Readable.fromWeb(reply.body as never).pipe(response);
}
