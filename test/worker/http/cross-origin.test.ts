import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createApp } from "../../../api/app.ts";
import { platformOf } from "../../../api/index.ts";

const platform = platformOf({ ...env } as never);

/** A service on the owner's machine that needs no key. */
const app = createApp({
  platform: () => ({ ...platform, settings: { ...platform.settings, ownHosts: ["gpu-box.lan"] } }),
  account: async () => null,
  site: async () => new Response("the site"),
});
const own = "http://localhost:8787";
const send = (
  path: string,
  headers: Record<string, string> = {},
  init: RequestInit = {},
  to = own,
) => app.request(`${to}${path}`, { ...init, headers });

const json = { "content-type": "application/json" };
const newKey = JSON.stringify({ name: "x", owner: "evil", scopes: ["admin"] });
const keyCount = async () => (await platform.apiKeys.list({ after: null, limit: 100 })).length;

describe("a service without keys answers", () => {
  it.each([
    "http://localhost:8787",
    "http://127.0.0.1:8787",
    "http://[::1]:8787",
    "http://localhost",
    "http://LOCALHOST:9000",
    "http://gpu-box.lan",
    "http://gpu-box.lan:8787",
  ])("at %s", async (to) => {
    expect((await send("/v1/keys", {}, {}, to)).status).toBe(200);
    expect(await (await send("/", {}, {}, to)).text()).toBe("the site");
  });

  it.each([
    "evil.example:8787",
    "localhost.evil.example:8787",
    "127.0.0.1.nip.io",
    "evil-localhost",
    "0.0.0.0:8787",
    "127.0.0.2",
    "[::ffff:7f00:1]:8787",
    "localhost.:8787",
    "a.localhost",
    "gpu-box.lan.evil.example",
    "x.gpu-box.lan",
  ])("no request at %s, whatever its other headers are", async (host) => {
    const before = await keyCount();
    const origin = `http://${host}`;
    const tries = [
      send("/v1/keys", {}, {}, origin),
      send("/v1/keys", { origin, "sec-fetch-site": "same-origin" }, {}, origin),
      send("/v1/keys", { ...json, origin }, { method: "POST", body: newKey }, origin),
      send("/v1/keys", { authorization: "Bearer x" }, {}, origin),
      send("/", {}, {}, origin),
      send("/badge/a/b.svg", {}, {}, origin),
      send("/healthz", {}, {}, origin),
      send("/v1/keys", { "access-control-request-method": "POST" }, { method: "OPTIONS" }, origin),
      // A development proxy may use the host header, which a page can set.
      send("/v1/keys", { host }),
      send("/v1/keys", { ...json, host, origin: own }, { method: "POST", body: newKey }),
      send("/v1/keys", { host: "localhost:8787" }, {}, origin),
    ];
    for (const response of await Promise.all(tries)) {
      expect(response.status).toBe(403);
      expect(response.headers.get("access-control-allow-origin")).toBeNull();
      expect(((await response.json()) as { detail: string }).detail).toContain("OWN_HOSTS");
    }
    expect(await keyCount()).toBe(before);
  });
});

/** What browsers send for pages that are not the service's own. */
const foreign: [string, Record<string, string>][] = [
  ["another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
  ["another site, with an origin header only", { origin: "https://evil.example" }],
  ["another site without an origin header", { "sec-fetch-site": "cross-site" }],
  ["a frame without origin", { origin: "null", "sec-fetch-site": "cross-site" }],
  [
    "another port of this machine",
    { origin: "http://localhost:3000", "sec-fetch-site": "same-site" },
  ],
  ["another name of this machine", { origin: "http://127.0.0.1:8787" }],
  ["another scheme", { origin: "https://localhost:8787" }],
  ["a host with the same prefix", { origin: "http://localhost:8787.evil.example" }],
  ["something that no browser sends", { origin: own, "sec-fetch-site": "cross-origin" }],
  ["an extension", { origin: "chrome-extension://abcdef" }],
  [
    "a WebSocket of another site",
    { origin: "https://evil.example", upgrade: "websocket", connection: "Upgrade" },
  ],
];

describe.each(foreign)("a page of %s", (_, headers) => {
  it("reads public data but nothing of the owner", async () => {
    const read = await send("/v1/suites", headers);
    expect([read.status, read.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    expect(read.headers.get("access-control-allow-credentials")).toBeNull();
    expect(read.headers.get("vary")).toContain("origin, sec-fetch-site");
    for (const path of ["/v1/keys", "/v1/webhooks", "/v1/schedules", "/v1/usage"]) {
      expect((await send(path, headers)).status).toBe(401);
    }
  });

  it.each([
    ["JSON", json, newKey],
    [
      "plain text, as sendBeacon() sends it",
      { "content-type": "text/plain;charset=UTF-8" },
      newKey,
    ],
    ["a form", { "content-type": "application/x-www-form-urlencoded" }, '{"name":"x=y"}'],
    ["a form with a file", { "content-type": "multipart/form-data; boundary=x" }, "--x--"],
    ["nothing", {}, undefined],
    ["the mark of a public reader", { ...json, "x-assay-public": "1" }, newKey],
    ["another scheme of keys", { ...json, authorization: "Basic eDp5" }, newKey],
  ])("writes nothing by %s", async (_case, more: Record<string, string>, body) => {
    const before = await keyCount();
    for (const [method, path] of [
      ["POST", "/v1/keys"],
      ["POST", "/v1/datasets?suite=extraction&name=x"],

      ["POST", "/v1/submissions"],
      ["DELETE", "/v1/keys/x"],
      ["PATCH", "/v1/webhooks/x"],
      ["POST", "/v1/runs/x/hide"],
    ] as const) {
      const init = { method, ...(body !== undefined && { body }) };
      expect((await send(path, { ...headers, ...more }, init)).status).toBe(403);
    }
    expect(await keyCount()).toBe(before);
  });

  it("has its preflight refused for writes, unless it sends a key, which is then checked", async () => {
    const ask = (method: string, names = "content-type") =>
      send(
        "/v1/keys",
        {
          ...headers,
          "access-control-request-method": method,
          "access-control-request-headers": names,
        },
        { method: "OPTIONS" },
      );
    for (const method of ["POST", "DELETE", "PATCH"]) {
      const refused = await ask(method);
      expect([refused.status, refused.headers.get("access-control-allow-origin")]).toEqual([
        403,
        null,
      ]);
      expect((await ask(method, "authorization,content-type")).status).toBe(204);
    }
    expect((await ask("GET")).status).toBe(204);
    const guess = { ...headers, ...json, authorization: "Bearer guess" };
    expect((await send("/v1/keys", guess, { method: "POST", body: newKey })).status).toBe(401);
    const network = await send(
      "/v1/keys",
      { ...headers, "access-control-request-private-network": "true" },
      { method: "OPTIONS" },
    );
    expect(network.headers.get("access-control-allow-private-network")).toBeNull();
  });
});

describe("the owner writes", () => {
  it.each([
    ["without a browser", {}, own],
    ["from the service's own page", { origin: own, "sec-fetch-site": "same-origin" }, own],
    ["from an own page of an older browser", { origin: own }, own],
    ["from its address bar", { "sec-fetch-site": "none" }, own],
    ["at a configured host", { origin: "http://gpu-box.lan:8787" }, "http://gpu-box.lan:8787"],
    ["at a configured host behind TLS", { origin: "https://gpu-box.lan" }, "http://gpu-box.lan"],
  ])("%s", async (_, headers: Record<string, string>, to) => {
    const init = { method: "POST", body: newKey };
    expect((await send("/v1/keys", { ...json, ...headers }, init, to)).status).toBe(201);
    expect((await send("/v1/keys", headers, {}, to)).status).toBe(200);
  });
});

it("a service with keys answers at any host", async () => {
  const keyed = createApp({
    platform: () => ({
      ...platform,
      settings: { ...platform.settings, requireApiKey: true, ownHosts: [] },
    }),
    account: async () => null,
    site: async () => new Response("the site"),
  });
  const response = await keyed.request("https://assay.example/v1/suites");
  expect([response.status, response.headers.get("vary")]).toEqual([
    200,
    "authorization, assay-share",
  ]);
});
