import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../../api/app.ts";
import { openService, type Service } from "../demo-snapshot/service.ts";
import { openBrowser } from "./support/browser.ts";

const STRANGE = "/strange";

const servers: Server[] = [];
let service: Service;
let browser: Browser;
/** Ports of the service that requires no key, and of a server with foreign pages. */
let port: number;
let strangerPort: number;

async function listening(answer: RequestListener): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  service = await openService();
  const app = createApp({
    platform: () => service.platform,
    account: async () => null,
    site: async () =>
      new Response("<title>the site</title>", {
        headers: { ...html, "content-security-policy": "connect-src 'self'" },
      }),
  });
  port = await listening(async (request, response) => {
    const { method = "GET", url, headers } = request;
    // The page that an attacker's server sent before its name was rebound to this address.
    if (url === STRANGE) return void response.writeHead(200, html).end("<title>x</title>");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const hasBody = method !== "GET" && method !== "HEAD" && chunks.length > 0;
    const reply = await app.request(`http://${headers.host}${url}`, {
      method,
      headers: new Headers(headers as Record<string, string>),
      ...(hasBody && { body: new Uint8Array(Buffer.concat(chunks)) }),
    });
    response.writeHead(reply.status, Object.fromEntries(reply.headers));
    response.end(Buffer.from(await reply.arrayBuffer()));
  });
  strangerPort = await listening((_, response) =>
    response.writeHead(200, html).end("<title>x</title>"),
  );
  browser = await openBrowser(["--host-resolver-rules=MAP *.example 127.0.0.1"], true);
});
afterAll(async () => {
  await browser?.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

const html = { "content-type": "text/html" };

/** Runs in the page: tries every way to reach the service, and returns the statuses. */
async function attack(target: string) {
  const key = JSON.stringify({ name: "x", owner: "evil", scopes: ["admin"] });
  const upload = `${target}/v1/datasets?suite=extraction&name=stolen`;
  const row = JSON.stringify({
    id: "a",
    text: "x",
    schema: { type: "object" },
    expected_output: {},
  });
  const status = (path: string, init?: RequestInit) =>
    fetch(`${target}${path}`, init).then(
      (reply) => reply.status,
      () => "nothing",
    );
  const json = { "content-type": "application/json" };
  const read = {
    suites: await status("/v1/suites"),
    keys: await status("/v1/keys"),
    webhooks: await status("/v1/webhooks", { credentials: "include" }),
  };
  const written = {
    json: await status("/v1/keys", { method: "POST", headers: json, body: key }),
    text: await status("/v1/keys", { method: "POST", body: key }),
    upload: await status("/v1/datasets?suite=extraction&name=stolen", {
      method: "POST",
      body: row,
    }),
    delete: await status("/v1/keys/x", { method: "DELETE" }),
  };
  await fetch(upload, { method: "POST", mode: "no-cors", body: row }).catch(() => {});
  navigator.sendBeacon(upload, row);
  navigator.sendBeacon(`${target}/v1/keys`, new Blob([key], { type: "text/plain" }));
  for (const enctype of [
    "text/plain",
    "multipart/form-data",
    "application/x-www-form-urlencoded",
  ]) {
    const form = document.createElement("form");
    const frame = document.createElement("iframe");
    frame.name = enctype;
    Object.assign(form, { action: upload, method: "post", enctype, target: enctype });
    const input = document.createElement("input");
    Object.assign(input, { name: `${row.slice(0, -1)},"x":"`, value: '"}' });
    form.append(input);
    document.body.append(frame, form);
    const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
    form.submit();
    await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, 3_000))]);
  }
  // A sandboxed frame has an opaque origin and sends "null".
  const sandbox = document.createElement("iframe");
  sandbox.sandbox.add("allow-scripts");
  sandbox.srcdoc = `<script>fetch(${JSON.stringify(upload)}, { method: "POST", body: ${JSON.stringify(row)} })
    .then((r) => r.status, () => "nothing").then((s) => parent.postMessage(s, "*"))</script>`;
  const told = new Promise((resolve) => addEventListener("message", ({ data }) => resolve(data)));
  document.body.append(sandbox);
  const framed = await told;
  const socket = await new Promise((resolve) => {
    const tried = new WebSocket(`${target.replace("http", "ws")}/v1/keys`);
    tried.onopen = () => resolve("open");
    tried.onerror = () => resolve("refused");
  });
  return { read, written, framed, socket };
}

/** Runs attack() in the page at the address; returns its result and the changes in the service. */
async function attackFrom(address: string, target: string) {
  const page = await browser.newPage();
  try {
    await page.goto(address);
    const got = await page.evaluate(attack, target);
    const keys = (await service.platform.apiKeys.list({ after: null, limit: 100 })).length;
    const names = (await service.platform.datasets.list("extraction")).map(({ name }) => name);
    return { ...got, keys, isStolen: names.includes("stolen") };
  } finally {
    await page.close();
  }
}

/** No socket, no key and no dataset: an attacker can at most read public data. */
const harmless = { socket: "refused", keys: 0, isStolen: false };
const nothing = { json: "nothing", delete: "nothing" };

describe("a service without keys, in a browser,", () => {
  it.each([
    ["another site", () => `http://evil.example:${strangerPort}/`],
    ["another port of this machine", () => `http://localhost:${strangerPort}/`],
    ["another name of this machine", () => `http://127.0.0.1:${port}${STRANGE}`],
  ])("lets pages of %s read public data, but not write", async (_, address) => {
    expect(await attackFrom(address(), `http://localhost:${port}`)).toEqual({
      ...harmless,
      read: { suites: 200, keys: 401, webhooks: expect.toBeOneOf([401, "nothing"]) },
      // The browser does not send requests whose preflight fails.
      written: { ...nothing, text: 403, upload: 403 },
      framed: 403,
    });
  });

  it("refuses pages whose host name was rebound to this machine", async () => {
    const target = `http://rebound.example:${port}`;
    const attacked = await attackFrom(`${target}${STRANGE}`, target);
    expect(attacked).toMatchObject({
      ...harmless,
      read: { suites: 403, keys: 403, webhooks: 403 },
      written: { json: 403, text: 403, upload: 403, delete: 403 },
    });
    const page = await browser.newPage();
    expect((await page.goto(`${target}/`))?.status()).toBe(403);
    await page.close();
  });

  it("lets its own pages read and write", async () => {
    const page = await browser.newPage();
    await page.goto(`http://localhost:${port}/`);
    expect(await page.title()).toBe("the site");
    const got = await page.evaluate(async () => {
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ name: "x", owner: "me", scopes: ["submit"] });
      const made = await fetch("/v1/keys", { method: "POST", headers, body });
      return [made.status, (await fetch("/v1/keys")).status];
    });
    expect(got).toEqual([201, 200]);
    await page.close();
  });
});
