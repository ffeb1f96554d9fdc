import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { constantRateLoad } from "./constant-rate-load.ts";

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it("constantRateLoad() retries on a new connection if the server closes a kept-alive one", async () => {
  const used = new WeakSet<object>();
  const url = await serve((request, response) => {
    if (used.has(request.socket)) request.socket.destroy();
    else response.end("well");
    used.add(request.socket);
  });
  expect(await constantRateLoad({ url, perSecond: 100, seconds: 0.1 })).toHaveLength(10);
});

it("constantRateLoad() throws if a request gets no answer or not 200", async () => {
  const refusing = await serve((_, response) => response.writeHead(503).end());
  await expect(constantRateLoad({ url: refusing, perSecond: 100, seconds: 0.03 })).rejects.toThrow(
    "503",
  );
  const cut = await serve((request, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("half", () => request.socket.destroy());
  });
  await expect(constantRateLoad({ url: cut, perSecond: 100, seconds: 0.03 })).rejects.toThrow();
  const gone = await serve((request) => request.socket.destroy());
  await expect(constantRateLoad({ url: gone, perSecond: 100, seconds: 0.03 })).rejects.toThrow();
});
